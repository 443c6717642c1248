"""The terminal asks as a table's own: by the rulings that the bot keeps of a server."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.books.rulings import Rulings
from rag.cli.rulings import rulings_in
from rag.errors import NoRulings
from rag.library.books.ruling import Ruling

SERVER = 7
LAMPS = Ruling("How far does a lamp shine?", "Lamps – W12", "Three paces.", None, game="Tides")
ANY_GAME = Ruling("May we retrain?", "", "Once.", None)
OVER = Ruling("May we rest?", "", "No.", None, until=datetime.now(UTC) - timedelta(hours=1), game="Tides")


def test_what_holds_at_a_table_is_read_from_the_folder_of_its_server(tmp_path: Path) -> None:
    kept = Rulings(tmp_path)
    for ruling in (LAMPS, ANY_GAME, OVER):
        kept.add(SERVER, ruling)
    found = rulings_in(tmp_path / "rulings" / str(SERVER))
    assert [(one.game, one.text) for one in found] == [("Tides", "Three paces."), ("", "Once.")]


def test_a_folder_without_rulings_is_told(tmp_path: Path) -> None:
    with pytest.raises(NoRulings):
        rulings_in(tmp_path / "rulings")
