"""Stamps: lines that stand at one place on most pages, and lines that name the buyer. Pure."""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import pairwise

from rag.library.readers.pdf.lines import Line, Sheet

_EVERYWHERE = 0.5  # of the pages have the line
_FEWEST = 3  # pages
_FEWEST_BUYER = 2  # pages
_NUMBER = re.compile(r"\d+")
_BUYER = re.compile(
    r"[\w.+-]+@[\w-]+\.\w+"
    r"|\b(?i:order|invoice|pedido)\s*(?:#\s*\d|(?i:n\w*[.ºo°:]*|:)?\s*\d[\d-]{3})"
    r"|\b(?i:licen[sc]ed to|sold to|registered to|purchased by|downloaded by|personal copy of"
    r"|licenciado para|vendido para|registrado para|comprado por|adquirido por|uso exclusivo de)"
    r":?\s+[^\W\d_a-zß-ÿ]"
)


def stamped_lines(sheets: Sequence[Sheet]) -> list[set[int]]:
    """Identities of the stamps of each page.

    A line of the text may return on every page, but not at one place. One that names a buyer is a stamp
    wherever it stands and whatever it counts; so is a line of that size always drawn next to it.
    """
    most = _EVERYWHERE * sum(bool(sheet.lines) for sheet in sheets)
    fewest = max(_FEWEST_BUYER, most)
    usual = _on_pages([map(_placed, sheet.lines) for sheet in sheets], max(_FEWEST, most))
    naming = _on_pages([map(_shape, filter(_names_buyer, sheet.lines)) for sheet in sheets], fewest)
    beside = _on_pages([map(_plain, _drawn_beside(naming, sheet.lines)) for sheet in sheets], fewest)

    def is_stamp(line: Line) -> bool:
        return _placed(line) in usual or _shape(line) in naming or _plain(line) in beside

    return [{id(line) for line in sheet.lines if is_stamp(line)} for sheet in sheets]


def _on_pages(pages: Iterable[Iterable[Hashable]], fewest: float) -> set[Hashable]:
    """What so many pages have."""
    counts = Counter(found for page in pages for found in set(page))
    return {found for found, count in counts.items() if count >= fewest}


def _names_buyer(line: Line) -> bool:
    return bool(_BUYER.search(line.text))


def _drawn_beside(naming: set[Hashable], lines: Sequence[Line]) -> Iterator[Line]:
    """The lines drawn just before or after one that names a buyer, in the same size."""
    for one, other in pairwise(lines):
        if round(one.size) == round(other.size):
            yield from [other] if _shape(one) in naming else []
            yield from [one] if _shape(other) in naming else []


def _placed(line: Line) -> Hashable:
    return line.text, round(line.baseline), round(line.size)


def _plain(line: Line) -> Hashable:
    return line.text, round(line.size)


def _shape(line: Line) -> Hashable:
    """A line whatever its numbers: orders are counted."""
    return _NUMBER.sub("#", line.text), round(line.size)
