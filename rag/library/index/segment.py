"""The parts of a snapshot, opened: segments with pages, passages, terms and vectors of books; the links."""

import sqlite3
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from chromadb.errors import InternalError
from pydantic import TypeAdapter

from rag.errors import IndexDamaged, IndexLost, SystemExhausted
from rag.library.books.page import HeadingPath, Page
from rag.library.index.bm25 import Ids
from rag.library.index.chroma import FEW_CHUNKS, ChunkVectors
from rag.library.index.nearest import NONE_NEAR, NearestChunks, cosines, normalised
from rag.library.index.recent import Recent
from rag.library.index.tables import DATABASE, LINKS, read_only
from rag.library.index.topics import TopicArrays
from rag.library.index.vocabulary import CompactVectors, Words
from rag.models.arrays import left_on_disk

if TYPE_CHECKING:
    from rag.library.index.book_cache import Vectors

WORD_VECTORS, WORD_SCALES = "word_vectors.npy", "word_scales.npy"
WORD_BOOKS = "word_books.npy"

_OF_FILES = (OSError, EOFError, ValueError, LookupError, sqlite3.DatabaseError, InternalError, IndexLost)
"""What damaged files raise: of Chroma's the internal error alone, for others tell of what is asked."""
DEEPEST, SPARE, ENOUGH = 4_000, 50, 100
"""How many of the nearest chunks are looked through at most for those that a search may see, how many more
than are likely needed, and how many are enough.
"""
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


OnDamage = Callable[[str, Exception], None]


class OpenedTables:
    """Reads one SQLite file of an index. Safe to use from several threads.

    Every method raises `IndexDamaged` where it meets damage, and tells `on_damage` of it, and in which part.
    """

    def __init__(self, path: Path, on_damage: OnDamage) -> None:
        self.name = path.parent.name
        self.is_damaged = False
        self._on_damage = on_damage
        self._lock = threading.Lock()
        self._database = sqlite3.connect(read_only(path), uri=True, check_same_thread=False)

    def select(self, statement: str, *values: Any) -> list[Any]:
        """The rows of a statement; none where no database can hold a value that is asked for."""
        with self.noticing(), self._lock:
            try:
                return self._database.execute(statement, values).fetchall()
            except (OverflowError, UnicodeEncodeError):
                return []

    @contextmanager
    def noticing(self) -> Iterator[None]:
        """Tell damage from other faults: what was whole when it was opened may be damaged since."""
        try:
            yield
        except _OF_FILES as error:
            SystemExhausted.check(error)
            self.is_damaged = True
            self._on_damage(self.name, error)
            if isinstance(error, IndexLost):
                raise
            raise IndexDamaged(parts=self.name) from error


class OpenedLinks(OpenedTables):
    """The references and corrections among all books. `files` tells of each file what was linked, and its
    pages, in order.
    """

    def __init__(self, directory: Path, on_damage: OnDamage) -> None:
        super().__init__(directory / LINKS, on_damage)
        self.files: list[tuple[str, str, int]] = self.select(
            "SELECT file, content, pages FROM linked_files ORDER BY file"
        )


class Segment(OpenedTables):
    """Reads the books in one directory of an index; lets go of its files when nobody holds it.

    `files` are its books in order; `page_books` and the like number them from 0, as pages, chunks and topics
    are numbered, within this directory alone. `IndexLost` and `IndexUnreachable` are of a Chroma server.
    """

    def __init__(
        self, directory: Path, files: Sequence[str], vectors: ChunkVectors, on_damage: OnDamage
    ) -> None:
        super().__init__(directory / DATABASE, on_damage)
        self.files = tuple(files)
        self.vectors = vectors
        weakref.finalize(self, vectors.close)
        self._few: Recent[bytes, Vectors] = Recent(FEW_KEPT)
        self._all: Vectors | None = None
        self._reading = threading.Lock()
        # A question may go on after this snapshot was dropped: what is open stays readable.
        self._word_vectors = CompactVectors(
            left_on_disk(np.load(directory / WORD_VECTORS)), np.load(directory / WORD_SCALES)
        )
        self.word_books: npt.NDArray[np.bool_] = left_on_disk(np.load(directory / WORD_BOOKS))
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
        with self._reading:
            return self._all is not None or self.vectors.are_whole(len(self.page_of_chunk), self.dimension)

    def nearest(
        self, vectors: Sequence[Sequence[float]], is_wanted: npt.NDArray[np.bool_], limit: int
    ) -> list[NearestChunks]:
        """For each vector the nearest of the chunks that are wanted.

        Few are compared one by one, which is sooner done than to walk Chroma's graph; of many that are not
        wanted so many more are asked for that enough are left. Chroma itself leaves others out only where
        neither will do: that takes it long.
        """
        total, wanted = len(is_wanted), int(is_wanted.sum())
        if not wanted:
            return [NONE_NEAR for _ in vectors]
        # Of a segment that is small all vectors are kept once, whichever are wanted.
        compared = np.arange(total) if total <= FEW_CHUNKS else np.flatnonzero(is_wanted)
        with self.noticing():
            if len(compared) <= FEW_CHUNKS and self.vectors.is_near:
                found = self.compared(vectors, compared.astype(np.int32))
            else:
                found = self.vectors.nearest(vectors, None, min(DEEPEST, -(-limit * total // wanted) + SPARE))
            found = [one.among(is_wanted) for one in found]
            if any(len(one) < min(limit, wanted, ENOUGH) for one in found):
                books = np.unique(self.page_books[self.page_of_chunk[is_wanted]]).tolist()
                where = {"file": {"$in": [self.files[book] for book in books]}}
                found = self.vectors.nearest(vectors, where, limit + SPARE)
        return [one.first(limit) for one in found]

    def compared(self, vectors: Sequence[Sequence[float]], chunks: Ids) -> list[NearestChunks]:
        """Few chunks, for each vector the nearest first."""
        own = self._few.get(chunks.tobytes(), lambda: self._read(chunks))
        compared = cosines(normalised(np.array(vectors, np.float32)), own)
        orders = np.argsort(-compared, axis=1, kind="stable")
        return [
            NearestChunks(chunks[order], row[order].astype(np.float64))
            for row, order in zip(compared, orders, strict=True)
        ]

    def _read(self, chunks: Ids) -> "Vectors":
        """The vectors of chunks; of a small segment's, which are all, once."""
        if len(self.page_of_chunk) > FEW_CHUNKS:
            return self.vectors.read(chunks.tolist())
        with self._reading:
            if self._all is None:
                self._all = self.vectors.read(chunks.tolist())
                # Chroma keeps as much again of what it read, and is not asked any more.
                self.vectors.close()
            return self._all

    @property
    def dimension(self) -> int:
        """How many numbers a vector has; 0 where nothing could be embedded."""
        return self._word_vectors.dimension

    @cached_property
    def words(self) -> dict[str, Words]:
        """The words of the books, by language."""
        rows = self.select("SELECT language, word FROM words ORDER BY id")
        held: dict[str, Words] = {}
        first = 0
        for language, of_language in groupby(rows, itemgetter(0)):
            words = [word for _, word in of_language]
            part = slice(first, first + len(words))
            held[language] = Words(words, self._word_vectors.part(part), self.word_books[part])
            first = part.stop
        return held
