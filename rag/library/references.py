"""The grammar of printed cross-references, in English and Portuguese. Pure.

A page reference is read from the middle: a page word and its numbers (`pp. MA45-47, 52`), then the name
printed before or after them (`Powers, p. 100`, `page 33 of Magic`). Beside those: codes without a page
word, chapters, pages told by their place, headings called by name. What only looks like a reference
(`1D6`, `a B2 bomber`, `page 3 of 5`) is refused.
"""

import functools
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from rag.library.labels import from_roman
from rag.library.titles import names_of

Relative = Literal["next", "previous", "facing"]


@dataclass(frozen=True, slots=True)
class Reference:
    """One page, range of pages, chapter or heading that a text points to.

    `text` is as printed, `start` and `end` its place in the text searched. `book` is a title, a code or
    the name of a book unknown here, as printed; None means the same book. `first` and `last` are printed
    labels, equal for a single page. A page with a `heading` but no `book` had that name beside it: a
    heading there, or else a book that is not in the library; `is_part` tells that it is called a chapter
    or section, so it is one of this book. `relative` is a page told by its place; `is_pdf_page` means that
    `first` and `last` count the pages of the file.
    """

    text: str
    start: int
    end: int
    book: str | None = None
    first: str | None = None
    last: str | None = None
    chapter: str | None = None
    heading: str | None = None
    is_part: bool = False
    relative: Relative | None = None
    is_pdf_page: bool = False


def find_references(
    text: str, titles: Collection[str], codes: Collection[str], *, is_question: bool = False
) -> list[Reference]:
    """The references in `text`, in order, none overlapping another.

    `titles` are the books of the library, also called by their short names (`titles.names_of`); `codes`
    prefix page numbers ("B102"), the longest wins. In a question titles and codes may be written in any
    case, and a code needs nothing before it.
    """
    grammar = _grammar(frozenset(titles), frozenset(codes), is_question)
    found: list[Reference] = []
    for find in (grammar.pages, grammar.bare_codes, _chapters, _places, grammar.headings):
        found += [
            new for new in find(text) if all(new.end <= old.start or old.end <= new.start for old in found)
        ]
    return sorted(found, key=lambda reference: reference.start)


# Page words and numbers

_PAGE = r"(?:(?i:pages?|páginas?|págs?\.?|pgs?\.)|[Pp]p\.?|[Pp]\.|p(?=\s\d))"
_PLURAL = re.compile(r"pages|páginas|págs|pgs|pp", re.IGNORECASE)
_NOT_BEFORE_PAGE = re.compile(r"(?:\d|\b(?i:web|home|title|front|blank|per))[\s-]*$")
_ENDS = r"(?![\w%°$]|[.,:/]\d|['’\"”]\d)"
_RANGE = r"(?:\s*[-–—−]\s*|\s+(?:to|through|a|até)\s+)"
_JOINT = r"(?:\s*[,;/]\s*(?:(?:and|or|e|ou)\s+)?|\s+(?:and|or|e|ou)\s+|\s*&\s*)"
_PAGE_WORD = re.compile(rf"(?<![\w.]){_PAGE}\s*\d")
_CREDITS = re.compile(
    r"\b(?:illustrat(?:ions?|ors?|ed)|artwork|artists?|art by|photograph(?:s|y|ers?)|cartograph(?:y|ers?)"
    r"|ilustra(?:ções|ção|dor(?:es)?)|artistas?|fotografias?|cartografia)\b",
    re.IGNORECASE,
)
_MANY_CREDITS = 4  # pages named in one paragraph
_CLOSES = re.compile(r"\s*(?:[,;.)\]–-]|\n|$)")
_OUT_OF = re.compile(r"\s+(?:of|de|out of)\s+\d")

# Names

