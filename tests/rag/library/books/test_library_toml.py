"""`library.toml` says what the files do not; folders say the rest."""

from pathlib import Path

import pytest

from rag.errors import LibraryTomlError
from rag.library.books.library_toml import (
    DeclaredBook,
    audience_of,
    game_of,
    parse_library_toml,
    read_library_toml,
    readable,
)
from rag.texts import texts_for


def test_a_library_without_library_toml_declares_nothing(tmp_path: Path) -> None:
    assert read_library_toml(tmp_path) == {}


def test_library_toml_is_read_by_file(tmp_path: Path) -> None:
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
    assert read_library_toml(tmp_path) == {
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
    declared = parse_library_toml('[[book]]\nfile = "gm/handout.pdf"\naudience = "everyone"')
    assert audience_of("gm/handout.pdf", declared["gm/handout.pdf"]) == "player"


def test_backslashes_name_the_same_file() -> None:
    assert "a/b.pdf" in parse_library_toml("[[book]]\nfile = 'a\\b.pdf'")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[[book]]\ntitle = "No file"', "book 1: its file is missing"),
        ('[[book]]\nfile = "a.pdf"\n[[book]]\nfile = "b.pdf"\npages = 3', "book 2: there is no key “pages”"),
        (
            '[[book]]\nfile = "a.pdf"\ncode = "B"',
            "may have: file, title, codes, first_printed_page, on_pdf_page",
        ),
        (
            '[[book]]\nfile = "a.pdf"\ncodes = "B"',
            'book 1: “codes” must be a list of texts, as in codes = ["P"]',
        ),
        ('[[book]]\nfile = "a.pdf"\ncodes = [1]', "book 1: “codes” must be a list of texts"),
        ('[[book]]\nfile = "a.pdf"\naudience = "players"', '“audience” must be "gm" or "everyone"'),
        ('[[book]]\nfile = "a.pdf"\non_pdf_page = 0', "“on_pdf_page” must be a whole number from 1"),
        ('[[book]]\nfile = "a.pdf"\nfirst_printed_page = 1', "book 1: first_printed_page and on_pdf_page"),
        ('[[book]]\nfile = "a.pdf"\n[[book]]\nfile = "a.pdf"', "a.pdf is declared twice"),
        ('[[books]]\nfile = "a.pdf"', "begins with the line [[book]] in double brackets"),
        ('[book]\nfile = "a.pdf"', "begins with the line [[book]] in double brackets"),
        ('file = "a.pdf"', "begins with the line [[book]] in double brackets"),
        ("book = [1]", "begins with the line [[book]] in double brackets"),
        ("[[book]\n", "at line 1, column 7"),
    ],
)
def test_a_wrong_library_toml_is_refused_saying_where_and_what_is_expected(text: str, says: str) -> None:
    with pytest.raises(LibraryTomlError) as refused:
        parse_library_toml(text)
    assert says in texts_for("en")(refused.value.key, **refused.value.values)
    assert "library.toml" in texts_for("pt-BR")(refused.value.key, **refused.value.values)


def test_library_toml_of_another_encoding_is_to_be_saved_as_utf_8(tmp_path: Path) -> None:
    (tmp_path / "library.toml").write_bytes('[[book]]\nfile = "ação.pdf"'.encode("latin-1"))
    with pytest.raises(LibraryTomlError) as refused:
        read_library_toml(tmp_path)
    assert "save it as UTF-8" in texts_for("en")(refused.value.key, **refused.value.values)


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
