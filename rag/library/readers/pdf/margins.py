"""Running heads, told from headings and first lines by how they return from page to page. Pure."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from rag.library.readers.pdf.folios import band_lines, edge_lines, folios_of, is_number
from rag.library.readers.pdf.lines import Line, Sheet

_REPEATED = 3  # pages with the same line in the band
_NEAR = 2  # pages: running heads return on the next page or the one after
_MOSTLY = 0.6  # of the lines in a slot are repeated
_LARGER = 1.08  # times the size of the body
_WORD = re.compile(r"[^\W\d_]{2}")
_NUMBER = re.compile(r"\d+")
_FOLIO = "#"

Slot = tuple[int, int]
"""Height on the page and size of a line, both in points."""

Style = tuple[float, bool]
"""Font size in points, and whether bold."""

Place = tuple[Slot, str]
"""A slot and what is written there, "#" for a folio."""


def running_heads(sheets: Sequence[Sheet], labels: Sequence[str | None]) -> list[set[int]]:
    """Identities of the running heads and folios of each page, given its printed label.

    Running heads change with the chapter, so a slot is judged, not a line: where most of what stands
    there is repeated, the rest is a head as well, and mostly nothing stands further out. The first line
    of the text has a slot, too, but says something else on every page. A line set like a heading is a
    running head only where it returns itself.
    """
    body = _body_style(sheets)
    places = [_places(sheet, label, body) for sheet, label in zip(sheets, labels, strict=True)]
    pages: dict[Place, list[int]] = defaultdict(list)
    for number, sheet in enumerate(sheets):
        for line in edge_lines(sheet):
            pages[places[number][id(line)]].append(number)
    slots = _slots(pages)
    returning = {place for place, found in pages.items() if _returns(found)}

    def is_head(line: Line, place: Place) -> bool:
        return place[0] in slots and (place in returning or not _is_prominent(line, body))

    heads = [
        [line for line in band_lines(sheet) if is_head(line, own[id(line)])]
        for sheet, own in zip(sheets, places, strict=True)
    ]
    outer = _outer_slots(sheets, heads)
    return [{id(line) for line in page if _slot(line) in outer} for page in heads]


def _places(sheet: Sheet, label: str | None, body: Style) -> dict[int, Place]:
    """The place of each line of the bands, by its identity.

    Beside another folio a line set like a heading is none: "Room 7" on page 7.
    """
    labelled = [line for line in band_lines(sheet) if label is not None and label in folios_of(line)]
    plain = [line for line in labelled if is_number(line) or not _is_prominent(line, body)]
    folios = set(map(id, plain or labelled))
    return {
        id(line): (_slot(line), _FOLIO if id(line) in folios else _written(line))
        for line in band_lines(sheet)
    }


def _slot(line: Line) -> Slot:
    return round(line.baseline), round(line.size)


def _written(line: Line) -> str:
    """What a line says; of numbers alone ("4-17") their shape."""
    return line.text if _WORD.search(line.text) else _NUMBER.sub(_FOLIO, line.text)


def _slots(pages: Mapping[Place, Sequence[int]]) -> set[Slot]:
    """The slots most lines of which are the same on several pages near one another."""
    filled: Counter[Slot] = Counter()
    repeated: Counter[Slot] = Counter()
    for (slot, _), found in pages.items():
        filled[slot] += len(found)
        repeated[slot] += len(found) if len(found) >= _REPEATED and _returns(found) else 0
    return {slot for slot, count in repeated.items() if count >= _MOSTLY * filled[slot]}


def _outer_slots(sheets: Sequence[Sheet], heads: Sequence[Sequence[Line]]) -> set[Slot]:
    """The slots of heads that mostly have no text between them and the edge of the page."""
    filled: Counter[Slot] = Counter()
    outer: Counter[Slot] = Counter()
    for sheet, page in zip(sheets, heads, strict=True):
        own = set(map(id, page))
        text = [line.baseline for line in sheet.lines if id(line) not in own]
        for line in page:
            filled[_slot(line)] += 1
            outer[_slot(line)] += not min(text, default=0.0) < line.baseline < max(text, default=0.0)
    return {slot for slot, count in outer.items() if count >= _MOSTLY * filled[slot]}


def _returns(pages: Sequence[int]) -> bool:
    return any(after - before <= _NEAR for before, after in pairwise(pages))


def _body_style(sheets: Iterable[Sheet]) -> Style:
    """The style in which most letters are set."""
    letters: Counter[Style] = Counter()
    for sheet in sheets:
        for line in sheet.lines:
            letters[round(2 * line.size) / 2, line.bold] += len(line.text)
    return letters.most_common(1)[0][0] if letters else (0.0, False)


def _is_prominent(line: Line, body: Style) -> bool:
    """Whether a line is set larger than the text, or bolder and no smaller, as headings are."""
    size, is_bold = body
    is_bolder = line.bold and not is_bold and line.size > size / _LARGER
    return is_bolder or line.size > _LARGER * size
