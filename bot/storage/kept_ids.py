"""Ids of servers or channels that something is remembered of, in a file of DATA_DIR."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from pydantic import TypeAdapter

from bot.storage.files import read_json
from rag.errors import ConfigurationError
from rag.library.index.atomic_files import write_bytes

WELCOMED_SERVERS = "welcomed_servers.json"
CHANNELS_IN_PLACE = "channels_in_place.json"
"""Of the channels in which answers open no threads."""
_IDS = TypeAdapter(frozenset[int])


class KeptIds:
    """A set of ids that outlives a restart."""

    def __init__(self, path: Path) -> None:
        """Read the file, if there is one. Raises `ConfigurationError` where it cannot be opened."""
        self._path = path
        try:
            self._ids: frozenset[int] = read_json(path, _IDS, frozenset())
        except OSError as error:
            raise ConfigurationError(variable="DATA_DIR", reason=f"{path}: {error}") from error

    def __contains__(self, kept: int) -> bool:
        return kept in self._ids

    def __iter__(self) -> Iterator[int]:
        return iter(self._ids)

    def add(self, new: int) -> None:
        """Keep one more."""
        self._keep(self._ids | {new})

    def drop(self, gone: Iterable[int]) -> None:
        """Keep some no longer."""
        self._keep(self._ids - frozenset(gone))

    def _keep(self, ids: frozenset[int]) -> None:
        if ids != self._ids:
            self._ids = ids
            write_bytes(self._path, json.dumps(sorted(ids)).encode())
