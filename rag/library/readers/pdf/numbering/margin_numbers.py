"""The numbers that stand where a page's printed number could: in its head and its foot. Pure."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from rag.library.readers.pdf.lines import PrintedLine, RawPage
from rag.library.readers.pdf.numbering.line_numbers import is_number, line_numbers, whole_number, words_beside
from rag.library.readers.runs import of_most_letters

_BAND = 0.13  # of the page's height, at its head and at its foot
_DEEPEST = 1 / 3  # of the page's height: where margins may reach, with a line that stands apart
_SAME_HEIGHT = 0.5  # font sizes
_OUTERMOST = 3  # a head or foot is among the first or last so many baselines
_ALONE = 1.8  # font sizes between a lone number and the text
_LARGER = 1.15  # times the size of the text: a heading
_BOLDER = 1.05  # times the size of the text, and bold: a heading as well
_FEWEST_RETURNING = 2  # pages with the same words in the margin
_MOST_OF_TOTAL = 1.2  # times the pages of the file, and
_UNCOUNTED = 3  # pages more: the highest total of pages


def edge_lines(raw_page: RawPage) -> list[PrintedLine]:
    """The outermost lines in the head and the foot band of a page, where a page number may stand."""
    heights = sorted({round(line.baseline) for line in raw_page.lines})
    outermost = {*heights[:_OUTERMOST], *heights[-_OUTERMOST:]}
    return [line for line in band_lines(raw_page) if round(line.baseline) in outermost]


def band_lines(raw_page: RawPage) -> list[PrintedLine]:
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


def _distances(line: PrintedLine, lines: Iterable[PrintedLine]) -> list[float]:
    """How far the other lines of a page stand above or below a line, in its font size."""
    return [abs(other.baseline - line.baseline) / line.size for other in lines if other is not line]


def _is_apart(line: PrintedLine, lines: Iterable[PrintedLine]) -> bool:
    """Whether other lines stand at the height of a line or well away from it."""
    return not any(_SAME_HEIGHT < distance < _ALONE for distance in _distances(line, lines))


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


def margin_numbers(raw_pages: Sequence[RawPage]) -> list[MarginNumbers]:
    """The numbers in the margins of each page of a book, also those not written in the direction of the text.

    These are read on a page turned for a wide table, whose own numbers count up beside them. What is set
    larger than the text is a heading, with a number of its own. A number among words counts where these are
    those of a header, but not of a footnote.
    """
    text_size, headers = _text_size(raw_pages), header_words(raw_pages)
    highest_total = _MOST_OF_TOTAL * len(raw_pages) + _UNCOUNTED
    return [_margin_numbers(raw_page, text_size, headers, highest_total) for raw_page in raw_pages]


def header_words(raw_pages: Sequence[RawPage]) -> frozenset[str]:
    """The `words_beside` the numbers of a book's headers and footers.

    They return in the margin of another page, or are those of a heading: a short chapter has a header once.
    """
    pages_with = Counter(words for raw_page in raw_pages for words in _margin_words(raw_page))
    returning = {words for words, count in pages_with.items() if count >= _FEWEST_RETURNING}
    largest = _LARGER * _text_size(raw_pages)
    large = (line for raw_page in raw_pages for line in raw_page.lines if line.size > largest)
    return frozenset(returning.union(words_beside(line.text) for line in large)) - {""}


def _margin_words(raw_page: RawPage) -> set[str]:
    return {
        words_beside(cell.text)
        for page in (raw_page, *raw_page.turned)
        for line in edge_lines(page)
        for cell in line.cells
    }


def _margin_numbers(
    raw_page: RawPage, usual_size: float, of_headers: Collection[str], highest_total: float
) -> MarginNumbers:
    """The numbers of a page, given the book's font size, words of headers, and highest total of pages."""
    text_size = _text_size([raw_page])
    largest, heading = _LARGER * text_size, max(text_size, usual_size)
    pages = (raw_page, *raw_page.turned)
    lone = [line for page in pages for line in number_lines(page) if not _is_heading(line, page, heading)]
    alone = _numbers_of([line for line in lone if line.size <= largest] or lone)
    rest = [line for page in pages for line in edge_lines(page) if not is_number(line)]
    headers = [line for line in rest if line.size <= largest]
    beside = [number for line in headers for number in line_numbers(line, of_headers, highest_total)]
    cells = [cell for line in rest if line.size > largest for cell in line.cells]
    in_headings = [number for cell in cells if (number := whole_number(cell.text))]
    others = dict.fromkeys([*_numbers_of(lone), *beside, *in_headings])
    return MarginNumbers(alone, tuple(number for number in others if number not in alone))


def _is_heading(number: PrintedLine, raw_page: RawPage, text_size: float) -> bool:
    """Whether a lone number is the heading of its page: larger or bolder than the text, in line with it."""
    text = [line for line in raw_page.lines if not is_number(line)]
    if not text or number.baseline > min(line.baseline for line in text):
        return False
    is_bolder = number.bold and not all(line.bold for line in text)
    if number.size <= (_BOLDER if is_bolder else _LARGER) * text_size:
        return False
    centre = (number.x0 + number.x1) / 2
    in_line = (number.x0 - median(line.x0 for line in text), centre - raw_page.width / 2)
    return min(map(abs, in_line)) < number.size


def number_lines(raw_page: RawPage) -> list[PrintedLine]:
    """The numbers that stand alone in the head or foot of a page, or beside all of its text."""
    outermost = set(map(id, edge_lines(raw_page)))
    in_bands = set(map(id, band_lines(raw_page)))
    numbers = list(filter(is_number, raw_page.lines))
    no_text = in_bands.union(map(id, numbers))
    text = [line for line in raw_page.lines if id(line) not in no_text]
    left = min((line.x0 for line in text), default=0.0)
    right = max((line.x1 for line in text), default=raw_page.width)
    within = [line for line in numbers if id(line) in in_bands]
    found = [
        line
        for line in within
        if id(line) in outermost or min(_distances(line, raw_page.lines), default=1.0) >= _SAME_HEIGHT
    ]
    outside = [line for line in numbers if id(line) not in in_bands]
    beside = [line for line in outside if line.x1 < left or line.x0 > right]
    return found + (beside if len(beside) == 1 else [])


def _text_size(raw_pages: Iterable[RawPage]) -> float:
    """The font size in which most letters of the pages are set, in points."""
    lines = (line for raw_page in raw_pages for line in raw_page.lines)
    return of_most_letters(((float(round(line.size)), line.text) for line in lines), 0.0)


def _numbers_of(lines: Iterable[PrintedLine]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(number for line in lines for number in line_numbers(line)))


def is_lone_number(line: PrintedLine, lines: Sequence[PrintedLine]) -> bool:
    """Whether a line is a number that stands apart from the other lines of its page."""
    return is_number(line) and min(_distances(line, lines), default=_ALONE) >= _ALONE
