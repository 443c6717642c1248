"""The values that travel through the graph, what it reports meanwhile, and what a question ends with."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, Literal, NamedTuple, NotRequired

from langchain_core.documents import Document
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from typing_extensions import TypedDict

from rag import __version__


class FrozenModel(BaseModel):
    """A value that is not changed once it is made."""

    model_config = ConfigDict(frozen=True)


class PageId(NamedTuple):
    """A page by its file under `LIBRARY_DIR` and its 1-based position there.

    `half` tells the printed pages of one sheet apart: 1 the left, 2 the right, 0 a whole page.
    """

    file: str
    pdf_page: int
    half: int = 0


class Authority(StrEnum):
    """Whose rule a text is; the first that says something counts."""

    RULING = "ruling"
    HOUSE_RULES = "house-rules"
    BOOK = "book"

    @property
    def rank(self) -> int:
        """Its place among all, from 0."""
        return list(Authority).index(self)


class AbsentPage(FrozenModel):
    """A page that was asked for and that the book does not have.

    `printed` are those it has ("1–230"), empty where there is no such book at all, or where its pages have no
    numbers; then `numbering` tells whether none were found or they could not be read, and `is_position`
    whether the file has as many pages. `book` is empty where none was named and no book has that page.
    """

    book: str
    page: str
    printed: str
    numbering: Literal["printed", "unread", "unnumbered"] = "printed"
    is_position: bool = False


class PageOfSeveralBooks(FrozenModel):
    """A page that was asked for without a book, and that too many books have to open it in all.

    `books` are names that each mean one of them, `more` how many others have it, too.
    """

    page: str
    books: tuple[str, ...]
    more: int = 0


class MeantGames(FrozenModel):
    """Which games a question may mean that names none, of a library of several.

    `taken` are those it is answered from, the likeliest first: one, or two where nearly as much speaks for
    the second. `others` could answer it, too.
    """

    taken: tuple[str, ...]
    others: tuple[str, ...] = ()


class Origin(StrEnum):
    """Who asked for a search."""

    ASKED = "asked"
    SUB_QUESTION = "sub-question"
    JUDGE = "judge"
    FOLLOWED = "followed"
    """Nobody: other pages lead there."""


class SearchResult(BaseModel):
    """The pages that a search found for one query, best first, and what became of what it asked for.

    `named` are the pages that it names, `absent` those it names in vain, `ambiguous` those that too many
    books have. `holding_most` are the pages that hold most of what it asks for, None where nobody looked;
    `missing_word` is the word of it that tells most and that no book searched has, in any form.
    `games` are those it may mean, None where that is no question. `misspelt` has its misspelt words, each
    with the word that was searched for it.
    """

    context: list[Document] = Field(default_factory=list)
    named: frozenset[PageId] = frozenset()
    absent: tuple[AbsentPage, ...] = ()
    ambiguous: tuple[PageOfSeveralBooks, ...] = ()
    holding_most: frozenset[PageId] | None = None
    missing_word: str | None = None
    games: MeantGames | None = None
    misspelt: dict[str, str] = Field(default_factory=dict)


class Question(SearchResult):
    """A question that was searched, with the pages its own search found.

    `hop` is the hop it was searched in, `round` the first prompt that shows what it found, 1 the first
    judge's.
    """

    question: str
    hop: int = 1
    origin: Origin = Origin.ASKED
    round: int = 1


class PassageLine(FrozenModel):
    """A line of a longer quotation: a sentence, a heading, or a table row.

    `text` is as printed, `row` how a table row reads under its column names, "" of other lines. `is_closest`:
    of the lines of its passage it surely answers best. `is_nearest`: it comes nearest, sure or not; what is
    shown of a long passage is shown around it. `rank`: how near it comes behind that, 1 is the first, 0 where
    nobody looked. `number`: which line of its passage it is.
    """

    text: str
    row: str = ""
    is_closest: bool = False
    is_nearest: bool = False
    is_heading: bool = False
    begins_line: bool = False
    rank: int = Field(default=0, exclude=True)
    number: int = Field(default=0, exclude=True)


@dataclass(frozen=True, slots=True)
class QuotedPart:
    """What of a quotation stands on the page before or after that of its source; the fields as there."""

    page: str | None
    pdf_page: int
    quote: str
    half: Annotated[int, Field(exclude=True)] = 0
    offset: Annotated[int | None, Field(exclude=True)] = None


def over_page_break(*parts: str | QuotedPart | None) -> str:
    """Words that stand one behind the other on several pages, on one line."""
    whole = ""
    for part in parts:
        words = part.quote if isinstance(part, QuotedPart) else part or ""
        between = " " if whole and words and not whole.endswith("-") else ""
        whole += between + " ".join(words.split())
    return whole


@dataclass(frozen=True, slots=True)
class QuotedPlace:
    """A quotation, and where it stands, without the rest that is known of a `Source`; the fields as there."""

    book: str
    file: str
    page: str | None
    pdf_page: int
    quote: str
    section: str | None = None
    offset: int | None = None
    before: QuotedPart | None = None
    after: QuotedPart | None = None

    @property
    def whole_quote(self) -> str:
        """The quotation with what of its sentences stands on the pages beside."""
        return over_page_break(self.before, self.quote, self.after)


EXCERPT_LINES, MOST_LINES = 6, 12
"""Lines of a phone that what is shown of a passage may take, where nothing else is told, and with what comes
next to the nearest line."""


class Source(FrozenModel):
    """A quotation and the place where it stands.

    `page` is the printed label (None where unknown), `pdf_page` the 1-based position in the file, `half` that
    of `PageId`, `offset` where it begins in the page's text as it is indexed. In a format without pages
    `section` is the place, "House Rules › Bleeding". `verified` is
    true when code found the quote, letter for letter, on that page. `is_ocr`: the page is a picture, its
    words were read by OCR and may be wrong. `authority`: whose rule it is; `made` is the day of a ruling.
    Where a sentence of it runs over a page break, `before` and `after` are its parts on the pages beside.
    `passage` are the lines of a quotation that nobody chose line by
    line, and of one that holds a table's row; empty of others. `heading` stands over a passage, `room` is how
    many lines of a phone what is shown of it may take.
    """

    book: str
    file: str
    game: str
    page: str | None
    pdf_page: int
    quote: str
    verified: bool
    is_ocr: bool = False
    authority: Authority = Authority.BOOK
    made: date | None = None
    passage: tuple[PassageLine, ...] = ()
    heading: str = Field(default="", exclude=True)
    room: int = Field(default=EXCERPT_LINES, exclude=True)
    half: int = Field(default=0, exclude=True)
    offset: int | None = Field(default=None, exclude=True)
    section: str | None = None
    before: QuotedPart | None = None
    after: QuotedPart | None = None

    @property
    def page_id(self) -> PageId:
        """The page it stands on."""
        return PageId(self.file, self.pdf_page, self.half)

    @property
    def whole_quote(self) -> str:
        """The quotation with what of its sentences stands on the pages beside."""
        return over_page_break(self.before, self.quote, self.after)


class StatementRole(StrEnum):
    """What a statement is to the question."""

    VERDICT = "verdict"
    NOTE = "note"


class Statement(FrozenModel):
    """One sentence of an answer that its lines prove.

    `sources` are positions in the answer's list; `lines` are the book's lines as they were shown, a row under
    its column names. `calculated`: a number of it is not printed but computed, and code computed the same.
    """

    text: str
    sources: list[int]
    role: StatementRole = StatementRole.NOTE
    lines: list[str] = Field(default_factory=list)
    calculated: bool = False


class DroppedStatement(FrozenModel):
    """A drafted sentence that is not claimed, and why; its lines are among the sources."""

    text: str
    reason: str


ChangedEnd = Literal["origin", "target"]
"""Which of two linked pages has its rule changed by the other."""


class Followed(FrozenModel):
    """A link that was followed: from which page, to which, in which hop.

    It is a printed reference. Where `changed` is set, one of the two pages corrects the other.
    """

    origin: str = Field(serialization_alias="from")
    target: str = Field(serialization_alias="to")
    hop: int = 1
    changed: ChangedEnd | None = None


class Judgement(FrozenModel):
    """What the judge said of all pages after a hop: whether they are enough, and what to look for if not.

    `sufficient` is None where the model gave no usable verdict. `queries` are to be searched next, or else
    `references` to be followed.
    """

    hop: int
    sufficient: bool | None
    queries: list[str] = Field(default_factory=list)
    references: list[Followed] = Field(default_factory=list)


class Overruled(FrozenModel):
    """That a correction, or a table's own rule, changes what a source quotes, by their positions."""

    source: int
    by: int


