"""Folios: the numbers in the head and foot of a page that may be its printed number. Pure."""

import re
from collections.abc import Iterable, Sequence

from rag.library.readers.pdf.lines import Line, Sheet

_BAND = 0.13  # of the page's height, at its head and at its foot
_OUTERMOST = 3  # a head or foot is among the first or last so many baselines
_ALONE = 1.8  # font sizes between a lone number and the text
_ROMAN = r"[ivxlc]{1,8}|[IVXLC]{1,8}"
_ORNAMENT = r"[\W_]*"
_WHOLE = re.compile(
    rf"^{_ORNAMENT}(?:page|página|pág\.|p\.)?\s*(\d{{1,4}}|{_ROMAN}){_ORNAMENT}$", re.IGNORECASE
)
_OF_TOTAL = re.compile(r"(?<!\d)(\d{1,4})\s*(?:/|of|de)\s*\d{1,4}\W*$", re.IGNORECASE)
_FIRST = re.compile(rf"^{_ORNAMENT}(\d{{1,4}}|[ivxlc]{{1,8}})(?=\s|{_ORNAMENT}$)")
_LAST = re.compile(rf"(?:^|(?<=[\s|·•/–—-]))(\d{{1,4}}|[ivxlc]{{1,8}}){_ORNAMENT}$")


def edge_lines(sheet: Sheet) -> list[Line]:
    """The outermost lines in the head and the foot band of a page, where a folio may stand."""
    heights = sorted({round(line.baseline) for line in sheet.lines})
    outermost = {*heights[:_OUTERMOST], *heights[-_OUTERMOST:]}
    return [line for line in band_lines(sheet) if round(line.baseline) in outermost]


def band_lines(sheet: Sheet) -> list[Line]:
    """The lines in the head and the foot band of a page."""
    band = _BAND * sheet.height
    return [line for line in sheet.lines if not band < line.baseline < sheet.height - band]


def folios(edge: Iterable[Line]) -> list[str]:
    """The numbers, arabic or roman, that stand where a folio could; first those that stand alone."""
    alone_first = sorted(edge, key=lambda line: not is_number(line))
    return list(dict.fromkeys(folio for line in alone_first for folio in folios_of(line)))


def folios_of(line: Line) -> list[str]:
    """The numbers that a line holds where a folio could stand: as a whole, a cell, first or last."""
    found: list[str] = []
    for text in dict.fromkeys([line.text, *(cell.text for cell in line.cells)]):
        if whole := _WHOLE.match(text):
            found.append(whole[1])
        elif total := _OF_TOTAL.search(text):
            found.append(total[1])
        else:
            found += [match[1] for match in (_FIRST.search(text), _LAST.search(text)) if match]
    return found


def is_number(line: Line) -> bool:
    """Whether a line is a number and nothing else."""
    return bool(_WHOLE.match(line.text))


def is_lone_number(line: Line, lines: Sequence[Line]) -> bool:
    """Whether a line is a number that stands apart from the other lines of its page."""
    distances = [abs(other.baseline - line.baseline) for other in lines if other is not line]
    return is_number(line) and min(distances, default=_ALONE * line.size) >= _ALONE * line.size
