"""The files of DATA_DIR, of whatever release: brought up to date, or set aside where nothing can be read."""

import contextlib
import logging
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path

from bot.texts import host_texts

log = logging.getLogger(__name__)

PLACES = ("", "rulings/{}/", "uploads/{}/*/")
"""Where in DATA_DIR our files are; `{}` stands for a server."""
SET_ASIDE = ".set-aside"
BESIDE_A_DATABASE = ("", "-journal", "-wal", "-shm")
"""What SQLite adds to the name of a database for the files that belong to it."""
UNUSABLE = {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CONSTRAINT}
"""What SQLite says of a file that is damaged, or is not what it is taken for."""


class Unusable(sqlite3.DatabaseError):
    """A file whose content is not what this release reads or makes."""

    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


def open_database(path: Path, migrations: Sequence[str]) -> sqlite3.Connection:
    """Open a database at its newest version; one that cannot be used is set aside, and made anew.

    A migration makes a version of the one before it, the first one of an empty file or of tables that have
    no version yet. The number of those that were done is kept as `PRAGMA user_version`. What was released is
    never changed: a table grows by one more migration. A file of a later release is used as it is while it
    has every column that this one knows. Raises `OSError` or `sqlite3.Error` where the folder cannot be used.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        return _opened(path, migrations)
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF not in UNUSABLE:
            raise
        set_aside(path, str(error))
    return _opened(path, migrations)


def begin(data_dir: Path) -> bool:
    """Delete what a killed process had not written to its end; whether it is the first start."""
    for path in _files(data_dir, ".*.tmp*"):
        path.unlink(missing_ok=True)
    return not _files(data_dir, "[!.]*")


def set_aside(path: Path, reason: str) -> None:
    """Give a file that cannot be used another name, and tell the host."""
    for suffix in BESIDE_A_DATABASE:
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + suffix).replace(path.with_name(path.name + SET_ASIDE + suffix))
    log.warning("%s (%s)", host_texts()("data-set-aside", **_told(path)), reason)


def files_set_aside(data_dir: Path, server: int | None) -> list[dict[str, str]]:
    """What a server is told of the files that were set aside, as long as the host leaves them there."""
    found = _files(data_dir, f"*{SET_ASIDE}", server)
    return [_told(path.with_name(path.name.removesuffix(SET_ASIDE))) for path in sorted(found)]


def _files(data_dir: Path, pattern: str, server: int | str | None = "*") -> list[Path]:
    """Our files of such a name, of one server or of all; a host may keep others beside them."""
    names = [place.format(server) + pattern for place in PLACES]
    return [path for name in names for path in data_dir.glob(name) if path.is_file()]


def _told(path: Path) -> dict[str, str]:
    """A file's name, and what kind of file it is for the sentence that tells what is lost."""
    return {"file": path.name, "kind": "rulings" if path.suffix == ".md" else path.stem.replace("_", "-")}


def drop_set_aside(path: Path, older_than: float = 0.0) -> bool:
    """Delete what was set aside of a file, if it was written so many seconds ago; whether it was there."""
    kept = path.with_name(path.name + SET_ASIDE)
    is_due = kept.exists() and time.time() - kept.stat().st_mtime >= older_than
    if is_due:
        for suffix in BESIDE_A_DATABASE:
            kept.with_name(kept.name + suffix).unlink(missing_ok=True)
    return is_due


def _opened(path: Path, migrations: Sequence[str]) -> sqlite3.Connection:
    if not path.exists():
        # Under another name until it is whole: what a killed process leaves is not taken for damage.
        unfinished = path.with_name(f".{path.name}.tmp")
        _make(unfinished, migrations)
        unfinished.replace(path)
    database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    # Letters that are damaged cost no more than themselves.
    database.text_factory = lambda text: text.decode(errors="replace")
    try:
        # What is deleted leaves the file too, not only the table.
        database.execute("PRAGMA secure_delete = ON")
        # Kilobytes that are kept in memory: the usual 2,000 fill within some 400 answers.
        database.execute("PRAGMA cache_size = -500")
        if (found := database.execute("PRAGMA quick_check").fetchone()[0]) != "ok":
            raise Unusable(found)
        # SQLite takes what is shorter than a page for a database that is still to be made.
        if not database.execute("PRAGMA page_count").fetchone()[0]:
            raise Unusable("empty")
        _migrate(database, migrations)
        if missing := _make(":memory:", migrations) - _columns(database):
            raise Unusable(f"without {', '.join('.'.join(one) for one in sorted(missing))}")
    except BaseException:
        database.close()
        raise
    return database


def _migrate(database: sqlite3.Connection, migrations: Sequence[str]) -> None:
    """Make the versions that are still missing, each whole or not at all: to close undoes a part of one."""
    version = database.execute("PRAGMA user_version").fetchone()[0]
    for number, migration in enumerate(migrations[version:], start=version + 1):
        database.executescript(f"BEGIN IMMEDIATE;\n{migration};\nPRAGMA user_version = {number};\nCOMMIT")


def _make(path: Path | str, migrations: Sequence[str]) -> set[tuple[str, str]]:
    """Make a database of today, and tell its columns."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
        _migrate(database, migrations)
        return _columns(database)


def _columns(database: sqlite3.Connection) -> set[tuple[str, str]]:
    """Tables and their columns, by name."""
    return set(
        database.execute(
            "SELECT tables.name, columns.name FROM sqlite_master AS tables, pragma_table_info(tables.name) "
            "AS columns WHERE tables.type = 'table'"
        )
    )
