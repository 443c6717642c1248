"""Opening a snapshot: all that it holds is opened, so that damage is found then and not by a question."""

import logging
import sqlite3
from contextlib import closing
from functools import partial

from chromadb.errors import ChromaError

from rag.errors import IndexDamaged, IndexLost, IndexOutdated, IndexUnwritable, LibraryError, SystemExhausted
from rag.library.index.local import Index
from rag.library.index.manifest import Manifest
from rag.library.index.segment import SCHEMA, Segment
from rag.library.index.store import Store
from rag.library.index.tables import DATABASE, read_only

log = logging.getLogger(__name__)


def open_snapshot(index: Index, manifest: Manifest, before: Store | None = None) -> Store:
    """A snapshot that is whole; what it shares with the one of `before` is not opened again.

    Raises `IndexDamaged`, `IndexOutdated` where this release cannot read it, `IndexUnwritable` where its
    files are not for this user (Chroma writes where it reads), `SystemExhausted`, and for a Chroma server
    `IndexUnreachable` and `IndexLost`.
    """
    # Chroma may take the process down over a damaged file, so the files come first.
    if damaged := index.damaged_files(manifest):
        index.check_rights(manifest)
        raise IndexDamaged(parts=", ".join(damaged))
    try:
        layers = index.layers(manifest)
        held = before.segments if before else []
        opened = {segment.name: segment for segment in held if not segment.is_damaged}
        segments = [opened.get(one.snapshot) or _segment(index, one) for one, _ in layers]
        store = Store(manifest, segments, [files for _, files in layers])
    except (OSError, ValueError, LookupError, sqlite3.DatabaseError, ChromaError, IndexUnwritable) as error:
        index.check_rights(manifest)
        SystemExhausted.check(error)
        raise IndexDamaged(parts=manifest.snapshot) from error
    return store


def _segment(index: Index, manifest: Manifest) -> Segment:
    """What a snapshot itself holds, opened. Raises `IndexDamaged` and `IndexOutdated`."""
    _check_layout(index, manifest)
    snapshot = manifest.snapshot
    _, own = index.layers(manifest)[-1]
    segment = Segment(snapshot, index.directory_of(snapshot), own, index.vectors_of(snapshot))
    if manifest.model and not segment.is_whole():
        raise IndexDamaged(parts=snapshot)
    # While it is opened, who opens it tells of damage.
    segment.on_damage = partial(_set_aside, index, manifest)
    return segment


def _set_aside(index: Index, manifest: Manifest, error: Exception) -> None:
    """Have a snapshot made anew that is damaged, or gone from its server, since it was opened.

    One that is no longer published may be gone.
    """
    try:
        if not isinstance(error, IndexLost):
            index.set_aside(manifest, error)
        elif index.needs(manifest.snapshot):
            index.doubt(error)
    except LibraryError as away:
        log.warning("it cannot be copied anew: %s", away)


def _check_layout(index: Index, manifest: Manifest) -> None:
    """Refuse a snapshot whose tables are not the ones that this release reads."""
    address = read_only(index.directory_of(manifest.snapshot) / DATABASE)
    with (
        closing(sqlite3.connect(address, uri=True)) as database,
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
