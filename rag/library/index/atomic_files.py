"""Files that are there whole or not at all, whenever the program is killed."""

import errno
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from rag.errors import IndexUnwritable

_FULL_OR_LOCKED = frozenset(
    {None, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM}
)


def write_whole(path: Path, write: Callable[[IO[bytes]], None]) -> None:
    """Write a file under a temporary name, make it durable, and rename it into place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        with temporary.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def make_folder(index_dir: Path) -> None:
    """Make the folder of the index where there is none. Raises `IndexUnwritable`."""
    try:
        index_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise IndexUnwritable(folder=str(index_dir), reason=error.strerror or str(error)) from error


@contextmanager
def writing(index_dir: Path) -> Iterator[None]:
    """Say in our own words that the index cannot be written, whoever finds it out.

    NumPy's short write has no error number; SQLite has an exception of its own.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL_OR_LOCKED:
            raise
        raise IndexUnwritable(folder=str(index_dir), reason=error.strerror or str(error)) from error
    except sqlite3.OperationalError as error:
        raise IndexUnwritable(folder=str(index_dir), reason=str(error)) from error
