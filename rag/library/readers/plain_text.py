"""Plain text → blocks: paragraphs between empty lines, and headings as they are typed, where that is sure."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from pathlib import Path

from rag.library.books.book import ParsedBook
from rag.library.books.house_rules import are_house_rules, with_entries_apart
from rag.library.books.library_toml import readable
from rag.library.language.grammar_words import one_of
from rag.library.language.language import HEADINGS
from rag.library.readers.blocks import DocumentBlock, is_heading_like
from rag.library.readers.decode import decoded, file_bytes
from rag.library.readers.sections import book_of

_UNDERLINE = re.compile(r"\s*(?:={3,}|-{3,}|~{3,}|\*{3,}|_{3,})\s*")
_RULE = re.compile(r"[\s=\-~*_#.+·•]*")
"""A line of signs alone, which parts what is above from what is below."""
_CHAPTER = re.compile(rf"(?:{one_of([*HEADINGS.chapters, *HEADINGS.parts])})\s+[\divxlc]+\b.*", re.IGNORECASE)
_NUMBERED = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,4})[.)]?\s+\S.*")
_ITEM = re.compile(r"\s*(?:[-*•–]|\d{1,2}[.)]|[a-z]\))\s+\S")
_COLUMNS = re.compile(r"\S(?: {3,}|\t+)\S")
_FILLED = 0.9
"""Of the margin: where not even a word more had room, the margin broke a line, not whoever wrote it."""
_NARROWEST = 40
"""Characters of a margin; shorter lines are meant as lines."""
_LONG = 0.95
"""So many of the lines that go on are no longer than the margin; a stray address may be."""
CHAPTER, CAPITALS, UNDERLINED, NUMBERED = 1, 2, 3, 3
"""Levels of headings: what says that it is a chapter, what is shouted, underlined, numbered."""


def read_book(path: Path) -> ParsedBook:
    """Read a text file. Raises `BookEmpty`, `BookTooLarge`, `BookNotText` or `BookWithoutWords`."""
    text = decoded(file_bytes(path), path.name)
    blocks = blocks_of(with_entries_apart(text) if are_house_rules(path.name) else text)
    return book_of(blocks, path.name, readable(path.stem))


def blocks_of(text: str) -> list[DocumentBlock]:
    """The blocks of a plain text."""
    groups = [
        [line.expandtabs(8).rstrip() for line in lines]
        for has_words, lines in groupby(
            text.replace("\f", "\n\n").split("\n"), key=lambda line: bool(line.strip())
        )
        if has_words
    ]
    going_on = sorted(len(line) for group in groups for line in group[:-1])
    margin = going_on[int(len(going_on) * _LONG)] if going_on else 0
    return [block for group in groups for block in _blocks(group, margin)]


def _blocks(group: Sequence[str], margin: int) -> Iterator[DocumentBlock]:
    """The blocks of lines that stand together: a heading on top where there is one, then the rest."""
    lines = list(group)
    if len(lines) > 1 and _UNDERLINE.fullmatch(lines[1]) and is_heading_like(lines[0].strip()):
        level = CHAPTER if "=" in lines[1] else UNDERLINED - 1
        yield DocumentBlock(" ".join(lines[0].split()), level)
        lines = lines[2:]
    elif level := _heading_level(lines[0].strip(), is_alone=len(lines) == 1):
        yield DocumentBlock(" ".join(lines[0].split()), level)
        lines = lines[1:]
    lines = [line for line in lines if not _RULE.fullmatch(line)]
    if lines:
        yield from _body(lines, margin)


def _heading_level(line: str, *, is_alone: bool) -> int:
    """The level of a line that is a heading by its own look; 0 where that is not sure."""
    if not is_heading_like(line) or _COLUMNS.search(line):
        return 0
    if _CHAPTER.fullmatch(line):
        return CHAPTER
    if sum(map(str.isalpha, line)) > 2 and line == line.upper() and not _ITEM.match(line):
        return CAPITALS
    numbered = _NUMBERED.fullmatch(line) if is_alone else None
    return NUMBERED + numbered["number"].count(".") if numbered else 0


def _body(lines: Sequence[str], margin: int) -> Iterator[DocumentBlock]:
    """A paragraph whose lines the margin broke is joined; lines that were meant stay lines."""
    paragraph: list[str] = []
    is_first = True
    for before, line in pairwise(["", *lines]):
        if paragraph and _goes_on(before, line, margin):
            paragraph.append(line)
            continue
        if paragraph:
            yield DocumentBlock(_joined(paragraph), is_line=not is_first)
            is_first = False
        paragraph = [line]
    yield DocumentBlock(_joined(paragraph), is_line=not is_first)


def _goes_on(before: str, line: str, margin: int) -> bool:
    """Whether a line is the rest of the one before: the margin broke it, or a sentence runs on in it."""
    if _ITEM.match(line) or _COLUMNS.search(line.strip()) or _COLUMNS.search(before.strip()):
        return False
    word = line.split(maxsplit=1)[0]
    is_filled = margin >= _NARROWEST and len(before) + 1 + len(word) > margin * _FILLED
    return is_filled or (word[0].islower() and before[-1] not in ".!?:;")


def _joined(lines: Sequence[str]) -> str:
    """The lines of a paragraph as one; columns keep two spaces between them."""
    return " ".join(re.sub(r" {2,}", "  ", line.strip()) for line in lines)
