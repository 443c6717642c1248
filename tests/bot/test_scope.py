"""Which books a question is about."""

import pytest

from bot.errors import OtherGame
from bot.scope import scope
from rag.errors import UnknownBook
from tests.bot.table import KNOTS, WADING, book

EMBERS = book("Core Rules", game="Embers")
BOOKS = [WADING, KNOTS, EMBERS]


def test_a_bound_channel_asks_its_game() -> None:
    assert scope(BOOKS, None, "Embers") == "Embers"


def test_an_option_narrows_a_bound_channel_to_a_book_of_its_game() -> None:
    assert scope(BOOKS, "Core Rules", "Embers") == "Core Rules"


def test_a_book_of_another_game_is_refused_in_a_bound_channel() -> None:
    with pytest.raises(OtherGame):
        scope(BOOKS, "Wading Orders", "Embers")


def test_without_a_binding_the_option_counts() -> None:
    assert scope(BOOKS, "Embers", None) == "Embers"


def test_without_either_everything_is_asked() -> None:
    assert scope(BOOKS, None, None) is None


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(UnknownBook):
        scope(BOOKS, "Chess", None)
