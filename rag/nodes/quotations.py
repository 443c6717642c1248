"""Answers by quotation: the passages that come closest to a question, verbatim; nothing is claimed."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from rag.library.books.found_page import FoundPage
from rag.library.language.follow_ups import points_back
from rag.library.language.likeness import shared_words
from rag.library.search.fusion import fused
from rag.nodes.amendments import overruled, with_amendments
from rag.nodes.citations import passage_source
from rag.nodes.generate import nothing_found
from rag.rules import rule
from rag.state import AnswerWithSources, Origin, Outcome, Question, Source
from rag.strategies.context import pages_of
from rag.strategies.lines import Line, cells, lines_of
from rag.texts import Texts

PAGES_READ = 5
CHUNKS_READ = 6
"""Matching chunks of a page that may become passages."""
MOST_PASSAGES = 3
"""With chunks of about 110 words an answer takes a screen and a half of a phone."""
APART = 0.4
"""A passage whose score is so much below the best one's is noise beside it.

Measured on 380 questions of four books in two languages: with 0.7 a fifth more passages are shown, and two
proofs more.
"""
PASSAGE_CHARACTERS, LONGEST_PASSAGE = 600, 900
"""What a passage holds where no chunk tells, and at most."""
WORDS_WORTH = 1.0
"""What holding all words of the question is worth beside a similarity of at most 1, rare words more."""
OWN_WORDS_WORTH = 0.3
"""What the asker's own words are worth in a follow-up, beside those of the question before.

"And Long Lungs?" asks for these, "how long does it keep?" for what was named before."""
HEADING_WORTH = 0.6
"""What it is worth that its heading, or the first cell of its row, holds all words of the question: rules
stand under their names, and values beside them."""
PAGE_WORTH = 0.3
"""What being on the best page is worth; later pages get a share."""
CHUNK_WORTH = 0.3
"""What being the best chunk of its page is worth; later chunks get a share."""

_NUMBER = re.compile(r"\w*\d\w*")
_DIGIT_OF_A_NUMBER = re.compile(r"(?<![^\W_])\d")
_WORD = re.compile(r"[^\W\d_]+")

Similarity = Callable[[str, Sequence[str]], Iterable[float]]
"""How close each of several texts comes to a question, at most 1."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines of a page that follow one another; `closest` is the one that answers best, where it is told."""

    page: FoundPage
    page_rank: int
    chunk_rank: int
    lines: tuple[Line, ...]
    closest: int | None = None
    score: float = 0.0

    @property
    def text(self) -> str:
        """The lines, each heading before those that stand under it, rows under their column names."""
        return " ".join(dict.fromkeys(part for line in self.lines for part in (line.heading, line.text)))

    @property
    def is_of_row(self) -> bool:
        """Whether what answers best is a row of a table."""
        return self.closest is not None and self.lines[self.closest].is_row

    def source(self, asked: str | None) -> Source:
        """The quotation of this passage, its closest line marked where it surely answers what is asked."""
        is_marked = asked is not None and self.is_sure(asked)
        return passage_source(self.page, self.lines, self.closest, is_marked=is_marked)

    def is_sure(self, asked: str) -> bool:
        """Whether the closest line is a sentence, or shares more words with what is asked than other rows.

        A number alone tells no row: the 0 of "0 hp" stands in any column.
        """
        if self.closest is None or not self.is_of_row:
            return True
        rows = [line for line in self.lines if line.is_row]
        languages = [self.page.language] * len(rows)
        shared = shared_words(asked, [row.text for row in rows], languages)
        called = shared_words(asked, [cells(row.text)[0].value for row in rows], languages)
        # A row is told by its first cell where several hold as much: level 6 has its own row, "+6" another.
        told = list(zip(shared, called, strict=True))
        own = told.pop(rows.index(self.lines[self.closest]))
        (named,) = shared_words(_NUMBER.sub("", asked), [self.lines[self.closest].text], [self.page.language])
        return named > 0 and own > max(told, default=(0.0, 0.0))


