"""What is costly about one book, kept in one file: its pages as read, and the vectors of its passages."""

import zipfile
from dataclasses import dataclass, field
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
from pydantic import Field, TypeAdapter

from rag.errors import SystemExhausted
from rag.library.books.book import Chunk, ParsedBook, passages_of
from rag.library.index.atomic_files import write_bytes

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class ReadBook:
    """A book as read: its pages, their passages, and the words it is written in.

    In its file the chunks are called as they were from the first release.
    """

    parsed: ParsedBook
    chunks: Annotated[tuple[Chunk, ...], Field(alias="children")]
    vocabulary: tuple[str, ...]

    def passages(self) -> list[str]:
        """The text of each chunk, in order."""
        return passages_of(self.parsed, self.chunks)


_READ = TypeAdapter(ReadBook)


_NO_VECTORS: Vectors = np.zeros((0, 0), np.float32)


@dataclass(frozen=True, slots=True)
class KeptBook:
    """A read book with one vector a chunk and one a word of its vocabulary, all by `model`.

    There are no vectors, and no name of a model, before it is embedded. `content` digests what was read:
    another reading of the same file may give another.
    """

    book: ReadBook
    model: str = ""
    vectors: Vectors = field(default_factory=lambda: _NO_VECTORS)
    word_vectors: Vectors = field(default_factory=lambda: _NO_VECTORS)
    content: str = ""

    def save(self, path: Path) -> None:
        """Write the file whole or not at all."""
        file = BytesIO()
        np.savez(
            file,
            header=np.frombuffer(_READ.dump_json(self.book, by_alias=True), np.uint8),
            model=np.array(self.model),
            vectors=self.vectors,
            word_vectors=self.word_vectors,
        )
        write_bytes(path, file.getvalue())

    @classmethod
    def load(cls, path: Path, *, with_vectors: bool = True) -> "KeptBook | None":
        """The book kept at `path`, perhaps without vectors; none where there is no file, or a damaged one."""
        try:
            with np.load(path, allow_pickle=False) as arrays:
                held = arrays["header"].tobytes()
                return cls(
                    _READ.validate_json(held),
                    str(arrays["model"]),
                    arrays["vectors"] if with_vectors else _NO_VECTORS,
                    arrays["word_vectors"] if with_vectors else _NO_VECTORS,
                    sha256(held).hexdigest(),
                )
        except OSError as error:
            SystemExhausted.check(error)
            return None
        except (zipfile.BadZipFile, ValueError, KeyError, TypeError, EOFError):
            return None
