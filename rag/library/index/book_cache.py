"""What is costly about one book, kept in one file: its pages as read, and the vectors of its passages."""

import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt
from pydantic import TypeAdapter
from pydantic_core import from_json

from rag.errors import SystemExhausted
from rag.library.books.book import Chunk, ParsedBook, passages_of
from rag.library.index.atomic_files import write_whole
from rag.library.index.topics import TERMS_VERSION, BookTerms, Topic, terms_of

if TYPE_CHECKING:
    from numpy.lib.npyio import NpzFile

Vectors = npt.NDArray[np.float32]
Held = TypeVar("Held")

_TERM_ARRAYS = ("bounds", "chunks", "counts", "lengths")


@dataclass(frozen=True, slots=True)
class ReadBook:
    """A book as read: its pages, their passages with their terms, and the words it is written in."""

    parsed: ParsedBook
    chunks: tuple[Chunk, ...]
    vocabulary: tuple[str, ...]
    terms: BookTerms

    def passages(self) -> list[str]:
        """The text of each chunk, in order."""
        return passages_of(self.parsed, self.chunks)


@dataclass(frozen=True, slots=True)
class _TextHeader:
    """The header of a book's file without what an ingestion does not need of every book."""

    parsed: ParsedBook
    model: str = ""


@dataclass(frozen=True, slots=True)
class _Header(_TextHeader):
    """All of the header; the chunks are called as they were from the first release."""

    children: tuple[Chunk, ...] = ()
    vocabulary: tuple[str, ...] = ()

    def book(self, terms: BookTerms | None) -> ReadBook:
        """The book, with its terms where they are kept."""
        chunks = self.children
        terms = terms or terms_of(self.parsed, chunks, passages_of(self.parsed, chunks))
        return ReadBook(self.parsed, chunks, self.vocabulary, terms)


_TEXT, _HEADER = TypeAdapter(_TextHeader), TypeAdapter(_Header)


@dataclass(frozen=True, slots=True)
class BookText:
    """What of a book's file an ingestion needs of every book: its pages, and what the rest of the file is.

    `content` digests the text: another reading of the same file may give another. `has_terms` tells that the
    file holds its terms as well; what another release wrote may not.
    """

    parsed: ParsedBook
    model: str
    content: str
    has_terms: bool

    @classmethod
    def load(cls, path: Path) -> "BookText | None":
        """The text of the book kept at `path`; none where there is no file, or a damaged one."""
        return _read_whole(path, cls._read)

    @classmethod
    def _read(cls, arrays: "NpzFile") -> "BookText":
        held = arrays["header"].tobytes()
        header = _TEXT.validate_json(held)
        content = sha256(held).hexdigest()
        return cls(header.parsed, _model(arrays, header), content, _has_terms(arrays))


@dataclass(frozen=True, slots=True)
class BookFile:
    """A read book with one vector a chunk and one a word of its vocabulary, all by `model`.

    There are no vectors, and no name of a model, before it is embedded.
    """

    book: ReadBook
    model: str
    vectors: Vectors
    word_vectors: Vectors

    @classmethod
    def unembedded(cls, book: ReadBook) -> "BookFile":
        """A book that has been read and is yet to be embedded."""
        return cls(book, "", np.zeros((0, 0), np.float32), np.zeros((0, 0), np.float32))

    def save(self, path: Path) -> None:
        """Write the file whole or not at all."""
        book = self.book
        header = asdict(_Header(book.parsed, children=book.chunks, vocabulary=book.vocabulary))
        # The model has an array of its own: it may change where the rest stays.
        del header["model"]
        arrays: dict[str, Any] = {
            "header": _as_array(header),
            "model": np.array(self.model),
            "vectors": self.vectors,
            "word_vectors": self.word_vectors,
        }
        _save(path, arrays, self.book.terms)

    def add_terms(self, path: Path) -> None:
        """Add its terms to the file of this book, which is left as it is otherwise."""
        with np.load(path, allow_pickle=False) as arrays:
            held = dict(arrays)
        _save(path, held, self.book.terms)

    @classmethod
    def load(cls, path: Path, *, with_vectors: bool = True) -> "BookFile | None":
        """The book kept at `path`, perhaps without vectors; none where there is no file, or a damaged one."""

        def read(arrays: "NpzFile") -> "BookFile":
            header = _HEADER.validate_json(arrays["header"].tobytes())
            whole = replace(cls.unembedded(header.book(_read_terms(arrays))), model=_model(arrays, header))
            if not with_vectors:
                return whole
            return replace(whole, vectors=arrays["vectors"], word_vectors=arrays["word_vectors"])

        return _read_whole(path, read)


def _read_whole(path: Path, read: "Callable[[NpzFile], Held]") -> "Held | None":
    """What is read of a book's file; none where there is no file, or a damaged one."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return read(arrays)
    except OSError as error:
        SystemExhausted.check(error)
        return None
    except (zipfile.BadZipFile, ValueError, KeyError, TypeError, EOFError):
        return None


def _save(path: Path, arrays: Mapping[str, Any], terms: BookTerms) -> None:
    """Write a book's file of these arrays and its terms, whole or not at all."""
    named = {
        "version": TERMS_VERSION,
        "terms": terms.terms,
        "topics": [asdict(one) for one in terms.topics],
    }
    of_terms = {"terms": _as_array(named), **{name: getattr(terms, name) for name in _TERM_ARRAYS}}

    def write(file: IO[bytes]) -> None:
        np.savez(file, **{**arrays, **of_terms})

    write_whole(path, write)


def _model(arrays: "NpzFile", header: _TextHeader) -> str:
    """The model that a book is embedded by; earlier releases wrote it into the header."""
    return str(arrays["model"]) if "model" in arrays else header.model


def _has_terms(arrays: "NpzFile") -> bool:
    """Whether the terms of a book are kept with it, as this release makes them."""
    return "terms" in arrays and _from_array(arrays["terms"]).get("version") == TERMS_VERSION


def _read_terms(arrays: "NpzFile") -> BookTerms | None:
    """The terms that are kept with a book; none where another release made them, or none."""
    if not _has_terms(arrays):
        return None
    named = _from_array(arrays["terms"])
    topics = tuple(Topic(tuple(one["name"]), one["chunk"]) for one in named["topics"])
    return BookTerms(tuple(named["terms"]), topics=topics, **{name: arrays[name] for name in _TERM_ARRAYS})


def _as_array(held: Mapping[str, Any]) -> npt.NDArray[np.uint8]:
    return np.frombuffer(json.dumps(held, ensure_ascii=False).encode(), np.uint8)


def _from_array(array: npt.NDArray[np.uint8]) -> dict[str, Any]:
    held: dict[str, Any] = from_json(array.tobytes(), cache_strings="keys")
    return held
