"""What is costly about one book, kept in one file: its pages as read, and the vectors of its passages."""

import json
import zipfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from rag.library.books.book import ParsedBook
from rag.library.books.page import Heading, Page
from rag.library.index.atomic_files import write_whole

Vectors = npt.NDArray[np.float32]

_CHUNKS = "children"
"""What the chunks are called in a book's file, as they were from the first release."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage: the index of its page in the book, and its span in the page's text."""

    page: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ReadBook:
    """A book as read: its pages, their passages, and the words it is written in."""

    parsed: ParsedBook
    chunks: tuple[Chunk, ...]
    vocabulary: tuple[str, ...]

    def passages(self) -> list[str]:
        """The text of each chunk, in order."""
        return [self.parsed.pages[chunk.page].searchable(chunk.start, chunk.end) for chunk in self.chunks]


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
        header = {"model": self.model, **asdict(self.book)}
        header[_CHUNKS] = header.pop("chunks")
        text = np.frombuffer(json.dumps(header, ensure_ascii=False).encode(), np.uint8)

        def write(file: IO[bytes]) -> None:
            np.savez(file, header=text, vectors=self.vectors, word_vectors=self.word_vectors)

        write_whole(path, write)

    @classmethod
    def load(cls, path: Path) -> "BookFile | None":
        """The book kept at `path`; none where there is no file, or a damaged one."""
        try:
            with np.load(path, allow_pickle=False) as arrays:
                header = json.loads(arrays["header"].tobytes())
                return cls(_read_book(header), header["model"], arrays["vectors"], arrays["word_vectors"])
        except FileNotFoundError:
            return None
        except (zipfile.BadZipFile, ValueError, KeyError, TypeError, EOFError, OSError):
            return None


def _read_book(header: dict[str, Any]) -> ReadBook:
    parsed = header["parsed"]
    pages = tuple(
        Page(**{**page, "headings": tuple(Heading(**heading) for heading in page["headings"])})
        for page in parsed["pages"]
    )
    return ReadBook(
        ParsedBook(**{**parsed, "pages": pages}),
        tuple(Chunk(**chunk) for chunk in header[_CHUNKS]),
        tuple(header["vocabulary"]),
    )