class Outcome(StrEnum):
    """How a question ended; it decides wording and colour."""

    ANSWERED = "answered"
    PARTLY = "partly"
    UNPROVEN = "unproven"
    """The model ruled, and the ruling could not be proven."""
    PASSAGES = "passages"
    NOT_FOUND = "not_found"


class AnswerWithSources(BaseModel):
    """A verified answer.

    `statements` are what may be claimed, the verdict first where it is proven; `dropped` what a model said
    beside them; `overruled` which quotations another one changes. `missing` names in the asker's language
    what the pages left open. `checked_by_model`: a claim rests on a second look of the model. `elsewhere` are
    pages to which the quoted rules refer and whose book is surely not here, `unresolved` those that were not
    found, `absent` pages asked for that their book does not have, `ambiguous` those that too many books have.
    The first `shown` sources are shown, of the others the places; `together` tells by a source the first that
    it is drawn with. `notice` is the key of a sentence about a fault on the way. `missing_word` is a word
    asked for that no book searched has, where nothing was found.
    """

    answer: str
    sources: list[Source] = Field(default_factory=list)
    found: bool
    outcome: Outcome
    statements: list[Statement] = Field(default_factory=list)
    dropped: list[DroppedStatement] = Field(default_factory=list)
    overruled: list[Overruled] = Field(default_factory=list)
    shown: int | None = None
    together: dict[int, int] = Field(default_factory=dict, exclude=True)
    checked_by_model: bool = False
    missing: str | None = None
    missing_word: str | None = None
    elsewhere: list[str] = Field(default_factory=list)
    unresolved: list[str] = Field(default_factory=list)
    absent: list[AbsentPage] = Field(default_factory=list)
    ambiguous: list[PageOfSeveralBooks] = Field(default_factory=list)
    notice: str | None = None

    @property
    def games(self) -> list[str]:
        """The games of its sources, or books outside of all games, each once; those of printed books alone
        where there are any.
        """
        printed = [one for one in self.sources if one.authority is Authority.BOOK] or self.sources
        return list(dict.fromkeys(source.game or source.book for source in printed))