_UPPER = "A-ZÀ-ÖØ-Þ"
_CAPITAL = rf"[{_UPPER}][\w'’/-]*"
_SMALL = r"(?:of|the|and|to|in|for|with|a|an|at|from|de|da|do|das|dos|e|o|em|com|para|&|vs\.?)"
_GAP = r"(?:[^\S\n]|\n(?!\n))+"  # within a paragraph
_NAME = rf"{_CAPITAL}(?:{_GAP}(?:{_SMALL}{_GAP}){{0,2}}(?:{_CAPITAL}|\d{{1,3}}\b))*"
_REST = r"(?:\s\([^()\n]{1,30}\))?"
_SEE = (
    r"(?:(?i:see)(?:\s+also)?|(?i:veja|ver)(?:\s+também)?|(?i:vide|consulte|confira)|(?i:refer\s+to)|[Cc]f\.)"
)
_THE = r"(?:(?:the|o|a|os|as)\s+)?"
_OPEN, _CLOSE = r"[\"“”'‘*_«(\[]*", r"[\"”'’*_»]*"
_PART = r"(?:\s+(?:section|chapter|entry|table|rules?|sidebar|spell|seção|capítulo|tabela|regras?)s?)?"
_LINK = re.compile(
    rf"{_CLOSE}{_PART}\s*[,:;(\[–—]?\s*(?:{_SEE}\s+)?(?:(?:on|at|in|em|na|no|à)\s+)?(?:the\s+)?$"
)
_NAME_AT_END = re.compile(rf"(?<!\w){_NAME}{_REST}$")
_LIST_AT_END = re.compile(rf"(?<!\w){_SEE}\s+{_THE}{_OPEN}(?P<name>{_NAME}(?:,\s+{_CAPITAL})*{_REST})$")
_NOT_IN_NAME = re.compile(
    rf"(?:(?:{_SEE}|The|A|An|As|In|On|At|And|Or|O|Os|Em|E|Na|No|Also|From|Use|Table)\s+)+"
)
_NO_NAME = re.compile(
    r"(?:see|ver|veja|vide|on|in|at|as|and|or|the|chapter|page|pages|capítulo|página|note|also|cf)$",
    re.IGNORECASE,
)
_OF = r"(?:of|from|de|do|da|dos|das)\s+(?:the\s+|o\s+)?(?:book\s+|livro\s+)?"
_IN = r"(?:in|em|no|na)\s+(?:the\s+|o\s+)?(?:book\s+|livro\s+)?"
_BOOK_NOUN = (
    r"(?:(?:rule|world|source|hand)?book|manual|guide|supplement|adventure|rules|"
    r"livro|guia|suplemento|aventura)s?"
)
_UNKNOWN_AFTER = re.compile(
    rf"\s+{_OF}{_OPEN}(?P<name>{_NAME})|\s+(?:{_OF}|{_IN})(?P<noun>(?:[\w'’-]+\s+){{0,4}}?{_BOOK_NOUN})\b"
)
_SAME_BOOK = re.compile(
    r"(?:this|these|our|este|esta|esse|chapter|cap[ií]tulo|appendix|part)\b", re.IGNORECASE
)

_PART_AFTER = re.compile(
    rf"\)?{_CLOSE}\s+(?:section|chapter|table|entry|sidebar|seção|capítulo|tabela)s?\b", re.IGNORECASE
)
_PART_BETWEEN = re.compile(rf"^{_CLOSE}\s+(?:section|chapter|sidebar|seção|capítulo)s?\b", re.IGNORECASE)

_NAME_REACH = 120  # characters before a page number in which its name is looked for

# Codes without a page word

_NO_CODE_AFTER = re.compile(
    r"\b(?i:an?|one|um|uma|vitamins?|vitaminas?|rooms?|areas?|level|sector|hex|grid|deck|bay|gate|cell|class|type|"
    r"model|mark|grade|rank|figure|table|map|sala|área|nível|setor|tipo|modelo|classe|figura|tabela|mapa)\s+$"
)
_CODE_AFTER = re.compile(rf"(?:[(\[;]|\b{_SEE}|\b(?i:also|per|também))\s*$")
_DICE_SIDES = frozenset(["2", "3", "4", "6", "8", "10", "12", "20", "30", "66", "100"])


@dataclass(frozen=True, slots=True)
class _Pages:
    """One number or range with its place; `code` as printed."""

    start: int
    end: int
    code: str | None
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class _Mention:
    """The name beside page numbers and its place."""

    start: int
    end: int
    name: str
    is_book: bool
    is_part: bool = False


@functools.lru_cache(maxsize=64)
def _grammar(titles: frozenset[str], codes: frozenset[str], is_question: bool) -> "_Grammar":
    return _Grammar(titles, codes, is_question)