def closest_passages(
    question: str,
    pages: Sequence[FoundPage],
    questions: Sequence[Question],
    similarity: Similarity,
    texts: Texts,
    notice: str | None = None,
    asked: str | None = None,
) -> AnswerWithSources:
    """The passages that answer best, the best first; as many as stand clearly apart, at most three.

    A question that names a page is answered from that page. `found` is false where none of the pages read
    holds most of what is asked: the books then hardly speak of it. `questions` are
    the searches that found the pages. `asked` are the asker's own words: by them a table row is
    marked, and they count more than those taken over from the question before.
    Words that were misspelt are compared as they were searched.
    """
    own_words = _put_right(asked or question, questions)
    question = _put_right(question, questions)
    citable = _as_searched([page for page in pages if page.is_citable], questions)
    named = [page for page in citable if any(page.id in one.named for one in questions)]
    read = (named or citable)[:PAGES_READ]
    candidates = [
        passage for rank, page in enumerate(read) for passage in _passages(page, rank, is_whole=bool(named))
    ]
    if not candidates:
        return nothing_found(pages, texts)
    if named and not any(page.hits for page in named):
        chosen = _joined(_in_turn(candidates))
    else:
        best = not_clearly_worse(_scored(question, candidates, similarity, own_words))
        chosen = _joined([of_one_section(passage) for passage in best])
    is_found = any(_holds_most(page, questions) for page in read)
    told = own_words if is_found and not named else None
    sources = with_amendments([passage.source(told) for passage in chosen], pages)
    changed = overruled(sources, pages)
    for number in {one.source for one in changed}:
        sources[number] = sources[number].unmarked
    return AnswerWithSources(
        answer="\n\n".join(f"“{source.whole_quote}”" for source in sources),
        sources=sources,
        found=is_found,
        outcome=Outcome.PASSAGES,
        overruled=changed,
        notice=notice,
    )


def _put_right(text: str, questions: Sequence[Question]) -> str:
    """A text with its misspelt words as they were searched."""
    misspelt = {word: meant for one in questions for word, meant in one.misspelt.items()}
    return _WORD.sub(lambda found: misspelt.get(found[0], found[0]), text)


def _in_turn(passages: Sequence[Passage]) -> list[Passage]:
    """The beginnings of pages that were asked for by nothing but their numbers."""
    return sorted(passages, key=lambda one: (one.chunk_rank, one.page_rank))[:MOST_PASSAGES]


def _as_searched(pages: Sequence[FoundPage], questions: Sequence[Question]) -> list[FoundPage]:
    """The pages as the searches for the question ranked them; those that others led to come last."""
    searched = [one for one in questions if one.origin is not Origin.FOLLOWED]
    scores = fused((1.0, [page.id for page in pages_of(one).values()]) for one in searched)
    return sorted(pages, key=lambda page: -scores.get(page.id, 0.0))


def _passages(page: FoundPage, rank: int, *, is_whole: bool) -> Iterator[Passage]:
    """The chunks of a page that matched, as whole lines; then the rest of a page that is asked for itself.

    Of a page without such chunks all.
    """
    lines = lines_of(page)
    chunks = [[one for one in lines if one.span.overlaps(hit)] for hit in page.hits[:CHUNKS_READ]]
    if is_whole or not chunks:
        told = {one.number for chunk in chunks for one in chunk}
        chunks += _pieces([one for one in lines if one.number not in told])
    for chunk_rank, chunk in enumerate(chunks):
        if any(_says_something(line) for line in chunk):
            yield Passage(page, rank, chunk_rank, tuple(chunk))


def _pieces(lines: Sequence[Line]) -> Iterator[list[Line]]:
    piece: list[Line] = []
    for line in lines:
        follows = piece and line.number == piece[-1].number + 1
        if piece and (not follows or _length([*piece, line]) > PASSAGE_CHARACTERS):
            yield piece
            piece = []
        piece.append(line)
    if piece:
        yield piece


