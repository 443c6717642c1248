"""Building the parts of a snapshot from the books' own files: into a new directory, never in place."""

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, fields, replace
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rag.library.books.book import BookSummary
from rag.library.books.page import Page, paths_at_top
from rag.library.books.reader_catalogs import READERS, NamedBook, with_codes
from rag.library.books.reader_catalogs import catalogs as library_catalogs
from rag.library.index.bm25 import Posting
from rag.library.index.book_cache import KeptBook
from rag.library.index.chroma import ChunkVectors
from rag.library.index.nearest import normalised
from rag.library.index.segment import PAGE_ROW, WORD_BOOKS, WORD_SCALES, WORD_VECTORS, PageRow
from rag.library.index.tables import DATABASE, LINKS, schema
from rag.library.index.topics import BookTerms, Topic, by_stem, numbered, terms_of
from rag.library.index.vocabulary import CompactVectors
from rag.library.ingest.links import Links
from rag.library.language.words import fold
from rag.library.references.code_evidence import proven_codes

if TYPE_CHECKING:
    from rag.config import Audience

OnBook = Callable[[int, int], None]
"""Told how many books are in the new segment, and how many there will be."""
LoadBook = Callable[[str], KeptBook]
"""Gives the book of a file of the library, once it is embedded."""


def build_links(
    directory: Path, books: Iterable[NamedBook], contents: Mapping[str, str]
) -> "dict[Audience, tuple[BookSummary, ...]]":
    """Write the references and corrections among the books into an empty directory, and count them.

    `contents` tells what was read of each file.
    """
    named = {book.file: book for book in books}
    catalogs = library_catalogs(named.values())
    codes = proven_codes(named.values(), catalogs["gm"])
    catalogs = {reader: with_codes(catalogs[reader], codes) for reader in READERS}
    with _new_database(directory / LINKS, "links") as database:
        links = Links(database, named, catalogs, codes)
        counts = links.add_references()
        links.add_amendments()
        database.executemany(
            "INSERT INTO linked_files VALUES (?, ?, ?)",
            [(file, contents[file], len(book.parsed.pages)) for file, book in named.items()],
        )
    return {
        reader: tuple(counts[reader, book.file].told_of(book) for book in catalogs[reader].books)
        for reader in READERS
    }


def build_segment(
    directory: Path,
    vectors: ChunkVectors,
    books: Sequence[BookSummary],
    held: LoadBook,
    on_book: OnBook,
) -> None:
    """Fill an empty directory and an empty collection with books, in order of file.

    The same books always give the same segment. Raises `IndexUnreachable` for the Chroma server.
    """
    with _new_database(directory / DATABASE, "segment") as database:
        filling = _Filling(database, vectors)
        for number, book in enumerate(sorted(books, key=attrgetter("file"))):
            on_book(number, len(books))
            filling.add(book, held(book.file))
        filling.finish(directory)
    on_book(len(books), len(books))


@contextmanager
def _new_database(path: Path, name: str) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path)) as database:
        # Nothing reads this file before it is complete, so a journal would protect nothing.
        database.execute("PRAGMA journal_mode = OFF")
        database.execute("PRAGMA synchronous = OFF")
        database.executescript(schema(name))
        yield database
        database.executescript(schema(f"{name}_indexes"))
        database.commit()


@dataclass(frozen=True, slots=True)
class _IndexedWord:
    """A word of the vocabulary: its vector, and the numbers of the books it stands in."""

    vector: Any
    books: list[int]


