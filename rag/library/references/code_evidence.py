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
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from rag.library.books.catalog import Catalog, plain
from rag.library.books.reader_catalogs import NamedBook
from rag.library.references.code_uses import (
    CodeUse,
    code_uses,
    lettered_numbers,
    letters_alone,
    likely_codes,
    stated_codes,
)
from rag.library.references.page_finds import PageFinds
from rag.library.references.topic_words import TopicWords, text_pages, words_of

Work = frozenset[str]
"""The files of a book, or of its volumes."""
Scores = npt.NDArray[np.float64]
"""What something says for each work."""

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
_WEIGHTS_KEPT = 1_000
"""References of which it is kept what they say for each work."""
_LETTERED = re.compile(r"([A-Z]{1,5})[\s-]?\d+")


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
    of_games = [_Evidence(game, catalog, finds, IN_GAME) for game in by_game.values()]
    of_all = [_Evidence(books, catalog, finds, IN_LIBRARY)] if len(by_game) > 1 else []
    asked = words_of(topic for evidence in (*of_games, *of_all) for topic in evidence.topics)
    words = {book.file: TopicWords(book, asked) for book in books}
    further = {file: codes for one in of_all for file, codes in _Judgement(one, words, finds).of_each()}
    proven = {}
    for evidence in of_games:
        judgement = _Judgement(evidence, words, finds)
        common = judgement.common
        for file, own in judgement.of_each():
            together = {code: work for code, work in common.items() if not judgement.is_refuted(code, file)}
            proven[file] = {**further.get(file, {}), **together, **own}
    return proven


class _Evidence:
    """What some books tell of the codes in them: those of a game, or all books of the library."""

    def __init__(self, books: Collection[NamedBook], catalog: Catalog, finds: PageFinds, among: str) -> None:
        self._books = {book.file: book for book in books}
        self._catalog = catalog
        self._finds = finds
        self._texts = {file: [page.text for page in text_pages(book)] for file, book in self._books.items()}
        self.declared = self._declared()
        lettered = [one for file in self._books for one in self._found(file, "letters", lettered_numbers)]
        self.codes = likely_codes(lettered).union(*(book.parsed.codes for book in books), self.declared)
        self.uses = self._code_uses(among)
        self.works = list(
            dict.fromkeys(
                Work(volume.file for volume in volumes)
                for summary in (catalog.book(file) for file in self._books)
                for volumes in ([summary], catalog.volumes(summary))
                if any(book.first_label for book in volumes)
            )
        )

    @property
    def files(self) -> Collection[str]:
        """The files of the books."""
        return self._books.keys()

    @property
    def topics(self) -> Iterator[str]:
        """What is named beside codes."""
        return (use.topic for use in chain.from_iterable(self.uses.values()) if use.topic)

    def _declared(self) -> dict[str, Work]:
        """The codes declared in library.toml."""
        declared: dict[str, Work] = {}
        for file, book in self._books.items():
            for code in book.declared.usable_codes if book.declared else ():
                declared[code] = declared.get(code, Work()) | {file}
        return declared

    def _found(self, file: str, what: str, look: Callable[[str], Iterable[Any]]) -> Iterator[Any]:
        for found in self._finds.find(file, what, self._texts[file], look):
            yield from found

    def _code_uses(self, among: str) -> Mapping[tuple[str, str], set[CodeUse]]:
        """Where each book uses each code."""
        look = partial(code_uses, codes=self.codes, titles=self._catalog.titles)
        names = self._catalog.names
        uses: defaultdict[tuple[str, str], set[CodeUse]] = defaultdict(set)
        for file, texts in self._texts.items():
            for found in self._finds.find(file, among, texts, look, names, self.codes):
                for use in found:
                    uses[file, use.code].add(use)
        return uses

    @cached_property
    def statements(self) -> Mapping[tuple[str, str], list[tuple[float, Work]]]:
        """What each book says that each code means, and how much that counts."""
        said: defaultdict[tuple[str, str], list[tuple[float, Work]]] = defaultdict(list)
        for file, book in self._books.items():
            for code, title in book.parsed.codes_as(self._catalog.book(file).title).items():
                said[file, code].append((STATED, self.meant(title, file)))
            alone = self._finds.find(file, "letters alone", self._texts[file], letters_alone)
            for text, letters in zip(self._texts[file], alone, strict=True):
                if self.codes.isdisjoint(letters):
                    continue
                for code, title in stated_codes(text, self.codes, partial(self.meant, file=file)):
                    said[file, code].append((BESIDE_TITLE, self.meant(title, file)))
        return said

    def meant(self, title: str, file: str | None) -> Work:
        """The files among these books that a title means where it is printed in a file."""
        home = self._catalog.book(file) if file else None
        return Work(self._books.keys() & {book.file for book in self._catalog.find(title, home)})

    def of_name(self, code: str, file: str) -> float:
        """What the title of a book, and the letters in its page numbers, say for a code."""
        book = self._catalog.book(file)
        return _initials(code, book.title, book.game)

    @cached_property
    def letters_on_pages(self) -> dict[str, set[str]]:
        """The letters that are part of the page numbers of each book."""
        return {
            file: {match[1] for page in book.parsed.pages if (match := _LETTERED.fullmatch(page.label or ""))}
            for file, book in self._books.items()
        }


