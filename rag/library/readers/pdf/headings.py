"""Headings and their levels, by size, weight and the file's outline. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, takewhile

from rag.library.readers.pdf.document import OutlineEntry
from rag.library.readers.pdf.lines import PrintedCell, Style
from rag.library.readers.pdf.paragraphs import LABELLED, PrintedParagraph
from rag.rules import rule

_LARGER = 1.08  # times the size of the body
_LONGEST = 90  # characters
_SHORTEST_CAPITALS = 4
_LOWEST = 6
_LETTERS = re.compile(r"[^\W\d_]{2}")
_ORNAMENT = re.compile(r"^[^\w([\"“'‘¿¡+−-]+(?=.*\w)")
_SPACE_AND_PUNCTUATION = re.compile(r"[\W_]+")

Bookmarks = Mapping[str, int]
"""Levels of the outline's entries for one page, by `_key` of their titles."""


def heading_levels(
    pages: Sequence[Sequence[PrintedParagraph]], outline: Sequence[tuple[int, OutlineEntry]]
) -> list[list[int | None]]:
    """For each paragraph of each page its level as a heading, 1 the highest; None for what is none.

    `outline` has each entry with the index of its page. A heading in the outline has its level there. Others
    have the level that the outline gives to most headings of their style, or the rank of their style in the
    book. A table's caption begins no chapter, however large it is set: it is the lowest.
    """
    body = _body_size(pages)
    bookmarks = _bookmarks(pages, outline)
    marked = [
        [_is_heading(paragraph, body, own) for paragraph in page]
        for page, own in zip(pages, bookmarks, strict=True)
    ]
    levels = _levels_of_styles(pages, marked, bookmarks)
    return [
        [
            (own.get(_key(paragraph.text)) or _rank(paragraph, levels)) if is_heading else None
            for paragraph, is_heading in zip(page, flags, strict=True)
        ]
        for page, flags, own in zip(pages, marked, bookmarks, strict=True)
    ]


def _bookmarks(
    pages: Sequence[Sequence[PrintedParagraph]], outline: Sequence[tuple[int, OutlineEntry]]
) -> list[dict[str, int]]:
    bookmarks: list[dict[str, int]] = [{} for _ in pages]
    for index, entry in outline:
        bookmarks[index].setdefault(_key(entry.title), entry.level)
    return bookmarks


@rule(without=lambda pages, outline: [list(page) for page in pages])
def with_headings_apart(
    pages: Sequence[Sequence[PrintedParagraph]], outline: Sequence[tuple[int, OutlineEntry]]
) -> list[list[PrintedParagraph]]:
    """The paragraphs of each page, those parted that begin with a heading of the outline.

    A heading set like the text and close above it is only known by the outline. It takes whole lines.
    """
    parted = [list(page) for page in pages]
    for index, entry in outline:
        key, page = _key(entry.title), parted[index]
        if not key or any(_key(paragraph.text) == key for paragraph in page):
            continue
        for position, paragraph in enumerate(page):
            if pieces := _parted(paragraph, key):
                page[position : position + 1] = pieces
                break
    return parted


def _parted(paragraph: PrintedParagraph, key: str) -> list[PrintedParagraph]:
    """A heading and the rest of the paragraph whose first lines it takes; nothing where it does not."""
    keys = accumulate(_key(line.text) for line in paragraph.lines[:-1])
    count = next((number for number, begun in enumerate(keys, 1) if begun == key), 0)
    if paragraph.is_row or not count:
        return []
    end = 0
    while len(_key(paragraph.text[:end])) < len(key):
        end += 1
    heading, rest = paragraph.lines[:count], paragraph.lines[count:]
    return [
        PrintedParagraph(
            paragraph.text[:end] + _closing(paragraph.text[end:]),
            heading[0].size,
            all(line.bold for line in heading),
            heading,
        ),
        replace(
            paragraph,
            text=paragraph.text[end:].removeprefix(_closing(paragraph.text[end:])).lstrip(),
            lines=rest,
        ),
    ]