def texts_in(written: Any) -> list[str]:
    """The texts of a list, however a model wrote it: one alone, none, in objects ({"query": …})."""
    match written:
        case str():
            return [written]
        case list():
            return [text for one in written for text in texts_in(one)]
        case dict():
            return texts_in(list(written.values()))
        case _:
            return []


class Sufficiency(BaseModel):
    """Whether the pages gathered so far answer the question; if not, what to search next."""

    sufficient: bool
    new_queries: Annotated[list[str], BeforeValidator(texts_in)] = Field(
        default_factory=list, json_schema_extra={"maxItems": 4}
    )


class Thing(TypedDict):
    """The words of a question for something the books name, and the names of its kind beside it there."""

    words: str
    kind: list[str]
    language: str


class Exchange(TypedDict):
    """A question as it was asked, what was answered, and the things it named: one pair of the history."""

    question: str
    answer: str
    things: NotRequired[list[Thing]]


class State(TypedDict, total=False):
    """What the nodes hand on. `history` and `about` outlive a question; no document is checkpointed.

    `about` are the games and files that the last answer is from.
    """

    question: str
    history: list[Exchange]
    about: list[str]
    standalone_question: str
    parts: list[str]
    questions: list[Question]
    followed: list[Followed]
    judgements: list[Judgement]
    hops: int
    answer: AnswerWithSources


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` to `end` of a page's text."""

    start: int
    end: int

    def overlaps(self, other: "Span") -> bool:
        """Whether they share a character."""
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Usage:
    """What was used of the chat model.

    `estimated` says that some tokens are guessed by characters. `money` is in USD, None where no prices
    are configured.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    estimated: bool = False
    money: Decimal | None = None

    @property
    def tokens(self) -> int:
        """Tokens sent and received."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: "Usage") -> "Usage":
        """Both together; money as far as it is known."""
        known = [money for money in (self.money, other.money) if money is not None]
        return Usage(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.estimated or other.estimated,
            sum(known, Decimal()) if known else None,
        )


class Stage(StrEnum):
    """The steps a reader is told of; the values are keys of `rag/texts`."""

    REWRITING = "progress-rewriting"
    SEARCHING = "progress-searching"
    JUDGING = "progress-judging"
    FOLLOWING = "progress-following"
    WRITING = "progress-writing"


@dataclass(frozen=True)
class Progress:
    """A step that begins: which, in which hop, and towards what ("Powers p. 100")."""

    stage: Stage
    hop: int = 1
    target: str = ""


@dataclass(frozen=True)
class Stated:
    """A statement that is proven, while the next is still being written; the answer will hold it.

    It has no source numbers yet: they are given when all sources are known. Where `is_checking`, the verdict
    is still looked at, and `text` is the book's own lines in its place.
    """

    text: str
    sources: tuple[Source, ...] = ()
    role: StatementRole = StatementRole.VERDICT
    is_checking: bool = False


Report = Callable[[Progress], None]


def unreported(event: Progress | Stated) -> None:
    """For callers that draw no progress."""


class SearchedQuery(FrozenModel):
    """A query without what it found: who asked for it, in which hop."""

    query: str
    origin: Origin
    hop: int


class Trace(FrozenModel):
    """How an answer was found, step by step, and what it cost; it holds no page.

    `missing` and `dropped` are those of the answer.
    """

    strategy: str
    hops: int
    queries: list[SearchedQuery] = Field(default_factory=list)
    followed: list[Followed] = Field(default_factory=list)
    judgements: list[Judgement] = Field(default_factory=list)
    missing: str | None = None
    dropped: list[DroppedStatement] = Field(default_factory=list)
    usage: Usage = Usage()
    seconds: float = 0.0


class Reply(BaseModel):
    """What `ask` ends with: the answer and how it was found.

    `forgotten` tells that an earlier conversation of the thread was evicted from memory, `is_first` that
    nothing was said before. Where the question named no game of several, `game` is the one it was answered
    from, `other_games` could answer it, too.
    """

    question: str
    standalone_question: str
    answer: AnswerWithSources
    questions: list[Question]
    strategy: str
    hops: int
    followed: list[Followed]
    judgements: list[Judgement] = Field(default_factory=list)
    usage: Usage
    mode: Literal["model", "quotes"]
    seconds: float
    locale: str
    forgotten: bool = False
    is_first: bool = Field(default=False, exclude=True)
    game: str | None = None
    other_games: list[str] = Field(default_factory=list)

    @property
    def fitting_games(self) -> list[str]:
        """The games that an answer quotes, the one it is from first, and those that could answer it, too."""
        return [*self.answer.games, *self.other_games]

    @property
    def trace(self) -> Trace:
        """How the answer was found."""
        queries = [
            SearchedQuery(query=one.question, origin=one.origin, hop=one.hop)
            for one in self.questions
            if one.origin is not Origin.FOLLOWED
        ]
        return Trace.model_validate({**vars(self.answer), **vars(self), "queries": queries})

    def to_json(self) -> dict[str, Any]:
        """The reply as the contract prints it, with further fields."""
        told = self.model_dump(mode="json", by_alias=True, exclude={"answer", "questions", "usage", "locale"})
        answer = self.answer.model_dump(mode="json")
        used = self.usage
        tokens = {"input": used.input_tokens, "output": used.output_tokens, "estimated": used.estimated}
        return {
            **told,
            **answer,
            "version": __version__,
            "sources": [placed(source) for source in answer["sources"]],
            "questions": [_listed(question) for question in self.questions],
            "model_calls": used.calls,
            "tokens": tokens,
            **({} if used.money is None else {"money": float(used.money)}),
        }


def _listed(question: Question) -> dict[str, Any]:
    """A searched question with its pages by place alone."""
    keys = ("book", "file", "page", "pdf_page", "section")
    pages = [placed({key: page.metadata.get(key) for key in keys}) for page in question.context]
    return {
        "question": question.question,
        "context": pages,
        "hop": question.hop,
        "origin": question.origin.value,
    }


def placed(facts: dict[str, Any]) -> dict[str, Any]:
    """Facts of a page for programs: a format without pages has a section, and no position in a PDF."""
    section = facts.pop("section", None)
    return facts if section is None else {**facts, "pdf_page": None, "section": section}


THREADS = uuid.UUID("b7f4c2de-6a35-5d0e-9b1c-2f8d4e7a9c61")
"""Our namespace: a Discord thread's id, or a name in the terminal, becomes a LangGraph thread id."""


def thread_id(name: str | int) -> str:
    """The LangGraph thread of a Discord thread's id or of a name given in the terminal."""
    return str(uuid.uuid5(THREADS, str(name)))
