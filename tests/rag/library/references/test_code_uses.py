"""What books say of the letters that they print before page numbers."""

import pytest

from rag.library.references.code_uses import stated_codes

TITLES = ("Kinfolk", "Book of Perils")


@pytest.mark.parametrize(
    "statement",
    [
        "Pages of the Kinfolk book begin with K, pages of the Book of Perils with V.",
        "See the Kinfolk (K) and the Book of Perils (V).",
        "K is for Kinfolk, V for the Book of Perils.",
    ],
)
def test_each_letter_is_of_the_title_on_its_side(statement: str) -> None:
    stated = stated_codes(statement, {"K", "V"}, lambda name: [name] if name in TITLES else [])
    assert list(stated) == [("K", "Kinfolk"), ("V", "Book of Perils")]


def test_one_title_that_is_known_is_of_the_nearer_letter() -> None:
    known = {"Book of Perils"}
    statement = "Pages of the Kinfolk begin with K, pages of the Book of Perils with V."
    stated = stated_codes(statement, {"K", "V"}, lambda name: known & {name})
    assert list(stated) == [("V", "Book of Perils")]
