"""One snapshot of the index, opened for reading: Chroma chunks, pages, postings, references."""

import json
import sqlite3
import threading
import weakref
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rag.library.books.book import BookSummary
from rag.library.books.catalog import Catalog
from rag.library.books.page import Heading, HeadingPath, PageKind, SectionStart, TableRow, TextLayer
from rag.library.index.bm25 import Ids, Posting
from rag.library.index.chroma import ChunkVectors
from rag.library.index.labels import DATABASE
from rag.library.index.manifest import Manifest
from rag.library.index.recent import Recent
from rag.library.index.topics import TopicArrays
from rag.library.index.vocabulary import Vocabulary
from rag.library.references.resolve import LONGEST_RANGE

if TYPE_CHECKING:
    from rag.config import Audience

WORD_VECTORS = "word_vectors.npy"
WORD_BOOKS = "word_books.npy"
SCOPES_KEPT = 24
"""Choices of books for which searches keep what they computed: a few bytes a chunk each."""

_DASHES = str.maketrans(dict.fromkeys("‐‑–—−", "-"))
"""Labels with a chapter ("2-3") are kept with a hyphen."""

SCHEMA = """
CREATE TABLE pages (
    id INTEGER PRIMARY KEY, file TEXT NOT NULL, pdf_page INTEGER NOT NULL, label TEXT, kind TEXT NOT NULL,
    continues INTEGER NOT NULL, text TEXT NOT NULL, headings TEXT NOT NULL, path TEXT NOT NULL,
    rows TEXT NOT NULL, layer TEXT NOT NULL, half INTEGER NOT NULL, section_starts TEXT NOT NULL,
    UNIQUE (file, pdf_page, half)
);
CREATE TABLE children (
    id INTEGER PRIMARY KEY, page INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL,
    words INTEGER NOT NULL
);
CREATE TABLE postings (
    language TEXT NOT NULL, term TEXT NOT NULL, children BLOB NOT NULL, counts BLOB NOT NULL,
    PRIMARY KEY (language, term)
) WITHOUT ROWID;
CREATE TABLE topics (
    id INTEGER PRIMARY KEY, child INTEGER NOT NULL, name INTEGER NOT NULL, words INTEGER NOT NULL
);
CREATE TABLE topic_postings (
    language TEXT NOT NULL, term TEXT NOT NULL, topics BLOB NOT NULL, PRIMARY KEY (language, term)
) WITHOUT ROWID;
CREATE TABLE words (id INTEGER PRIMARY KEY, language TEXT NOT NULL, word TEXT NOT NULL, folded TEXT NOT NULL);
CREATE TABLE page_references (
    page INTEGER NOT NULL, start INTEGER NOT NULL, text TEXT NOT NULL, name TEXT, label TEXT,
    player_page INTEGER, player_last INTEGER, gm_page INTEGER, gm_last INTEGER
);
CREATE TABLE amendments (
    reader TEXT NOT NULL, page INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL,
    amending INTEGER NOT NULL, at INTEGER NOT NULL, until INTEGER NOT NULL,
    PRIMARY KEY (reader, page, start, amending, at)
) WITHOUT ROWID;
"""
INDEXES = """
CREATE INDEX pages_by_label ON pages (file, label);
CREATE INDEX words_by_form ON words (language, folded);
CREATE INDEX references_by_page ON page_references (page);
CREATE INDEX references_by_player_page ON page_references (player_page);
CREATE INDEX amendments_by_amending ON amendments (reader, amending);
CREATE INDEX references_by_gm_page ON page_references (gm_page);
"""


@dataclass(frozen=True, slots=True)
class AmendmentRow:
    """A correction: characters `start` to `end` of `page` are changed by characters `at` to `until` of
    the page `amending`.
    """

    page: int
    start: int
    end: int
    amending: int
    at: int
    until: int


@dataclass(frozen=True, slots=True)
class PageRow:
    """A page as stored; `id` counts the pages of the library by file and position."""

    id: int
    file: str
    pdf_page: int
    label: str | None
    kind: PageKind
    continues: bool
    text: str
    headings: tuple[Heading, ...]
    path: HeadingPath
    rows: tuple[TableRow, ...]
    layer: TextLayer
    half: int
    section_starts: tuple[SectionStart, ...]


