"""Building the parts of a snapshot from the books' own files: into a new directory, never in place."""

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import fields
from functools import partial
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rag.library.books.book import BookSummary
from rag.library.books.page import Page, path_at, paths_at_top
from rag.library.books.reader_catalogs import READERS, NamedBook, with_codes
from rag.library.books.reader_catalogs import catalogs as library_catalogs
from rag.library.index.bm25 import Posting, invert, joined_postings
from rag.library.index.book_cache import KeptBook
from rag.library.index.chroma import ChunkVectors
from rag.library.index.nearest import normalised
from rag.library.index.segment import PAGE_ROW, WORD_BOOKS, WORD_SCALES, WORD_VECTORS, PageRow
from rag.library.index.tables import DATABASE, LINKS, marks, schema
from rag.library.index.topics import Topic, book_topics, number_of
from rag.library.index.vocabulary import CompactVectors
from rag.library.ingest.links import PrintedLinks, ReaderLinks
from rag.library.ingest.printed import Printed, ReferenceReader
from rag.library.language.words import fold, stems, words

if TYPE_CHECKING:
    from rag.config import Audience

OnBook = Callable[[int, int], None]
"""Told how many books are in the new segment, and how many there will be."""


def build_links(
    directory: Path, books: Iterable[NamedBook], contents: Mapping[str, str], before: Printed
) -> "dict[Audience, tuple[BookSummary, ...]]":
    """Write the references and corrections among the books into an empty directory, and count them.

    `contents` tells what was read of each file, `before` what references were read until now.
    """
    named = {book.file: book for book in books}
    catalogs = library_catalogs(named.values())
    reading = ReferenceReader(before, catalogs["gm"], contents)
    codes = reading.codes(named.values())
    catalogs = {reader: with_codes(catalogs[reader], codes) for reader in READERS}
    links = PrintedLinks(named, catalogs["gm"], codes, reading)
    reading.printed.save(directory)
    of_reader = ReaderLinks(links, catalogs["player"])
    listed: dict[Audience, tuple[BookSummary, ...]] = {}
    with _new_database(directory / LINKS, "links") as database:
        for reader in READERS:
            if catalogs[reader].books != catalogs["player"].books:
                of_reader = ReaderLinks(links, catalogs[reader])
            listed[reader] = tuple(of_reader.books())
            _insert(database, "page_references", of_reader.references(reader))
            amendments = of_reader.amendments(reader)
            database.executemany("INSERT OR IGNORE INTO amendments VALUES (?, ?, ?, ?, ?, ?, ?)", amendments)
        files = [(file, contents[file], len(book.parsed.pages)) for file, book in named.items()]
        _insert(database, "linked_files", files)
    return listed


def build_segment(
    directory: Path,
    vectors: ChunkVectors,
    books: Sequence[BookSummary],
    held: Callable[[str], KeptBook],
    on_book: OnBook,
) -> None:
    """Fill an empty directory and an empty collection with books, in order of file.

    `held` gives the book of a file with its vectors. The same books always give the same segment. Raises
    `IndexUnreachable` for the Chroma server.
    """
    with _new_database(directory / DATABASE, "segment") as database:
        filling = _Filling(database, vectors)
        for number, book in enumerate(sorted(books, key=attrgetter("file"))):
            on_book(number, len(books))
            filling.add(book, held(book.file))
        filling.finish(directory)
    on_book(len(books), len(books))


