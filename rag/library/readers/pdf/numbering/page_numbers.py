"""The numbers that stand where a page's printed number could: in its head and its foot. Pure."""

import re
from collections.abc import Iterable, Sequence

from rag.library.language.grammar_words import one_of
from rag.library.language.language import LAYOUT, PAGE_WORDS
from rag.library.readers.pdf.lines import Line, RawPage

_BAND = 0.13  # of the page's height, at its head and at its foot
_OUTERMOST = 3  # a head or foot is among the first or last so many baselines
_ALONE = 1.8  # font sizes between a lone number and the text
_DASH = "[-‐‑–—−]"
_IN_CHAPTER = rf"(?:\d{{1,2}}|(?-i:[A-Z]{{1,4}})){_DASH}\d{{1,3}}"  # "2-3", "A-3"
_LETTERED = r"(?-i:[A-Z]{1,3})\d{1,3}"  # "M4"
_ROMAN = r"[ivxlc]{1,8}"
_ORNAMENT = r"[\W_]*"
_PAGE_WORD = one_of([*LAYOUT.page, *PAGE_WORDS, r"p\."])
_WHOLE = re.compile(
    rf"^{_ORNAMENT}(?:{_PAGE_WORD}\s*)?({_IN_CHAPTER}|{_LETTERED}|\d{{1,4}}|{_ROMAN}|(?-i:[IVXLC]{{1,8}}))"
    rf"(?:[.\s]*{_PAGE_WORD})?{_ORNAMENT}$",
    re.IGNORECASE,
)
_NAMED = re.compile(rf"(?<!\w){_PAGE_WORD}\s*({_IN_CHAPTER}|\d{{1,4}})(?!\w)", re.IGNORECASE)
_OF_TOTAL = re.compile(
    rf"(?<![\d.,])(?:{_PAGE_WORD}\s*)?(\d{{1,4}})\s*{one_of(['/', *LAYOUT.of_total])}\s*(\d{{1,4}})"
    r"(?![\d.,])",
    re.IGNORECASE,
)
_GLUED = r"[—–|·•](?=\D)"
"""Between a number and a running head without a space: "66—Fantastic Creatures"."""
_BETWEEN = re.compile(r"\s[|·•–—]\s")
_FIRST = re.compile(rf"^{_ORNAMENT}({_IN_CHAPTER}|\d{{1,4}}|{_ROMAN})(?=\s|{_GLUED}|{_ORNAMENT}$)")
_LAST = re.compile(rf"(?:^|(?<=[\s|·•/–—-]))({_IN_CHAPTER}|\d{{1,4}}|{_ROMAN}){_ORNAMENT}$")


def edge_lines(raw_page: RawPage) -> list[Line]:
    """The outermost lines in the head and the foot band of a page, where a page number may stand."""
    heights = sorted({round(line.baseline) for line in raw_page.lines})
    outermost = {*heights[:_OUTERMOST], *heights[-_OUTERMOST:]}
    return [line for line in band_lines(raw_page) if round(line.baseline) in outermost]


def band_lines(raw_page: RawPage) -> list[Line]:
    """The lines in the head and the foot band of a page."""
    band = _BAND * raw_page.height
    return [line for line in raw_page.lines if not band < line.baseline < raw_page.height - band]


def page_numbers(raw_page: RawPage) -> list[str]:
    """The numbers that stand where the page's number could; first those that stand alone.

    Arabic, roman, or with their chapter or letter ("2-3", "A-3", "M4"); last those written in
    another direction than the text, as on a page turned for a wide table.
    """
    edges = [edge_lines(page) for page in (raw_page, *raw_page.turned)]
    found = [number for edge in edges for number in _numbers_of(edge)]
    return list(dict.fromkeys(found))


def _numbers_of(edge: Iterable[Line]) -> list[str]:
    alone_first = sorted(edge, key=lambda line: not is_number(line))
    return [number for line in alone_first for number in page_numbers_of(line)]


def page_numbers_of(line: Line) -> list[str]:
    """The numbers that a line holds where a page number could stand: as a whole, a cell, first or last."""
    texts = dict.fromkeys([line.text, *(cell.text for cell in line.cells)])
    numbers = (_DASHES.sub("-", number) for text in texts for number in _numbers_in(text))
    return list(dict.fromkeys(numbers))


_DASHES = re.compile(_DASH)


def _numbers_in(text: str) -> list[str]:
    if whole := _WHOLE.match(text):
        return [whole[1]]
    named = [match[1] for match in _NAMED.finditer(text)]
    totals = [match for match in _OF_TOTAL.finditer(text) if int(match[1]) <= int(match[2])]
    rest = _OF_TOTAL.sub(" ", text) if totals else text
    ends = [match[1] for match in (_FIRST.search(rest), _LAST.search(rest)) if match]
    parts = [match[1] for part in _BETWEEN.split(text) if (match := _WHOLE.match(part))]
    return [*named, *(match[1] for match in totals), *parts, *ends]


def is_number(line: Line) -> bool:
    """Whether a line is a number and nothing else."""
    return bool(_WHOLE.match(line.text))


def is_lone_number(line: Line, lines: Sequence[Line]) -> bool:
    """Whether a line is a number that stands apart from the other lines of its page."""
    distances = [abs(other.baseline - line.baseline) for other in lines if other is not line]
    return is_number(line) and min(distances, default=_ALONE * line.size) >= _ALONE * line.size
