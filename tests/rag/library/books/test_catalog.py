"""Books are found by any name that people and books give them."""

from rag.library.books.book import BookSummary
from rag.library.books.catalog import Catalog


def book(title: str, file: str, game: str = "GURPS", codes: tuple[str, ...] = ()) -> BookSummary:
    return BookSummary(title, file, game, "en", "player", codes, 1, None, None, 0, 0)


BASIC = book("GURPS Basic Set: Characters", "gurps/basic.pdf", codes=("B",))
POWERS = book("GURPS Powers", "gurps/powers.pdf", codes=("P",))
MAGIC = book("Magia e Ação", "gurps/magia.pdf")
BESTIARY = book("Bestiary", "dark/bestiary.pdf", "Dark", codes=("B",))
CATALOG = Catalog([BASIC, BESTIARY, MAGIC, POWERS])


def test_a_name_means_a_book_of_the_game_where_it_is_printed() -> None:
    assert CATALOG.works("B", POWERS) == [BASIC]
    assert CATALOG.works("B", BESTIARY) == [BESTIARY]


def test_a_name_that_could_mean_several_works_means_none() -> None:
    assert CATALOG.works("GURPS", POWERS) == []
