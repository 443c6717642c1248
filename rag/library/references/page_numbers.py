"""Page words with their numbers: `p. 33`, `pp. MA45-47, 52`, `págs. 85–94`, "page four". Pure."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from rag.library.language.grammar_words import one_of
from rag.library.language.language import PAGES
from rag.library.language.numerals import SPELLED, from_roman, number_of
from rag.library.references.patterns import any_of, begins_one_of

BEFORE_NUMBER = r"(?=(?:[\s:]|-\s*)?\d)"
"""Behind a code that tells a page."""
_MAY_TOUCH = "|".join(rf"(?<={re.escape(word)}\s)" for word in PAGES.before_bare_p)
_PAGE = (
    rf"(?:(?P<plural>(?i:{one_of(PAGES.plural)})|[Pp]p\.?)|(?i:{one_of(PAGES.singular)})|[Pp]\.|p(?=\s\d)"
    rf"|(?:{_MAY_TOUCH}|(?<=[(;]))p(?=\d))"
)
_BEGINS = rf"\b{begins_one_of([*PAGES.plural, *PAGES.singular, 'p'])}"
_NOT_BEFORE = re.compile(rf"(?:\d|\b(?i:{one_of(PAGES.other_pages)}))(?:[^\S\n]|-)*$")
_INITIAL = re.compile(r"\b[A-Z]\.\s*$")
"""Before "P." the first of somebody's initials: "J. P. 33"."""
_LETTER = re.compile(r"[A-Z]\.")

_ENDS = r"(?:\s?ff\b|f\b)?(?![\w%°$]|[.:]\d|,\d{3}|['’\"”]\d)"
_GOES_ON = re.compile(r"[,/]\d")
"""After a number: one of several pages where the page word is plural, else a fraction."""
_RANGE = rf"(?:\s*[-–—−]\s*|\s+{one_of(PAGES.until)}\s+)"
_AND = one_of(PAGES.joints)
JOINT = rf"(?:\s*[,;/]\s*(?:{_AND}\s+)?|\s+{_AND}\s+|\s*&\s*)"
_BY_CHAPTER = re.compile(r"(\d{1,2})[-–—−](\d{1,3})")
_CLOSES = re.compile(r"\s*(?:[,;.:!?/&)\]\"”’–-]|\n|$)")
_OUT_OF = re.compile(rf"\s+{one_of(PAGES.out_of)}\s+\d")

_BEFORE_WORD = re.compile(
    rf"(?<![A-Za-z\d.,:/-])(?P<first>\d{{1,4}})(?:\s?[-–—]\s?(?P<last>\d{{1,4}}))?(?i:{one_of(PAGES.behind)})"
)


@dataclass(frozen=True, slots=True)
class PrintedPages:
    """One number or range with its place; `code` as printed.

    `whole` is "2-3" as books print it whose pages are numbered by chapters.
    """

    start: int
    end: int
    code: str | None
    first: str
    last: str
    whole: str | None = None

    @property
    def whole_label(self) -> str | None:
        """The label of one page that this may be: "2-3", or "A-3" of a letter and a number."""
        is_lettered = self.code is not None and self.first == self.last
        return self.whole or (f"{self.code}-{self.first}" if is_lettered else None)


@dataclass(frozen=True, slots=True)
class PageList:
    """A page word at `start` and the numbers behind it; `is_pdf` where they count the pages of the file."""

    start: int
    numbers: tuple[PrintedPages, ...]
    is_pdf: bool


