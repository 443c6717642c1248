"""Ids of servers or channels that something is remembered of, in a file of DATA_DIR."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from pydantic import TypeAdapter

from bot.storage.kept_json import JsonFile

WELCOMED_SERVERS = "welcomed_servers.json"
CHANNELS_IN_PLACE = "channels_in_place.json"
"""Of the channels in which answers open no threads."""
_IDS = TypeAdapter(frozenset[int])


class KeptIds(JsonFile[frozenset[int]]):
    """A set of ids that outlives a restart."""

    def __init__(self, path: Path) -> None:
        """Read the file, if there is one. Raises `ConfigurationError` where it cannot be opened."""
        super().__init__(path, _IDS, frozenset())

    def __contains__(self, kept: int) -> bool:
        return kept in self._kept

    def __iter__(self) -> Iterator[int]:
        return iter(self._kept)

    def add(self, new: int) -> None:
        """Keep one more."""
        self._keep(self._kept | {new})

    def drop(self, gone: Iterable[int]) -> None:
        """Keep some no longer."""
        self._keep(self._kept - frozenset(gone))

    def _keep(self, ids: frozenset[int]) -> None:
        if ids != self._kept:
            self._kept = ids
            self._write(sorted(ids))
