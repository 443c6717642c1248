"""Opening a snapshot: all that it holds is opened, so that damage is found then and not by a question."""

import sqlite3
from contextlib import closing

from chromadb.errors import ChromaError

from rag.errors import IndexDamaged, IndexOutdated, IndexUnwritable
from rag.library.index.labels import DATABASE
from rag.library.index.local import Index
from rag.library.index.manifest import Manifest
from rag.library.index.store import SCHEMA, Store


def open_snapshot(index: Index, manifest: Manifest) -> Store:
    """A snapshot that is whole.

    Raises `IndexDamaged`, `IndexOutdated` where this release cannot read it, and for a Chroma server
    `IndexUnreachable` and `IndexLost`.
    """
    # Chroma may take the process down over a damaged file, so the files come first.
    if damaged := index.damaged_files(manifest):
        raise IndexDamaged(parts=", ".join(damaged))
    try:
        _check_layout(index, manifest)
        store = Store(index.directory_of(manifest.snapshot), manifest, index.vectors_of(manifest.snapshot))
        if not store.is_whole():
            raise IndexDamaged(parts=manifest.snapshot)
    except (OSError, ValueError, LookupError, sqlite3.DatabaseError, ChromaError, IndexUnwritable) as error:
        raise IndexDamaged(parts=manifest.snapshot) from error
    return store


def _check_layout(index: Index, manifest: Manifest) -> None:
    """Refuse a snapshot whose tables are not the ones that this release reads."""
    path = index.directory_of(manifest.snapshot) / DATABASE
    with (
        closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as database,
        closing(sqlite3.connect(":memory:")) as ours,
    ):
        ours.executescript(SCHEMA)
        if _columns(database) != _columns(ours):
            raise IndexOutdated


def _columns(database: sqlite3.Connection) -> list[tuple[str, str]]:
    return database.execute(
        "SELECT tables.name, columns.name FROM sqlite_master AS tables "
        "JOIN pragma_table_info(tables.name) AS columns WHERE tables.type = 'table' "
        "ORDER BY tables.name, columns.cid"
    ).fetchall()