class PageNumbers:
    """Reads page words with numbers, and codes with a number, for the codes that are in use."""

    def __init__(self, codes: Collection[str], is_question: bool) -> None:
        """Take the codes; in a question they may be written in any case and numbers in words."""
        known = rf"(?{'i' if is_question else '-i'}:{any_of(codes)})"
        page = rf"(?:{_PAGE}|p(?=\d))" if is_question else _PAGE
        ends = rf"(?P<number>\d{{1,4}}){_ENDS}"
        roman = r"(?<![^\W\d_])(?P<roman>[ivxlc]{1,8})(?![\w’']|-[^\divxlc])"
        spelled = rf"(?P<spelled>{SPELLED if is_question else '(?!)'})(?!\w)"
        code = rf"(?P<code>{known}{BEFORE_NUMBER}|[A-Z]{{1,5}}(?=\d)|[A-Z](?=-\d))(?:[\s:]|-\s*)?"
        number = rf"(?:(?:{code})?{ends}|{roman}|{spelled})"
        self._first = re.compile(rf"{_BEGINS}(?<!\.)(?P<pdf>PDF\s+)?(?P<word>{page})\s*{number}")
        self._range = re.compile(rf"{_RANGE}{number}")
        self._item = re.compile(rf"{JOINT}(?P<word>{_PAGE}\s*)?{number}")
        self._bare = re.compile(rf"(?<![\w.#$/+-])(?P<code>{known})(?=:?\d):?{ends}(?P<roman>)(?P<spelled>)")

    def lists(self, text: str) -> Iterator[PageList]:
        """Every page word with its numbers, in order."""
        position = 0
        while match := self._first.search(text, position):
            position = match.end("word")
            numbers = self._list(text, match)
            if numbers and not _is_lookalike(text, match, numbers[-1].end):
                yield PageList(match.start(), tuple(numbers), bool(match["pdf"]))
                position = numbers[-1].end

    def before_words(self, text: str) -> Iterator[PageList]:
        """Every number, or range, with a page word behind it."""
        for match in _BEFORE_WORD.finditer(text):
            first = match["first"]
            last = _completed(first, match["last"]) if match["last"] else first
            pages = PrintedPages(match.start(), match.end(), None, first, last or first)
            yield PageList(match.start(), (pages,), False)

    def bare_codes(self, text: str) -> Iterator[PrintedPages]:
        """Every code with a number that touches it, whether it means a page or not."""
        for match in self._bare.finditer(text):
            if not _GOES_ON.match(text, match.end()) and (pages := self._ranged(text, match, match["code"])):
                yield pages

    def _list(self, text: str, match: re.Match[str]) -> list[PrintedPages]:
        """The numbers and ranges of the list that begins with `match`."""
        is_plural = bool(match["plural"])
        if not is_plural and _GOES_ON.match(text, match.end()):
            return []
        first = self._ranged(text, match, match["code"])
        numbers = [first] if first else []
        while numbers and (item := self._item.match(text, numbers[-1].end)):
            is_named = bool(item["word"] or item["code"])
            added = self._ranged(text, item, item["code"] or (None if item["word"] else numbers[-1].code))
            if not added or not (is_named or _goes_up(numbers[-1], added)):
                break
            if not (is_named or is_plural or _CLOSES.match(text, added.end)):
                break
            numbers.append(added)
        return numbers

    def _ranged(self, text: str, match: re.Match[str], code: str | None) -> PrintedPages | None:
        """The number of `match`, up to the end of its range where one follows."""
        first = _label(match)
        if first is None:
            return None
        start = match.start(next(name for name in ("code", "number", "roman", "spelled") if match[name]))
        until = self._range.match(text, match.end())
        last = _label(until) if until else None
        whole = _whole(text[start : until.end()]) if until else None
        if until and last and until["code"] in (None, match["code"]) and (full := _completed(first, last)):
            return PrintedPages(start, until.end(), code, first, full, whole)
        return PrintedPages(start, until.end() if until and whole else match.end(), code, first, first, whole)


def _label(match: re.Match[str]) -> str | None:
    """The printed label that a number means; a roman numeral stays one."""
    if match["spelled"]:
        number = number_of(match["spelled"])
        return str(number) if number else None
    roman: str | None = match["roman"]
    return match["number"] or (roman if roman and from_roman(roman) else None)


def _whole(printed: str) -> str | None:
    """The label of a page numbered by chapters, with a plain dash; None where it is none."""
    parts = _BY_CHAPTER.fullmatch(printed)
    return f"{parts[1]}-{parts[2]}" if parts else None


def _is_lookalike(text: str, match: re.Match[str], end: int) -> bool:
    """Whether the words around page numbers show that they are none."""
    floor = max(0, match.start() - 12)
    if _NOT_BEFORE.search(text, floor, match.start()) or _OUT_OF.match(text, end):
        return True
    is_letter = bool(_LETTER.fullmatch(match["word"]))
    return is_letter and bool(_INITIAL.search(text, floor, match.start()))


def _completed(first: str, last: str) -> str | None:
    """The end of a range in full ("112-15" ends on 115), None if it does not go up."""
    if not (first.isdecimal() and last.isdecimal()):
        low, high = from_roman(first), from_roman(last)
        return last if low and high and low < high else None
    if int(last) <= int(first) and len(last) < len(first):
        last = first[: len(first) - len(last)] + last
    return last if int(first) < int(last) else None


def _goes_up(before: PrintedPages, after: PrintedPages) -> bool:
    is_alike = before.last.isdecimal() == after.first.isdecimal()
    return is_alike and (number_of(before.last) or 0) < (number_of(after.first) or 0)
