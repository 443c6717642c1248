"""The book or heading named beside page numbers: `Powers, p. 100`, `page 33 of Magic`. Pure."""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property

from rag.library.books.titles import names_of
from rag.library.language.grammar_words import one_of
from rag.library.language.language import LANGUAGES, NAMES
from rag.library.references.patterns import CAPITAL, CLOSE, IN, NAME, OF, OPEN, SEE, THE, any_of
from rag.rules import rule

_REST = r"(?:\s\([^()\n]{1,30}\))?"
_DIVISION = one_of(NAMES.divisions)
_PRINTED_PART = one_of([*NAMES.divisions, *NAMES.entries])
_PART = rf"(?:\s+{one_of([*NAMES.divisions, *NAMES.entries, *NAMES.rules])}s?)?"
_BETWEEN = (
    rf"\s*[,:;(\[–—]?\s*(?:\b{SEE}\s+)?(?:\b{one_of(NAMES.before_page)}\s+)?"
    rf"(?:\b{one_of(NAMES.page_article)}\s+)?$"
)
_COMMA = r"(?:,(?=[\"”’]))?"  # within the quotation marks: “Powers,” p. 100
_BOOK_LINK = re.compile(_COMMA + CLOSE + _BETWEEN)
_LINK = re.compile(_COMMA + CLOSE + _PART + _BETWEEN)
_NAME_AT_END = re.compile(rf"(?<!\w){NAME}{_REST}$")
_NOT_IN_NAME = re.compile(rf"(?:(?:{SEE}|{one_of(NAMES.leading)})\s+)+")
_NO_NAME = re.compile(rf"{one_of(NAMES.none)}$", re.IGNORECASE)
_BOOK_NOUN = rf"{one_of(NAMES.book_nouns)}s?"
_UNKNOWN_AFTER = re.compile(
    rf"\s+{OF}{OPEN}(?P<name>{NAME})|\s+(?:{OF}|{IN})(?P<noun>(?:[\w'’-]+\s+){{0,4}}?{_BOOK_NOUN})\b"
)
_SAME_BOOK = re.compile(rf"{one_of(NAMES.own_book)}\b", re.IGNORECASE)
_PART_AFTER = re.compile(rf"\)?{CLOSE}\s+{_PRINTED_PART}s?\b", re.IGNORECASE)
_PART_BETWEEN = re.compile(rf"^{CLOSE}\s+{_DIVISION}s?\b", re.IGNORECASE)
_CALLED_PART = re.compile(rf"{one_of(NAMES.called)}\s", re.IGNORECASE)
_TOPIC_LINK = re.compile(rf"{CLOSE}\s*(?:\(|{one_of(NAMES.before_page_of_topic)}\s)|.*\b{SEE}\s", re.DOTALL)
_ELSEWHERE = re.compile(rf"(?:\b{one_of(NAMES.elsewhere)}|{SEE})\s+{THE}{OPEN}$", re.IGNORECASE)
"""Before a name: words after which a book may be meant as well as a heading."""
_TITLE_LIKE = re.compile(rf".*\b(?i:{_BOOK_NOUN})\b|[A-Z]{{2,4}}$|(?=.*[a-z])[A-Z0-9]{{2,}}\s")
"""Names of books that nobody could take for a heading: "Rulebook", "DMG", "GURPS Powers"."""


def is_title(name: str) -> bool:
    """Whether a name can only be a book's, and is no code, which may mean a book by another name."""
    return not name.isupper() and _TITLE_LIKE.match(name) is not None


_FIRST_WORD = re.compile(r"([^\W\d_]+)(?:['’](?:s|re|m|d|ll|ve|t))?(?:\s+|$)")
_BEGINS_NAME = re.compile(rf"{THE}[\"“«*_]*{CAPITAL}")
_BEGINS_SENTENCE = re.compile(r"(?:^|[.?!:;\n])[\s\"“”'‘*_«(\[¿¡-]*$")
_NO_NAMES = frozenset().union(
    *(one.function_words | one.asking_words for one in LANGUAGES.values() if one.is_spoken)
)
"""Words that begin a question, not a name: "Does Fireball (p. 30) …"."""

_WITHIN = re.compile(rf"\s(?:{OF}|{IN}){OPEN}$")
"""Before the book in which a heading is: "Riposte in Martial Arts"."""
_WORD_START = re.compile(r"(?<![\w-])\S")
_SERIES = re.compile(r"^[A-Z]{2,}\s+")
_REACH = 120  # characters before a page number in which its name is looked for


@dataclass(frozen=True, slots=True)
class NameBeside:
    """The name beside page numbers and its place; `is_part` and `is_topic` as a `Reference` has them.

    `is_asked`: a word that begins a question stands before it, as in "Do Clerics (p. 5) …".
    """

    start: int
    end: int
    name: str
    is_book: bool
    is_part: bool = False
    is_topic: bool = False
    is_asked: bool = False