@rule(without=lambda pages, outline: (pages, outline))
def with_names_apart(
    pages: Sequence[Sequence[PrintedParagraph]], outline: Sequence[tuple[int, OutlineEntry]]
) -> tuple[list[list[PrintedParagraph]], list[tuple[int, OutlineEntry]]]:
    """The paragraphs of each page, headings parted from what stands beside them; the outline without that.

    Of "**Fireball** Range: 100 feet", one line that stands so in the outline, the bold words are the heading.
    """
    body, bookmarks = _body_size(pages), _bookmarks(pages, outline)
    names: list[dict[str, str]] = [{} for _ in pages]
    apart: list[list[PrintedParagraph]] = [[] for _ in pages]
    for index, page in enumerate(pages):
        for paragraph in page:
            pieces = _bold_words_apart(paragraph)
            if pieces and _is_heading(paragraph, body, bookmarks[index]):
                names[index][_key(paragraph.text)] = pieces[0].text
                apart[index] += pieces
            else:
                apart[index].append(paragraph)
    named = [
        (index, replace(entry, title=names[index].get(_key(entry.title), entry.title)))
        for index, entry in outline
    ]
    return apart, named


def _bold_words_apart(paragraph: PrintedParagraph) -> list[PrintedParagraph]:
    """The bold words that a line begins with, and the plain ones in other cells or behind a label.

    Nothing where the line is not of that kind.
    """
    if paragraph.is_row or paragraph.is_caption or len(paragraph.lines) != 1:
        return []
    [line] = paragraph.lines
    bold = list(takewhile(lambda word: word.bold, line.words))
    others = line.words[len(bold) :]
    if not bold or not others or any(word.bold for word in others):
        return []
    name, rest = (" ".join(word.text for word in words) for words in (bold, others))
    is_cell = any(cell.words[0] is others[0] for cell in line.cells)
    if name.endswith(":") or not (is_cell or LABELLED.match(rest)) or paragraph.text != f"{name} {rest}":
        return []
    return [
        replace(paragraph, text=name, bold=True, lines=[replace(line, cells=[PrintedCell(bold)])]),
        replace(
            paragraph, text=rest, lines=[replace(line, cells=[PrintedCell(others)])], is_beside_heading=True
        ),
    ]


def _closing(text: str) -> str:
    """The punctuation with which a heading ends, before the next word."""
    return text[: len(text) - len(text.lstrip(")]”’!?.:"))]


def _rank(paragraph: PrintedParagraph, levels: Mapping[Style, int]) -> int:
    return _LOWEST if paragraph.is_caption else levels[_style(paragraph)]


def without_ornament(text: str) -> str:
    """A heading without the symbols drawn before it."""
    return _ORNAMENT.sub("", text)


def _body_size(pages: Iterable[Sequence[PrintedParagraph]]) -> float:
    """The font size in which most letters of the book are set, in points."""
    letters: Counter[float] = Counter()
    for page in pages:
        for paragraph in page:
            letters[_rounded(paragraph.size)] += len(paragraph.text)
    return letters.most_common(1)[0][0] if letters else 0.0


def _is_heading(paragraph: PrintedParagraph, body: float, bookmarks: Bookmarks) -> bool:
    text = paragraph.text
    if paragraph.is_row or paragraph.is_beside_heading or len(text) > _LONGEST or not _LETTERS.search(text):
        return False
    if _key(text) in bookmarks:
        return True
    first = without_ornament(text).removeprefix("[")[:1]
    if text.endswith((".", ",", ";", "-")) or not (first.isupper() or first.isdigit()):
        return False
    if paragraph.size > _LARGER * body:
        return True
    is_capitals = text.isupper() and len(text) >= _SHORTEST_CAPITALS
    return (paragraph.bold or is_capitals) and not text.endswith(":")


def _levels_of_styles(
    pages: Sequence[Sequence[PrintedParagraph]],
    marked: Sequence[Sequence[bool]],
    bookmarks: Sequence[Bookmarks],
) -> dict[Style, int]:
    """The level of each style of heading: as the outline has it for most of that style, else by rank."""
    votes: dict[Style, Counter[int]] = {}
    for page, flags, own in zip(pages, marked, bookmarks, strict=True):
        for paragraph, is_heading in zip(page, flags, strict=True):
            if is_heading and not (paragraph.is_caption and _key(paragraph.text) not in own):
                found = votes.setdefault(_style(paragraph), Counter())
                found.update([own[_key(paragraph.text)]] if _key(paragraph.text) in own else [])
    ranked = enumerate(sorted(votes, reverse=True), start=1)
    return {
        style: votes[style].most_common(1)[0][0] if votes[style] else min(rank, _LOWEST)
        for rank, style in ranked
    }


def _style(paragraph: PrintedParagraph) -> Style:
    return _rounded(paragraph.size), paragraph.bold


def _key(text: str) -> str:
    """A heading for comparison: no case, no punctuation, no spaces."""
    return _SPACE_AND_PUNCTUATION.sub("", text).casefold()


def _rounded(size: float) -> float:
    return round(2 * size) / 2
