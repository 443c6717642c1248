"""The numbers that a line in the margin of a page holds where the page's number could stand. Pure."""

import re
from collections.abc import Collection
from math import inf

from rag.library.language.grammar_words import one_of
from rag.library.language.language import HEADINGS, LAYOUT, PAGE_WORDS
from rag.library.readers.pdf.lines import PrintedLine
from rag.library.readers.pdf.page_kind import LEADERS

_DASH = "[-‐‑–—−]"
_IN_CHAPTER = rf"(?:\d{{1,2}}|(?-i:[A-Z]{{1,4}})){_DASH}\d{{1,3}}"  # "2-3", "A-3"
_LETTERED = r"(?-i:[A-Z]{1,3})[.: ]?\d{1,3}"  # "M4", "A.3"
_ROMAN = r"[ivxlc]{1,8}"
_SPACED = r"\d(?:\s\d){1,2}"  # "1 2", in spaced digits
_ORNAMENT = r"[\W_]*"
PAGE_WORD = one_of([*LAYOUT.page, *PAGE_WORDS, r"p\.", r"p(?=\d)"])
_NUMBER = one_of(
    [
        *(_IN_CHAPTER, rf"(?:\d{{1,2}}|(?-i:[A-Z]{{1,4}}))\s{_DASH}\s\d{{1,3}}", _LETTERED),
        *(r"\d{1,4}", _SPACED, _ROMAN, "(?-i:[IVXLC]{1,8})"),
    ]
)
_WHOLE = re.compile(
    rf"^{_ORNAMENT}(?:{PAGE_WORD}\s*)?({_NUMBER})(?:[.\s]*{PAGE_WORD})?{_ORNAMENT}$", re.IGNORECASE
)
_NAMED = re.compile(rf"(?<!\w){PAGE_WORD}\s*({_IN_CHAPTER}|\d{{1,4}})(?!\w)", re.IGNORECASE)
_OF_TOTAL = re.compile(
    rf"(?<![\d.,])(?:{PAGE_WORD}\s*|(?P<counted>[^\W\d_]\s+))?(?P<number>\d{{1,4}})"
    rf"\s*{one_of(['/', *LAYOUT.of_total])}\s*(?P<total>\d{{1,4}})(?![\d.,])",
    re.IGNORECASE,
)
"""A number and the total; `counted` where another word than "page" stands before: "Card 7/54"."""
_GLUED = r"[—–|·•](?=\D)"
"""Between a number and a running head without a space: "66—Fantastic Creatures"."""
_BETWEEN = re.compile(r"\s[|·•–—]\s")
_FIRST = re.compile(rf"^{_ORNAMENT}({_IN_CHAPTER}|\d{{1,4}}|{_ROMAN})(?=\s|{_GLUED}|{_ORNAMENT}$)")
_LAST = re.compile(rf"(?:^|(?<=[\s|·•/–—-]))({_IN_CHAPTER}|\d{{1,4}}|{_ROMAN}){_ORNAMENT}$")
_AT_ENDS = re.compile(rf"\d+|^{_ROMAN}(?=\s)|(?<=\s){_ROMAN}$")
_SET_APART = re.compile(rf"^{_ORNAMENT}\d{{1,4}}{_GLUED}|[—–|·•]\d{{1,4}}{_ORNAMENT}$")
_NUMBERED = re.compile(
    rf"(?<!\w){one_of([*HEADINGS.chapters, *HEADINGS.parts, *HEADINGS.tables])}\s(?:\d{{1,4}}|{_ROMAN})$",
    re.IGNORECASE,
)
"""The number of a chapter or table, which stands behind its name: "Table 7"."""
_WORD = re.compile(r"[^\W\d_]{2}")
_DASHES = re.compile(rf"\s?{_DASH}\s?")


def is_number(line: PrintedLine) -> bool:
    """Whether a line is a number and nothing else."""
    return bool(_WHOLE.match(line.text))


def whole_number(text: str) -> str | None:
    """The number that a text is and nothing else, None if it is none."""
    match = _WHOLE.match(text)
    return _plain(match[1]) if match else None


def words_beside(text: str) -> str:
    """A text without its numbers, in small letters: what a header says on every page."""
    return " ".join(_AT_ENDS.sub("", text).casefold().split())


def line_numbers(
    line: PrintedLine, headers: Collection[str] | None = None, highest_total: float = inf
) -> list[str]:
    """The numbers that a line holds where a page number could stand: as a whole, a cell, first or last.

    An entry of the contents, with dots before its page, has none. Where `headers` are given, the
    `words_beside` the numbers of the book's, a number first or last among other words is one of the text: "1
    See the Bells of Storm". So is one of a total that is higher than that of the pages can be, behind another
    word: "Card 7/54".
    """
    if LEADERS.search(line.text):
        return []
    cells = dict.fromkeys(cell.text for cell in line.cells)
    texts = {line.text: None} | cells
    of_headers = [text for text in cells if not _WORD.search(text) or words_beside(text) in (headers or ())]
    marked = [number for text in texts for number in _marked(text, highest_total)]
    ends = [number for text in (texts if headers is None else of_headers) for number in _at_ends(text)]
    return list(dict.fromkeys(map(_plain, [*marked, *ends])))


def _plain(number: str) -> str:
    return _DASHES.sub("-", number).replace(" ", "")


def _marked(text: str, highest_total: float) -> list[str]:
    """The numbers that stand alone or that a word, a total or a sign marks as a page's."""
    if whole := _WHOLE.match(text):
        return [whole[1]]
    named = [match[1] for match in _NAMED.finditer(text)]
    of_total = [
        match["number"]
        for match in _totals(text)
        if not match["counted"] or int(match["total"]) <= highest_total
    ]
    parts = [match[1] for part in _BETWEEN.split(text) if (match := _WHOLE.match(part))]
    set_apart = _at_ends(text) if _SET_APART.search(text) else []
    return [*named, *of_total, *parts, *set_apart]


def _at_ends(text: str) -> list[str]:
    """The numbers with which a text begins and ends, but no total, and no number of a chapter or table."""
    if _WHOLE.match(text):
        return []
    rest = _OF_TOTAL.sub(" ", text) if _totals(text) else text
    last = None if _NUMBERED.search(rest) else _LAST.search(rest)
    return [match[1] for match in (_FIRST.search(rest), last) if match]


def _totals(text: str) -> list[re.Match[str]]:
    return [match for match in _OF_TOTAL.finditer(text) if int(match["number"]) <= int(match["total"])]
