"""Which game is played in which channel."""

from pathlib import Path

from bot.books.channel_games import CHANNEL_GAMES, ChannelGames


def test_the_bindings_of_channels_that_are_gone_leave_the_file(tmp_path: Path) -> None:
    channel_games = ChannelGames(tmp_path)
    for channel in (1, 2):
        channel_games.bind(channel, "Tides")
    channel_games.forget([2, 3])
    kept = ChannelGames(tmp_path)
    assert (kept.game_of(1), kept.game_of(2)) == ("Tides", None)


def test_nothing_is_written_where_no_binding_is_gone(tmp_path: Path) -> None:
    ChannelGames(tmp_path).forget([1])
    assert not (tmp_path / CHANNEL_GAMES).exists()