@dataclass(frozen=True, slots=True)
class SectionPart:
    """A section, or what of it stands on a page: from `start` to `end` of its text, None to its last word."""

    page: int
    file: str
    name: str
    start: int
    end: int | None


@dataclass(frozen=True, slots=True)
class ReferenceRow:
    """A printed reference; `pages` are the ids of the pages it means, none where it does not resolve."""

    page: int
    start: int
    text: str
    name: str | None
    label: str | None
    pages: tuple[int, ...]


@dataclass(frozen=True)
class Scope:
    """The part of the library that a search may see: arrays over all chunks and pages.

    `where` is the same restriction in Chroma's language.
    """

    files: frozenset[str]
    where: dict[str, Any] | None
    chunks: npt.NDArray[np.bool_]
    pages: npt.NDArray[np.bool_]


class Store:
    """Reads one snapshot. Safe to use from several threads; lets go of its files when nobody holds it.

    In `kept` searches keep what they compute of it, under keys of their own.
    """

    def __init__(self, directory: Path, manifest: Manifest, vectors: ChunkVectors) -> None:
        self.manifest = manifest
        self.books = manifest.books
        self._vectors = vectors
        weakref.finalize(self, vectors.close)
        self._directory = directory
        self._lock = threading.Lock()
        self.kept: Recent[Hashable, Any] = Recent(SCOPES_KEPT)
        uri = f"{(directory / DATABASE).resolve().as_uri()}?mode=ro&immutable=1"
        self._database = sqlite3.connect(uri, uri=True, check_same_thread=False)
        self._column = {book.file: number for number, book in enumerate(manifest.books["gm"])}
        self._read_arrays()

    def _read_arrays(self) -> None:
        """Load what every search needs of every page and chunk: a few bytes each."""
        pages = self._select("SELECT file, kind = 'text', text <> '' FROM pages ORDER BY id")
        chunks = np.array(self._select("SELECT page, words FROM children ORDER BY id"), np.int32).reshape(
            -1, 2
        )
        topics = self._select("SELECT child, name, words FROM topics ORDER BY id")
        self.topics = TopicArrays(*np.array(topics, np.int32).reshape(-1, 3).T.copy())
        self.page_columns: Ids = np.array([self._column[file] for file, _, _ in pages], np.int32)
        self.citable = np.array([is_citable for _, is_citable, _ in pages], bool)
        self.has_text = np.array([has_text for _, _, has_text in pages], bool)
        self.page_of_chunk: Ids = chunks[:, 0].copy()
        self.chunk_lengths = chunks[:, 1].astype(np.float32)
        self.page_lengths = np.bincount(self.page_of_chunk, self.chunk_lengths, minlength=len(pages)).astype(
            np.float32
        )

    def is_whole(self) -> bool:
        """Whether each chunk has its vector, and one can be searched; without a model there are none."""
        if not self.manifest.model:
            return True
        chunks = len(self.page_of_chunk)
        return self._vectors.count() == chunks and (not chunks or self._vectors.answers(self.dimension))

    def catalog(self, reader: "Audience") -> Catalog:
        """The books this reader may know."""
        return Catalog(self.books[reader])

    def scope(self, reader: "Audience", books: Collection[BookSummary] | None = None) -> Scope:
        """What this reader may see, restricted to `books` where given."""
        visible = self.books[reader]
        files = frozenset(book.file for book in (visible if books is None else books))
        pages = np.isin(self.page_columns, self.columns(files))
        return Scope(files, self._where(reader, files), pages[self.page_of_chunk], pages)

    def columns(self, files: Iterable[str]) -> list[int]:
        """The numbers of books among all books in order of file."""
        return sorted(self._column[file] for file in files)

    def speaks(self, language: str) -> npt.NDArray[np.bool_]:
        """Of every chunk, whether its book is in `language`."""
        files = [book.file for book in self.manifest.books["gm"] if book.language == language]
        return np.isin(self.page_columns, self.columns(files))[self.page_of_chunk]

    def nearest_chunks(
        self, vectors: Sequence[Sequence[float]], scope: Scope, limit: int
    ) -> list[dict[int, float]]:
        """For each query vector the nearest chunks in scope with their cosine, in one Chroma query.

        Raises `IndexUnreachable` where the Chroma server does not answer.
        """
        if not vectors:
            return []
        return self._vectors.nearest(vectors, scope.where, limit)

    def postings(self, terms: Iterable[str], language: str) -> dict[str, Posting]:
        """Where the given stems stand in the books of a language."""
        wanted = sorted(set(terms))
        rows = self._select(
            f"SELECT term, children, counts FROM postings WHERE language = ? AND term IN ({_marks(wanted)})",
            language,
            *wanted,
        )
        return {
            term: Posting(np.frombuffer(chunks, np.int32), np.frombuffer(counts, np.float32))
            for term, chunks, counts in rows
        }

    def topic_postings(self, terms: Iterable[str], language: str) -> dict[str, Ids]:
        """Which topics of the books of a language have the given stems in their names."""
        wanted = sorted(set(terms))
        rows = self._select(
            f"SELECT term, topics FROM topic_postings WHERE language = ? AND term IN ({_marks(wanted)})",
            language,
            *wanted,
        )
        return {term: np.frombuffer(topics, np.int32) for term, topics in rows}

    def spellings(self, folded: str, language: str, scope: Scope) -> list[str]:
        """The words of the books of a language in scope that are spelt like `folded`, accents ignored."""
        rows = self._select("SELECT id, word FROM words WHERE language = ? AND folded = ?", language, folded)
        columns = self.columns(scope.files)
        return [word for row, word in rows if self._word_books[row, columns].any()]

    def knows(self, term: str, language: str, scope: Scope) -> bool:
        """Whether a stem stands anywhere in the books of a language in scope."""
        return self.places(term, language, scope) > 0

    def places(self, term: str, language: str, scope: Scope) -> int:
        """In how many chunks of the books of a language in scope a stem stands."""
        found = self.postings([term], language).values()
        return sum(int(scope.chunks[posting.chunks].sum()) for posting in found)

    @cached_property
    def dimension(self) -> int:
        """How many numbers a vector of this index has; 0 where nothing could be embedded."""
        return int(np.load(self._directory / WORD_VECTORS, mmap_mode="r").shape[1])

    @cached_property
    def _word_books(self) -> npt.NDArray[np.bool_]:
        """Of every word, in which books it stands."""
        held: npt.NDArray[np.bool_] = np.load(self._directory / WORD_BOOKS)
        return held

    @cached_property
    def vocabularies(self) -> dict[str, Vocabulary]:
        """The words of the books, by language."""
        vectors = np.load(self._directory / WORD_VECTORS, mmap_mode="r")
        books = self._word_books
        words: dict[str, list[str]] = {}
        for language, word in self._select("SELECT language, word FROM words ORDER BY id"):
            words.setdefault(language, []).append(word)
        held: dict[str, Vocabulary] = {}
        first = 0
        for language, spoken in words.items():
            rows = slice(first, first + len(spoken))
            held[language] = Vocabulary(spoken, vectors[rows], books[rows])
            first = rows.stop
        return held

    def pages(self, ids: Iterable[int]) -> dict[int, PageRow]:
        """The pages with the given ids."""
        wanted = sorted(set(ids))
        rows = self._select(f"SELECT * FROM pages WHERE id IN ({_marks(wanted)})", *wanted)
        return {row[0]: _page(row) for row in rows}

    def spans(self, chunks: Iterable[int]) -> dict[int, tuple[int, int]]:
        """Start and end of the given chunks in the text of their pages."""
        wanted = sorted(set(chunks))
        rows = self._select(f"SELECT id, start, end FROM children WHERE id IN ({_marks(wanted)})", *wanted)
        return {chunk: (start, end) for chunk, start, end in rows}

    def labelled(self, files: Collection[str], label: str) -> list[int]:
        """The pages printed with `label` in the given files; letters in either case, any dash as a hyphen."""
        rows = self._select(
            f"SELECT id FROM pages WHERE lower(label) = lower(?) AND file IN ({_marks(files)}) ORDER BY id",
            label.translate(_DASHES),
            *sorted(files),
        )
        return [page for (page,) in rows]

    def sections(self, files: Collection[str]) -> list[SectionPart]:
        """The sections of the given files, in order; one that runs over several pages has a part on each."""
        rows = self._select(
            f"SELECT id, file, section_starts FROM pages WHERE file IN ({_marks(files)}) ORDER BY id",
            *sorted(files),
        )
        parts = []
        for page, file, held in rows:
            starts = json.loads(held)
            ends = [*(start for start, _ in starts[1:]), None]
            parts += [
                SectionPart(page, file, name, start, end)
                for (start, name), end in zip(starts, ends, strict=False)
            ]
        return parts

    def positioned(self, files: Collection[str], pdf_page: int, half: int | None = None) -> list[int]:
        """The pages at a 1-based position in the given files; of two on a sheet that `half` where given."""
        rows = self._select(
            "SELECT id FROM pages WHERE pdf_page = ? AND half = coalesce(?, half) "
            f"AND file IN ({_marks(files)}) ORDER BY id",
            pdf_page,
            half,
            *sorted(files),
        )
        return [page for (page,) in rows]

    def references(self, pages: Iterable[int], reader: "Audience") -> dict[int, list[ReferenceRow]]:
        """The references printed on the given pages, resolved as far as this reader may know."""
        wanted = sorted(set(pages))
        rows = self._select(
            f"SELECT page, start, text, name, label, {reader}_page, {reader}_last FROM page_references "
            f"WHERE page IN ({_marks(wanted)}) ORDER BY page, start, rowid",
            *wanted,
        )
        found: dict[int, list[ReferenceRow]] = {page: [] for page in wanted}
        for page, start, text, name, label, first, last in rows:
            targets = () if first is None else tuple(range(first, last + 1))
            found[page].append(ReferenceRow(page, start, text, name, label, targets))
        return found

    def referring(self, page: int, reader: "Audience") -> list[tuple[int, int]]:
        """The other pages that refer to a page, as far as this reader may know, and where on them.

        First those that mean it alone, then those that mean a range of pages; each in order.
        """
        rows = self._select(
            f"SELECT page, start, MIN({reader}_last - {reader}_page) AS length FROM page_references "
            f"WHERE {reader}_page BETWEEN ? AND ? AND {reader}_last >= ? AND page <> ? "
            "GROUP BY page ORDER BY length, page",
            page - LONGEST_RANGE,
            page,
            page,
            page,
        )
        return [(referring, start) for referring, start, _ in rows]

    def amending(self, page: int, reader: "Audience") -> list[AmendmentRow]:
        """What corrects a page, as far as this reader may know, in order."""
        return self._amendments("page", page, reader)

    def amended(self, page: int, reader: "Audience") -> list[AmendmentRow]:
        """What a page corrects, as far as this reader may know, in order."""
        return self._amendments("amending", page, reader)

    def amending_files(self, files: Collection[str], reader: "Audience") -> set[str]:
        """The files that correct any of the given ones, as far as this reader may know."""
        rows = self._select(
            "SELECT DISTINCT other.file FROM amendments JOIN pages ON pages.id = amendments.page "
            "JOIN pages AS other ON other.id = amendments.amending "
            f"WHERE reader = ? AND pages.file IN ({_marks(files)})",
            reader,
            *sorted(files),
        )
        return {file for (file,) in rows}

    def _amendments(self, column: str, page: int, reader: "Audience") -> list[AmendmentRow]:
        rows = self._select(
            f"SELECT page, start, end, amending, at, until FROM amendments WHERE reader = ? AND {column} = ? "
            "ORDER BY amending, at, page, start",
            reader,
            page,
        )
        return [AmendmentRow(*row) for row in rows]

    def _where(self, reader: "Audience", files: frozenset[str]) -> dict[str, Any] | None:
        if files == {book.file for book in self.manifest.books["gm"]}:
            return None
        if files == {book.file for book in self.manifest.books[reader]}:
            return {"audience": reader}
        return {"file": {"$in": sorted(files)}}

    def _select(self, statement: str, *values: Any) -> list[Any]:
        with self._lock:
            return self._database.execute(statement, values).fetchall()


def _marks(values: Collection[object]) -> str:
    return ", ".join("?" * len(values))


def _page(row: tuple[Any, ...]) -> PageRow:
    number, file, pdf_page, label, kind, continues, text, headings, path, rows, layer, half, starts = row
    return PageRow(
        number,
        file,
        pdf_page,
        label,
        kind,
        bool(continues),
        text,
        tuple(Heading(*heading) for heading in json.loads(headings)),
        tuple((level, heading) for level, heading in json.loads(path)),
        tuple((start, end, reading) for start, end, reading in json.loads(rows)),
        layer,
        half,
        tuple((start, name) for start, name in json.loads(starts)),
    )