class _Filling:
    """Numbers pages, chunks and words as books come in, and writes them down."""

    def __init__(self, database: sqlite3.Connection, vectors: ChunkVectors) -> None:
        self._database = database
        self._vectors = vectors
        self._pages = 0
        self._chunks = 0
        self._postings: defaultdict[tuple[str, str], list[Posting]] = defaultdict(list)
        self._topics: defaultdict[str, list[Topic]] = defaultdict(list)
        self._words: dict[tuple[str, str], _IndexedWord] = {}
        self._books = 0

    def add(self, book: BookSummary, held: KeptBook) -> None:
        """Add one book's pages, chunks, terms and words."""
        terms = terms_of(held.book.parsed, held.book.chunks, held.book.passages())
        self._add_terms(terms, book.language)
        self._add_words(book.language, held)
        self._add_chunks(book, held, terms.lengths)
        self._database.executemany(
            "INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            _page_rows(self._pages, book.file, held.book.parsed.pages),
        )
        self._pages += len(held.book.parsed.pages)
        self._books += 1

    def finish(self, directory: Path) -> None:
        """Write what spans all books: postings, topics, words and their vectors."""
        self._database.executemany(
            "INSERT INTO postings VALUES (?, ?, ?, ?)",
            (
                (
                    language,
                    term,
                    np.concatenate([one.chunks for one in postings]).tobytes(),
                    np.concatenate([one.counts for one in postings]).tobytes(),
                )
                for (language, term), postings in sorted(self._postings.items(), key=itemgetter(0))
            ),
        )
        self._write_topics()
        self._write_words(directory)

    def _write_topics(self) -> None:
        """Write the topics of each language together: their numbers count through all languages."""
        topics = [topic for language in sorted(self._topics) for topic in self._topics[language]]
        arrays = numbered(topics)
        self._database.executemany(
            "INSERT INTO topics VALUES (?, ?, ?, ?)",
            zip(range(len(topics)), *(column.tolist() for column in arrays), strict=True),
        )
        first = 0
        for language, spoken in sorted(self._topics.items()):
            self._database.executemany(
                "INSERT INTO topic_postings VALUES (?, ?, ?)",
                (
                    (language, term, (numbers + np.int32(first)).tobytes())
                    for term, numbers in by_stem(spoken).items()
                ),
            )
            first += len(spoken)

    def _write_words(self, directory: Path) -> None:
        """Write the words of each language together, so that a reader takes them in one slice."""
        words = sorted(self._words)
        self._database.executemany(
            "INSERT INTO words VALUES (?, ?, ?, ?)",
            ((row, language, word, fold(word)) for row, (language, word) in enumerate(words)),
        )
        spoken = np.zeros((len(words), self._books), bool)
        for row, word in enumerate(words):
            spoken[row, self._words[word].books] = True
        vectors = np.array([self._words[word].vector for word in words], np.float32)
        compact = CompactVectors.of(normalised(vectors.reshape(len(words), -1 if words else 0)))
        np.save(directory / WORD_VECTORS, compact.rows)
        np.save(directory / WORD_SCALES, compact.scales)
        np.save(directory / WORD_BOOKS, spoken)

    def _add_terms(self, terms: BookTerms, language: str) -> None:
        for term, posting in terms.postings.items():
            numbered = Posting(posting.chunks + np.int32(self._chunks), posting.counts)
            self._postings[language, term].append(numbered)
        self._topics[language] += [replace(topic, chunk=topic.chunk + self._chunks) for topic in terms.topics]

    def _add_chunks(self, book: BookSummary, held: KeptBook, lengths: Sequence[int]) -> None:
        chunks, pages = held.book.chunks, held.book.parsed.pages
        self._database.executemany(
            "INSERT INTO children VALUES (?, ?, ?, ?, ?)",
            (
                (number, self._pages + chunk.page, chunk.start, chunk.end, length)
                for number, (chunk, length) in enumerate(zip(chunks, lengths, strict=True), self._chunks)
            ),
        )
        if len(held.vectors):
            metadatas = [_metadata(book, pages[chunk.page]) for chunk in chunks]
            self._vectors.add_chunks(self._chunks, held.vectors, metadatas)
        self._chunks += len(chunks)

    def _add_words(self, language: str, held: KeptBook) -> None:
        # A book that could not be embedded has words and no vectors: it is searched by its words alone.
        vectors = held.word_vectors if len(held.word_vectors) else np.zeros((len(held.book.vocabulary), 0))
        for word, vector in zip(held.book.vocabulary, vectors, strict=True):
            self._words.setdefault((language, word), _IndexedWord(vector, [])).books.append(self._books)


def _metadata(book: BookSummary, page: Page) -> dict[str, Any]:
    return {
        "file": book.file,
        "audience": book.audience,
        "language": book.language,
        "pdf_page": page.pdf_page,
        "page": page.label or "",
    }


def _page_rows(first: int, file: str, pages: Sequence[Page]) -> Iterator[tuple[Any, ...]]:
    for number, (page, path) in enumerate(zip(pages, paths_at_top(pages), strict=True), first):
        own = {one.name: getattr(page, one.name) for one in fields(Page)} | {"terms": (), "links": ()}
        held = PAGE_ROW.dump_json(PageRow(id=number, file=file, path=path, **own)).decode()
        yield (number, file, page.pdf_page, page.label, page.kind, page.half, page.text != "", held)
