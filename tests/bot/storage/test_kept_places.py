"""What is kept of channels, in files that an earlier release wrote too."""

import json
from pathlib import Path

import pytest

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


def test_entries_of_a_later_release_are_told_and_stay_as_they_are_when_others_change(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    games, welcomed = tmp_path / "channel_games.json", tmp_path / "welcomed_servers.json"
    games.write_text('{"1": "Tides", "2": {"games": ["Tides"]}}')
    welcomed.write_text('[1, 1, {"id": 2}]')
    kept = KeptPlaces(tmp_path)
    assert caplog.text.count("cannot be read: 1") == 2
    kept.bind(3, "Knots")
    kept.welcomed.keep(frozenset({1, 4}))
    assert json.loads(games.read_bytes()) == {"1": "Tides", "3": "Knots", "2": {"games": ["Tides"]}}
    assert json.loads(welcomed.read_bytes()) == [1, 4, {"id": 2}]
