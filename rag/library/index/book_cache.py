"""What is costly about one book, kept in one file: its pages as read, and the vectors of its passages."""

import json
import zipfile
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt
from pydantic import TypeAdapter

from rag.errors import SystemExhausted
from rag.library.books.book import Chunk, ParsedBook, passages_of
from rag.library.index.atomic_files import write_whole

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class ReadBook:
    """A book as read: its pages, their passages, and the words it is written in."""

    parsed: ParsedBook
    chunks: tuple[Chunk, ...]
    vocabulary: tuple[str, ...]

    def passages(self) -> list[str]:
        """The text of each chunk, in order."""
        return passages_of(self.parsed, self.chunks)


@dataclass(frozen=True, slots=True)
class _Header:
    """A read book as JSON; the chunks are called as they were from the first release."""

    parsed: ParsedBook
    children: tuple[Chunk, ...] = ()
    vocabulary: tuple[str, ...] = ()
    model: str = ""
    """Earlier releases wrote it here."""


_HEADER = TypeAdapter(_Header)


def _no_vectors() -> Vectors:
    return np.zeros((0, 0), np.float32)


@dataclass(frozen=True, slots=True)
class KeptBook:
    """A read book with one vector a chunk and one a word of its vocabulary, all by `model`.

    There are no vectors, and no name of a model, before it is embedded. `content` digests what was read:
    another reading of the same file may give another.
    """

    book: ReadBook
    model: str = ""
    vectors: Vectors = field(default_factory=_no_vectors)
    word_vectors: Vectors = field(default_factory=_no_vectors)
    content: str = ""

    def save(self, path: Path) -> None:
        """Write the file whole or not at all."""
        header = asdict(_Header(self.book.parsed, self.book.chunks, self.book.vocabulary))
        # The model has an array of its own: it may change where the rest stays.
        del header["model"]

        def write(file: IO[bytes]) -> None:
            np.savez(
                file,
                header=np.frombuffer(json.dumps(header, ensure_ascii=False).encode(), np.uint8),
                model=np.array(self.model),
                vectors=self.vectors,
                word_vectors=self.word_vectors,
            )

        write_whole(path, write)

    @classmethod
    def load(cls, path: Path, *, with_vectors: bool = True) -> "KeptBook | None":
        """The book kept at `path`, perhaps without vectors; none where there is no file, or a damaged one."""
        try:
            with np.load(path, allow_pickle=False) as arrays:
                held = arrays["header"].tobytes()
                header = _HEADER.validate_json(held)
                return cls(
                    ReadBook(header.parsed, header.children, header.vocabulary),
                    str(arrays["model"]) if "model" in arrays else header.model,
                    arrays["vectors"] if with_vectors else _no_vectors(),
                    arrays["word_vectors"] if with_vectors else _no_vectors(),
                    sha256(held).hexdigest(),
                )
        except OSError as error:
            SystemExhausted.check(error)
            return None
        except (zipfile.BadZipFile, ValueError, KeyError, TypeError, EOFError):
            return None
