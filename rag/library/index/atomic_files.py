"""Files that are there whole or not at all, whenever the program is killed, and one writer at a time."""

import errno
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from rag.errors import IndexUnwritable, SystemExhausted

_FULL_OR_LOCKED = (None, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM)
_PATIENCE_SECONDS = 0.2


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file under a temporary name, make it durable, and rename it into place: whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
        _make_names_durable(path.parent)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def make_durable(folder: Path) -> None:
    """Have every file under a folder outlive a power cut, and the folder itself."""
    for path in [*folder.rglob("*"), folder, folder.parent, folder.parent.parent]:
        if path.is_dir():
            _make_names_durable(path)
        else:
            with path.open("rb+") as file:
                os.fsync(file.fileno())


def _make_names_durable(folder: Path) -> None:
    """Have the names in a folder outlive a power cut; Windows does so by itself."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def only_writer(index_dir: Path, lock: str, on_wait: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Hold a lock in the folder of the index, which is made; while another process does, tell it and wait.

    Says in our own words that the index cannot be written, whoever finds it out. NumPy's short write has no
    error number; SQLite has an exception of its own. Where the folder is deleted meanwhile, or is on a disk
    that has gone, a file of it is missing. Raises `IndexUnwritable`.
    """
    try:
        index_dir.mkdir(parents=True, exist_ok=True)
        with _locked(index_dir / lock, on_wait):
            yield
    except OSError as error:
        SystemExhausted.check(error)
        is_of_index = Path(str(error.filename)).is_relative_to(index_dir)
        if error.errno not in _FULL_OR_LOCKED and not is_of_index:
            raise
        raise IndexUnwritable(folder=str(index_dir), reason=error.strerror or str(error)) from error
    except sqlite3.OperationalError as error:
        raise IndexUnwritable(folder=str(index_dir), reason=str(error)) from error


def _locked(path: Path, on_wait: Callable[[], None]) -> AbstractContextManager[object]:
    """The lock at `path`, held; the system itself lets go of it when its holder dies."""
    from filelock import FileLock, Timeout

    # Where the system cannot lock, a file in the place of a lock would outlive a holder that dies.
    lock = FileLock(path, fallback_to_soft=False)
    try:
        return lock.acquire(blocking=False)
    except Timeout:
        on_wait()
        return lock.acquire(poll_interval=_PATIENCE_SECONDS)


_SUFFIX = ".json"


@dataclass(frozen=True, slots=True)
class OcrPages:
    """A folder with a file for each page that OCR has read, named by its position in the book."""

    folder: Path

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