class _Grammar:
    """What depends on the library: its titles and codes."""

    def __init__(self, titles: frozenset[str], codes: frozenset[str], is_question: bool) -> None:
        self._is_question = is_question
        case = "i" if is_question else "-i"
        known = _any_of(names_of(titles))
        declared = _any_of(codes)
        # An acronym before a title names the series: "GURPS Powers" is Powers.
        self._known_at_end = re.compile(rf"(?<![\w-])(?{case}:(?:[A-Z]{{2,}}\s+)?(?:{known}))$")
        self._known_after = re.compile(
            rf"(?:\s*,)?(?:\s+(?:{_OF}|{_IN})|\s*\((?:in\s+)?){_OPEN}(?P<name>(?{case}:{known}))(?![\w-])"
        )
        self._known = re.compile(rf"(?{case}:{known})")
        code = rf"(?P<code>(?{case}:{declared})(?=[\s:]?\d)|[A-Z]{{1,5}}(?=\d))[\s:]?"
        number = rf"(?:{code})?(?P<number>\d{{1,4}}){_ENDS}|(?P<roman>[ivxlc]{{1,8}})(?![\w’']|-[^\divxlc])"
        self._first = re.compile(rf"(?P<pdf>PDF\s+)?(?<![\w.])(?P<word>{_PAGE})\s*(?:{number})")
        self._range = re.compile(rf"{_RANGE}(?:{number})")
        self._item = re.compile(rf"{_JOINT}(?P<word>{_PAGE}\s*)?(?:{number})")
        self._bare = re.compile(
            rf"(?<![\w.#$/+-])(?:{code.replace('|[A-Z]{1,5}', '|(?!)[A-Z]')})(?P<number>\d{{1,4}}){_ENDS}"
        )

    def pages(self, text: str) -> Iterator[Reference]:
        """Page words with their numbers, and the name beside them."""
        position = 0
        while match := self._first.search(text, position):
            position = match.end("word")
            numbers = self._numbers(text, match)
            if not numbers or _NOT_BEFORE_PAGE.search(text, max(0, match.start() - 12), match.start()):
                continue
            if _OUT_OF.match(text, numbers[-1].end) or _is_credits(text, match.start()):
                continue
            yield from self._named(text, match, numbers)
            position = numbers[-1].end

    def _numbers(self, text: str, match: re.Match[str]) -> list[_Pages]:
        """The list of numbers and ranges that begins with `match`."""
        first = self._ranged(text, match, match["code"])
        numbers = [first] if first else []
        is_plural = bool(_PLURAL.match(match["word"]))
        while numbers and (item := self._item.match(text, numbers[-1].end)):
            is_named = bool(item["word"] or item["code"])
            added = self._ranged(text, item, item["code"] or (None if item["word"] else numbers[-1].code))
            if not added or not (is_named or _goes_up(numbers[-1], added)):
                break
            if not (is_named or is_plural or _CLOSES.match(text, added.end)):
                break
            numbers.append(added)
        return numbers

    def _ranged(self, text: str, match: re.Match[str], code: str | None) -> _Pages | None:
        """The number of `match`, up to the end of its range where one follows."""
        first = match["number"] or _roman(match["roman"])
        if first is None:
            return None
        group = "code" if match["code"] else "number" if match["number"] else "roman"
        start = match.start(group)
        until = self._range.match(text, match.end())
        last = (until["number"] or _roman(until["roman"])) if until else None
        if until and last and until["code"] in (None, match["code"]) and (full := _completed(first, last)):
            return _Pages(start, until.end(), code, first, full)
        return _Pages(start, match.end(), code, first, first)

    def _named(self, text: str, match: re.Match[str], numbers: list[_Pages]) -> Iterator[Reference]:
        mention = self._mention(text, match.start(), numbers[-1].end) if not numbers[0].code else None
        before = mention and mention.start < match.start()
        for position, pages in enumerate(numbers):
            is_first, is_last = position == 0, position == len(numbers) - 1
            start = (mention.start if mention and before else match.start()) if is_first else pages.start
            end = mention.end if mention and is_last and not before else pages.end
            end += _closes(text, start, end)
            name = mention.name if mention else None
            is_book = bool(mention and mention.is_book)
            yield Reference(
                text[start:end], start, end,
                book=pages.code or (name if is_book else None),
                first=pages.first, last=pages.last,
                heading=None if is_book or pages.code else name,
                is_part=bool(mention and mention.is_part),
                is_pdf_page=bool(match["pdf"]),
            )  # fmt: skip

    def _mention(self, text: str, start: int, end: int) -> _Mention | None:
        """The book or heading named beside the page numbers at `start` to `end`."""
        if after := self._known_after.match(text, end):
            return _Mention(start, after.end("name"), after["name"], True)
        before = self._before(text, start)
        if before and before.is_book:
            return before
        unknown = _UNKNOWN_AFTER.match(text, end)
        if unknown:
            group = "name" if unknown["name"] else "noun"
            if _PART_AFTER.match(text, unknown.end(group)):
                return _Mention(start, unknown.end(group), unknown[group], False, is_part=True)
            if not _SAME_BOOK.match(unknown[group]):
                return _Mention(start, unknown.end(group), unknown[group], True)
        if not before:
            return None
        is_part = bool(_PART_BETWEEN.match(text[before.end : start]) or _PART_AFTER.match(text, end))
        return replace(before, is_part=is_part)

    def _before(self, text: str, start: int) -> _Mention | None:
        floor = max(text.rfind("\n\n", 0, start) + 1, start - _NAME_REACH, 0)
        link = _LINK.search(text, floor, start)
        window = text[floor : link.start() if link else start]
        linked = text[floor + len(window) : start]
        if not window or (not linked.strip() and not linked):
            return None
        known = self._known_at_end.search(window)
        name = _LIST_AT_END.search(window) or _NAME_AT_END.search(window)
        if not name:
            return _Mention(floor + known.start(), floor + known.end(), known[0], True) if known else None
        printed = name.groupdict().get("name") or name[0]
        at = name.start("name") if "name" in name.re.groupindex else name.start()
        leading = _NOT_IN_NAME.match(printed)
        if leading:
            printed, at = printed[leading.end() :], at + leading.end()
        if known and known.start() <= at + (0 if not self._is_question else len(window)):
            return _Mention(floor + known.start(), floor + known.end(), known[0], True)
        if not printed or _NO_NAME.match(printed):
            return None
        return _Mention(floor + at, floor + at + len(printed), printed, False)

    def bare_codes(self, text: str) -> Iterator[Reference]:
        """Codes with a number and no page word, as "(B102, MA45)" and "see B102"."""
        last_end = -1
        for match in self._bare.finditer(text):
            window = text[max(0, match.start() - 24) : match.start()]
            is_listed = last_end >= 0 and bool(re.fullmatch(_JOINT, text[last_end : match.start()]))
            is_meant = is_listed or self._is_question or _CODE_AFTER.search(window)
            is_die = match["code"].upper() == "D" and match["number"] in _DICE_SIDES
            if is_die or not is_meant or _NO_CODE_AFTER.search(window):
                continue
            pages = self._ranged(text, match, match["code"])
            if pages:
                last_end = pages.end
                yield Reference(
                    text[pages.start : pages.end], pages.start, pages.end,
                    book=pages.code, first=pages.first, last=pages.last,
                )  # fmt: skip

    def headings(self, text: str) -> Iterator[Reference]:
        """Headings called by name, as in "described under Riposte"."""
        for match in _HEADING.finditer(text):
            name = match["quoted"] or match["name"]
            if _NO_HEADING.match(name) or self._known.fullmatch(name):
                continue
            after = self._known_after.match(text, match.end())
            start, end = match.span("quoted" if match["quoted"] else "name")
            end = after.end("name") if after else end
            yield Reference(text[start:end], start, end, book=after["name"] if after else None, heading=name)


