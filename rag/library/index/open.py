"""Which index the settings name, and which library it holds."""

from rag.config import SAMPLE_LIBRARY, Settings
from rag.errors import IndexUnreachable
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
    """The settings, with the sample game as the library while there is no other, here or on the server."""
    if holds_books(settings.library_dir) or (settings.chroma_url and _is_of_others(settings)):
        return settings
    return settings.with_sample_game()


def _is_of_others(settings: Settings) -> bool:
    """Whether the server holds another library than the sample game, or may do so while it is away."""
    try:
        manifest = latest(index_of(settings))
    except IndexUnreachable:
        return True
    return manifest is not None and any(not (SAMPLE_LIBRARY / file).exists() for file in manifest.stamps)
