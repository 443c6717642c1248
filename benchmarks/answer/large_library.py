"""A library of 20,000 pages: real books among made ones, as if all had been read and embedded."""

import random
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from benchmarks.answer.bench import Bench
from rag.config import Settings
from rag.library.books.book import ParsedBook
from rag.library.books.page import Heading, Page
from rag.library.index.book_cache import KeptBook, Vectors
from rag.library.index.open import index_of
from rag.library.ingest.ingest import ingest
from rag.library.ingest.plan import plan
from rag.library.ingest.read_books import divide
from rag.library.language.glossary import glossary

LARGE_PAGES = 20_000
MADE_BOOKS, GAMES = 500, 25
CHARACTERS_A_PAGE = 2_670
"""About 8.7 passages, more than the fullest of the real books has (8.1)."""
HEADINGS_A_PAGE, REFERENCES_A_PAGE = 4, 1
NAMES_A_BOOK = 100
"""Words that no other book has: the vocabulary grows with the library."""
SPREAD = 0.05
"""How far, in each dimension, a made passage's vector is from a real one: as far as a neighbour is."""
SYLLABLES = (
    "bran",
    "dor",
    "el",
    "fen",
    "gal",
    "har",
    "ith",
    "kor",
    "lun",
    "mar",
    "nor",
    "oth",
    "quel",
    "rim",
)
OTHER_LANGUAGE, EVERY_OTHER = "pt", 5
"""Every fifth made book is in Portuguese, in the words of the glossary."""


def large_library(bench: Bench) -> Settings:
    """The settings of the library, which is made and indexed at the first call."""
    folder = bench.scratch / "large"
    large = bench.settings.model_copy(update={"library_dir": folder / "books", "index_dir": folder / "index"})
    if not folder.exists():
        _write_large_library(bench, large)
        ingest(large, bench.embedding)
    return large


def read_library(bench: Bench) -> Settings:
    """The settings of such a library of which all books are read, and none is embedded yet."""
    folder = bench.scratch / "read"
    read = bench.settings.model_copy(update={"library_dir": folder / "books", "index_dir": folder / "index"})
    _write_large_library(bench, read)
    for path in read.index_dir.glob("books/*.npz"):
        held = KeptBook.load(path)
        assert held is not None
        KeptBook(held.book).save(path)
    return read


def _write_large_library(bench: Bench, large: Settings) -> None:
    """Put books into a library: the real ones, and made ones beside them."""
    shutil.copytree(bench.settings.library_dir, large.library_dir)
    shutil.copytree(bench.settings.index_dir / "books", large.index_dir / "books")
    press = _Press([held for path in large.index_dir.glob("books/*.npz") if (held := KeptBook.load(path))])
    titles = [press.title() for _ in range(MADE_BOOKS)]
    for number, title in enumerate(titles):
        path = large.library_dir / f"game {number % GAMES:02}" / f"{number:03}.pdf"
        path.parent.mkdir(exist_ok=True)
        path.write_text(title)
    pages = (LARGE_PAGES - bench.pages) // MADE_BOOKS
    for file, kept in plan(large, None).kept(index_of(large)).items():
        if file.startswith("game "):
            number = int(file[-7:-4])
            is_other = number % EVERY_OTHER == 0
            press.book(titles[number], titles, pages, OTHER_LANGUAGE if is_other else "en").save(kept)


@dataclass
class _Press:
    """Makes books of the sentences and headings of real ones, shuffled.

    A passage's vector lies near one of a real passage: nothing is embedded, and distances are as in earnest.
    """

    real: Sequence[KeptBook]

    def __post_init__(self) -> None:
        self._random = random.Random(1)
        self._vectors = np.random.default_rng(1)

    @cached_property
    def _sentences(self) -> dict[str, list[str]]:
        texts = [page.text.replace("\n", " ") for held in self.real for page in held.book.parsed.pages]
        words = list(glossary(OTHER_LANGUAGE, "en"))
        return {
            "en": [sentence for text in texts for sentence in text.split(". ")],
            OTHER_LANGUAGE: [f"O {' de '.join(self._random.choices(words, k=8))}" for _ in range(5_000)],
        }

    @cached_property
    def _headings(self) -> list[str]:
        return [one.text for held in self.real for page in held.book.parsed.pages for one in page.headings]

    @cached_property
    def _known_words(self) -> dict[str, "Vectors"]:
        return {
            word: vector
            for held in self.real
            for word, vector in zip(held.book.vocabulary, held.word_vectors, strict=True)
        }

    def name(self) -> str:
        """A word that no real book has."""
        return "".join(self._random.choices(SYLLABLES, k=3)).capitalize()

    def title(self) -> str:
        """A title of several lines."""
        kinds = self._random.sample(self._headings, 2)
        return f"{self.name()} of {self.name()}: {kinds[0]} and {kinds[1]} for the Realms of {self.name()}"

    def book(self, title: str, titles: Sequence[str], pages: int, language: str) -> KeptBook:
        """A book with so many pages; its references lead to itself and to others."""
        names = [self.name() for _ in range(NAMES_A_BOOK)]
        parsed = ParsedBook(
            title,
            language,
            {},
            tuple(self._page(number, pages, titles, names, language) for number in range(1, pages + 1)),
        )
        book = divide(parsed)
        words = tuple(word for word in book.vocabulary if self._is_known(word, names))
        return KeptBook(
            replace(book, vocabulary=words),
            self.real[0].model,
            self._near(np.concatenate([held.vectors for held in self.real]), len(book.chunks)),
            np.array([self._word_vector(word) for word in words], np.float32),
        )

    def _page(
        self, number: int, pages: int, titles: Sequence[str], names: Sequence[str], language: str
    ) -> Page:
        text, headings = "", []
        for heading in self._random.sample(self._headings, HEADINGS_A_PAGE):
            headings.append(Heading(2, heading, len(text)))
            text += "\n\n".join([heading, *self._paragraph(pages, titles, names, language), ""])
        return Page(number, str(number), text.rstrip(), tuple(headings), "text", False)

    def _paragraph(
        self, pages: int, titles: Sequence[str], names: Sequence[str], language: str
    ) -> Iterator[str]:
        sentences = [f"{self._random.choice(names)} is named here"]
        while sum(map(len, sentences)) < CHARACTERS_A_PAGE // HEADINGS_A_PAGE:
            sentences.append(self._random.choice(self._sentences[language]))
        if self._random.random() < REFERENCES_A_PAGE / HEADINGS_A_PAGE:
            page = self._random.randint(1, pages)
            sentences.append(
                f"See {self._random.choice(titles)}, page {page}" if page % 2 else f"See page {page}"
            )
        yield ". ".join(sentences) + "."

    def _is_known(self, word: str, names: Sequence[str]) -> bool:
        return word in self._known_words or word.capitalize() in names

    def _word_vector(self, word: str) -> "Vectors":
        known = self._known_words.get(word)
        if known is None:
            (known,) = self._near(self.real[0].word_vectors, 1)
        return known

    def _near(self, vectors: Vectors, count: int) -> Vectors:
        """So many unit vectors, each near one of the given ones."""
        chosen = vectors[self._vectors.integers(len(vectors), size=count)]
        moved = chosen + self._vectors.normal(0, SPREAD, chosen.shape)
        near: Vectors = (moved / np.linalg.norm(moved, axis=1, keepdims=True)).astype(np.float32)
        return near
