"""The numbers that stand where a page's printed number could: in its head and its foot. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rag.library.language.grammar_words import one_of
from rag.library.language.language import HEADINGS, LAYOUT, PAGE_WORDS
from rag.library.readers.pdf.lines import Line, RawPage
from rag.library.readers.pdf.page_kind import LEADERS

_BAND = 0.13  # of the page's height, at its head and at its foot
_DEEPEST = 1 / 3  # of the page's height: where margins may reach, with a line that stands apart
_SAME_HEIGHT = 0.5  # font sizes
_OUTERMOST = 3  # a head or foot is among the first or last so many baselines
_ALONE = 1.8  # font sizes between a lone number and the text
_LARGER = 1.15  # times the size of the text: a heading
_DASH = "[-‐‑–—−]"
_IN_CHAPTER = rf"(?:\d{{1,2}}|(?-i:[A-Z]{{1,4}})){_DASH}\d{{1,3}}"  # "2-3", "A-3"
_LETTERED = r"(?-i:[A-Z]{1,3})\d{1,3}"  # "M4"
_ROMAN = r"[ivxlc]{1,8}"
_ORNAMENT = r"[\W_]*"
PAGE_WORD = one_of([*LAYOUT.page, *PAGE_WORDS, r"p\.", r"p(?=\d)"])
_WHOLE = re.compile(
    rf"^{_ORNAMENT}(?:{PAGE_WORD}\s*)?({_IN_CHAPTER}|\d{{1,2}}\s{_DASH}\s\d{{1,3}}|{_LETTERED}|\d{{1,4}}|{_ROMAN}|(?-i:[IVXLC]{{1,8}}))"
    rf"(?:[.\s]*{PAGE_WORD})?{_ORNAMENT}$",
    re.IGNORECASE,
)
_NAMED = re.compile(rf"(?<!\w){PAGE_WORD}\s*({_IN_CHAPTER}|\d{{1,4}})(?!\w)", re.IGNORECASE)
_OF_TOTAL = re.compile(
    rf"(?<![\d.,])(?:{PAGE_WORD}\s*)?(\d{{1,4}})\s*{one_of(['/', *LAYOUT.of_total])}\s*(\d{{1,4}})"
    r"(?![\d.,])",
    re.IGNORECASE,
)
_GLUED = r"[—–|·•](?=\D)"
"""Between a number and a running head without a space: "66—Fantastic Creatures"."""
_BETWEEN = re.compile(r"\s[|·•–—]\s")
_FIRST = re.compile(rf"^{_ORNAMENT}({_IN_CHAPTER}|\d{{1,4}}|{_ROMAN})(?=\s|{_GLUED}|{_ORNAMENT}$)")
_LAST = re.compile(rf"(?:^|(?<=[\s|·•/–—-]))({_IN_CHAPTER}|\d{{1,4}}|{_ROMAN}){_ORNAMENT}$")

_NUMBERED = re.compile(
    rf"(?<!\w){one_of([*HEADINGS.chapters, *HEADINGS.parts, *HEADINGS.tables])}\s(?:\d{{1,4}}|{_ROMAN})$",
    re.IGNORECASE,
)
"""The number of a chapter or table, which stands behind its name: "Table 7"."""


def edge_lines(raw_page: RawPage) -> list[Line]:
    """The outermost lines in the head and the foot band of a page, where a page number may stand."""
    heights = sorted({round(line.baseline) for line in raw_page.lines})
    outermost = {*heights[:_OUTERMOST], *heights[-_OUTERMOST:]}
    return [line for line in band_lines(raw_page) if round(line.baseline) in outermost]


def band_lines(raw_page: RawPage) -> list[Line]:
    """The lines in the head and the foot band of a page.

    Where margins are deep, a band reaches to the outermost line if that stands apart from the text.
    """
    head, foot = _bands(raw_page)
    return [line for line in raw_page.lines if not head < line.baseline < foot]


def _bands(raw_page: RawPage) -> tuple[float, float]:
    """The lower edge of the head band and the upper edge of the foot band."""
    height = raw_page.height
    head, foot = _BAND * height, height - _BAND * height
    ordered = sorted(raw_page.lines, key=lambda line: line.baseline)
    if not ordered:
        return head, foot
    first, last = ordered[0], ordered[-1]
    if first.baseline < _DEEPEST * height and _is_apart(first, ordered):
        head = max(head, first.baseline + _SAME_HEIGHT * first.size)
    if last.baseline > height - _DEEPEST * height and _is_apart(last, ordered):
        foot = min(foot, last.baseline - _SAME_HEIGHT * last.size)
    return head, foot


def _is_apart(line: Line, lines: Iterable[Line]) -> bool:
    """Whether other lines stand at the height of a line or well away from it."""
    distances = (abs(other.baseline - line.baseline) for other in lines)
    return all(not _SAME_HEIGHT * line.size < distance < _ALONE * line.size for distance in distances)


@dataclass(frozen=True, slots=True)
class MarginNumbers:
    """The numbers that stand where a page's number could: Arabic, roman, or with their chapter or letter
    ("2-3", "A-3", "M4").
    """

    alone: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def likeliest(self) -> tuple[str, ...]:
        """Those that stand alone, if any does."""
        return self.alone or self.others

    @property
    def all(self) -> frozenset[str]:
        """Every one of them."""
        return frozenset(self.alone + self.others)


def margin_numbers(raw_page: RawPage) -> MarginNumbers:
    """The numbers in the margins of a page, also those written in another direction than the text.

    These are read on a page turned for a wide table, whose own numbers count up beside them. What is set
    larger than the text is a heading, with a number of its own.
    """
    largest = _LARGER * _text_size(raw_page)
    pages = (raw_page, *raw_page.turned)
    lone = [line for page in pages for line in number_lines(page)]
    alone = _numbers_of([line for line in lone if line.size <= largest] or lone)
    rest = [line for page in pages for line in edge_lines(page) if not is_number(line)]
    beside_words = _numbers_of(line for line in rest if line.size <= largest)
    cells = [cell for line in rest if line.size > largest for cell in line.cells]
    in_headings = [match[1] for cell in cells if (match := _WHOLE.match(cell.text))]
    others = dict.fromkeys([*_numbers_of(lone), *beside_words, *in_headings])
    return MarginNumbers(alone, tuple(number for number in others if number not in alone))


def number_lines(raw_page: RawPage) -> list[Line]:
    """The numbers that stand alone in the head or foot of a page, or beside all of its text."""
    outermost = set(map(id, edge_lines(raw_page)))
    in_bands = set(map(id, band_lines(raw_page)))
    numbers = list(filter(is_number, raw_page.lines))
    no_text = in_bands.union(map(id, numbers))
    text = [line for line in raw_page.lines if id(line) not in no_text]
    left = min((line.x0 for line in text), default=0.0)
    right = max((line.x1 for line in text), default=raw_page.width)
    found, beside = list[Line](), list[Line]()
    for line in numbers:
        if id(line) in outermost or (id(line) in in_bands and _is_alone(line, raw_page.lines)):
            found.append(line)
        elif id(line) not in in_bands and (line.x1 < left or line.x0 > right):
            beside.append(line)
    return found + (beside if len(beside) == 1 else [])


def _is_alone(line: Line, lines: Iterable[Line]) -> bool:
    """Whether nothing else stands at the height of a line."""
    return not any(
        other is not line and abs(other.baseline - line.baseline) < line.size / 2 for other in lines
    )


def _text_size(raw_page: RawPage) -> float:
    """The font size in which most letters of a page are set, in points."""
    letters: Counter[float] = Counter()
    for line in raw_page.lines:
        letters[round(line.size)] += len(line.text)
    return letters.most_common(1)[0][0] if letters else 0.0


def _numbers_of(lines: Iterable[Line]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(number for line in lines for number in margin_numbers_of(line)))


def margin_numbers_of(line: Line) -> list[str]:
    """The numbers that a line holds where a page number could stand: as a whole, a cell, first or last.

    An entry of the contents, with dots before its page, has none.
    """
    if LEADERS.search(line.text):
        return []
    texts = dict.fromkeys([line.text, *(cell.text for cell in line.cells)])
    numbers = (_DASHES.sub("-", number) for text in texts for number in _numbers_in(text))
    return list(dict.fromkeys(numbers))


_DASHES = re.compile(rf"\s?{_DASH}\s?")


def _numbers_in(text: str) -> list[str]:
    if whole := _WHOLE.match(text):
        return [whole[1]]
    named = [match[1] for match in _NAMED.finditer(text)]
    totals = [match for match in _OF_TOTAL.finditer(text) if int(match[1]) <= int(match[2])]
    rest = _OF_TOTAL.sub(" ", text) if totals else text
    last = None if _NUMBERED.search(rest) else _LAST.search(rest)
    ends = [match[1] for match in (_FIRST.search(rest), last) if match]
    parts = [match[1] for part in _BETWEEN.split(text) if (match := _WHOLE.match(part))]
    return [*named, *(match[1] for match in totals), *parts, *ends]


def is_number(line: Line) -> bool:
    """Whether a line is a number and nothing else."""
    return bool(_WHOLE.match(line.text))


def is_lone_number(line: Line, lines: Sequence[Line]) -> bool:
    """Whether a line is a number that stands apart from the other lines of its page."""
    distances = [abs(other.baseline - line.baseline) for other in lines if other is not line]
    return is_number(line) and min(distances, default=_ALONE * line.size) >= _ALONE * line.size
