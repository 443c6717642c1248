"""Running heads, folios and lines naming the buyer: what stands on a page but is not its text."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rag.library.lines import Line, Sheet

_BAND = 0.13  # of the page's height, at its head and at its foot
_EDGE_LINES = 3  # a head or foot is among the first or last so many baselines
_REPEATED = 3  # pages with the same line in the band
_EVERYWHERE = 0.5  # of the pages with the same line anywhere on them
_NUMBER = re.compile(r"\d+")
_ROMAN = r"[ivxlc]{1,8}|[IVXLC]{1,8}"
_FOLIO = re.compile(rf"\d{{1,4}}|{_ROMAN}")
_ORNAMENT = r"[^\w]*"
_WHOLE = re.compile(rf"^{_ORNAMENT}(?:page|página|pág\.|p\.)?\s*(\d{{1,4}}|{_ROMAN}){_ORNAMENT}$", re.IGNORECASE)
_OF_TOTAL = re.compile(r"(?<!\d)(\d{1,4})\s*(?:/|of|de)\s*\d{1,4}\W*$", re.IGNORECASE)
_FIRST = re.compile(rf"^{_ORNAMENT}(\d{{1,4}}|[ivxlc]{{1,8}})(?=\s|\W*$)")
_LAST = re.compile(r"(?:^|(?<=\s))(\d{1,4}|[ivxlc]{1,8})" + _ORNAMENT + "$")
_BUYER = re.compile(r"[\w.+-]+@[\w-]+\.\w+.*|\border\s*(?:#|no|number)|\bpedido\s*(?:#|n)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Edges:
    """The lines in the head and the foot band of one page."""

    lines: tuple[Line, ...]

    @property
    def folios(self) -> tuple[str, ...]:
        """Numbers, arabic or roman, that stand where a folio could."""
        return tuple(dict.fromkeys(folio for line in self.lines for folio in _folios(line)))


def edges(sheet: Sheet) -> Edges:
    """What stands in the head and foot band of a page."""
    baselines = sorted({round(line.baseline) for line in sheet.lines})
    outer = set(baselines[:_EDGE_LINES]) | set(baselines[-_EDGE_LINES:])
    band = _BAND * sheet.height
    return Edges(
        tuple(
            line
            for line in sheet.lines
            if round(line.baseline) in outer and not band < line.baseline < sheet.height - band
        )
    )


def _folios(line: Line) -> list[str]:
    found: list[str] = []
    for text in [cell.text for cell in line.cells] + ([line.text] if len(line.cells) > 1 else []):
        if whole := _WHOLE.match(text):
            found.append(whole[1])
        elif total := _OF_TOTAL.search(text):
            found.append(total[1])
        else:
            found += [match[1] for match in (_FIRST.search(text), _LAST.search(text)) if match]
    return found


def repeated_lines(sheets: Sequence[Sheet], page_edges: Sequence[Edges]) -> frozenset[str]:
    """Lines, numbers blotted out, that are running heads or stand on most pages wherever it be."""
    heads = Counter(key for edge in page_edges for key in {_key(line) for line in edge.lines})
    anywhere = Counter(key for sheet in sheets for key in {_key(line) for line in sheet.lines})
    filled = sum(bool(sheet.lines) for sheet in sheets)
    everywhere = {
        key
        for key, count in anywhere.items()
        if count >= max(_REPEATED, _EVERYWHERE * filled) or (count >= 2 and count == filled and _BUYER.search(key))
    }
    return frozenset({key for key, count in heads.items() if count >= _REPEATED} | everywhere)


def body(sheet: Sheet, edge: Edges, repeated: frozenset[str], label: str | None) -> list[Line]:
    """The lines of a page without running heads, its folio (`label`) and the buyer's line."""
    outer = {id(line) for line in edge.lines}
    everywhere_or_head = [line for line in sheet.lines if _key(line) in repeated]
    removed = {id(line) for line in everywhere_or_head}
    if label:
        removed |= {id(line) for line in edge.lines if label in _folios(line)}
    del outer
    return [line for line in sheet.lines if id(line) not in removed]


def _key(line: Line) -> str:
    return _NUMBER.sub("#", line.text)
