"""The pages of one book that took long to read, kept one by one: a kill loses at most the page in work."""

import shutil
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from rag.library.index.atomic_files import write_whole

_FOLDER = "ocr"
_SUFFIX = ".json"


@dataclass(frozen=True, slots=True)
class KeptPages:
    """A folder with a file for each page that OCR has read, named by its position in the book."""

    folder: Path

    @classmethod
    def of(cls, index_dir: Path, content: str, tool: str) -> "KeptPages":
        """Where the pages of a book are, by the hash of its content and by what reads them."""
        return cls(index_dir / _FOLDER / content / tool)

    def load(self, position: int) -> bytes | None:
        """What was kept of a page; none where nothing was."""
        try:
            return self._file(position).read_bytes()
        except FileNotFoundError:
            return None

    def save(self, position: int, content: bytes) -> None:
        """Keep what was read of a page."""

        def write(file: IO[bytes]) -> None:
            file.write(content)

        write_whole(self._file(position), write)

    def _file(self, position: int) -> Path:
        return self.folder / f"{position}{_SUFFIX}"


def drop_kept_pages(index_dir: Path, contents: Collection[str]) -> None:
    """Delete the kept pages of all books but those with these contents."""
    for folder in (index_dir / _FOLDER).glob("*"):
        if folder.name not in contents:
            shutil.rmtree(folder, ignore_errors=True)