def _insert(database: sqlite3.Connection, table: str, rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows that have a value for each column of a table."""
    columns = database.execute(f"PRAGMA table_info({table})").fetchall()
    database.executemany(f"INSERT INTO {table} VALUES ({marks(columns)})", rows)


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


class _Filling:
    """Numbers pages, chunks and words as books come in, and writes them down."""

    def __init__(self, database: sqlite3.Connection, vectors: ChunkVectors) -> None:
        self._insert = partial(_insert, database)
        self._vectors = vectors
        self._books = self._pages = self._chunks = 0
        self._postings: defaultdict[tuple[str, str], list[Posting]] = defaultdict(list)
        self._topics: list[tuple[str, Topic]] = []
        self._words: dict[tuple[str, str], tuple[Any, list[int]]] = {}
        """Of each word its vector, and the numbers of the books it stands in."""

    def add(self, book: BookSummary, held: KeptBook) -> None:
        """Add one book's pages, chunks, topics and words."""
        chunks, pages, language = held.book.chunks, held.book.parsed.pages, book.language
        passages, tops = held.book.passages(), paths_at_top(pages)
        numbered = list(enumerate(zip(chunks, passages, strict=True), self._chunks))
        terms = (
            (number, stems(text, language), stems(" ".join(headings), language))
            for number, (chunk, text) in numbered
            for headings in [path_at(tops[chunk.page], pages[chunk.page].headings, chunk.end)]
        )
        for term, posting in invert(terms).items():
            self._postings[language, term].append(posting)
        self._topics += ((language, one) for one in book_topics(pages, language, chunks, self._chunks))
        self._add_words(language, held)
        children = (
            (number, self._pages + chunk.page, chunk.start, chunk.end, len(words(text)))
            for number, (chunk, text) in numbered
        )
        self._insert("children", children)
        if len(held.vectors):
            metadatas = [{"file": book.file, "page": pages[chunk.page].label or ""} for chunk in chunks]
            self._vectors.add_chunks(self._chunks, held.vectors, metadatas)
        self._insert("pages", _page_rows(self._pages, book.file, pages))
        self._books, self._pages = self._books + 1, self._pages + len(pages)
        self._chunks += len(chunks)

    def finish(self, directory: Path) -> None:
        """Write what spans all books: postings, topics, words and their vectors."""
        postings = (
            (language, term, one.chunks.tobytes(), one.counts.tobytes())
            for (language, term), parts in sorted(self._postings.items(), key=itemgetter(0))
            for one in [joined_postings(parts)]
        )
        self._insert("postings", postings)
        self._write_topics()
        self._write_words(directory)

    def _write_topics(self) -> None:
        numbers: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        for number, (language, topic) in enumerate(self._topics):
            for term in topic.name:
                numbers[language, term].append(number)
        topics = (
            (number, topic.chunk, number_of(topic.name), topic.length)
            for number, (_, topic) in enumerate(self._topics)
        )
        self._insert("topics", topics)
        postings = ((*key, np.array(numbers[key], np.int32).tobytes()) for key in sorted(numbers))
        self._insert("topic_postings", postings)

    def _write_words(self, directory: Path) -> None:
        """Write the words of each language together, so that a reader takes them in one slice."""
        held = sorted(self._words)
        self._insert("words", ((row, *word, fold(word[1])) for row, word in enumerate(held)))
        spoken = np.zeros((len(held), self._books), bool)
        for row, word in enumerate(held):
            spoken[row, self._words[word][1]] = True
        vectors = np.array([self._words[word][0] for word in held], np.float32)
        compact = CompactVectors.of(normalised(vectors.reshape(len(held), -1 if held else 0)))
        np.save(directory / WORD_VECTORS, compact.rows)
        np.save(directory / WORD_SCALES, compact.scales)
        np.save(directory / WORD_BOOKS, spoken)

    def _add_words(self, language: str, held: KeptBook) -> None:
        # A book that could not be embedded has words and no vectors: it is searched by its words alone.
        vectors = held.word_vectors if len(held.word_vectors) else np.zeros((len(held.book.vocabulary), 0))
        for word, vector in zip(held.book.vocabulary, vectors, strict=True):
            self._words.setdefault((language, word), (vector, []))[1].append(self._books)


def _page_rows(first: int, file: str, pages: Sequence[Page]) -> Iterator[tuple[Any, ...]]:
    for number, (page, path) in enumerate(zip(pages, paths_at_top(pages), strict=True), first):
        own = {one.name: getattr(page, one.name) for one in fields(Page)} | {"terms": ()}
        held = PAGE_ROW.dump_json(PageRow(id=number, file=file, path=path, **own)).decode()
        yield (number, file, page.pdf_page, page.label, page.kind, page.half, page.text != "", held)