def _is_credits(text: str, at: int) -> bool:
    """Whether the paragraph around `at` says who drew what: names and pages that are no rules."""
    start, end = text.rfind("\n\n", 0, at) + 1, text.find("\n\n", at)
    paragraph = text[start : end if end >= 0 else len(text)]
    return bool(_CREDITS.search(paragraph)) and len(_PAGE_WORD.findall(paragraph)) >= _MANY_CREDITS


def _closes(text: str, start: int, end: int) -> bool:
    """Whether the next character closes a parenthesis that was opened from `start` to `end`."""
    return text[end : end + 1] == ")" and text.count("(", start, end) > text.count(")", start, end)


def _any_of(words: Collection[str]) -> str:
    """Alternatives, the longest first, with any white space between words."""
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return "|".join(r"\s+".join(map(re.escape, word.split())) for word in longest_first) or r"(?!)"


def _roman(text: str | None) -> str | None:
    return text if text and from_roman(text) else None


def _completed(first: str, last: str) -> str | None:
    """The end of a range in full ("112-15" ends on 115), None if it does not go up."""
    if not (first.isdecimal() and last.isdecimal()):
        low, high = from_roman(first), from_roman(last)
        return last if low and high and low < high else None
    if int(last) <= int(first) and len(last) < len(first):
        last = first[: len(first) - len(last)] + last
    return last if int(first) < int(last) else None