class Names:
    """Finds the names beside page numbers, for the titles of the library."""

    def __init__(self, titles: Collection[str], is_question: bool) -> None:
        """Take the titles; in a question they may be written in any case."""
        self._is_question = is_question
        names = names_of(titles)
        self._known = frozenset(map(self._compared, names))
        self._any_name = rf"(?{'i' if is_question else '-i'}:{any_of(names)})"

    def _compared(self, name: str) -> str:
        """A name as it is compared."""
        name = " ".join(name.split())
        return name.casefold() if self._is_question else name

    def _start_of_last(self, text: str) -> int | None:
        """Where the book's name begins on which a text ends, perhaps with its series: "GURPS Powers"."""
        for word in _WORD_START.finditer(text):
            name = text[word.start() :]
            if self._known & {self._compared(name), self._compared(_SERIES.sub("", name))}:
                return word.start()
        return None

    # Patterns of hundreds of titles take long to compile, and most texts need none of them.

    @cached_property
    def _after(self) -> re.Pattern[str]:
        """The book to which something is said to belong: "… in Magic"."""
        in_brackets = rf"\s*\((?:{one_of(NAMES.in_brackets)}\s+)?"
        return re.compile(
            rf"(?:\s*,)?(?:\s+(?:{OF}|{IN})|{in_brackets}){OPEN}(?P<name>{self._any_name})(?![\w-])"
        )

    def beside(self, text: str, start: int, end: int) -> NameBeside | None:
        """The book or heading named beside the page numbers at `start` to `end`."""
        if after := self._after.match(text, end):
            return NameBeside(start, after.end("name"), after["name"], True)
        before = self._before(text, start)
        if before and before.is_book:
            return before
        unknown = _UNKNOWN_AFTER.match(text, end)
        if unknown:
            group = "name" if unknown["name"] else "noun"
            is_part = bool(_PART_AFTER.match(text, unknown.end(group)))
            if is_part or not _SAME_BOOK.match(unknown[group]):
                return NameBeside(start, unknown.end(group), unknown[group], not is_part, is_part=is_part)
        if not before:
            return None
        between = text[before.end : start]
        is_part = bool(
            _PART_BETWEEN.match(between) or _PART_AFTER.match(text, end) or _CALLED_PART.match(before.name)
        )
        return replace(before, is_part=is_part, is_topic=is_topic(text, before, between))

    def _before(self, text: str, start: int) -> NameBeside | None:
        floor = max(text.rfind("\n\n", 0, start) + 1, start - _REACH, 0)
        return self._book_before(text, floor, start) or self._name_before(text, floor, start)

    def _book_before(self, text: str, floor: int, start: int) -> NameBeside | None:
        """The book of the library that ends before the page word, unless a longer name ends with it."""
        for pattern in (_BOOK_LINK, _LINK):
            link = pattern.search(text, floor, start)
            known = self._start_of_last(text[floor : link.start()]) if link and link[0] else None
            if link is None or known is None:
                continue
            at, name = floor + known, self._name_before(text, floor, start)
            is_whole = name is None or at <= name.start or _WITHIN.search(text, floor, at)
            if self._is_question or is_whole:
                return NameBeside(at, link.start(), text[at : link.start()], True)
        return None

    def _name_before(self, text: str, floor: int, start: int) -> NameBeside | None:
        """Whatever capitalised name ends before the page word, without the words that lead to it."""
        link = _LINK.search(text, floor, start)
        if not link or not link[0] or link.start() == floor:
            return None
        name = _NAME_AT_END.search(text[floor : link.start()])
        if not name:
            return None
        printed, at = name[0], name.start()
        if leading := _NOT_IN_NAME.match(printed):
            printed, at = printed[leading.end() :], at + leading.end()
        is_asked = False
        if self._is_question:
            asked = _without_first_words(printed, text[: floor + at])
            is_asked = len(asked) < len(printed)
            printed, at = asked, at + len(printed) - len(asked)
        if not printed or _NO_NAME.match(printed):
            return None
        return NameBeside(floor + at, floor + at + len(printed), printed, False, is_asked=is_asked)


def _without_first_words(name: str, before: str) -> str:
    """A name without the words that begin a question; empty where one word has its capital for that alone.

    An acronym is a name wherever it stands.
    """
    while (first := _FIRST_WORD.match(name)) and first[1].lower() in _NO_NAMES:
        rest = name[first.end() :]
        if rest and not _BEGINS_NAME.match(rest):
            return name
        before, name = before + name[: first.end()], rest
    is_first_word = _FIRST_WORD.fullmatch(name) and _BEGINS_SENTENCE.search(before)
    return "" if is_first_word and not _TITLE_LIKE.match(name) else name


@rule(without=lambda *_: False)
def is_topic(text: str, name: NameBeside, between: str) -> bool:
    """Take the page behind a name for this book's where it stands in brackets, after "on" or after "see"."""
    if _TITLE_LIKE.match(name.name) or not _TOPIC_LINK.match(between):
        return False
    is_seen = re.search(rf"\b{SEE}\s", between) is not None
    return is_seen or name.is_asked or not _ELSEWHERE.search(text, max(0, name.start - 20), name.start)
