"""The whole grammar: every kind of reference in a text, none overlapping another. Pure."""

import functools
import re
from collections.abc import Callable, Collection, Iterator

from rag.library.language.grammar_words import one_of
from rag.library.language.language import PLACES
from rag.library.references.chapters import find_chapters, find_headings
from rag.library.references.codes import find_codes
from rag.library.references.names import Names
from rag.library.references.page_numbers import PageList, PageNumbers
from rag.library.references.reference import Reference, Relative
from rag.rules import rule


def find_references(
    text: str,
    titles: Collection[str],
    codes: Collection[str],
    *,
    is_question: bool = False,
    in_notes: bool = False,
) -> list[Reference]:
    """The references in `text`, in order, none overlapping another.

    `titles` are the books of the library, also called by their short names (`titles.names_of`); `codes`
    prefix page numbers ("B102"), the longest wins. In a question titles and codes may be written in any
    case, numbers in words, and a code needs nothing before it. In a group's notes a code may stand
    behind the name of its rule and a dash ("Bleeding – B420").
    """
    grammar = _grammar(frozenset(titles), frozenset(codes), is_question, in_notes)
    found: list[Reference] = []
    for new in (one for find in grammar.finders for one in find(text)):
        if all(new.end <= old.start or old.end <= new.start for old in found):
            found.append(new)
    return sorted(found, key=lambda reference: reference.start)


@functools.lru_cache(maxsize=64)
def _grammar(titles: frozenset[str], codes: frozenset[str], is_question: bool, in_notes: bool) -> "_Grammar":
    return _Grammar(titles, codes, is_question, in_notes)


class _Grammar:
    """What depends on the library: its titles and codes."""

    def __init__(
        self, titles: frozenset[str], codes: frozenset[str], is_question: bool, in_notes: bool
    ) -> None:
        self._is_question = is_question
        self._in_notes = in_notes
        self._numbers = PageNumbers(codes, is_question)
        self._names = Names(titles, is_question)

    @property
    def finders(self) -> list[Callable[[str], Iterator[Reference]]]:
        """What finds each kind of reference; where two overlap, the earlier finder is right."""
        return [self._pages, self._bare_codes, find_chapters, find_places, self._headings]

    def _pages(self, text: str) -> Iterator[Reference]:
        for pages in (*self._numbers.lists(text), *self._numbers.before_words(text)):
            yield from self._named(text, pages)

    def _named(self, text: str, pages: PageList) -> Iterator[Reference]:
        """One reference for each number of a list, all of them to the book or heading named beside it."""
        numbers, first_code = pages.numbers, pages.numbers[0].code
        mention = None if first_code else self._names.beside(text, pages.start, numbers[-1].end)
        is_before = mention is not None and mention.start < pages.start
        for position, one in enumerate(numbers):
            start, end = pages.start if position == 0 else one.start, one.end
            if mention and is_before and position == 0:
                start = mention.start
            if mention and not is_before and position == len(numbers) - 1:
                end = mention.end
            end += _closes(text, start, end)
            is_book = mention is not None and mention.is_book
            name = mention.name if mention else None
            yield Reference(
                text[start:end], start, end,
                book=one.code or (name if is_book else None),
                first=one.first, last=one.last,
                heading=None if is_book or one.code else name,
                is_part=mention is not None and mention.is_part,
                is_topic=mention is not None and mention.is_topic,
                is_pdf_page=pages.is_pdf,
                whole=one.whole_label,
            )  # fmt: skip

    def _bare_codes(self, text: str) -> Iterator[Reference]:
        found = find_codes(text, self._numbers, is_question=self._is_question, in_notes=self._in_notes)
        for pages in found:
            yield Reference(
                text[pages.start : pages.end], pages.start, pages.end,
                book=pages.code, first=pages.first, last=pages.last,
                whole=pages.whole_label,
            )  # fmt: skip

    def _headings(self, text: str) -> Iterator[Reference]:
        return find_headings(text, self._names)


def _closes(text: str, start: int, end: int) -> bool:
    """Whether the next character closes a parenthesis that was opened from `start` to `end`."""
    return text[end : end + 1] == ")" and text.count("(", start, end) > text.count(")", start, end)


_PLACE = re.compile(
    rf"\b{one_of(PLACES.articles)}\s+(?:(?P<next>{one_of(PLACES.next)})|(?P<previous>{one_of(PLACES.previous)})"
    rf"|(?P<facing>{one_of(PLACES.facing)}))|\b(?P<overleaf>{one_of(PLACES.overleaf)})\b",
    re.IGNORECASE,
)
_RELATIVE: dict[str | None, Relative] = {
    "next": "next", "previous": "previous", "facing": "facing", "overleaf": "next",
}  # fmt: skip


@rule(without=lambda *_: iter(()))
def find_places(text: str) -> Iterator[Reference]:
    """Find the pages that a text tells by their place, in order."""
    for match in _PLACE.finditer(text):
        yield Reference(match[0], match.start(), match.end(), relative=_RELATIVE[match.lastgroup])