def _says_something(line: Line) -> bool:
    """Whether a line is a sentence, a table row or tells a number: headings and scraps are no answer.

    In a heading ("OpenD6 Combat") a digit behind a letter is part of a name.
    """
    is_sentence = line.printed.rstrip('"”’)* ')[-1:] in (".", "!", "?", ":", ";")
    number = _DIGIT_OF_A_NUMBER if line.is_heading else _NUMBER
    return line.is_row or is_sentence or number.search(line.printed) is not None


def _scored(question: str, passages: Sequence[Passage], similarity: Similarity, asked: str) -> list[Passage]:
    """The passages with their scores and closest lines, the best first; `asked` are the asker's own words."""
    held_by, languages = [one.text for one in passages], [one.page.language for one in passages]
    shared = shared_words(question, held_by, languages)
    said = [
        (passage, number, f"{line.heading}: {line.text}" if line.heading else line.text)
        for passage in passages
        for number, line in enumerate(passage.lines)
        if _says_something(line)
    ]
    texts = [text for *_, text in said]
    likeness = similarity(question, texts)
    words = shared_words(question, texts, [passage.page.language for passage, *_ in said])
    own_words = words_of_its_own(asked, question)
    told = shared_words(own_words, texts, [passage.page.language for passage, *_ in said])
    alike: dict[int, float] = {}
    closest: dict[int, tuple[float, int]] = {}
    for (passage, number, _), like, held, own_held in zip(said, likeness, words, told, strict=True):
        alike[id(passage)] = max(like, alike.get(id(passage), like))
        better = (like + WORDS_WORTH * held + OWN_WORDS_WORTH * own_held, -number)
        closest[id(passage)] = max(better, closest.get(id(passage), better))
    nearest = [-closest[id(passage)][1] for passage in passages]
    lines = [passage.lines[number] for passage, number in zip(passages, nearest, strict=True)]
    named = heading_worth(question, lines, languages)
    own = shared_words(own_words, held_by, languages)
    scored = [
        replace(
            passage,
            closest=number,
            score=alike[id(passage)]
            + WORDS_WORTH * held
            + OWN_WORDS_WORTH * own_held
            + heading
            + rank_worth(passage),
        )
        for passage, number, held, heading, own_held in zip(
            passages, nearest, shared, named, own, strict=True
        )
    ]
    return sorted(scored, key=lambda passage: -passage.score)


@rule(without=lambda asked, question: "")
def words_of_its_own(asked: str, question: str) -> str:
    """The asker's own words, where a question that follows another asks for something else."""
    return "" if asked == question or points_back(asked) else asked


@rule(without=lambda question, lines, languages: [0.0] * len(lines))
def heading_worth(question: str, lines: Sequence[Line], languages: Sequence[str]) -> list[float]:
    """What it is worth that headings of lines, or the first cells of rows, hold words of the question."""
    shares = shared_words(question, [_named(line) for line in lines], languages)
    return [HEADING_WORTH * share for share in shares]


@rule(without=lambda passage: 0.0)
def rank_worth(passage: Passage) -> float:
    """What it is worth that search ranks the page of a passage high, and its chunk on that page."""
    return PAGE_WORTH / (1 + passage.page_rank) + CHUNK_WORTH / (1 + passage.chunk_rank)


def _named(line: Line) -> str:
    """What a line stands under: its heading, and a row the name in its first cell."""
    return f"{line.heading} {cells(line.text)[0].value}" if line.is_row else line.heading


@rule(without=lambda passages: list(passages[:MOST_PASSAGES]))
def not_clearly_worse(passages: Sequence[Passage]) -> list[Passage]:
    """The best passages, as far as the best one does not stand clearly above them."""
    return [one for one in passages[:MOST_PASSAGES] if passages[0].score - one.score <= APART]


