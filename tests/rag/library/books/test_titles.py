"""What a book without a title of its own is called."""

from pathlib import PurePosixPath

import pytest

from rag.library.books.titles import names_of, sensible_title, title_of_file


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


def test_a_short_name_that_could_mean_two_books_means_none() -> None:
    assert "Magic" not in names_of(["GURPS Magic", "GURPS Powers", "OGL Magic"])


@pytest.mark.parametrize(
    "title", ["", "Microsoft Word - x.doc", "untitled", "rules_final_2.indd", "book01", "12345", "Layout 1"]
)
def test_what_a_program_left_behind_is_no_title(title: str) -> None:
    assert sensible_title(title) is None
    assert sensible_title("Wading  Orders") == "Wading Orders"
