"""The parts of a snapshot, opened: segments with pages, passages, terms and vectors of books; the links."""

import sqlite3
import threading
import weakref
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from chromadb.errors import ChromaError, InternalError
from pydantic import TypeAdapter
from pydantic_core import from_json

from rag.errors import IndexDamaged, IndexLost, SystemExhausted
from rag.library.books.page import HeadingPath, Page
from rag.library.index.bm25 import Ids, Posting
from rag.library.index.chroma import ChunkVectors
from rag.library.index.nearest import NearestChunks, cosines, normalised
from rag.library.index.recent import Recent
from rag.library.index.tables import DATABASE, LINKS, marks, read_only
from rag.library.index.topics import TopicArrays
from rag.library.index.vocabulary import CompactVectors, Words
from rag.models.arrays import left_on_disk

if TYPE_CHECKING:
    from rag.library.index.book_cache import Vectors

WORD_VECTORS, WORD_SCALES = "word_vectors.npy", "word_scales.npy"
WORD_BOOKS = "word_books.npy"

_OF_FILES = (OSError, EOFError, ValueError, LookupError, sqlite3.DatabaseError, ChromaError, IndexLost)
"""What damaged files raise, and others."""
_SQLITE_PRIMARY = 0xFF
"""The bits of an error code of SQLite's that tell its kind; text that cannot be decoded has no code."""
_SQLITE_DAMAGE = (0, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR)
FEW_KEPT = 3
"""Choices of few chunks whose vectors are kept: a channel is bound to the same game again and again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRow(Page):
    """A page as stored; `id` counts the pages by file and position, `path` is in force at its top."""

    id: int
    file: str
    path: HeadingPath


PAGE_ROW = TypeAdapter(PageRow)
"""Reads and writes the column that holds a page."""


@dataclass(frozen=True, slots=True)
class SectionPart:
    """A section, or what of it stands on a page: from `start` to `end` of its text, None to its last word."""

    page: int
    file: str
    name: str
    start: int
    end: int | None


class OpenedTables:
    """Reads one SQLite file of an index. Safe to use from several threads.

    Every method raises `IndexDamaged` where it meets damage, and tells `on_damage`.
    """

    def __init__(self, path: Path) -> None:
        self.name = path.parent.name
        self.is_damaged = False
        self.on_damage: Callable[[Exception], None] = lambda error: None
        self._lock = threading.Lock()
        self._database = sqlite3.connect(read_only(path), uri=True, check_same_thread=False)

    def select(self, statement: str, *values: Any) -> list[Any]:
        """The rows of a statement; none where no database can hold a value that is asked for."""
        with self._noticing(), self._lock:
            try:
                return self._database.execute(statement, values).fetchall()
            except (OverflowError, UnicodeEncodeError):
                return []

    @contextmanager
    def _noticing(self) -> Iterator[None]:
        """Tell damage from other faults: what was whole when it was opened may be damaged since."""
        try:
            yield
        except _OF_FILES as error:
            SystemExhausted.check(error)
            if not _tells_of_damage(error):
                raise
            self.is_damaged = True
            self.on_damage(error)
            if isinstance(error, IndexLost):
                raise
            raise IndexDamaged(parts=self.name) from error


class OpenedLinks(OpenedTables):
    """The references and corrections among all books. `files` tells of each file what was linked, and its
    pages, in order.
    """

    def __init__(self, directory: Path) -> None:
        super().__init__(directory / LINKS)
        self.files: list[tuple[str, str, int]] = self.select(
            "SELECT file, content, pages FROM linked_files ORDER BY file"
        )


class Segment(OpenedTables):
    """Reads the books in one directory of an index; lets go of its files when nobody holds it.

    `files` are its books in order; `page_books` and the like number them from 0, as pages, chunks and topics
    are numbered, within this directory alone. `IndexLost` and `IndexUnreachable` are of a Chroma server.
    """

    def __init__(self, directory: Path, files: Sequence[str], vectors: ChunkVectors) -> None:
        super().__init__(directory / DATABASE)
        self.files = tuple(files)
        self._vectors = vectors
        weakref.finalize(self, vectors.close)
        self._few: Recent[bytes, Vectors] = Recent(FEW_KEPT)
        # A question may go on after this snapshot was dropped: what is open stays readable.
        self._word_vectors = CompactVectors(
            left_on_disk(np.load(directory / WORD_VECTORS)), np.load(directory / WORD_SCALES)
        )
        self._word_books: npt.NDArray[np.bool_] = left_on_disk(np.load(directory / WORD_BOOKS))
        self._read_arrays()

    def _read_arrays(self) -> None:
        """Load what every search needs of every page and chunk: a few bytes each."""
        number = {file: book for book, file in enumerate(self.files)}
        pages = self.select("SELECT file, kind = 'text', has_text FROM pages ORDER BY id")
        chunks = self.select("SELECT page, words FROM children ORDER BY id")
        topics = self.select("SELECT child, name, words FROM topics ORDER BY id")
        self.page_books: Ids = np.array([number[file] for file, _, _ in pages], np.int32)
        self.citable = np.array([is_citable for _, is_citable, _ in pages], bool)
        self.has_text = np.array([has_text for _, _, has_text in pages], bool)
        self.page_of_chunk, self.chunk_lengths = np.array(chunks, np.int32).reshape(-1, 2).T.copy()
        columns = np.array(topics, np.int64).reshape(-1, 3).T.copy()
        self.topics = TopicArrays(columns[0].astype(np.int32), columns[1], columns[2].astype(np.int32))

    def is_whole(self) -> bool:
        """Whether each chunk has its vector, and one can be searched."""
        chunks = len(self.page_of_chunk)
        return self._vectors.count() == chunks and (not chunks or self._vectors.answers(self.dimension))

    @property
    def is_near(self) -> bool:
        """Whether its vectors lie in a directory here, so that many can be read at once."""
        return self._vectors.is_near

    def nearest(
        self, vectors: Sequence[Sequence[float]], where: dict[str, Any] | None, limit: int
    ) -> list[NearestChunks]:
        """The nearest chunks for each vector."""
        with self._noticing():
            return self._vectors.nearest(vectors, where, limit)

    def nearest_of(self, vectors: Sequence[Sequence[float]], chunks: Ids, limit: int) -> list[NearestChunks]:
        """For each vector the nearest of few chunks: all are compared.

        Chroma takes a fifth of a second to leave others out, however few are wanted.
        """
        with self._noticing():
            own = self._few.get(chunks.tobytes(), lambda: self._vectors.read(chunks.tolist()))
        compared = cosines(normalised(np.array(vectors, np.float32)), own)
        orders = np.argsort(-compared, axis=1, kind="stable")[:, :limit]
        return [
            NearestChunks(chunks[order], row[order].astype(np.float64))
            for row, order in zip(compared, orders, strict=True)
        ]

    def postings(self, terms: Collection[str], language: str) -> dict[str, Posting]:
        """Where the given stems stand in the books of a language."""
        rows = self.select(
            f"SELECT term, children, counts FROM postings WHERE language = ? AND term IN ({marks(terms)})",
            language,
            *terms,
        )
        return {
            term: Posting(np.frombuffer(chunks, np.int32), np.frombuffer(counts, np.float32))
            for term, chunks, counts in rows
        }

    def topic_postings(self, terms: Collection[str], language: str) -> dict[str, Ids]:
        """Which topics of the books of a language have the given stems in their names."""
        rows = self.select(
            f"SELECT term, topics FROM topic_postings WHERE language = ? AND term IN ({marks(terms)})",
            language,
            *terms,
        )
        return {term: np.frombuffer(topics, np.int32) for term, topics in rows}

    def spellings(
        self, folded: Sequence[str], language: str, is_wanted: "Callable[[], npt.NDArray[np.bool_]]"
    ) -> list[tuple[str, str]]:
        """The words of a language that are spelt like `folded`, accents ignored, behind what each is like.

        `is_wanted` tells of each book whether it counts.
        """
        rows = self.select(
            f"SELECT id, folded, word FROM words WHERE language = ? AND folded IN ({marks(folded)})",
            language,
            *folded,
        )
        if not rows:
            return []
        wanted = is_wanted()
        return [(form, word) for row, form, word in rows if (self._word_books[row] & wanted).any()]

    @property
    def dimension(self) -> int:
        """How many numbers a vector has; 0 where nothing could be embedded."""
        return self._word_vectors.dimension

    @cached_property
    def words(self) -> dict[str, Words]:
        """The words of the books, by language."""
        spelled: dict[str, list[str]] = {}
        for language, word in self.select("SELECT language, word FROM words ORDER BY id"):
            spelled.setdefault(language, []).append(word)
        held: dict[str, Words] = {}
        first = 0
        for language, spoken in spelled.items():
            rows = slice(first, first + len(spoken))
            held[language] = Words(spoken, self._word_vectors.part(rows), self._word_books[rows])
            first = rows.stop
        return held

    def pages(self, ids: Collection[int]) -> list[PageRow]:
        """The pages with the given numbers."""
        rows = self.select(f"SELECT page FROM pages WHERE id IN ({marks(ids)})", *ids)
        with self._noticing():
            return [PAGE_ROW.validate_json(held) for (held,) in rows]

    def spans(self, chunks: Collection[int]) -> list[tuple[int, int, int]]:
        """The number of each of the given chunks, and its start and end in the text of its page."""
        return self.select(f"SELECT id, start, end FROM children WHERE id IN ({marks(chunks)})", *chunks)

    def pages_where(self, files: Collection[str], condition: str, *values: Any) -> list[int]:
        """The pages of the given files that meet a condition of SQL's, in order."""
        statement = f"SELECT id FROM pages WHERE {condition} AND file IN ({marks(files)}) ORDER BY id"
        return [page for (page,) in self.select(statement, *values, *files)]

    def sections(self, files: Collection[str]) -> list[SectionPart]:
        """The sections of the given files, in order; one that runs over several pages has a part on each."""
        held_starts = "json_extract(page, '$.section_starts')"
        rows = self.select(
            f"SELECT id, file, {held_starts} FROM pages WHERE file IN ({marks(files)}) ORDER BY id", *files
        )
        parts = []
        for page, file, held in rows:
            starts = from_json(held)
            ends = [*(start for start, _ in starts[1:]), None]
            parts += [
                SectionPart(page, file, name, start, end)
                for (start, name), end in zip(starts, ends, strict=False)
            ]
        return parts


def _tells_of_damage(error: Exception) -> bool:
    """Whether an error is of the files that are read, and not of what is asked of them."""
    if isinstance(error, sqlite3.Error):
        code = getattr(error, "sqlite_errorcode", 0) & _SQLITE_PRIMARY
        return code in _SQLITE_DAMAGE and not isinstance(error, sqlite3.ProgrammingError)
    return not isinstance(error, ChromaError) or isinstance(error, InternalError)