@rule(without=lambda passage: passage)
def of_one_section(passage: Passage) -> Passage:
    """The lines under the heading of the closest one, and as many more of its section as a passage holds.

    What a heading parts from it speaks of something else.
    """
    closest = passage.lines[passage.closest or 0]
    kept = _run([line for line in passage.lines if line.heading == closest.heading], closest)
    of_page = lines_of(passage.page)
    behind = takewhile(lambda line: line.heading == closest.heading, of_page[kept[-1].number :])
    before = takewhile(lambda line: line.heading == closest.heading, of_page[: kept[0].number - 1][::-1])
    kept += _fitting(behind, kept, PASSAGE_CHARACTERS)
    kept = [*reversed(_fitting(before, kept, PASSAGE_CHARACTERS)), *kept]
    if kept[-1].printed.endswith(":"):
        kept += _fitting(_announced(of_page[kept[-1].number :]), kept, LONGEST_PASSAGE)
    return replace(passage, lines=tuple(kept), closest=kept.index(closest))


def _announced(following: Sequence[Line]) -> Iterator[Line]:
    """The list or table behind a colon, under its own heading where it has one."""
    yield from following[:1]
    yield from takewhile(lambda line: not line.is_heading, following[1:])


def _fitting(further: Iterable[Line], kept: Sequence[Line], most: int) -> list[Line]:
    """As many further lines as fit into a passage beside those it has."""
    taken: list[Line] = []
    for line in further:
        if _length([*kept, *taken, line]) > most:
            break
        taken.append(line)
    return taken


def _joined(passages: Sequence[Passage]) -> list[Passage]:
    """The passages, no line twice; those of a page that adjoin are one where that is not too long."""
    joined: list[Passage] = []
    for passage in passages:
        rest = _unshown(passage, joined)
        if rest is None:
            continue
        beside = [(at, both) for at, one in enumerate(joined) if (both := _together(one, rest))]
        if beside:
            at, both = beside[0]
            joined[at] = both
        else:
            joined.append(rest)
    return joined


def _unshown(passage: Passage, shown: Sequence[Passage]) -> Passage | None:
    """A passage without the lines that others of its page show; None where little is left."""
    known = {line.number for one in shown if one.page.id == passage.page.id for line in one.lines}
    known |= {number for one in shown for number in _torn_in(one, passage.page)}
    rest = [line for line in passage.lines if line.number not in known]
    if not any(_says_something(line) for line in rest):
        return None
    closest = passage.lines[passage.closest] if passage.closest is not None else None
    lines = _run(rest, closest if closest in rest else rest[0])
    return replace(passage, lines=tuple(lines), closest=lines.index(closest) if closest in lines else None)


def _torn_in(shown: Passage, page: FoundPage) -> Iterator[int]:
    """The lines of a page whose torn sentence a passage of the page beside shows whole."""
    if shown.lines[-1].after and shown.page.next and shown.page.next.id == page.id:
        yield 1
    if shown.lines[0].before and shown.page.previous and shown.page.previous.id == page.id:
        yield len(lines_of(page))


def _run(lines: Sequence[Line], about: Line) -> list[Line]:
    """Those of the lines that follow one another on their page around one of them."""
    at = lines.index(about)
    return [line for near, line in enumerate(lines) if line.number - about.number == near - at]


def _together(first: Passage, second: Passage) -> Passage | None:
    """Both passages as one, where they stand on one page with nothing between them, and are not too long."""
    lines = sorted({*first.lines, *second.lines}, key=lambda line: line.number)
    is_whole = lines[-1].number - lines[0].number + 1 == len(lines)
    if first.page.id != second.page.id or not is_whole or _length(lines) > LONGEST_PASSAGE:
        return None
    closest = None if first.closest is None else lines.index(first.lines[first.closest])
    return replace(first, lines=tuple(lines), closest=closest)


def _length(lines: Sequence[Line]) -> int:
    return sum(len(line.printed) + 1 for line in lines)


def _holds_most(page: FoundPage, questions: Sequence[Question]) -> bool:
    """Whether a page holds most of what the first question asks that found it, as far as its search told."""
    finding = next(
        (one for one in questions if page.id in {found.id for found in pages_of(one).values()}), None
    )
    return finding is None or finding.holding_most is None or page.id in finding.holding_most
