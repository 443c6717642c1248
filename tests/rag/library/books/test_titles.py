"""What a book without a title of its own is called."""

from pathlib import PurePosixPath

import pytest

from rag.library.books.titles import initials_of, names_of, sensible_title, title_of_file


@pytest.mark.parametrize(
    ("file", "title"),
    [
        ("odd-tides/core.pdf", "Odd Tides"),
        ("odd-tides/Rules_EN_v1.2.pdf", "Odd Tides"),
        ("odd-tides/livro-de-regras-digital.pdf", "Odd Tides"),
        ("odd-tides/Spielregeln.pdf", "Odd Tides"),
        ("odd-tides/règles.pdf", "Odd Tides"),
        ("odd-tides/gm/rulebook.pdf", "Odd Tides"),
        ("sea/odd-tides/manual.pdf", "Odd Tides"),
    ],
)
def test_a_file_called_rules_and_no_more_has_its_folders_name(file: str, title: str) -> None:
    assert title_of_file(PurePosixPath(file)) == title


@pytest.mark.parametrize(
    ("file", "title"),
    [
        ("sea/odd-tides.pdf", "Odd Tides"),
        ("sea/odd-tides-core-rules.pdf", "Odd Tides Core Rules"),
        ("sea/2.pdf", "2"),
        ("rulebook.pdf", "Rulebook"),
        ("gm/rulebook.pdf", "Rulebook"),
    ],
)
def test_any_other_file_has_its_own_name(file: str, title: str) -> None:
    assert title_of_file(PurePosixPath(file)) == title


@pytest.mark.parametrize(
    ("titles", "initials"),
    [
        (["Iron Gates of Low Water"], {"igolw", "iglw"}),
        (["Aliens of 2300"], {"ao2300", "a2300"}),
        (["Captain's Log Book"], {"clb"}),
        (["Iron Gates", "Tides", "2300"], set()),
        (["Iron Gate Guide", "Inner Grove Guide"], set()),
    ],
)
def test_initials_are_of_three_letters_and_more_and_of_one_title_alone(
    titles: list[str], initials: set[str]
) -> None:
    assert initials_of({title: title for title in titles}).keys() == initials


def test_a_book_is_known_by_its_short_names() -> None:
    names = names_of(["GURPS Powers", "The Book of Knots", "Sea Roads: A Guide", "Iron Keep RPG 3rd Edition"])
    assert names["Powers"] == "GURPS Powers"
    assert names["Book of Knots"] == "The Book of Knots"
    assert names["Sea Roads"] == "Sea Roads: A Guide"
    assert names["Iron Keep"] == "Iron Keep RPG 3rd Edition"


def test_a_short_name_that_could_mean_two_books_means_none() -> None:
    assert "Magic" not in names_of(["GURPS Magic", "GURPS Powers", "OGL Magic"])


@pytest.mark.parametrize(
    "title", ["", "Microsoft Word - x.doc", "untitled", "rules_final_2.indd", "book01", "12345", "Layout 1"]
)
def test_what_a_program_left_behind_is_no_title(title: str) -> None:
    assert sensible_title(title) is None
    assert sensible_title("Wading  Orders") == "Wading Orders"
