"""What is kept of channels and servers, in files of DATA_DIR: it goes with them."""

from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from pydantic import OnErrorOmit, TypeAdapter

from bot.books.rulings import TableRulings
from bot.books.uploads import Uploads
from bot.storage.json_file import JsonFile

_GAMES = TypeAdapter(dict[OnErrorOmit[int], OnErrorOmit[str]])
_IDS = TypeAdapter(frozenset[OnErrorOmit[int]])
_MET: TypeAdapter[frozenset[int] | None] = TypeAdapter(frozenset[OnErrorOmit[int]] | None)


class LeftServer(NamedTuple):
    """When the bot left a server, in seconds since the epoch, and the channels that this had."""

    when: float
    channels: tuple[int, ...]


_LEFT = TypeAdapter(dict[OnErrorOmit[int], OnErrorOmit[LeftServer]])


class KeptPlaces:
    """What GMs said of channels and servers, and which of these were welcomed."""

    def __init__(self, data_dir: Path, *, is_first_start: bool = False) -> None:
        """Read the files. Raises `ConfigurationError` where one cannot be opened."""
        self._games = JsonFile(data_dir / "channel_games.json", _GAMES, {})
        self.answered_in_place = JsonFile(data_dir / "channels_in_place.json", _IDS, frozenset())
        """The channels in which answers open no threads."""
        self._asked = JsonFile(data_dir / "channels_asked_game.json", _IDS, frozenset())
        self.welcomed = JsonFile(data_dir / "welcomed_servers.json", _IDS, frozenset())
        self.turned_away = JsonFile(data_dir / "servers_turned_away.json", _IDS, frozenset())
        """The servers that were told that they are not served."""
        self.met = JsonFile(data_dir / "served_servers.json", _MET, frozenset())
        """The servers that were served so far; None until a first start has met any."""
        if is_first_start:
            self.met.keep(None)
        self.left = JsonFile(data_dir / "left_servers.json", _LEFT, {})
        """The servers that the bot has left and may be invited to again; of one not known, its channel."""
        self.rulings = TableRulings(data_dir)
        self.uploads = Uploads(data_dir)

    def game_of(self, channel: int) -> str | None:
        """The game that GMs bound a channel to with `/gm game`."""
        return self._games.kept.get(channel)

    def bind(self, channel: int, game: str | None) -> None:
        """Bind a channel to a game, or to none."""
        others = {bound: its for bound, its in self._games.kept.items() if bound != channel}
        self._games.keep(others if game is None else others | {channel: game})
        self._asked.keep(self._asked.kept | {channel})

    def asks_game(self, channel: int) -> bool:
        """Whether to ask which game a channel plays: once, unless GMs said so, or that it plays none."""
        is_first = channel not in self._asked.kept
        self._asked.keep(self._asked.kept | {channel})
        return is_first

    @property
    def channels(self) -> set[int]:
        """The channels of which something is kept."""
        return {*self._games.kept, *self.answered_in_place.kept, *self._asked.kept}

    @property
    def servers(self) -> set[int]:
        """The servers of which something is kept."""
        told = self.welcomed.kept | self.turned_away.kept
        return {*self.rulings.servers, *self.uploads.servers, *told, *self.left.kept}

    def drop_channels(self, channels: Collection[int]) -> None:
        """Drop what is kept of channels that are gone."""
        self._games.keep({bound: game for bound, game in self._games.kept.items() if bound not in channels})
        self._asked.keep(self._asked.kept.difference(channels))
        self.answered_in_place.keep(self.answered_in_place.kept.difference(channels))

    def leave(self, server: int, channels: Collection[int], now: float) -> None:
        """Note that the bot has left a server; it is welcomed again where it comes back."""
        self.left.keep({server: LeftServer(now, tuple(channels))} | self.left.kept)
        for told in (self.welcomed, self.turned_away):
            told.keep(told.kept - {server})

    def come_back(self, servers: Collection[int]) -> None:
        """Note that the bot is in these servers."""
        self.left.keep({server: left for server, left in self.left.kept.items() if server not in servers})

    def drop_server(self, server: int) -> None:
        """Drop what is kept of a server for good."""
        if server in self.left.kept:
            self.drop_channels(self.left.kept[server].channels)
        self.come_back([server])
        self.met.keep(self.met.kept and self.met.kept - {server})
        self.rulings.drop_server(server)
        self.uploads.drop_server(server)
