"""Headings and their levels, by size, weight and the file's outline. Pure."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, takewhile

from rag.library.readers.pdf.document import OutlineEntry
from rag.library.readers.pdf.lines import PrintedCell, Style
from rag.library.readers.pdf.paragraphs import LABELLED, PrintedParagraph
from rag.library.readers.pdf.tables.unruled import title_key
from rag.library.readers.runs import of_most_letters
from rag.rules import rule

_LARGER = 1.08  # times the size of the body
_LONGEST = 90  # characters
_LOWEST = 6
_LETTERS = re.compile(r"[^\W\d_]{2}")
_ORNAMENT = re.compile(r"^[^\w([\"“'‘¿¡+−-]+(?=.*\w)")

Bookmarks = Mapping[str, int]
"""Levels of the outline's entries for one page, by the keys of their titles."""


def bookmarks_of(outline: Sequence[OutlineEntry], pdf_pages: Iterable[int]) -> list[Bookmarks]:
    """The bookmarks of each printed page, given its position; both pages of a sheet have all of it."""
    levels: dict[int, dict[str, int]] = defaultdict(dict)
    for entry in outline:
        levels[entry.pdf_page].setdefault(title_key(entry.title), entry.level)
    return [dict(levels[pdf_page]) for pdf_page in pdf_pages]


def heading_levels(
    pages: Sequence[Sequence[PrintedParagraph]], bookmarks: Sequence[Bookmarks]
) -> list[list[int | None]]:
    """For each paragraph of each page its level as a heading, 1 the highest; None for what is none.

    A heading in the outline has its level there. Others have the level that the outline gives to most
    headings of their style, or the rank of their style in the book. A table's caption begins no chapter,
    however large it is set: it is the lowest.
    """
    body = _body_size(pages)
    headings = [
        (paragraph, level)
        for page, own in zip(pages, bookmarks, strict=True)
        for paragraph in page
        for level in [own.get(title_key(paragraph.text))]
        if _is_heading(paragraph, body, level)
    ]
    of_styles = _levels_of_styles(headings)
    found = {
        id(paragraph): level or (_LOWEST if paragraph.is_caption else of_styles[_style(paragraph)])
        for paragraph, level in headings
    }
    return [[found.get(id(paragraph)) for paragraph in page] for page in pages]


@rule(without=lambda pages, bookmarks: [list(page) for page in pages])
def with_headings_apart(
    pages: Sequence[Sequence[PrintedParagraph]], bookmarks: Sequence[Bookmarks]
) -> list[list[PrintedParagraph]]:
    """The paragraphs of each page, those parted that begin with a heading of the outline.

    A heading set like the text and close above it is only known by the outline. It takes whole lines.
    """
    parted = [list(page) for page in pages]
    for page, own in zip(parted, bookmarks, strict=True):
        printed = {title_key(paragraph.text) for paragraph in page}
        for key in [key for key in own if key not in printed]:
            pieces = ((place, _parted(paragraph, key)) for place, paragraph in enumerate(page))
            place, found = next(((place, found) for place, found in pieces if found), (0, []))
            page[place : place + bool(found)] = found
    return parted


def _parted(paragraph: PrintedParagraph, key: str) -> list[PrintedParagraph]:
    """A heading and the rest of the paragraph whose first lines it takes; nothing where it does not."""
    keys = accumulate(title_key(line.text) for line in paragraph.lines[:-1])
    count = next((number for number, begun in enumerate(keys, 1) if begun == key), 0)
    if paragraph.is_row or not count or not key:
        return []
    end = next(end for end in range(len(paragraph.text)) if len(title_key(paragraph.text[:end])) == len(key))
    behind = paragraph.text[end:]
    # The punctuation with which it ends, before the next word.
    closing = behind[: len(behind) - len(behind.lstrip(")]”’!?.:"))]
    heading, rest = paragraph.lines[:count], paragraph.lines[count:]
    name, text = paragraph.text[:end] + closing, behind.removeprefix(closing).lstrip()
    first = PrintedParagraph(name, heading[0].size, all(line.bold for line in heading), heading)
    return [first, replace(paragraph, text=text, lines=rest)]


@rule(without=lambda pages, bookmarks: (pages, bookmarks))
def with_names_apart(
    pages: Sequence[Sequence[PrintedParagraph]], bookmarks: Sequence[Bookmarks]
) -> tuple[list[list[PrintedParagraph]], list[Bookmarks]]:
    """The paragraphs of each page, headings parted from what stands beside them; the outline without that.

    Of "**Fireball** Range: 100 feet", one line that stands so in the outline, the bold words are the heading.
    """
    body = _body_size(pages)
    names = [dict(own) for own in bookmarks]
    apart: list[list[PrintedParagraph]] = [[] for _ in pages]
    for page, own, found in zip(pages, names, apart, strict=True):
        for paragraph in page:
            pieces, level = _bold_words_apart(paragraph), own.get(title_key(paragraph.text))
            if not pieces or not _is_heading(paragraph, body, level):
                found.append(paragraph)
                continue
            found += pieces
            if level:
                own.setdefault(title_key(pieces[0].text), level)
    return apart, [*names]


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


def without_ornament(text: str) -> str:
    """A heading without the symbols drawn before it."""
    return _ORNAMENT.sub("", text)


def _body_size(pages: Iterable[Sequence[PrintedParagraph]]) -> float:
    """The font size in which most letters of the book are set, in points."""
    return of_most_letters(((_rounded(one.size), one.text) for page in pages for one in page), 0.0)


def _is_heading(paragraph: PrintedParagraph, body: float, outlined: int | None) -> bool:
    """Whether a paragraph is a heading, `outlined` being its level in the outline."""
    text = paragraph.text
    if paragraph.is_row or paragraph.is_beside_heading or len(text) > _LONGEST or not _LETTERS.search(text):
        return False
    if outlined:
        return True
    first = without_ornament(text).removeprefix("[")[:1]
    if text.endswith((".", ",", ";", "-")) or not (first.isupper() or first.isdigit()):
        return False
    if paragraph.size > _LARGER * body:
        return True
    return (paragraph.bold or text.isupper()) and not text.endswith(":")


def _levels_of_styles(headings: Iterable[tuple[PrintedParagraph, int | None]]) -> dict[Style, int]:
    """The level of each style of heading: as the outline has it for most of that style, else by rank."""
    votes: defaultdict[Style, Counter[int]] = defaultdict(Counter)
    for paragraph, level in headings:
        if level or not paragraph.is_caption:
            votes[_style(paragraph)].update([level] if level else [])
    ranked = enumerate(sorted(votes, reverse=True), start=1)
    return {
        style: votes[style].most_common(1)[0][0] if votes[style] else min(rank, _LOWEST)
        for rank, style in ranked
    }


def _style(paragraph: PrintedParagraph) -> Style:
    return _rounded(paragraph.size), paragraph.bold


def _rounded(size: float) -> float:
    return round(2 * size) / 2
