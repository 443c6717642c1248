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
_EVERYWHERE = 0.5  # of the pages have the same line somewhere
_SLOT = 0.3  # of the pages have a running head or folio at one height
_ALONE = 1.8  # font sizes between a lone number and the text
_SHORTEST_BUYER = 2
_NUMBER = re.compile(r"\d+")
_ROMAN = r"[ivxlc]{1,8}|[IVXLC]{1,8}"
_ORNAMENT = r"[\W_]*"
_WHOLE = re.compile(
    rf"^{_ORNAMENT}(?:page|página|pág\.|p\.)?\s*(\d{{1,4}}|{_ROMAN}){_ORNAMENT}$", re.IGNORECASE
)
_OF_TOTAL = re.compile(r"(?<!\d)(\d{1,4})\s*(?:/|of|de)\s*\d{1,4}\W*$", re.IGNORECASE)
_FIRST = re.compile(rf"^{_ORNAMENT}(\d{{1,4}}|[ivxlc]{{1,8}})(?=\s|{_ORNAMENT}$)")
_LAST = re.compile(rf"(?:^|(?<=[\s|·•/–—-]))(\d{{1,4}}|[ivxlc]{{1,8}}){_ORNAMENT}$")
_BUYER = re.compile(r"[\w.+-]+@[\w-]+\.\w+|\border\s*(?:#|n)|\bpedido\s*(?:#|n)", re.IGNORECASE)


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
    edges = [edge_lines(sheet) for sheet in sheets]
    repeated = _running_heads(edges) | _everywhere(sheets)
    marked = [
        [line for line in edge if _key(line) in repeated or (label and label in _folios(line))]
        for edge, label in zip(edges, labels, strict=True)
    ]
    slots = _slots(marked, len(sheets))
    return [_body(sheet, lines, slots, repeated) for sheet, lines in zip(sheets, marked, strict=True)]


def _body(sheet: Sheet, marked: Sequence[Line], slots: set[int], repeated: set[str]) -> list[Line]:
    in_slot = [line for line in _band(sheet) if round(line.baseline) in slots]
    alone = [line for line in edge_lines(sheet) if _is_lone_number(line, sheet.lines)]
    removed = {id(line) for line in [*marked, *in_slot, *alone]}
    return [line for line in sheet.lines if id(line) not in removed and _key(line) not in repeated]


def _running_heads(edges: Sequence[Sequence[Line]]) -> set[str]:
    """Lines, numbers blotted out, that come again and again in the head or foot.

    The first line of each chapter comes again as well, but not on the next page.
    """
    pages: dict[str, list[int]] = defaultdict(list)
    for number, edge in enumerate(edges):
        for key in {_key(line) for line in edge}:
            pages[key].append(number)
    return {
        key
        for key, found in pages.items()
        if len(found) >= _REPEATED and any(after - before <= _NEAR for before, after in pairwise(found))
    }


def _everywhere(sheets: Sequence[Sheet]) -> set[str]:
    """Lines that stand on most pages wherever it be, or name a buyer on every page."""
    counts = Counter(key for sheet in sheets for key in {_key(line) for line in sheet.lines})
    filled = sum(bool(sheet.lines) for sheet in sheets)
    return {
        key
        for key, count in counts.items()
        if count >= max(_REPEATED, _EVERYWHERE * filled)
        or (_BUYER.search(key) and count == filled >= _SHORTEST_BUYER)
    }


def _slots(marked: Sequence[Sequence[Line]], pages: int) -> set[int]:
    """Heights, in points, at which running heads or folios stand on many pages."""
    heights = Counter(height for lines in marked for height in {round(line.baseline) for line in lines})
    return {height for height, count in heights.items() if count >= max(_REPEATED, _SLOT * pages)}


def _is_lone_number(line: Line, lines: Sequence[Line]) -> bool:
    distances = [abs(other.baseline - line.baseline) for other in lines if other is not line]
    return bool(_WHOLE.match(line.text)) and min(distances, default=_ALONE * line.size) >= _ALONE * line.size


def _key(line: Line) -> str:
    return _NUMBER.sub("#", line.text)
