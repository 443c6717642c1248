"""Running heads, folios and lines naming the buyer: what stands on a page but is not its text. Pure."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from rag.library.lines import Line, Sheet

_BAND = 0.13  # of the page's height, at its head and at its foot
_OUTERMOST = 3  # a head or foot is among the first or last so many baselines
_REPEATED = 3  # pages with the same line in the band
_NEAR = 2  # pages: running heads return on the next page or the one after
_MOSTLY = 0.6  # of the lines in a slot are repeated
_EVERYWHERE = 0.5  # of the pages have the same line at one place
_ALONE = 1.8  # font sizes between a lone number and the text
_FEWEST_BUYER = 2  # pages
_NUMBER = re.compile(r"\d+")
_ROMAN = r"[ivxlc]{1,8}|[IVXLC]{1,8}"
_ORNAMENT = r"[\W_]*"
_WHOLE = re.compile(
    rf"^{_ORNAMENT}(?:page|página|pág\.|p\.)?\s*(\d{{1,4}}|{_ROMAN}){_ORNAMENT}$", re.IGNORECASE
)
_OF_TOTAL = re.compile(r"(?<!\d)(\d{1,4})\s*(?:/|of|de)\s*\d{1,4}\W*$", re.IGNORECASE)
_FIRST = re.compile(rf"^{_ORNAMENT}(\d{{1,4}}|[ivxlc]{{1,8}})(?=\s|{_ORNAMENT}$)")
_LAST = re.compile(rf"(?:^|(?<=[\s|·•/–—-]))(\d{{1,4}}|[ivxlc]{{1,8}}){_ORNAMENT}$")
_FOLIO = "#"
_BUYER = re.compile(r"[\w.+-]+@[\w-]+\.\w+|\border\s*(?:#|n)|\bpedido\s*(?:#|n)", re.IGNORECASE)

Slot = tuple[int, int]
"""Height on the page and size of a line, both in points."""

Mark = tuple[str, Slot | None]
"""A line's text, and its place or None for any."""


def edge_lines(sheet: Sheet) -> list[Line]:
    """The outermost lines in the head and the foot band of a page, where a folio may stand."""
    heights = sorted({round(line.baseline) for line in sheet.lines})
    outermost = {*heights[:_OUTERMOST], *heights[-_OUTERMOST:]}
    return [line for line in _band(sheet) if round(line.baseline) in outermost]


def _band(sheet: Sheet) -> list[Line]:
    band = _BAND * sheet.height
    return [line for line in sheet.lines if not band < line.baseline < sheet.height - band]


def folios(edge: Iterable[Line]) -> list[str]:
    """The numbers, arabic or roman, that stand where a folio could."""
    return list(dict.fromkeys(folio for line in edge for folio in _folios(line)))


def _folios(line: Line) -> list[str]:
    found: list[str] = []
    for text in {line.text, *(cell.text for cell in line.cells)}:
        if whole := _WHOLE.match(text):
            found.append(whole[1])
        elif total := _OF_TOTAL.search(text):
            found.append(total[1])
        else:
            found += [match[1] for match in (_FIRST.search(text), _LAST.search(text)) if match]
    return found


def bodies(sheets: Sequence[Sheet], labels: Sequence[str | None]) -> list[list[Line]]:
    """The lines of each page, given its printed label, without what is not its text."""
    slots = _slots(sheets, labels)
    stamps = _stamps(sheets)
    removed = [_removed(sheet, slots) for sheet in sheets]
    return [
        [line for line in sheet.lines if id(line) not in heads and not stamps & _marks(line)]
        for sheet, heads in zip(sheets, removed, strict=True)
    ]


def _removed(sheet: Sheet, slots: set[Slot]) -> set[int]:
    """Identities of running heads and folios: what stands in a slot for them, and lone numbers."""
    in_slots = [line for line in _band(sheet) if _slot(line) in slots]
    numbers = [line for line in edge_lines(sheet) if _is_lone_number(line, sheet.lines)]
    return set(map(id, [*in_slots, *numbers]))


def _slots(sheets: Sequence[Sheet], labels: Sequence[str | None]) -> set[Slot]:
    """Slots in which most lines are folios, or the same from page to page.

    Running heads change with the chapter, so a slot is judged, not a line: where most of what stands
    there is repeated, the rest is a head as well. The first line of the text has a slot, too, but
    says something else on every page.
    """
    pages: dict[tuple[Slot, str], list[int]] = defaultdict(list)
    for number, (sheet, label) in enumerate(zip(sheets, labels, strict=True)):
        for line in edge_lines(sheet):
            is_folio = label is not None and label in _folios(line)
            pages[_slot(line), _FOLIO if is_folio else _key(line)].append(number)
    filled: Counter[Slot] = Counter()
    repeated: Counter[Slot] = Counter()
    for (slot, _), found in pages.items():
        filled[slot] += len(found)
        if len(found) >= _REPEATED and any(after - before <= _NEAR for before, after in pairwise(found)):
            repeated[slot] += len(found)
    return {slot for slot, count in repeated.items() if count >= _MOSTLY * filled[slot]}


def _stamps(sheets: Sequence[Sheet]) -> set[Mark]:
    """Lines that stand at one place on most pages, or name a buyer on most of them."""
    counts: Counter[Mark] = Counter()
    for sheet in sheets:
        counts.update({mark for line in sheet.lines for mark in _marks(line)})
    most = _EVERYWHERE * sum(bool(sheet.lines) for sheet in sheets)
    return {
        (text, place)
        for (text, place), count in counts.items()
        if (place is not None and count >= max(_REPEATED, most))
        or (place is None and count >= max(_FEWEST_BUYER, most) and _BUYER.search(text))
    }


def _marks(line: Line) -> set[Mark]:
    """A line's text with its place, and wherever it be."""
    return {(line.text, _slot(line)), (line.text, None)}


def _slot(line: Line) -> Slot:
    return round(line.baseline), round(line.size)


def _is_lone_number(line: Line, lines: Sequence[Line]) -> bool:
    distances = [abs(other.baseline - line.baseline) for other in lines if other is not line]
    return bool(_WHOLE.match(line.text)) and min(distances, default=_ALONE * line.size) >= _ALONE * line.size


def _key(line: Line) -> str:
    return _NUMBER.sub("#", line.text)
