"""Codes are told by what stands on the pages they name, and stay unknown where that is not clear."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from rag.library.books.library_toml import DeclaredBook
from rag.library.books.page import Heading, Page
from rag.library.books.reader_catalogs import NamedBook, catalogs
from rag.library.references.code_evidence import proven_codes
from tests.rag.library.small_library import parsed_book

POWERS = ("Tidesense", "Ironhide", "Emberlung", "Gravestep", "Stormcall", "Moonbind", "Ashwalk", "Farsight")
BEASTS = ("Mire Drake", "Ash Hound", "Bone Heron", "Cinder Bear", "Fen Giant", "Ice Basilisk", "Marsh Troll")
USES = "It has Tidesense (p. P1). See Stormcall, p. P5. The sight is Farsight (P8)."


def book(
    file: str,
    topics: Sequence[str],
    *texts: str,
    title: str | None = None,
    first: int = 1,
    declared: DeclaredBook | None = None,
    codes: Mapping[str, str] | None = None,
) -> NamedBook:
    """A book with a topic a page as its heading, and pages without one behind them."""
    pages = [
        Page(place, str(first + place - 1), f"{topic}\n\nA rule.", (Heading(1, topic, 0),), "text", False)
        for place, topic in enumerate(topics, start=1)
    ]
    last = len(pages)
    pages += [
        Page(last + place, str(first + last + place - 1), text, (), "text", False)
        for place, text in enumerate(texts, start=1)
    ]
    return NamedBook(file, parsed_book(*pages, title=title, codes=codes), declared)


def meant(*books: NamedBook, in_file: str) -> dict[str, list[str]]:
    """The files that each code means where it is printed in a file."""
    codes = proven_codes(books, catalogs(books)["gm"])[in_file]
    return {code: sorted(files) for code, files in codes.items()}


POWERS_BOOK = book("line/powers.pdf", POWERS)


def test_what_is_named_beside_a_code_proves_its_book_without_any_statement() -> None:
    beasts = book("line/beasts.pdf", BEASTS, USES)
    assert meant(POWERS_BOOK, beasts, in_file="line/beasts.pdf") == {"P": ["line/powers.pdf"]}


def test_a_code_for_a_book_that_is_not_here_stays_unknown() -> None:
    psionics = "It has Mind Blade (p. P1), Dream Sending (p. P5) and, at times, Thought Shield (p. P7)."
    assert not meant(POWERS_BOOK, book("line/beasts.pdf", BEASTS, psionics), in_file="line/beasts.pdf")


def test_codes_beside_which_nothing_is_said_prove_nothing() -> None:
    assert not meant(
        POWERS_BOOK, book("line/beasts.pdf", BEASTS, "(p. P1). (p. P5)"), in_file="line/beasts.pdf"
    )


@pytest.mark.parametrize("front", ["", "iv"])
def test_volumes_with_one_numbering_share_a_code_behind_roman_front_matter_too(front: str) -> None:
    first = book("line/one.pdf", POWERS, title="Core Rules: Heroes")
    roman = tuple(
        Page(place, label, "By many hands.", (), "text", False) for place, label in enumerate(front, 1)
    )
    first = replace(first, parsed=replace(first.parsed, pages=(*roman, *first.parsed.pages)))
    second = book("line/two.pdf", BEASTS, title="Core Rules: World", first=9)
    home = book(
        "line/home.pdf", (), "Tidesense (p. B1), Farsight (p. B8), Mire Drake (p. B9), Fen Giant (p. B13)."
    )
    assert meant(first, second, home, in_file="line/home.pdf") == {"B": ["line/one.pdf", "line/two.pdf"]}


def test_a_book_whose_page_numbers_have_the_letter_is_meant() -> None:
    pages = [
        Page(place, f"M{place}", f"{topic}\n\nA rule.", (Heading(1, topic, 0),), "text", False)
        for place, topic in enumerate(POWERS, start=1)
    ]
    arcana = NamedBook("line/arcana.pdf", parsed_book(*pages, title="Arcana"), None)
    home = book("line/core.pdf", BEASTS, "See Gravestep, p. M4, Ashwalk, p. M7, or Ironhide, p. M2.")
    assert meant(arcana, home, in_file="line/core.pdf") == {"M": ["line/arcana.pdf"]}


@pytest.mark.parametrize(
    ("powers", "prey"),
    [("one/powers.pdf", "two/prey.pdf"), ("powers.pdf", "prey.pdf")],
    ids=["of two games", "in one folder"],
)
def test_two_books_may_use_the_same_letters(powers: str, prey: str) -> None:
    books = [
        book(powers, POWERS, USES),
        book(prey, BEASTS, "A Mire Drake (p. P1), a Bone Heron (p. P3), an Ice Basilisk (p. P6)."),
    ]
    assert [meant(*books, in_file=file) for file in (powers, prey)] == [{"P": [powers]}, {"P": [prey]}]


def test_what_is_declared_is_certain() -> None:
    declared = DeclaredBook("line/beasts.pdf", codes=("P",))
    beasts = book("line/beasts.pdf", BEASTS, USES, declared=declared)
    assert meant(POWERS_BOOK, beasts, in_file="line/beasts.pdf") == {"P": ["line/beasts.pdf"]}


def test_letters_of_dice_and_armour_are_no_codes() -> None:
    text = "An ogre (AC5) deals D6, a giant (AC7) deals D8. It has Ironhide (HD4) or (HD6)."
    assert not meant(POWERS_BOOK, book("line/beasts.pdf", BEASTS, text), in_file="line/beasts.pdf")


def test_a_code_that_two_books_fit_alike_stays_unknown() -> None:
    arcana, secrets = (book(f"line/{name}.pdf", POWERS, title=name) for name in ("Arcana", "Secrets"))
    uses = "Tidesense (p. X1), Ironhide (p. X2), Stormcall (p. X5), Farsight (p. X8)."
    home = book("line/core.pdf", BEASTS, uses)
    assert meant(arcana, home, in_file="line/core.pdf") == {"X": ["line/Arcana.pdf"]}
    assert not meant(arcana, secrets, home, in_file="line/core.pdf")


def test_one_name_on_its_page_proves_no_code() -> None:
    home = book("line/core.pdf", BEASTS, "It has Tidesense (p. X1). See page X2 and page X3.")
    assert not meant(POWERS_BOOK, home, in_file="line/core.pdf")
