"""Which books a question is about."""

import pytest

from bot.books.scope import scope, within
from bot.errors import OtherGame
from rag.library.books.book import BookSummary
from rag.library.books.catalog import Catalog
from tests.bot.table import KNOTS, WADING, book

EMBERS = book("Core Rules", game="Embers")
BOOKS = [WADING, KNOTS, EMBERS]


def test_a_book_of_another_game_is_refused_in_a_bound_channel() -> None:
    with pytest.raises(OtherGame):
        scope(BOOKS, "Wading Orders", "Embers")


def test_before_anything_is_indexed_nothing_is_refused() -> None:
    assert scope([], None, "Embers") == "Embers"


# --- names that mean books of several games ---------------------------------------------------------

CORE_OF_TIDES = book("Core Rules", game="Tides")
VOLUMES = [book("Atlas", game="Embers", file=f"embers/atlas-{number}.pdf") for number in (1, 2)]
ATLAS_OF_TIDES = book("Atlas", game="Tides")
SHARED = [CORE_OF_TIDES, EMBERS, *VOLUMES, ATLAS_OF_TIDES, book("Core Magic", game="Embers")]


def meant(option: str) -> list[BookSummary]:
    """The books asked in a channel that plays Embers."""
    return Catalog(SHARED).find(scope(SHARED, option, "Embers") or "")


def test_a_title_that_two_games_have_means_the_book_of_the_channels_game() -> None:
    assert meant("Core Rules") == [EMBERS]


def test_all_volumes_of_a_title_that_two_games_have_are_meant() -> None:
    assert meant("Atlas") == VOLUMES


@pytest.mark.parametrize("option", ["Core", "Core Rules", "rules", "Atlas", "Embers"])
def test_no_option_leads_out_of_the_channels_game(option: str) -> None:
    assert {one.game for one in meant(option)} == {"Embers"}


def test_a_name_of_another_game_alone_means_nothing_within_a_game() -> None:
    assert within(SHARED, "tides/atlas.pdf", "Embers") is None
