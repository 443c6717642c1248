"""`library.toml` says what the files do not; folders say the rest."""

from pathlib import Path

import pytest

from rag.errors import ConfigurationError
from rag.library.catalogue import (
    DeclaredBook,
    audience_of,
    game_of,
    parse_catalogue,
    read_catalogue,
    readable,
)


def test_a_library_without_a_catalogue_declares_nothing(tmp_path: Path) -> None:
    assert read_catalogue(tmp_path) == {}


def test_a_catalogue_is_read_by_file(tmp_path: Path) -> None:
    (tmp_path / "library.toml").write_text(
        """
        [[book]]
        file = "gurps/powers.pdf"
        title = "GURPS Powers"
        codes = ["P", "PO"]
        first_printed_page = 1
        on_pdf_page = 3
        audience = "gm"
        amends = "gurps/basic.pdf"
        """
    )
    assert read_catalogue(tmp_path) == {
        "gurps/powers.pdf": DeclaredBook(
            file="gurps/powers.pdf",
            title="GURPS Powers",
            codes=("P", "PO"),
            first_printed_page=1,
            on_pdf_page=3,
            audience="gm",
            amends="gurps/basic.pdf",
        )
    }


def test_everyone_means_players_too() -> None:
    declared = parse_catalogue('[[book]]\nfile = "gm/handout.pdf"\naudience = "everyone"')
    assert audience_of("gm/handout.pdf", declared["gm/handout.pdf"]) == "player"


def test_backslashes_name_the_same_file() -> None:
    assert "a/b.pdf" in parse_catalogue("[[book]]\nfile = 'a\\b.pdf'")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('[[book]]\ntitle = "No file"', "book 1, file"),
        ('[[book]]\nfile = "a.pdf"\n[[book]]\nfile = "b.pdf"\npages = 3', "book 2, pages"),
        ('[[book]]\nfile = "a.pdf"\ncodes = "B"', "book 1, codes"),
        ('[[book]]\nfile = "a.pdf"\naudience = "players"', "book 1, audience"),
        ('[[book]]\nfile = "a.pdf"\non_pdf_page = 0', "book 1, on_pdf_page"),
        ('[[book]]\nfile = "a.pdf"\nfirst_printed_page = 1', "book 1"),
        ('[[book]]\nfile = "a.pdf"\n[[book]]\nfile = "a.pdf"', "file"),
        ('[[books]]\nfile = "a.pdf"', "books"),
        ("[[book]\n", "library.toml"),
    ],
)
def test_a_wrong_catalogue_is_refused_naming_file_and_key(text: str, names: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        parse_catalogue(text)
    variable = refused.value.values["variable"]
    assert "library.toml" in variable
    assert names in variable
    assert refused.value.values["reason"]


@pytest.mark.parametrize("file", ["gm/secrets.pdf", "game/GM/secrets.pdf", "game/Gm/deep/secrets.pdf"])
def test_books_in_a_folder_named_gm_are_for_the_gm(file: str) -> None:
    assert audience_of(file, None) == "gm"


@pytest.mark.parametrize("file", ["gm.pdf", "game/gm-screen.pdf", "game/gmtools/a.pdf"])
def test_other_books_are_for_everyone(file: str) -> None:
    assert audience_of(file, None) == "player"


def test_the_game_is_the_first_folder() -> None:
    assert game_of("basic-fantasy/extra/monsters.pdf") == "Basic Fantasy"
    assert game_of("monsters.pdf") == ""


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("fire-and-sword_2e", "Fire and Sword 2e"),
        ("GURPS powers", "GURPS Powers"),
        ("the_book_of_knots", "The Book of Knots"),
        ("o-livro-das-marés", "O Livro das Marés"),
        ("___", "___"),
    ],
)
def test_file_names_are_made_readable(name: str, title: str) -> None:
    assert readable(name) == title
