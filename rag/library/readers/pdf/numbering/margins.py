"""What stands on a page but is not its text: page numbers, headers, footers, watermarks. Pure."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from rag.library.language.grammar_words import one_of
from rag.library.language.language import LAYOUT
from rag.library.readers.pdf.lines import PrintedLine, RawPage, Style
from rag.library.readers.pdf.numbering.line_numbers import is_number, line_numbers, words_beside
from rag.library.readers.pdf.numbering.margin_numbers import (
    band_lines,
    edge_lines,
    header_words,
    is_lone_number,
    number_lines,
)
from rag.library.readers.pdf.tables.ruled import header_lines
from rag.library.readers.runs import of_most_letters
from rag.rules import rule

_REPEATED = 3  # pages with the same line in the band
_NEAR = 2  # pages: a header returns on the next page or the one after
_MOSTLY = 0.6  # of the lines in a slot are repeated
_LARGER = 1.08  # times the size of the body
_WORD = re.compile(r"[^\W\d_]{2}")
_NUMBER = re.compile(r"\d+")
_ANY_NUMBER = "#"

Slot = tuple[int, int]
"""Height on the page and size of a line, both in points."""

MarginText = tuple[Slot, str]
"""A slot and what is written there, "#" for a page number."""


def header_and_footer_lines(raw_pages: Sequence[RawPage], labels: Sequence[str | None]) -> list[set[int]]:
    """Identities of the headers, footers and page numbers of each page, given its printed label.

    Headers change with the chapter, so a slot is judged, not a line: where most of what stands there is
    repeated, the rest is a header as well, and mostly nothing stands further out. The first line of the
    text has a slot, too, but says something else on every page. A line set like a heading is a header
    only where it returns itself. The words of a header beside the number of their page are one in any slot.
    """
    headers = header_words(raw_pages)
    body = _body_style(raw_pages)
    places = [_places(page, label, body, headers) for page, label in zip(raw_pages, labels, strict=True)]
    pages: dict[MarginText, list[int]] = defaultdict(list)
    for number, raw_page in enumerate(raw_pages):
        for line in edge_lines(raw_page):
            pages[places[number][id(line)]].append(number)
    slots = _slots(pages)
    returning = {place for place, found in pages.items() if _returns(found)}

    def is_margin(line: PrintedLine, place: MarginText) -> bool:
        slot, written = place
        if written == _ANY_NUMBER and line.size <= _LARGER * body[0] and words_beside(line.text) in headers:
            return True
        return slot in slots and (place in returning or not _is_prominent(line, body))

    margins = [
        [line for line in band_lines(raw_page) if is_margin(line, own[id(line)])]
        for raw_page, own in zip(raw_pages, places, strict=True)
    ]
    outer = _outer_slots(raw_pages, margins)
    return [{id(line) for line in lines if _slot(line) in outer} for lines in margins]


def _places(
    raw_page: RawPage, label: str | None, body: Style, headers: Collection[str]
) -> dict[int, MarginText]:
    """The place of each line of the bands, by its identity.

    Beside another page number a line set like a heading is none, as "Room 7" on page 7, and beside one that
    stands alone or in a header no line of the text is: "7 See the Bells".
    """
    labelled = [line for line in band_lines(raw_page) if label is not None and label in line_numbers(line)]
    plain = [line for line in labelled if is_number(line) or not _is_prominent(line, body)]
    surely = [line for line in plain if is_number(line) or words_beside(line.text) in headers]
    numbers = set(map(id, surely or plain or labelled))
    return {
        id(line): (_slot(line), _ANY_NUMBER if id(line) in numbers else _written(line))
        for line in band_lines(raw_page)
    }


def _slot(line: PrintedLine) -> Slot:
    return round(line.baseline), round(line.size)


def _written(line: PrintedLine) -> str:
    """What a line says; of numbers alone ("4-17") their shape."""
    return line.text if _WORD.search(line.text) else _NUMBER.sub(_ANY_NUMBER, line.text)


def _slots(pages: Mapping[MarginText, Sequence[int]]) -> set[Slot]:
    """The slots most lines of which are the same on several pages near one another."""
    return _mostly(
        (slot, len(found) >= _REPEATED and _returns(found))
        for (slot, _), found in pages.items()
        for _ in found
    )


def _outer_slots(raw_pages: Sequence[RawPage], margins: Sequence[Sequence[PrintedLine]]) -> set[Slot]:
    """The slots of headers and footers that mostly have no text between them and the edge of the page."""
    found: list[tuple[Slot, bool]] = []
    for raw_page, lines in zip(raw_pages, margins, strict=True):
        own = set(map(id, lines))
        text = [line.baseline for line in raw_page.lines if id(line) not in own] or [0.0]
        found += ((_slot(line), not min(text) < line.baseline < max(text)) for line in lines)
    return _mostly(found)


def _mostly(found: Iterable[tuple[Slot, bool]]) -> set[Slot]:
    """The slots most lines of which are such ones, given for each line whether it is."""
    counted = Counter(found)
    slots = {slot for slot, _ in counted}
    return {at for at in slots if counted[at, True] >= _MOSTLY * (counted[at, True] + counted[at, False])}


def _returns(pages: Sequence[int]) -> bool:
    return any(after - before <= _NEAR for before, after in pairwise(pages))


def _body_style(raw_pages: Iterable[RawPage]) -> Style:
    """The style in which most letters are set."""
    lines = (line for raw_page in raw_pages for line in raw_page.lines)
    return of_most_letters((((round(2 * one.size) / 2, one.bold), one.text) for one in lines), (0.0, False))


def _is_prominent(line: PrintedLine, body: Style) -> bool:
    """Whether a line is set larger than the text, or bolder and no smaller, as headings are."""
    size, is_bold = body
    is_bolder = line.bold and not is_bold and line.size > size / _LARGER
    return is_bolder or line.size > _LARGER * size


_EVERYWHERE = 0.5  # of the pages have the line
_FEWEST_WATERMARKED = 3  # pages
_FEWEST_BUYER = 2  # pages
_BUYER = re.compile(
    r"[\w.+-]+@[\w-]+\.\w+"
    rf"|\b(?i:{one_of(LAYOUT.order)})\s*(?:#\s*\d|(?i:n\w*[.ºo°:]*|:)?\s*\d[\d-]{{3}})"
    rf"|\b(?i:{one_of(LAYOUT.buyer)}):?\s+[^\W\d_a-zß-ÿ]"
)


@rule(without=lambda pages: [set() for _ in pages])
def watermark_lines(pages: Sequence[RawPage]) -> list[set[int]]:
    """Identities of the watermarks of each page.

    A line of the text may return on every page, but not at one place. One that names a buyer is a watermark
    wherever it stands and whatever it counts; so is a line of that size always drawn next to it.
    """
    most = _EVERYWHERE * sum(bool(page.lines) for page in pages)
    fewest = max(_FEWEST_BUYER, most)
    usual = _on_pages([map(_placed, page.lines) for page in pages], max(_FEWEST_WATERMARKED, most))
    naming = _on_pages(
        [[_shape(line) for line in page.lines if _BUYER.search(line.text)] for page in pages], fewest
    )
    beside = _on_pages([map(_shape, _drawn_beside(naming, page.lines)) for page in pages], fewest)

    return [
        {id(line) for line in page.lines if _placed(line) in usual or _shape(line) in naming | beside}
        for page in pages
    ]


def _on_pages(pages: Iterable[Iterable[Hashable]], fewest: float) -> set[Hashable]:
    """What so many pages have."""
    counts = Counter(found for page in pages for found in set(page))
    return {found for found, count in counts.items() if count >= fewest}


def _drawn_beside(naming: set[Hashable], lines: Sequence[PrintedLine]) -> Iterator[PrintedLine]:
    """The lines drawn just before or after one that names a buyer, in the same size."""
    for one, other in pairwise(lines):
        if round(one.size) == round(other.size):
            yield from [other] if _shape(one) in naming else []
            yield from [one] if _shape(other) in naming else []


def _placed(line: PrintedLine) -> Hashable:
    return line.text, round(line.baseline), round(line.size)


def _shape(line: PrintedLine) -> Hashable:
    """A line whatever its numbers: orders are counted."""
    return _NUMBER.sub(_ANY_NUMBER, line.text), round(line.size)


def bodies(raw_pages: Sequence[RawPage], labels: Sequence[str | None]) -> list[list[PrintedLine]]:
    """The lines of each page, given its printed label, without what is not its text."""
    margins, watermarks = header_and_footer_lines(raw_pages, labels), watermark_lines(raw_pages)
    return [_body(*page) for page in zip(raw_pages, labels, margins, watermarks, strict=True)]


def _body(raw_page: RawPage, label: str | None, margins: set[int], watermarks: set[int]) -> list[PrintedLine]:
    left_out = margins | watermarks
    left_out -= header_lines(raw_page, [line for line in raw_page.lines if id(line) in left_out])
    numbers = {id(line) for line in edge_lines(raw_page) if is_lone_number(line, raw_page.lines)}
    numbers |= {id(line) for line in number_lines(raw_page) if label in line_numbers(line)}
    return [line for line in raw_page.lines if id(line) not in left_out | numbers]
