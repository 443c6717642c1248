"""Books that GMs uploaded, as `DATA_DIR/uploads/<server>/<game>/<file>`: each exists for its server alone."""

import asyncio
from contextlib import suppress
from pathlib import Path, PurePosixPath

from bot.render.markdown import on_one_line
from bot.storage.server_folders import ServerFolders
from rag.config import UPLOADS
from rag.library.index.atomic_files import write_bytes

LARGEST_MB, ROOM_MB = 100, 1000
"""Of one file, and of all files of a server."""
LONGEST_NAME = 80
"""In bytes: file systems take 255, also of a name with what is added to it."""
BEFORE = ".before"
NO_NAME = str.maketrans(dict.fromkeys('/\\:*?"<>|', " "))
"""What may not stand in the name of a file, or would lead elsewhere."""


class Uploads(ServerFolders):
    """The files; each goes by its name in the library, which begins with the id of its server."""

    def __init__(self, data_dir: Path) -> None:
        super().__init__(data_dir / UPLOADS)
        self.turn = asyncio.Lock()
        """Of several uploads one is read at a time."""
        for path in [*self._folder.rglob(_aside(Path("*")).name)]:
            # The process was killed before it told whether the new book can be read.
            path.replace(path.with_name(path.name[1:].removesuffix(BEFORE)))

    def books(self, server: int) -> list[str]:
        """What was uploaded in a server, in order."""
        paths = sorted(path for path in self._of(server).rglob("[!.]*") if path.is_file())
        return [path.relative_to(self._folder).as_posix() for path in paths]

    def has_room(self, server: int, size: int) -> bool:
        """Whether a file of that size may be uploaded in a server."""
        held = sum((self._folder / file).stat().st_size for file in self.books(server))
        return size <= LARGEST_MB * 2**20 and held + size <= ROOM_MB * 2**20

    def put(self, file: str, content: bytes) -> None:
        """Keep a book in place of the one of that name, which stays aside until this is settled."""
        path = self._folder / file
        with suppress(FileNotFoundError):
            path.replace(_aside(path))
        write_bytes(path, content)

    def settle(self, file: str, *, is_read: bool) -> None:
        """Keep the book that was put for good where it could be read, else the one before it, if any."""
        path = self._folder / file
        if is_read:
            _aside(path).unlink(missing_ok=True)
        elif _aside(path).exists():
            _aside(path).replace(path)
        else:
            path.unlink(missing_ok=True)

    def remove(self, file: str) -> None:
        """Delete a book."""
        (self._folder / file).unlink(missing_ok=True)


def _aside(path: Path) -> Path:
    """Where the book before stays; what begins with a full stop is no book."""
    return path.with_name(f".{path.name}{BEFORE}")


def upload_file(server: int, game: str, name: str) -> str:
    """The name in the library of what is uploaded as `name`."""
    path = PurePosixPath(name)
    return f"{server}/{game}/{folder_name(path.stem)}{path.suffix}"


def folder_name(name: str) -> str:
    """A name without what none of a folder or a file may have, as much of it as one may."""
    return on_one_line(name.translate(NO_NAME)).encode()[:LONGEST_NAME].decode(errors="ignore").strip(". ")