def _goes_up(before: _Pages, after: _Pages) -> bool:
    if before.last.isdecimal() != after.first.isdecimal():
        return False
    if before.last.isdecimal():
        return int(before.last) < int(after.first)
    return (from_roman(before.last) or 0) < (from_roman(after.first) or 0)


_NUMERAL = r"(?:\d{1,3}|[IVXL]{1,6}|One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten|Eleven|Twelve)"
_CHAPTER = re.compile(
    rf"\b(?i:chapters?|chap\.|ch\.|capítulos?|cap\.)\s+(?P<number>{_NUMERAL})\b"
    rf"(?:\s*[:–—]\s*{_OPEN}(?P<name>{_NAME}))?(?:\s+{_OF}{_OPEN}(?P<book>{_NAME}))?"
)
_QUOTE = r"[\"“'‘](?P<{0}>[^\"”“\n]{{2,60}}?)[\"”'’]"
_NAMED_CHAPTER = re.compile(
    rf"(?:{_QUOTE.format('quoted')}|\b[Tt]he\s+(?P<plain>{_NAME}))\s+(?P<kind>chapter|section|[Tt]able)\b"
    rf"(?:\s+{_OF}{_OPEN}(?P<book>{_NAME}))?"
    rf"|(?P<tipo>capítulo|seção|[Tt]abela)\s+{_QUOTE.format('titulo')}"
    rf"|\b[Tt]abela\s+(?:d[aeo]s?\s+)?(?P<tabela>{_NAME})"
)
_PLACE = re.compile(
    r"\b(?:the|na|a|da|à)\s+(?:(?P<before>facing|opposite|next|following|previous|preceding)\s+page\b"
    r"|página\s+(?P<after>ao\s+lado|oposta|seguinte|anterior)|(?P<proxima>próxima)\s+página)|\b(?P<over>overleaf)\b",
    re.IGNORECASE,
)
_RELATIVE: dict[str, Relative] = {
    "facing": "facing", "opposite": "facing", "ao lado": "facing", "oposta": "facing",
    "next": "next", "following": "next", "seguinte": "next", "próxima": "next", "overleaf": "next",
    "previous": "previous", "preceding": "previous", "anterior": "previous",
}  # fmt: skip
_DESCRIBED = (
    r"(?i:described|explained|detailed|listed|given|discussed|found|covered|defined|outlined|rules|"
    r"descrit[oa]s?|explicad[oa]s?|detalhad[oa]s?|listad[oa]s?|definid[oa]s?|regras)\s+(?:under|in|for|em|sob|no|na|de)"
)
_HEADING = re.compile(
    rf"(?:(?<!ll\s)(?<!to\s)(?<!can\s)(?<!you\s)\b{_SEE}|\b{_DESCRIBED})\s+{_THE}(?:[\"“](?P<quoted>[^\"”“\n]{{2,60}}?)[\"”]|(?P<name>{_NAME}(?:,\s{_CAPITAL}(?=[).]))?))"
)
_NO_HEADING = re.compile(r"(?:Pages?|Chapters?|Páginas?|Capítulos?)\b|[A-Z]{1,3}\d+$")


def _chapters(text: str) -> Iterator[Reference]:
    """Chapters by number or name; not the line that opens the chapter itself."""
    for match in _CHAPTER.finditer(text):
        if match[0] != text.strip() and _is_own_line(text, match):
            continue
        yield Reference(
            match[0], match.start(), match.end(),
            book=match["book"], chapter=match["number"], heading=match["name"],
        )  # fmt: skip
    for match in _NAMED_CHAPTER.finditer(text):
        name = match["quoted"] or match["plain"] or match["titulo"] or match["tabela"]
        kind = (match["kind"] or match["tipo"] or "").lower()
        is_chapter = kind in ("chapter", "capítulo")
        yield Reference(
            match[0], match.start(), match.end(), book=match["book"],
            chapter=name if is_chapter else None, heading=None if is_chapter else name,
            is_part=is_chapter or kind in ("section", "seção"),
        )  # fmt: skip


def _is_own_line(text: str, match: re.Match[str]) -> bool:
    starts = match.start() == 0 or text[match.start() - 1] == "\n"
    return starts and (match.end() == len(text) or text[match.end()] == "\n" or match["name"] is not None)


def _places(text: str) -> Iterator[Reference]:
    """Pages told by their place: "the facing page"."""
    for match in _PLACE.finditer(text):
        word = match["before"] or match["after"] or match["proxima"] or match["over"]
        yield Reference(
            match[0], match.start(), match.end(), relative=_RELATIVE[" ".join(word.lower().split())]
        )
