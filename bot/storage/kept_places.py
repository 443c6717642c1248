"""What is kept of channels and servers, in files of DATA_DIR: it goes with them."""

from collections.abc import Collection
from pathlib import Path

from pydantic import TypeAdapter

from bot.books.rulings import TableRulings
from bot.storage.json_file import JsonFile

_GAMES = TypeAdapter(dict[int, str])
_IDS = TypeAdapter(frozenset[int])


class KeptPlaces:
    """What GMs said of channels and servers, and which of these were welcomed."""

    def __init__(self, data_dir: Path) -> None:
        """Read the files. Raises `ConfigurationError` where one cannot be opened."""
        self._games = JsonFile(data_dir / "channel_games.json", _GAMES, {})
        self.answered_in_place = JsonFile(data_dir / "channels_in_place.json", _IDS, frozenset())
        """The channels in which answers open no threads."""
        self.welcomed = JsonFile(data_dir / "welcomed_servers.json", _IDS, frozenset())
        self.rulings = TableRulings(data_dir)

    def game_of(self, channel: int) -> str | None:
        """The game that GMs bound a channel to with `/gm game`."""
        return self._games.kept.get(channel)

    def bind(self, channel: int, game: str | None) -> None:
        """Bind a channel to a game, or to none."""
        others = {bound: its for bound, its in self._games.kept.items() if bound != channel}
        self._games.keep(others if game is None else others | {channel: game})

    @property
    def channels(self) -> set[int]:
        """The channels of which something is kept."""
        return {*self._games.kept, *self.answered_in_place.kept}

    @property
    def servers(self) -> set[int]:
        """The servers of which something is kept."""
        return {*self.rulings.servers, *self.welcomed.kept}

    def drop_channels(self, channels: Collection[int]) -> None:
        """Drop what is kept of channels that are gone."""
        for channel in channels:
            self.bind(channel, None)
        self.answered_in_place.keep(self.answered_in_place.kept.difference(channels))

    def drop_server(self, server: int) -> None:
        """Drop what is kept of a server that the bot has left."""
        self.rulings.drop_server(server)
        self.welcomed.keep(self.welcomed.kept - {server})
