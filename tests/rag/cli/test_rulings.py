"""The terminal asks as a table's own: by the rulings that the bot keeps of a server."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.books.rulings import TableRulings
from rag.cli.ask import rulings_in
from rag.errors import NoRulings
from rag.library.books.ruling import Ruling
from tests.conftest import Run

SERVER = 7
LAMPS = Ruling("How far does a lamp shine?", "Lamps – W12", "Three paces.", None, game="Tides")
ANY_GAME = Ruling("May we retrain?", "", "Once.", None)
OVER = Ruling("May we rest?", "", "No.", None, until=datetime.now(UTC) - timedelta(hours=1), game="Tides")


def test_what_holds_at_a_table_is_read_from_the_folder_of_its_server(tmp_path: Path) -> None:
    kept = TableRulings(tmp_path)
    for ruling in (LAMPS, ANY_GAME, OVER):
        kept.add(SERVER, ruling)
    found = rulings_in(tmp_path / "rulings" / str(SERVER))
    assert [(one.game, one.text) for one in found] == [("Tides", "Three paces."), ("", "Once.")]


def test_a_folder_without_rulings_is_told(tmp_path: Path) -> None:
    with pytest.raises(NoRulings):
        rulings_in(tmp_path / "rulings")


PRICE = "How much does Tidesense 3 cost?"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The rulings of a table of the sample game."""
    ruling = Ruling(
        PRICE, "Tidesense – Wading Orders, p. 9", "Twenty stamps.", None, game="Letters at Low Water"
    )
    TableRulings(tmp_path).add(SERVER, ruling)
    return tmp_path / "rulings" / str(SERVER)


def test_an_answer_tells_the_ruling_of_the_table_first(rag: Run, folder: Path) -> None:
    printed = rag("ask", PRICE, "--rulings", str(folder)).stdout
    assert 0 < printed.find("Twenty stamps.") < printed.find("21 stamps")


def test_by_print_alone_an_answer_leaves_the_ruling_out(rag: Run, folder: Path) -> None:
    printed = rag("ask", PRICE, "--rulings", str(folder), "--book-only").stdout
    assert "Twenty stamps." not in printed
    assert "21 stamps" in printed


def test_an_answer_tells_why_where_that_is_asked_for(rag: Run) -> None:
    assert f"Searched: “{PRICE}”" in rag("ask", PRICE, "--why").stdout
