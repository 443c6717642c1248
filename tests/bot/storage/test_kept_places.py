"""What is kept of channels, in files that an earlier release wrote too."""

from pathlib import Path

from bot.storage.kept_places import KeptPlaces


def test_what_is_kept_of_channels_that_are_gone_leaves_the_files(tmp_path: Path) -> None:
    (tmp_path / "channel_games.json").write_text('{"1": "Tides", "2": "Tides"}')
    (tmp_path / "channels_in_place.json").write_text("[1, 2]")
    (tmp_path / "channels_asked_game.json").write_text("[2, 3]")
    KeptPlaces(tmp_path).drop_channels([2, 3])
    kept = KeptPlaces(tmp_path)
    assert kept.asks_game(2)
    kept.drop_channels([2])
    assert (kept.game_of(1), kept.game_of(2)) == ("Tides", None)
    assert kept.channels == kept.answered_in_place.kept == {1}
