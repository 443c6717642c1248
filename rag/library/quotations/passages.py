"""Passages: lines of a page that follow one another and may answer a question. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, takewhile

from rag.library.books.found_page import FoundPage
from rag.library.language.words import without_number
from rag.library.quotations.asked_rows import asked_rows
from rag.library.quotations.asked_titles import is_labelled, named_headings, say_all, titles_over
from rag.nodes.citations import passage_source
from rag.rules import rule
from rag.state import EXCERPT_LINES, Source
from rag.strategies.lines import Line, cells, lines_of

CHUNKS_READ = 6
"""Matching chunks of a page that may become passages."""
PASSAGE_CHARACTERS, LONGEST_PASSAGE = 600, 900
"""Characters up to which a passage takes more of its section, and that it holds at most."""
NUMBER = re.compile(r"\w*\d\w*")
_DIGIT_OF_A_NUMBER = re.compile(r"(?<![^\W_])\d")


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines of a page that follow one another; `closest` is the one that answers best, where it is told.

    `asked` are the rows that a question asks for by number or name, `numbers` those of the question where it
    is by number, `marked` the lines that surely answer, `near` the sentences that come next to the closest,
    `room` the lines of a phone that it may take.
    """

    page: FoundPage
    page_rank: int
    chunk_rank: int
    lines: tuple[Line, ...]
    asked: tuple[Line, ...] = ()
    numbers: str = ""
    closest: Line | None = None
    marked: tuple[Line, ...] = ()
    near: tuple[Line, ...] = ()
    score: float = 0.0
    room: int = EXCERPT_LINES

    @property
    def source(self) -> Source:
        """The quotation of this passage, with the line that comes nearest."""
        nearest = self.asked or ((self.closest,) if self.closest else ())
        source = passage_source(self.page, self.lines, nearest, self.marked, self.near)
        return source.model_copy(update={"room": self.room})


def matching_passages(page: FoundPage, rank: int, *, is_whole: bool) -> Iterator[Passage]:
    """The chunks of a page that matched, as whole lines; then the rest of a page that is asked for itself.

    Of a page without such chunks all.
    """
    lines = lines_of(page)
    chunks = [[one for one in lines if one.span.overlaps(hit)] for hit in page.hits[:CHUNKS_READ]]
    if is_whole or not chunks:
        chunks += [list(section) for _, section in groupby(lines, key=lambda line: line.heading)]
    for chunk_rank, chunk in enumerate(chunks):
        if any(says_something(line) for line in chunk):
            yield Passage(page, rank, chunk_rank, tuple(chunk))


def asked_tables(page: FoundPage, rank: int, question: str) -> Iterator[Passage]:
    """The tables of a page of which rows are asked for by number or name."""
    for _, group in groupby(lines_of(page), key=lambda line: line.is_row and (line.heading, _columns(line))):
        rows = list(group)
        if not rows[0].is_row:
            continue
        told, by_number = asked_rows(question, rows, page.language)
        if told or by_number:
            numbers = " ".join(NUMBER.findall(question)) if by_number else ""
            yield Passage(page, rank, CHUNKS_READ, tuple(rows), tuple(told), numbers)


def named_sections(page: FoundPage, rank: int, question: str) -> Iterator[Passage]:
    """The sections of a page that are asked for by their headings, each with the line that answers.

    That is its first sentence where nothing is asked that titles do not say, else one whose label is asked:
    "Range: 30 feet".
    """
    for headings, group in groupby(lines_of(page), key=lambda line: line.headings):
        lines = [line for line in group if not line.is_heading]
        if not headings or not lines or not named_headings(lines[0], question, page.language):
            continue
        said = [line for line in lines if says_something(line)]
        is_all = say_all(titles_over(lines[0], page, question), question, page.language)
        told = said[:1] if is_all else [one for one in said if is_labelled(one, question, page.language)]
        yield from (Passage(page, rank, CHUNKS_READ, tuple(lines), (one,)) for one in told if not one.is_row)


def _columns(row: Line) -> str:
    """The name of a row's first column: rows of one table share it."""
    return cells(row.text)[0].column


def says_something(line: Line) -> bool:
    """Whether a line is a sentence, a table row or tells a number: headings and scraps are no answer.

    In a heading ("7.1.1 OpenD6 Combat") a digit behind a letter is part of a name, the number of a chapter no
    answer.
    """
    if line.is_heading:
        return _is_sentence(line) or bool(_DIGIT_OF_A_NUMBER.search(without_number(line.printed)))
    return line.is_row or _is_sentence(line) or bool(NUMBER.search(line.printed))


def _is_sentence(line: Line) -> bool:
    return line.printed.rstrip('"”’)* ')[-1:] in (".", "!", "?", ":", ";")


@rule(without=lambda passage: passage)
def of_one_section(passage: Passage) -> Passage:
    """The lines under the heading of the closest one, and as many more of its section as a passage holds.

    What a heading parts from it speaks of something else.
    """
    closest = passage.closest or passage.lines[0]
    kept = [line for line in passage.lines if line.headings == closest.headings]
    if _length(kept) > LONGEST_PASSAGE:
        kept = [closest]
    of_page = lines_of(passage.page)
    behind = takewhile(lambda line: line.headings == closest.headings, of_page[kept[-1].number :])
    before = takewhile(lambda line: line.headings == closest.headings, of_page[: kept[0].number - 1][::-1])
    kept += _fitting(behind, kept, PASSAGE_CHARACTERS)
    kept = [*reversed(_fitting(before, kept, PASSAGE_CHARACTERS)), *kept]
    return replace(passage, lines=tuple(kept))


def _fitting(further: Iterable[Line], kept: Sequence[Line], most: int) -> list[Line]:
    """As many further lines as fit into a passage beside those it has."""
    taken: list[Line] = []
    for line in further:
        if _length([*kept, *taken, line]) > most:
            break
        taken.append(line)
    return taken


def apart(passages: Iterable[Passage | None]) -> list[Passage]:
    """The passages without those whose closest line another shows."""
    apart: list[Passage] = []
    for passage in filter(None, passages):
        if not any(one.page.id == passage.page.id and passage.closest in one.lines for one in apart):
            apart.append(passage)
    return apart


def _length(lines: Sequence[Line]) -> int:
    return sum(len(line.printed) + 1 for line in lines)
