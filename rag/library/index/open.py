"""Which index the settings name, which library it holds, and opening a snapshot.

All that a snapshot holds is opened, so that damage is found then and not by a question."""

import logging
import sqlite3
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rag.config import DEFAULT_LIBRARY, SAMPLE_LIBRARY, UPLOADS, Settings
from rag.errors import (
    IndexDamaged,
    IndexLost,
    IndexOutdated,
    IndexUnreachable,
    IndexUnwritable,
    LibraryAbsent,
    LibraryError,
    SystemExhausted,
)
from rag.library.books.files import holds_books
from rag.library.books.library_toml import server_of
from rag.library.index.local import Index
from rag.library.index.manifest import Manifest

if TYPE_CHECKING:
    from rag.library.index.store import Store

log = logging.getLogger(__name__)


def index_of(settings: Settings) -> Index:
    """The index that the settings name; nothing is opened yet."""
    if settings.chroma_url is None:
        return Index(settings.index_dir)
    from rag.library.index.shared import ServerIndex

    return ServerIndex(settings.index_dir, settings.chroma_url)


def path_of(file: str, settings: Settings) -> Path:
    """Where the file of a book lies."""
    return (settings.data_dir / UPLOADS if server_of(file) else settings.library_dir) / file


def latest(index: Index) -> Manifest | None:
    """The published snapshot; where the server is away, the last that was copied from it.

    Raises `IndexUnreachable` where none was.
    """
    try:
        index.refresh()
    except IndexUnreachable:
        if index.published() is None:
            raise
    return index.published()


def library_settings(settings: Settings) -> Settings:
    """The settings, with the sample game as the library where there is no other and never was one.

    A library that was indexed is served on where its folder is gone or empty. The default folder is
    made. Raises `LibraryAbsent` where another one was set and is not there.
    """
    if not lacks_library(settings):
        return settings
    if settings.library_dir == DEFAULT_LIBRARY:
        with suppress(OSError):
            settings.library_dir.mkdir(exist_ok=True)
    elif not settings.library_dir.is_dir():
        raise LibraryAbsent(folder=str(settings.library_dir))
    return settings.model_copy(update={"library_dir": SAMPLE_LIBRARY})


def lacks_library(settings: Settings) -> bool:
    """Whether there are no books, and none but the sample game's are indexed, here or on the server."""
    if any(map(holds_books, settings.book_folders)):
        return False
    index = index_of(settings)
    try:
        index.refresh()
    except IndexUnreachable:
        # It may hold another library.
        return False
    return _are_all_in(SAMPLE_LIBRARY, index)


def is_unread(settings: Settings) -> bool:
    """Whether there are books, and the sample game's are indexed in their place."""
    index = index_of(settings)
    is_served = index.published() is not None and _are_all_in(SAMPLE_LIBRARY, index)
    return is_served and holds_books(settings.library_dir) and not _are_all_in(settings.library_dir, index)


def _are_all_in(folder: Path, index: Index) -> bool:
    """Whether all books that an index has lie in a folder; so do those of none."""
    served = index.published()
    return all((folder / file).exists() for file in (served.stamps if served else ()))


def library_notice(settings: Settings, reading: Settings) -> str | None:
    """The sentence on a library that is not the one in `LIBRARY_DIR`; `reading` are its settings."""
    if reading is not settings:
        return "notice-sample-game"
    is_gone = not holds_books(settings.library_dir) and index_of(settings).published() is not None
    return "notice-library-gone" if is_gone else None


def open_snapshot(index: Index, manifest: Manifest, before: "Store | None" = None) -> "Store":
    """A snapshot that is whole; what it shares with the one of `before` is not opened again.

    Raises `IndexDamaged`, `IndexOutdated` where this release cannot read it, `SystemExhausted`, and for a
    Chroma server `IndexUnreachable` and `IndexLost`.
    """
    from chromadb.errors import ChromaError

    from rag.library.index.segment import OpenedLinks, Segment
    from rag.library.index.store import Store

    if not manifest.is_current:
        raise IndexOutdated
    # Chroma may take the process down over a damaged file, so the files come first.
    if damaged := index.damaged_files(manifest):
        raise IndexDamaged(parts=", ".join(damaged))
    try:
        opened = {one.name: one for one in (before.segments if before else ()) if not one.is_damaged}
        on_damage = partial(_doubt, index)
        segments = [
            opened.get(name)
            or Segment(index.directory_of(name), sorted(held), index.vectors_of(name), on_damage)
            for name, held in manifest.segments.items()
        ]
        if manifest.model and not all(segment.is_whole() for segment in segments):
            raise IndexDamaged(parts=manifest.snapshot)
        links = before.links if before else None
        if links is None or links.is_damaged or links.name != manifest.links:
            links = OpenedLinks(index.directory_of(manifest.links), on_damage)
        store = Store(manifest, segments, links)
    except (OSError, ValueError, LookupError, sqlite3.DatabaseError, ChromaError, IndexUnwritable) as error:
        SystemExhausted.check(error)
        raise IndexDamaged(parts=manifest.snapshot) from error
    return store


def _doubt(index: Index, name: str, error: Exception) -> None:
    """Have a part of a snapshot made anew that is damaged, or gone from its server, since it was opened.

    One that is no longer published may be gone.
    """
    try:
        if isinstance(error, IndexLost):
            index.refresh()
        here = index.published()
        if here and name in here.parts:
            index.doubt(error, () if isinstance(error, IndexLost) else [name])
    except LibraryError as away:
        log.warning("it cannot be copied anew: %s", away)
