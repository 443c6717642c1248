"""A book that is a zip file of parts (DOCX, EPUB), within bounds that are checked before it is unpacked."""

import re
import zipfile
import zlib
from pathlib import Path

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


class Archive(zipfile.ZipFile):
    """A zip file that is open for reading; `format` is what a person calls its kind.

    Raises `BookEmpty`, `BookNeedsPassword`, `BookNotItsFormat` or `BookTooLarge`.
    """

    def __init__(self, path: Path, format: str) -> None:
        self._name = path.name
        self.damaged = BookNotItsFormat(file=path.name, format=format)
        """What is raised where the parts are not what its format says."""
        with path.open("rb") as file:
            beginning = file.read(len(_OLD_OFFICE))
        if not beginning:
            raise BookEmpty(file=path.name)
        if beginning == _OLD_OFFICE:
            raise BookNeedsPassword(file=path.name)
        try:
            super().__init__(path)
        except _DAMAGE as error:
            raise self.damaged from error
        self.parts = {part.filename: part for part in self.infolist()}
        self._unpacked = 0
        if len(self.infolist()) > MOST_PARTS:
            self.close()
            raise self._too_large()

    def content(self, name: str) -> bytes:
        """The content of a part. A part that is not there is damage."""
        part = self.parts.get(name)
        if part is None:
            raise self.damaged
        if part.flag_bits & 0x1:
            raise BookNeedsPassword(file=self._name)
        self._unpacked += part.file_size
        if part.file_size > MOST_BYTES or self._unpacked > MOST_BYTES_OF_ALL:
            raise self._too_large()
        try:
            return self.read(part)
        except (*_DAMAGE, RuntimeError) as error:
            raise self.damaged from error

    def xml(self, name: str) -> bytes:
        """The content of a part in XML. One that defines entities is refused: no document needs any."""
        content = self.content(name)
        if _ENTITY.search(content.replace(b"\0", b"")):
            raise self.damaged
        return content

    def _too_large(self) -> BookTooLarge:
        return BookTooLarge(file=self._name, limit=MOST_BYTES // 1024**2)
