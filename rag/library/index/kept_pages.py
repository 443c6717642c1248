"""The pages of one book that took long to read, kept one by one: a kill loses at most the page in work."""

from dataclasses import dataclass
from pathlib import Path

from rag.library.index.atomic_files import write_bytes

OCR = "ocr"
"""The folder of what OCR has read in the index, with a folder for each book."""
_SUFFIX = ".json"


@dataclass(frozen=True, slots=True)
class KeptPages:
    """A folder with a file for each page that OCR has read, named by its position in the book."""

    folder: Path

    @classmethod
    def of(cls, index_dir: Path, content: str, tool: str) -> "KeptPages":
        """Where the pages of a book are, by the hash of its content and by what reads them."""
        return cls(cls.book_folder(index_dir, content) / tool)

    @staticmethod
    def book_folder(index_dir: Path, content: str) -> Path:
        """Where everything is that OCR has read of a book."""
        return index_dir / OCR / content

    def load(self, position: int) -> bytes | None:
        """What was kept of a page; none where nothing was."""
        try:
            return self._file(position).read_bytes()
        except FileNotFoundError:
            return None

    def save(self, position: int, content: bytes) -> None:
        """Keep what was read of a page."""
        write_bytes(self._file(position), content)

    def _file(self, position: int) -> Path:
        return self.folder / f"{position}{_SUFFIX}"
