"""Books are found by any name that people and books give them."""

import pytest

from rag.library.books.book import BookSummary
from rag.library.books.catalog import Catalog


def book(title: str, file: str, game: str = "GURPS", codes: tuple[str, ...] = ()) -> BookSummary:
    return BookSummary(title, file, game, "en", "player", codes, 1, None, None, 0, 0)


BASIC = book("GURPS Basic Set: Characters", "gurps/basic.pdf", codes=("B",))
POWERS = book("GURPS Powers", "gurps/powers.pdf", codes=("P",))
MAGIC = book("Magia e Ação", "gurps/magia.pdf")
BESTIARY = book("Bestiary", "dark/bestiary.pdf", "Dark", codes=("B",))
CATALOG = Catalog([BASIC, BESTIARY, MAGIC, POWERS])


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("GURPS Powers", [POWERS]),
        ("gurps powers", [POWERS]),
        ("Powers", [POWERS]),
        ("the Powers", [POWERS]),
        ("P", [POWERS]),
        ("gurps/powers.pdf", [POWERS]),
        ("powers.pdf", [POWERS]),
        ("Basic Set", [BASIC]),
        ("basic set: characters", [BASIC]),
        ("magia e acao", [MAGIC]),
        ("Dark Bestiary", [BESTIARY]),
        ("GURPS", [BASIC, MAGIC, POWERS]),
        ("dark", [BESTIARY]),
        ("B", [BASIC, BESTIARY]),
        ("Power", []),
        ("", []),
        ("!", []),
    ],
)
def test_a_name_finds_its_books(name: str, meant: list[BookSummary]) -> None:
    assert CATALOG.find(name) == meant


def test_a_name_means_a_book_of_the_game_where_it_is_printed() -> None:
    assert CATALOG.works("B", POWERS) == [BASIC]
    assert CATALOG.works("B", BESTIARY) == [BESTIARY]


def test_initials_are_asked_with_and_no_reference_of_a_book() -> None:
    guide = book("Dune Master's Guide 2nd Edition", "dunes/guide.pdf", "Tale of Two Dunes")
    catalog = Catalog([*CATALOG.books, guide])
    assert [catalog.find(name) for name in ("DMG", "totd", "TTD")] == [[guide]] * 3
    assert catalog.find("DMG", guide) == []


def test_a_name_that_could_mean_several_works_means_none() -> None:
    assert CATALOG.works("GURPS", POWERS) == []


def test_volumes_share_title_and_game() -> None:
    second = book("GURPS Powers", "gurps/powers-2.pdf")
    catalog = Catalog([POWERS, second, BASIC])
    assert catalog.volumes(POWERS) == [POWERS, second]
    assert catalog.works("Powers", BASIC) == [POWERS, second]


def test_a_game_and_a_book_of_that_name_mean_the_game_unless_a_book_names_it() -> None:
    tide, errata = (
        book("Tide Rules", "tide/rules.pdf", "High Tide"),
        book("High Tide", "tide/e.pdf", "High Tide"),
    )
    catalog = Catalog([errata, tide])
    assert catalog.find("high tide") == [errata, tide]
    assert catalog.works("High Tide", tide) == [errata]
    assert catalog.own_name(errata) == "tide/e.pdf"
    assert catalog.own_name(tide) == "Tide Rules"


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("gurps power", ["GURPS Powers"]),
        ("Basic Sett", ["GURPS Basic Set: Characters"]),
        ("bestiry", ["Bestiary"]),
        ("magia e acoes", ["Magia e Ação"]),
        ("xyzzy", []),
        ("", []),
    ],
)
def test_a_misspelt_name_is_near_to_what_was_meant(name: str, nearest: list[str]) -> None:
    assert CATALOG.nearest(name)[:1] == nearest
