"""Which game is played in which channel, as GMs bound them with `/gm game`."""

from collections.abc import Iterable
from pathlib import Path

from pydantic import TypeAdapter

from bot.storage.kept_json import JsonFile

CHANNEL_GAMES = "channel_games.json"
_GAMES = TypeAdapter(dict[str, str])


class ChannelGames(JsonFile[dict[str, str]]):
    """The bindings of channels that outlive a restart."""

    def __init__(self, data_dir: Path) -> None:
        """Read the file, if there is one. Raises `ConfigurationError` where it cannot be opened."""
        super().__init__(data_dir / CHANNEL_GAMES, _GAMES, {})

    def game_of(self, channel: int) -> str | None:
        """The game a channel is bound to."""
        return self._kept.get(str(channel))

    @property
    def channels(self) -> set[int]:
        """The channels that are bound to a game."""
        return {int(channel) for channel in self._kept if channel.isdecimal()}

    def bind(self, channel: int, game: str | None) -> None:
        """Bind a channel to a game, or to none."""
        self._kept.pop(str(channel), None)
        if game is not None:
            self._kept[str(channel)] = game
        self._write(self._kept)

    def forget(self, channels: Iterable[int]) -> None:
        """Drop the bindings of channels that are gone."""
        for channel in self.channels.intersection(channels):
            self.bind(channel, None)
