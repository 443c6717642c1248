"""How likely a page of a book is the one that something named beside a page number stands on. Pure."""

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from math import log

from rag.library.books.catalog import plain
from rag.library.books.page import Page
from rag.library.books.reader_catalogs import NamedBook

AS_HEADING, IN_TEXT, NOT_THERE = 0.6, 0.3, 0.1
"""How often what is named beside a page stands there: in a heading, elsewhere, or in other words."""
_LETTERED = re.compile(r"[A-Z]{1,5}[\s-]?(\d+)")


def text_pages(book: NamedBook) -> list[Page]:
    """The pages of a book that hold rules."""
    return [page for page in book.parsed.pages if page.kind == "text"]


def words_of(topics: Iterable[str]) -> frozenset[str]:
    """The words of topics, each in the singular."""
    return frozenset(_singular(word) for topic in topics for word in topic.split())


class TopicWords:
    """Where those `words` that topics are made of stand in a book, and in its headings and other names.

    Few of a book's words are: all of them, of every book of a large library, would fill the memory.
    """

    def __init__(self, book: NamedBook, words: frozenset[str]) -> None:
        self._words = words
        self._pages = text_pages(book)
        labelled = [(page.label or "", place) for place, page in reversed(list(enumerate(self._pages)))]
        lettered = {
            int(match[1]): place for label, place in labelled if (match := _LETTERED.fullmatch(label))
        }
        self.numbers = lettered | {int(label): place for label, place in labelled if label.isdecimal()}

    def weight(self, number: int, topic: str) -> float:
        """How much likelier, as a logarithm, what is told of `topic` is if the page of that number is meant.

        A rule may go on overleaf, so its words count there as well.
        """
        here = self.numbers[number]
        headed, written = _holding(topic, self._headings), _holding(topic, self._text)
        either = written | {place - 1 for place in written}
        if here in headed:
            return log(AS_HEADING / self._chance(headed))
        if here in either:
            return max(0.0, log(IN_TEXT / self._chance(either)))
        return log(NOT_THERE / (1 - self._chance(either)))

    def _chance(self, places: Collection[int]) -> float:
        """How often a page is one of `places`; never quite always or never."""
        return (len(places) + 0.5) / (len(self._pages) + 1)

    @cached_property
    def _text(self) -> dict[str, set[int]]:
        return self._places((place, page.text) for place, page in enumerate(self._pages))

    @cached_property
    def _headings(self) -> dict[str, set[int]]:
        return self._places(
            (place, name)
            for place, page in enumerate(self._pages)
            for name in (*(heading.text for heading in page.headings), *(name for _, name in page.terms))
        )

    def _places(self, texts: Iterable[tuple[int, str]]) -> dict[str, set[int]]:
        places: dict[str, set[int]] = {}
        for place, text in texts:
            for word in self._words.intersection(map(_singular, plain(text).split())):
                places.setdefault(word, set()).add(place)
        return places


def _holding(topic: str, places: Mapping[str, set[int]]) -> set[int]:
    """Where all words of a topic stand."""
    return set.intersection(*(places.get(_singular(word), set()) for word in topic.split()))


def _singular(word: str) -> str:
    return word.removesuffix("s") if len(word) > 3 else word
