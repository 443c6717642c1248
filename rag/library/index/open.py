"""Which index the settings name, and which library it holds."""

from contextlib import suppress

from rag.config import DEFAULT_LIBRARY, SAMPLE_LIBRARY, Settings
from rag.errors import IndexUnreachable, LibraryAbsent
from rag.library.books.files import holds_books
from rag.library.index.local import Index
from rag.library.index.manifest import Manifest


def index_of(settings: Settings) -> Index:
    """The index that the settings name; nothing is opened yet."""
    if settings.chroma_url is None:
        return Index(settings.index_dir)
    from rag.library.index.shared import ServerIndex

    return ServerIndex(settings.index_dir, settings.chroma_url)


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
    return settings.with_sample_game()


def lacks_library(settings: Settings) -> bool:
    """Whether there are no books, and none but the sample game's are indexed, here or on the server."""
    return not (holds_books(settings.library_dir) or _is_of_others(settings))


def library_notice(settings: Settings, reading: Settings) -> str | None:
    """The sentence on a library that is not the one in `LIBRARY_DIR`; `reading` are its settings."""
    if reading is not settings:
        return "notice-sample-game"
    is_gone = not holds_books(settings.library_dir) and index_of(settings).published() is not None
    return "notice-library-gone" if is_gone else None


def _is_of_others(settings: Settings) -> bool:
    """Whether the index holds another library than the sample game, or may do so while its server is away."""
    index = index_of(settings)
    try:
        index.refresh()
    except IndexUnreachable:
        return True
    return any(not (SAMPLE_LIBRARY / file).exists() for file in index.indexed_files())
