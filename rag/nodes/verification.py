"""From a drafted answer to what is proven of it, statement by statement, also while it is being written."""

import logging
import re
from collections.abc import Callable, Mapping, Sequence

from pydantic import BaseModel, ValidationError

from rag.library.books.found_page import FoundPage
from rag.models.structured_output import whole_items, without_thoughts
from rag.nodes.citations import located, quote_parts, shortened
from rag.nodes.numbers import PAGE_REFERENCE, numbers_in, unsupported_numbers
from rag.state import Source, Stated, Statement

log = logging.getLogger(__name__)

MAX_SOURCES = 5
MAX_STATEMENTS = 8
LONGEST_STATEMENT = 1_000
"""A statement of more characters is none; so is a remark on what is missing."""
LONGEST_QUOTE = 2_000
"""Characters of a quote as the model wrote it; what is longer is none, and would be long to look for."""
MOST_QUOTES = 8
"""A statement that needs more quotes than this says more than one thing."""
STATEMENTS_BEGIN = re.compile(r'\{\s*"answerable"\s*:\s*true\s*,\s*"statements"\s*:\s*\[')
"""A draft that says first that it answers. One in another order is read when it is whole."""


class DraftQuote(BaseModel):
    """Words the model copied from the page with this key."""

    key: str
    quote: str


class DraftStatement(BaseModel):
    """One sentence of the draft with the quotes it rests on."""

    text: str
    quotes: list[DraftQuote]


class Draft(BaseModel):
    """The model's reply, nothing of it verified yet."""

    answerable: bool
    statements: list[DraftStatement]
    missing: str | None = None


class Verification:
    """What is proven of a draft, taken statement by statement: the statements and their sources so far."""

    def __init__(self, keyed: Mapping[str, FoundPage], questions: Sequence[str]) -> None:
        """`keyed` are the pages by the key they were shown under; numbers of `questions` need no proof."""
        self.keyed = keyed
        self.questions = questions
        self.taken: list[DraftStatement] = []
        self.sources: list[Source] = []
        self.statements: list[Statement] = []

    def take(self, drafted: DraftStatement) -> Statement | None:
        """The next statement where its quotes and numbers stand in the books, else None."""
        self.taken.append(drafted)
        if len(self.taken) > MAX_STATEMENTS:
            return None
        proof = proven_sources(drafted, self.keyed, self.questions)
        added = [source for source in proof if source not in self.sources]
        if not proof or len(self.sources) + len(added) > MAX_SOURCES:
            log.info("a statement was dropped: %s", "no proof" if not proof else "too many sources")
            return None
        self.sources += added
        places = [self.sources.index(source) for source in proof]
        proven = Statement(text=without_controls(drafted.text).strip(), sources=places)
        self.statements.append(proven)
        return proven

    def take_rest(self, draft: Draft) -> bool:
        """Take what of a whole draft was not taken yet; False, and nothing, where it contradicts what was."""
        statements = draft.statements if draft.answerable else []
        if statements[: len(self.taken)] != self.taken:
            return False
        for drafted in statements[len(self.taken) :]:
            self.take(drafted)
        return True


class StatementWatcher:
    """Verifies the statements of a draft as they become whole, and reports those that are proven."""

    def __init__(self, verification: Verification, report: Callable[[Stated], None]) -> None:
        self._verification = verification
        self._report = report

    @property
    def has_told(self) -> bool:
        """Whether a statement was reported."""
        return bool(self._verification.statements)

    def see(self, text: str) -> None:
        """Take the statements that became whole since the last time."""
        for drafted in whole_statements(text)[len(self._verification.taken) :]:
            if proven := self._verification.take(drafted):
                sources = tuple(self._verification.sources[number] for number in proven.sources)
                self._report(Stated(proven.text, sources))


def whole_statements(text: str) -> list[DraftStatement]:
    """The statements of a draft that is being written, up to the last whole one; pure."""
    text = without_thoughts(text)
    begin = STATEMENTS_BEGIN.search(text)
    statements: list[DraftStatement] = []
    for item in whole_items(text, begin.end()) if begin else ():
        try:
            statements.append(DraftStatement.model_validate(item))
        except ValidationError:
            break
    return statements


def proven_sources(
    drafted: DraftStatement, keyed: Mapping[str, FoundPage], questions: Sequence[str]
) -> list[Source]:
    """The sources that prove a statement; none where any quote, number or page of it stands nowhere."""
    if not is_bounded(drafted):
        return []
    needed = numbers_in(drafted.text)
    sources: list[Source] = []
    for quote in drafted.quotes:
        page = keyed.get(quote.key)
        for part in quote_parts(quote.quote):
            found = sources_of_quote(part, page, needed) if page else []
            if not found:
                return []
            sources += found
    evidence = [*questions, *(source.quote for source in sources)]
    return list(dict.fromkeys(sources)) if is_supported(drafted.text, evidence) else []


def is_bounded(drafted: DraftStatement) -> bool:
    """Whether a statement says something and is short enough to be looked at."""
    are_quotes = len(drafted.quotes) <= MOST_QUOTES and all(
        len(quote.quote) <= LONGEST_QUOTE for quote in drafted.quotes
    )
    return are_quotes and 0 < len(drafted.text.strip()) <= LONGEST_STATEMENT


def without_controls(text: str) -> str:
    """A text of a model without characters that steer a terminal."""
    return "".join(character for character in text if character.isprintable() or character == "\n")


def is_remark(missing: str, questions: Sequence[str]) -> bool:
    """Whether what the model says of the gap may be shown: short, and with no number of its own."""
    return len(missing) <= LONGEST_STATEMENT and is_supported(missing, questions)


def is_supported(text: str, evidence: Sequence[str]) -> bool:
    """Whether every number and every page that a text names stands in its evidence."""
    named_pages = [match[0].casefold() for match in PAGE_REFERENCE.finditer(text)]
    known = " ".join(evidence).casefold()
    return not unsupported_numbers(text, evidence) and all(page in known for page in named_pages)


def sources_of_quote(quote: str, page: FoundPage, needed: set[str]) -> list[Source]:
    """Where a quote stands, on its page or a neighbour; one source a page where it runs over.

    `needed` are the numbers that should survive the cut to the longest quotation.
    """
    return [
        source.model_copy(update={"quote": shortened(source.quote, needed)})
        for source in located(quote, page)
    ]
