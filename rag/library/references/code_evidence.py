"""Which books the letters of printed page references mean ("p. P9"), told by evidence. Pure.

Each reference with a letter is a test of every book of its game: the thing named beside it ("Tidesense
(p. P9)") stands on page 9 of the book that is meant, and on page 9 of another only by chance. The logarithms
of how much likelier it is that way are added up (naive Bayes), with what books say of their letters, the
initials of titles and the letters that are printed with page numbers. A code for which no book is clearly
ahead stays unknown: a wrong page is worse than none.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache, partial
from math import log
from typing import Any

from rag.library.books.catalog import Catalog, plain
from rag.library.books.page import Page
from rag.library.books.reader_catalogs import NamedBook
from rag.library.books.titles import names_of
from rag.library.references.code_uses import (
    CodeUse,
    code_uses,
    lettered_numbers,
    letters_alone,
    likely_codes,
    stated_codes,
)
from rag.library.references.page_finds import PageFinds

Work = frozenset[str]
"""The files of a book, or of its volumes."""

AS_HEADING, IN_TEXT, NOT_THERE = 0.6, 0.3, 0.1
"""How often what is named beside a page stands there: in a heading, elsewhere, or in other words."""
NO_SUCH_PAGE = -2.0
LEAST = -6.0
"""What references can say against a book at most: the names beside pages may be misread throughout."""
STATED, BESIDE_TITLE, ON_PAGES = 8.0, 4.0, 8.0
"""What a sentence on the code says for a book, what their standing side by side, its letters on the pages."""
TITLE_NAMED, MOST_TITLES_NAMED = 2.0, 6.0
INITIALS, FIRST_LETTER = 2.5, 1.0
PROVEN, AHEAD = 4.0, 2.0
"""The score of a proven code, and how far it must be ahead of that of any other book."""
AMONG = IN_GAME, IN_LIBRARY = "codes in the game", "codes in the library"
"""What is looked for: codes among the books of a game, or among all."""
_LETTERED = re.compile(r"([A-Z]{1,5})[\s-]?(\d+)")


def proven_codes(
    books: Collection[NamedBook], catalog: Catalog, finds: PageFinds | None = None
) -> dict[str, dict[str, Work]]:
    """For each file the codes that are proven where it is printed, with the files they mean.

    The books of a game are judged together; where they contradict each other, each by its own references.
    What its own game does not have, a book may find in the rest of the library. `finds` knows what was found
    on their pages before.
    """
    finds = finds or PageFinds()
    by_game: defaultdict[str, list[NamedBook]] = defaultdict(list)
    for book in books:
        by_game[catalog.book(book.file).game].append(book)
    words = {book.file: _BookWords(book) for book in books}
    everywhere = _Evidence(books, catalog, words, finds, IN_LIBRARY) if len(by_game) > 1 else None
    proven = {}
    for game in by_game.values():
        evidence = _Evidence(game, catalog, words, finds, IN_GAME)
        for book in game:
            found = evidence.of_all(book.file) | evidence.of_book(book.file)
            further = everywhere.of_book(book.file) if everywhere else {}
            proven[book.file] = {**further, **found}
    return proven


class _Evidence:
    """What some books tell of the codes in them: those of a game, or all books of the library."""

    def __init__(
        self,
        books: Collection[NamedBook],
        catalog: Catalog,
        words: "Mapping[str, _BookWords]",
        finds: PageFinds,
        among: str,
    ) -> None:
        self._books = {book.file: book for book in books}
        self._catalog = catalog
        self._words = words
        self._finds = finds
        self._texts = {file: [page.text for page in _pages(book)] for file, book in self._books.items()}
        lettered = [one for file in self._books for one in self._found(file, "letters", lettered_numbers)]
        self._codes = likely_codes(lettered).union(*(book.parsed.codes for book in books), self._declared)
        self._uses = self._code_uses(among)
        self._works = list(
            dict.fromkeys(
                Work(volume.file for volume in volumes)
                for summary in (catalog.book(file) for file in self._books)
                for volumes in ([summary], catalog.volumes(summary))
                if any(book.first_label for book in volumes)
            )
        )

    def _found(self, file: str, what: str, look: Callable[[str], Iterable[Any]]) -> Iterator[Any]:
        for found in self._finds.find(file, what, self._texts[file], look):
            yield from found

    def _code_uses(self, among: str) -> Mapping[tuple[str, str], set[CodeUse]]:
        """Where each book uses each code."""
        titles = self._catalog.titles
        look = partial(code_uses, codes=self._codes, titles=titles)
        names = names_of(titles)
        uses: defaultdict[tuple[str, str], set[CodeUse]] = defaultdict(set)
        for file, texts in self._texts.items():
            for found in self._finds.find(file, among, texts, look, names, self._codes):
                for use in found:
                    uses[file, use.code].add(use)
        return uses

    def of_book(self, file: str) -> dict[str, Work]:
        """The codes declared in library.toml, and those that the references in one book prove."""
        own = {
            code: self._proven(code, [file]) if self._speaks_of(file, code) else work
            for code, work in self._unspoken.items()
        }
        return {code: work for code, work in own.items() if work} | self._declared

    def of_all(self, file: str) -> dict[str, Work]:
        """The codes that the books prove together, without those that the references in one speak against."""
        return {
            code: work
            for code, work in self._common.items()
            if code in self._declared or self._printed(code, work, [file]) >= NO_SUCH_PAGE
        }

    @cached_property
    def _declared(self) -> dict[str, Work]:
        declared: dict[str, Work] = {}
        for file, book in self._books.items():
            for code in book.declared.usable_codes if book.declared else ():
                declared[code] = declared.get(code, Work()) | {file}
        return declared

    def _speaks_of(self, file: str, code: str) -> bool:
        return (file, code) in self._uses or (file, code) in self._statements

    @cached_property
    def _unspoken(self) -> dict[str, Work | None]:
        """What each code means in a book that says nothing of it: the same in all of them."""
        return {code: self._proven(code, []) for code in self._codes}

    @cached_property
    def _common(self) -> dict[str, Work]:
        proven = {code: self._proven(code, self._books) for code in self._codes}
        return {code: work for code, work in proven.items() if work} | self._declared

    def _proven(self, code: str, referring: Collection[str]) -> Work | None:
        """The work that a code means by what the referring books print; none where that is not clear."""
        scores = {work: self._score(code, work, referring) for work in self._works}
        if not scores:
            return None
        best = max(scores, key=lambda work: (scores[work], len(work)))
        next_best = max((scores[work] for work in scores if not work & best), default=0.0)
        return best if scores[best] >= max(PROVEN, next_best + AHEAD) else None

    def _score(self, code: str, work: Work, referring: Collection[str]) -> float:
        return (
            max(LEAST, self._printed(code, work, referring))
            + self._titles_named(code, work, referring)
            + self._stated(code, work, referring)
            + max(self._initials(code, file) for file in work)
            + (ON_PAGES if any(code in self._letters_on_pages[file] for file in work) else 0.0)
        )

    def _printed(self, code: str, work: Work, referring: Collection[str]) -> float:
        """What the things named beside the references say for a work."""
        uses = {use for file in referring for use in self._uses.get((file, code), ())}
        return sum(self._weight(use, work) for use in uses)

    def _weight(self, use: CodeUse, work: Work) -> float:
        file = next((file for file in sorted(work) if use.number in self._words[file].numbers), None)
        if file is None:
            return NO_SUCH_PAGE
        if not use.topic:
            return 0.0
        weigh = partial(self._words[file].weight, use.number, use.topic)
        return self._finds.weight(file, f"{use.number} {use.topic}", weigh)

    def _titles_named(self, code: str, work: Work, referring: Collection[str]) -> float:
        titles = [use.title for file in referring for use in self._uses.get((file, code), ())]
        named = sum(bool(title) and work <= self._meant(title or "", None) for title in titles)
        return min(MOST_TITLES_NAMED, TITLE_NAMED * named)

    def _stated(self, code: str, work: Work, referring: Collection[str]) -> float:
        """What the referring books say that a code means, or a book of its own letters."""
        said = [
            vote
            for file in {*referring, *work}
            for vote, meant in self._statements.get((file, code), ())
            if work <= meant
        ]
        return max(said, default=0.0)

    def _initials(self, code: str, file: str) -> float:
        book = self._catalog.book(file)
        return _initials(code, book.title, book.game)

    @cached_property
    def _letters_on_pages(self) -> dict[str, set[str]]:
        """The letters that are part of the page numbers of each book."""
        return {
            file: {match[1] for page in book.parsed.pages if (match := _LETTERED.fullmatch(page.label or ""))}
            for file, book in self._books.items()
        }

    @cached_property
    def _statements(self) -> Mapping[tuple[str, str], list[tuple[float, Work]]]:
        """What each book says that each code means, and how much that counts."""
        said: defaultdict[tuple[str, str], list[tuple[float, Work]]] = defaultdict(list)
        for file, book in self._books.items():
            for code, title in book.parsed.codes_as(self._catalog.book(file).title).items():
                said[file, code].append((STATED, self._meant(title, file)))
            alone = self._finds.find(file, "letters alone", self._texts[file], letters_alone)
            for text, letters in zip(self._texts[file], alone, strict=True):
                if self._codes.isdisjoint(letters):
                    continue
                for code, title in stated_codes(text, self._codes, partial(self._meant, file=file)):
                    said[file, code].append((BESIDE_TITLE, self._meant(title, file)))
        return said

    def _meant(self, title: str, file: str | None) -> Work:
        """The files among these books that a title means where it is printed in a file."""
        home = self._catalog.book(file) if file else None
        return Work(self._books.keys() & {book.file for book in self._catalog.find(title, home)})


def _pages(book: NamedBook) -> list[Page]:
    return [page for page in book.parsed.pages if page.kind == "text"]


class _BookWords:
    """Where the words, and the headings and other names, of a book stand, by page number."""

    def __init__(self, book: NamedBook) -> None:
        self._pages = _pages(book)
        labelled = [(page.label or "", place) for place, page in reversed(list(enumerate(self._pages)))]
        lettered = {
            int(match[2]): place for label, place in labelled if (match := _LETTERED.fullmatch(label))
        }
        self.numbers = lettered | {int(label): place for label, place in labelled if label.isdecimal()}

    @cached_property
    def _text(self) -> dict[str, set[int]]:
        return _places((place, page.text) for place, page in enumerate(self._pages))

    @cached_property
    def _headings(self) -> dict[str, set[int]]:
        return _places(
            (place, name)
            for place, page in enumerate(self._pages)
            for name in (*(heading.text for heading in page.headings), *(name for _, name in page.terms))
        )

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


def _places(texts: Iterable[tuple[int, str]]) -> dict[str, set[int]]:
    places: dict[str, set[int]] = {}
    for place, text in texts:
        for word in plain(text).split():
            places.setdefault(_singular(word), set()).add(place)
    return places


def _holding(topic: str, places: Mapping[str, set[int]]) -> set[int]:
    """Where all words of a topic stand."""
    return set.intersection(*(places.get(_singular(word), set()) for word in topic.split()))


def _singular(word: str) -> str:
    return word.removesuffix("s") if len(word) > 3 else word


@lru_cache(maxsize=100_000)
def _initials(code: str, title: str, game: str) -> float:
    """What the title says for a code: its initials with or without those of the game, or how it begins."""
    words = [word for word in plain(title).split() if word[0].isalpha()]
    series = plain(game).split()
    rest = words[len(series) :] if words[: len(series)] == series else words
    initials = {"".join(word[0] for word in some).upper() for some in (words, rest)}
    if code in initials and len(code) > 1:
        return INITIALS
    beginnings = {some[0].upper() for some in (words, rest) if some}
    if any(word.startswith(code) for word in beginnings):
        return INITIALS if len(code) > 1 else FIRST_LETTER
    return 0.0
