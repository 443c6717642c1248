"""Which game is played in which channel, as GMs bound them with `/gm game`."""

import json
from collections.abc import Iterable
from pathlib import Path

from pydantic import TypeAdapter

from bot.storage.files import read_json
from rag.errors import ConfigurationError
from rag.library.index.atomic_files import write_bytes

CHANNEL_GAMES = "channel_games.json"
_GAMES = TypeAdapter(dict[str, str])


class ChannelGames:
    """The bindings, kept in a file of DATA_DIR. Raises `ConfigurationError` where that cannot be opened."""

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / CHANNEL_GAMES
        self._games = self._read()

    def game_of(self, channel: int) -> str | None:
        """The game a channel is bound to."""
        return self._games.get(str(channel))

    @property
    def channels(self) -> set[int]:
        """The channels that are bound to a game."""
        return {int(channel) for channel in self._games if channel.isdecimal()}

    def bind(self, channel: int, game: str | None) -> None:
        """Bind a channel to a game, or to none."""
        self._games.pop(str(channel), None)
        if game is not None:
            self._games[str(channel)] = game
        self._write()

    def forget(self, channels: Iterable[int]) -> None:
        """Drop the bindings of channels that are gone."""
        gone = {str(channel) for channel in channels} & self._games.keys()
        for channel in gone:
            del self._games[channel]
        if gone:
            self._write()

    def _write(self) -> None:
        text = json.dumps(self._games, ensure_ascii=False, indent=1).encode()
        write_bytes(self._path, text)

    def _read(self) -> dict[str, str]:
        try:
            return read_json(self._path, _GAMES, {})
        except OSError as error:
            raise ConfigurationError(variable="DATA_DIR", reason=f"{self._path}: {error}") from error
