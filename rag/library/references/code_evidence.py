"""Which books the letters of printed page references mean ("p. P9"). Pure.

Each reference votes for the work whose page of that number carries the words beside it. The words beside
"(p. P9)" stand on page 9 of the work that is meant, and on page 9 of another only by chance. A vote is the
logarithm of how much likelier it is that way. Votes are added up (naive Bayes); the code means the work that
has most. What a book states of its codes is believed. A code for which no work is clearly ahead stays
unknown: a wrong page is worse than none.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import log
from operator import itemgetter

import numpy as np
import numpy.typing as npt

from rag.library.books.catalog import Catalog, plain
from rag.library.books.page import Page
from rag.library.books.reader_catalogs import NamedBook
from rag.library.books.titles import names_of
from rag.library.language.language import GRAMMAR_FUNCTION_WORDS, PAGES
from rag.library.references.grammar import find_references
from rag.library.references.patterns import any_of
from rag.library.references.reference import Reference
from rag.rules import rule

Work = frozenset[str]
"""The files of a book, or of its volumes."""
Scores = npt.NDArray[np.float64]
"""What something says for each work."""

CARRIED, BEST = 0.6, 0.1
"""How often the page that is meant carries the words beside a reference; which share of all pages carries any
words best.
"""
NO_SUCH_PAGE = -2.0
_TITLE = 0
"""Stands for the page of a reference where a title says what a code means."""
STATED = 4.0
"""What is said for a work by its title beside the code."""
PROVEN, AHEAD = 4.0, 2.0
"""The score of a proven code, and how far it must be ahead of that of any other work."""
FEWEST_NUMBERS = 2
"""Different pages that letters without a page word are printed with, where they are a code."""
_REACH = 100
"""Characters beside a reference in which its words stand."""
_LONGEST_GAP = 40
"""Characters between a code and the title that is said to be its."""
_LETTERED = re.compile(r"(?<![\w.#$/+-])([A-Z]{1,5})-?(\d{1,3})(?!\w)")
_LABEL = re.compile(r"(?:[A-Z]{1,5}[\s-]?)?(\d+)")
_SENTENCE_END = re.compile(r"[.!?;]\s|\n")
_CLAUSE_END = re.compile(rf"[.,;!?\n]|\b(?:{'|'.join(PAGES.joints)})\b")


def proven_codes(books: Collection[NamedBook], catalog: Catalog) -> dict[str, dict[str, Work]]:
    """For each file the codes whose meaning is proven where it is printed, with the files they mean.

    What library.toml declares for the book's game comes first, then what the book itself states or proves,
    then what the books of its game state or prove together.
    """
    by_game: defaultdict[str, list[NamedBook]] = defaultdict(list)
    for book in books:
        by_game[catalog.book(book.file).game].append(book)
    return {file: codes for game in by_game.values() for file, codes in GameCodes(game, catalog).proven()}


@dataclass(frozen=True, slots=True)
class _Use:
    """A page number with a code, printed on the page at a `place` of a file, and the words beside it."""

    file: str
    place: int
    code: str
    number: int
    words: frozenset[str]


class GameCodes:
    """Finds the codes that a game's books print. Scores each work as the meaning of each code."""

    def __init__(self, books: Collection[NamedBook], catalog: Catalog) -> None:
        self._books = {book.file: book for book in books}
        self._catalog = catalog
        self._pages = {
            file: [page for page in book.parsed.pages if page.kind == "text"]
            for file, book in self._books.items()
        }
        codes = _likely_codes(page.text for pages in self._pages.values() for page in pages)
        uses = {file: list(_uses(file, pages, codes)) for file, pages in self._pages.items()}
        asked = frozenset(word for of_file in uses.values() for use in of_file for word in use.words)
        counted = self._pages if any(uses.values()) else {}
        self._words = {file: _PageWords(file, pages, asked) for file, pages in counted.items()}
        volumes = (catalog.volumes(catalog.book(file)) for file in self._books)
        self._works = list(dict.fromkeys(Work(book.file for book in work) for work in volumes))
        self._said: dict[str, list[tuple[str, int, Scores]]] = {}
        for file, of_file in uses.items():
            said = [(use.code, use.number, self._weights(use)) for use in of_file]
            titled = self.titles_beside(file, codes)
            self._said[file] = said + [(code, _TITLE, STATED * self._is(title)) for code, title in titled]

    def proven(self) -> Iterator[tuple[str, dict[str, Work]]]:
        """Each file with its codes and what they mean there."""
        declared: dict[str, Work] = {}
        for file, book in self._books.items():
            for code in book.declared.usable_codes if book.declared else ():
                volumes = self._catalog.volumes(self._catalog.book(file))
                declared[code] = declared.get(code, Work()).union(volume.file for volume in volumes)
        stated = {file: self._stated(file) for file in self._books}
        together = self.votes(self._books)
        for codes in stated.values():
            together |= codes
        for file in self._books:
            yield file, together | self.votes([file]) | stated[file] | declared

    def _stated(self, file: str) -> dict[str, Work]:
        """What a book says in so many words that codes mean, where that is clear."""
        home = self._catalog.book(file)
        said = self._books[file].parsed.codes_as(home.title)
        meant = {code: self._catalog.works(title, home) for code, title in said.items()}
        return {code: Work(book.file for book in books) for code, books in meant.items() if books}

    @rule(without=lambda *_: {})
    def votes(self, files: Iterable[str]) -> dict[str, Work]:
        """Prove what codes mean by the references in some files, and titles beside the codes there."""
        said: defaultdict[str, defaultdict[int, list[Scores]]] = defaultdict(lambda: defaultdict(list))
        for file in files:
            for code, number, scores in self._said[file]:
                said[code][number].append(scores)
        # References to the same page are about the same thing: they count as one.
        totals = {
            code: np.sum([np.mean(of_page, axis=0) for of_page in by_number.values()], axis=0)
            for code, by_number in said.items()
        }
        return {code: meant for code, scores in totals.items() if (meant := self._clearly_best(scores))}

    def _clearly_best(self, scores: Scores) -> Work | None:
        """The work with the highest score, of equals the one of more volumes; none where it is not clear."""
        score, _, best = max(
            zip(scores, map(len, self._works), self._works, strict=True), key=itemgetter(0, 1)
        )
        others = [one for one, work in zip(scores, self._works, strict=True) if not work & best]
        return best if score >= max(PROVEN, max(others, default=0.0) + AHEAD) else None

    def _is(self, title: str) -> Scores:
        """One for the work of a title, nothing for the others."""
        return np.array([float(any(title in self._titles(file) for file in work)) for work in self._works])

    def _titles(self, file: str) -> list[str]:
        return self._catalog.titles_of(self._catalog.book(file))

    def _weights(self, use: _Use) -> Scores:
        """What a reference says for each work, by the first of its books that has such a page."""
        held = (
            [words for file in sorted(work) if use.number in (words := self._words[file]).numbers]
            for work in self._works
        )
        return np.array([words[0].weight(use) if words else NO_SUCH_PAGE for words in held])

    @rule(without=lambda *_: ())
    def titles_beside(self, file: str, codes: Collection[str]) -> Iterator[tuple[str, str]]:
        """Find codes with the title beside them: "P for Powers", "Duelling (D)"."""
        titles = names_of({title for file in self._books for title in self._titles(file)})
        code_or_title = re.compile(
            rf"(?<![\w'’])(?:(?P<code>{any_of(codes)})(?!\d)|(?P<title>{any_of(titles)}))(?![\w'’])"
        )
        for text in (page.text for page in self._pages[file] if codes):
            for one, other in pairwise(code_or_title.finditer(text)):
                between = text[one.end() : other.start()]
                is_said = between.strip() and not _CLAUSE_END.search(between)
                if one.lastgroup != other.lastgroup and len(between) <= _LONGEST_GAP and is_said:
                    title = titles[" ".join((one["title"] or other["title"]).split())]
                    yield one["code"] or other["code"], title