class _Judgement:
    """Weighs the evidence for all works at once."""

    def __init__(self, evidence: _Evidence, words: Mapping[str, TopicWords], finds: PageFinds) -> None:
        self._evidence = evidence
        self._words = words
        self._finds = finds
        self._works = evidence.works
        self._places = {work: place for place, work in enumerate(self._works)}
        self._works_of: defaultdict[str, list[int]] = defaultdict(list)
        for place, work in enumerate(self._works):
            for file in work:
                self._works_of[file].append(place)
        self._of_codes: dict[str, tuple[Scores, Scores]] = {}
        self._kept_weights: dict[tuple[int, str], Scores] = {}

    def of_each(self) -> Iterator[tuple[str, dict[str, Work]]]:
        """Each file with the codes declared in library.toml, and those that its own references prove."""
        for file in self._evidence.files:
            own = {
                code: self._proven(code, [file]) if self._speaks_of(file, code) else work
                for code, work in self._unspoken.items()
            }
            yield file, {code: work for code, work in own.items() if work} | self._evidence.declared

    @cached_property
    def common(self) -> dict[str, Work]:
        """The codes that the books prove together."""
        proven = {code: self._proven(code, self._evidence.files) for code in self._evidence.codes}
        return {code: work for code, work in proven.items() if work} | self._evidence.declared

    def is_refuted(self, code: str, file: str) -> bool:
        """Whether the references in one book speak against what the books prove together."""
        if code in self._evidence.declared:
            return False
        printed = self._printed(self._evidence.uses.get((file, code), ()))
        return bool(printed[self._places[self.common[code]]] < NO_SUCH_PAGE)

    def _speaks_of(self, file: str, code: str) -> bool:
        return (file, code) in self._evidence.uses or (file, code) in self._evidence.statements

    @cached_property
    def _unspoken(self) -> dict[str, Work | None]:
        """What each code means in a book that says nothing of it: the same in all of them."""
        return {code: self._proven(code, []) for code in self._evidence.codes}

    def _proven(self, code: str, referring: Collection[str]) -> Work | None:
        """The work that a code means by what the referring books print; none where that is not clear."""
        if not self._works:
            return None
        scores = self._scores(code, referring)
        ahead = np.flatnonzero(scores == scores.max())
        best = max(ahead, key=lambda place: len(self._works[place]))
        is_other = np.ones(len(self._works), bool)
        for file in self._works[best]:
            is_other[self._works_of[file]] = False
        next_best = scores[is_other].max() if is_other.any() else 0.0
        return self._works[best] if scores[best] >= max(PROVEN, next_best + AHEAD) else None

    def _scores(self, code: str, referring: Collection[str]) -> Scores:
        uses = [self._evidence.uses.get((file, code), ()) for file in referring]
        printed = self._printed(set().union(*uses))
        titles = [use.title for of_file in uses for use in of_file if use.title]
        stated, named = self._of_code(code)
        scores: Scores = (
            np.maximum(LEAST, printed)
            + self._titles_named(titles)
            + np.maximum(stated, self._stated(code, referring))
            + named
        )
        return scores

    def _printed(self, uses: Iterable[CodeUse]) -> Scores:
        """What the things named beside references say for each work."""
        scores = np.zeros(len(self._works))
        for number, topic in sorted((use.number, use.topic) for use in uses):
            scores += self._weights(number, topic)
        return scores

    def _weights(self, number: int, topic: str) -> Scores:
        """What a reference to a page says for each work, by the first of its books that has such a page."""
        kept = self._kept_weights.get((number, topic))
        if kept is None:
            kept = np.full(len(self._works), NO_SUCH_PAGE)
            held = [file for file in self._works_of if number in self._words[file].numbers]
            for file in sorted(held, reverse=True):
                kept[self._works_of[file]] = self._weight(file, number, topic) if topic else 0.0
            if len(self._kept_weights) >= _WEIGHTS_KEPT:
                self._kept_weights.clear()
            self._kept_weights[number, topic] = kept
        return kept

    def _weight(self, file: str, number: int, topic: str) -> float:
        weigh = partial(self._words[file].weight, number, topic)
        return self._finds.weight(file, f"{number} {topic}", weigh)

    def _titles_named(self, titles: Iterable[str]) -> Scores:
        named = np.zeros(len(self._works))
        for title in titles:
            named += self._is_within(self._evidence.meant(title, None))
        return np.minimum(MOST_TITLES_NAMED, TITLE_NAMED * named)

    def _stated(self, code: str, referring: Iterable[str]) -> Scores:
        """What the referring books say that a code means."""
        scores = np.zeros(len(self._works))
        for file in referring:
            for vote, meant in self._evidence.statements.get((file, code), ()):
                scores = np.maximum(scores, vote * self._is_within(meant))
        return scores

    def _own_statements(self, code: str) -> Scores:
        scores = np.zeros(len(self._works))
        for file, works in self._works_of.items():
            for vote, meant in self._evidence.statements.get((file, code), ()):
                said = [place for place in works if self._works[place] <= meant]
                scores[said] = np.maximum(scores[said], vote)
        return scores

    def _is_within(self, files: Work) -> Scores:
        """1 for each work all of whose files are among these."""
        within = np.zeros(len(self._works))
        within[[place for file in files for place in self._works_of[file] if self._works[place] <= files]] = 1
        return within

    def _of_code(self, code: str) -> tuple[Scores, Scores]:
        """What the books of each work state of a code; what their titles and page numbers say for it."""
        if code not in self._of_codes:
            self._of_codes[code] = self._own_statements(code), self._named(code)
        return self._of_codes[code]

    def _named(self, code: str) -> Scores:
        letters = self._evidence.letters_on_pages
        return np.array(
            [
                max(self._evidence.of_name(code, file) for file in work)
                + (ON_PAGES if any(code in letters[file] for file in work) else 0.0)
                for work in self._works
            ]
        )


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
