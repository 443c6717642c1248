"""What GMs said of channels and servers, by the places: it goes with them."""

from collections.abc import Iterable
from dataclasses import dataclass

from bot.books.channel_games import ChannelGames
from bot.books.rulings import TableRulings
from bot.storage.kept_ids import KeptIds


@dataclass(frozen=True, slots=True)
class KeptPlaces:
    """What GMs said of channels and servers, and which of these were welcomed."""

    channel_games: ChannelGames
    channels_in_place: KeptIds
    rulings: TableRulings
    welcomed: KeptIds

    @property
    def channels(self) -> set[int]:
        """The channels of which something is kept."""
        return {*self.channel_games.channels, *self.channels_in_place}

    @property
    def servers(self) -> set[int]:
        """The servers of which something is kept."""
        return {*self.rulings.servers, *self.welcomed}

    def drop_channels(self, channels: Iterable[int]) -> None:
        """Drop what is kept of channels that are gone."""
        gone = list(channels)
        self.channel_games.forget(gone)
        self.channels_in_place.drop(gone)

    def drop_server(self, server: int) -> None:
        """Drop what is kept of a server that the bot has left."""
        self.rulings.drop_server(server)
        self.welcomed.drop([server])
