"""A book that is a zip file of parts (DOCX, EPUB), within bounds that are checked before it is unpacked."""

import re
import zipfile
import zlib
from pathlib import Path
from types import TracebackType

from rag.errors import BookEmpty, BookNeedsPassword, BookNotItsFormat, BookTooLarge

MOST_PARTS = 20_000
MOST_BYTES = 32 * 1024 * 1024
"""Of one part, unpacked: a document of so much text would take a gigabyte of memory."""
MOST_BYTES_OF_ALL = 96 * 1024 * 1024
"""Of all parts that are read, unpacked."""
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How a file begins that an office program has encrypted."""
_ENTITY = re.compile(rb"<!ENTITY", re.IGNORECASE)
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError)
"""What `zipfile` raises for a damaged file; the last for a compression or version that it does not know."""


class Archive:
    """A zip file that is open for reading; `format` is what a person calls its kind.

    Raises `BookEmpty`, `BookNeedsPassword`, `BookNotItsFormat` or `BookTooLarge`.
    """

    def __init__(self, path: Path, format: str) -> None:
        self._path = path
        self.damaged = BookNotItsFormat(file=path.name, format=format)
        """What is raised where the parts are not what its format says."""
        self._check_beginning()
        try:
            self._zip = zipfile.ZipFile(path)
        except _DAMAGE as error:
            raise self.damaged from error
        self.parts = {part.filename: part for part in self._zip.infolist()}
        self._read = 0
        if len(self._zip.infolist()) > MOST_PARTS:
            self._zip.close()
            raise self._too_large()

    def __enter__(self) -> "Archive":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._zip.close()

    def read(self, name: str) -> bytes:
        """The content of a part. A part that is not there is damage."""
        part = self.parts.get(name)
        if part is None:
            raise self.damaged
        if part.flag_bits & 0x1:
            raise BookNeedsPassword(file=self._path.name)
        self._read += part.file_size
        if part.file_size > MOST_BYTES or self._read > MOST_BYTES_OF_ALL:
            raise self._too_large()
        try:
            return self._zip.read(part)
        except (*_DAMAGE, RuntimeError) as error:
            raise self.damaged from error

    def read_xml(self, name: str) -> bytes:
        """The content of a part in XML. One that defines entities is refused: no document needs any."""
        content = self.read(name)
        if _ENTITY.search(content.replace(b"\0", b"")):
            raise self.damaged
        return content

    def _check_beginning(self) -> None:
        with self._path.open("rb") as file:
            beginning = file.read(len(_OLD_OFFICE))
        if not beginning:
            raise BookEmpty(file=self._path.name)
        if beginning == _OLD_OFFICE:
            raise BookNeedsPassword(file=self._path.name)

    def _too_large(self) -> BookTooLarge:
        return BookTooLarge(file=self._path.name, limit=MOST_BYTES // 1024**2)