class _PageWords:
    """Where the words beside references (`asked`) stand in a book: on which pages."""

    def __init__(self, file: str, pages: list[Page], asked: frozenset[str]) -> None:
        self._file = file
        self._count = len(pages)
        self.numbers: dict[int, int] = {}
        self._places: defaultdict[str, list[int]] = defaultdict(list)
        for place, page in enumerate(pages):
            if label := _LABEL.fullmatch(page.label or ""):
                self.numbers.setdefault(int(label[1]), place)
            for word in asked & _words(page.text):
                self._places[word].append(place)

    def weight(self, use: _Use) -> float:
        """How much likelier, as a logarithm, the words beside a reference are if its page here is meant."""
        if not use.words:
            return 0.0
        here = self.numbers[use.number]
        carried = np.zeros(self._count)
        for word in use.words:
            places = self._places[word]
            carried[places] += log(self._count / max(1, len(places)))
        if self._file == use.file and use.place != here:
            # The page that refers to another has the words itself.
            carried[use.place] = 0.0
        chance = float(np.mean(carried >= carried[here]))
        if carried[here] > 0 and chance <= max(BEST, 1 / self._count):
            return log(CARRIED / chance)
        return log((1 - CARRIED) / (1 - BEST))


def _likely_codes(texts: Iterable[str]) -> frozenset[str]:
    """Letters that may well be codes: before several numbers."""
    numbers: defaultdict[str, set[str]] = defaultdict(set)
    for text in texts:
        for letters, number in _LETTERED.findall(text):
            numbers[letters].add(number)
    return frozenset(code for code, some in numbers.items() if len(some) >= FEWEST_NUMBERS)


def _uses(file: str, pages: Iterable[Page], codes: frozenset[str]) -> Iterator[_Use]:
    """The references with a code on the pages of a file."""
    for place, page in enumerate(pages):
        last = 0
        for one in find_references(page.text, (), codes) if _LETTERED.search(page.text) else ():
            if one.book in codes and one.first and one.first.isdecimal():
                yield _Use(file, place, one.book, int(one.first), _words_beside(page.text, last, one))
            last = one.end


def _words_beside(text: str, last: int, reference: Reference) -> frozenset[str]:
    """The words of its sentence between the last reference and this one; if none, the words after it.

    What is named beside a list is named beside its first number.
    """
    start, end = reference.start, reference.end
    if last and not any(map(str.isalpha, text[last:start])):
        return frozenset()
    before = _SENTENCE_END.split(text[max(last, start - _REACH) : start])[-1]
    behind = _SENTENCE_END.split(text[end : end + _REACH])[0]
    return _words(before) or _words(behind)


def _words(text: str) -> frozenset[str]:
    """The words of a text in plain letters and in the singular, without those of grammar."""
    every = frozenset(filter(str.isalpha, plain(text).split())) - GRAMMAR_FUNCTION_WORDS
    return frozenset(word.removesuffix("s") if len(word) > 3 else word for word in every)
