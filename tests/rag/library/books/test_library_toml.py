"""`library.toml` says what the files do not; folders say the rest."""

from pathlib import Path

import pytest

from rag.errors import LibraryTomlError
from rag.library.books.catalog import Catalog
from rag.library.books.library_toml import (
    DeclaredBook,
    audience_of,
    folder_problems,
    library_toml_problems,
    read_library_toml,
)
from rag.texts import texts_for
from tests.rag.library.small_library import SmallLibrary, parsed_book


def written(folder: Path, text: str) -> Path:
    """A library with a library.toml of some text."""
    (folder / "library.toml").write_text(text, encoding="utf-8")
    return folder


def test_library_toml_is_read_by_file(tmp_path: Path) -> None:
    text = """
        [[book]]
        file = "gurps/powers.pdf"
        title = "GURPS Powers"
        codes = ["P", "PO"]
        first_printed_page = 1
        on_pdf_page = 3
        audience = "gm"
        amends = "gurps/basic.pdf"
        """
    powers = DeclaredBook("gurps/powers.pdf", "GURPS Powers", ("P", "PO"), 1, 3, "gm", "gurps/basic.pdf")
    assert read_library_toml(written(tmp_path, text)) == {"gurps/powers.pdf": powers}


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
def test_a_wrong_library_toml_is_refused_saying_where_and_what_is_expected(
    tmp_path: Path, text: str, says: str
) -> None:
    with pytest.raises(LibraryTomlError) as refused:
        read_library_toml(written(tmp_path, text))
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


# Mistakes that only the books show: each is named when the library is indexed, and in `/gm check`

FILES = ["sea/core.pdf", "sea/deep.pdf", "sky/core.pdf"]


def declared(*books: str) -> str:
    return "\n".join(f"[[book]]\n{book}" for book in books)


@pytest.mark.parametrize(
    ("books", "problems"),
    [
        (['file = "sea/cor.pdf"'], [("sea/cor.pdf", "book-declared-missing")]),
        (['file = "sea/deep.pdf"\namends = "sea/cor.pdf"'], [("sea/deep.pdf", "book-amends-missing")]),
        (['file = "sea/deep.pdf"\ncodes = ["Core 1"]'], [("sea/deep.pdf", "book-code-unusable")]),
        (['file = "sea/deep.pdf"\ncodes = [""]'], [("sea/deep.pdf", "book-code-unusable")]),
        (['file = "sea/deep.pdf"\ncodes = ["c"]'], [("sea/deep.pdf", "book-code-unusable")]),
        (['file = "sea/deep.pdf"\ncodes = ["MA", "P2", "Mag"]\namends = "sea/core.pdf"'], []),
    ],
)
def test_a_declaration_that_cannot_be_meant_so_is_a_problem(
    tmp_path: Path, books: list[str], problems: list[tuple[str, str]]
) -> None:
    found = library_toml_problems(read_library_toml(written(tmp_path, declared(*books))), FILES)
    assert [(problem.file, problem.key) for problem in found] == problems
    for problem in found:
        for language in ("en", "pt-BR"):
            assert problem.file in texts_for(language)(problem.key, **problem.values)


@pytest.mark.parametrize(
    ("file", "first_number", "shared"),
    [("sea/core.pdf", 1, ["B"]), ("sea/core.pdf", 2, []), ("sky/core.pdf", 1, [])],
)
def test_two_books_of_one_game_share_a_code_only_as_volumes_of_a_work(
    small: SmallLibrary, file: str, first_number: int, shared: list[str]
) -> None:
    for name, number in (("sea/deep.pdf", 1), (file, first_number)):
        small.put_parsed(name, parsed_book("Lanterns burn.", title=f"Of {name}", first_number=number))
    small.write(
        "library.toml", declared(*(f'file = "{one}"\ncodes = ["B"]' for one in ("sea/deep.pdf", file)))
    )
    found = small.ingest().problems
    assert [problem.values["code"] for problem in found if problem.key == "book-code-shared"] == shared


def test_an_unusable_code_is_no_code_of_the_book(small: SmallLibrary) -> None:
    small.put("light.pdf", ["A lantern burns for six hours."])
    small.write("library.toml", declared('file = "light.pdf"\ncodes = ["Core 1", "", "L"]'))
    assert [book.codes for book in small.ingest().books] == [("L",)]


def test_a_declared_page_beyond_the_end_is_a_problem_until_it_is_mended(small: SmallLibrary) -> None:
    small.put("light.pdf", ["A lantern burns for six hours."] * 2)
    small.write("library.toml", declared('file = "light.pdf"\nfirst_printed_page = 1\non_pdf_page = 3'))
    (problem,) = small.ingest().problems
    assert (problem.key, problem.values) == ("book-page-beyond", {"file": "light.pdf", "page": 3, "pages": 2})
    assert small.ingest().problems == (problem,)
    small.write("library.toml", declared('file = "light.pdf"\nfirst_printed_page = 1\non_pdf_page = 2'))
    assert small.ingest().problems == ()


@pytest.mark.parametrize(
    "folder",
    ["Gm only", "sea/gm-notes", "GMs", "for gm", "sea/só mestre", "Game Master", "master_only", "DM"],
)
def test_a_folder_that_looks_meant_for_the_gm_while_players_read_it_is_a_problem(folder: str) -> None:
    (problem,) = folder_problems({}, [f"{folder}/a.pdf", f"{folder}/b.pdf"])
    assert (problem.file, problem.key) == (folder, "folder-looks-gm")


@pytest.mark.parametrize("file", ["gm/a.pdf", "sea/GM/gm notes/a.pdf", "gmtools/a.pdf", "sea/gm-screen.pdf"])
def test_a_folder_named_gm_and_words_that_only_begin_so_are_none(file: str) -> None:
    assert folder_problems({}, [file]) == []


def test_a_folder_whose_books_are_declared_is_none(small: SmallLibrary) -> None:
    small.put("gm screens/a.pdf", ["A lantern burns for six hours."])
    assert [problem.key for problem in small.ingest().problems] == ["folder-looks-gm"]
    small.write("library.toml", declared('file = "gm screens/a.pdf"\naudience = "everyone"'))
    assert small.ingest().problems == ()


def test_a_game_goes_by_its_declared_name_and_its_aliases_without_being_read_again(
    small: SmallLibrary,
) -> None:
    small.put_parsed("sea/core.pdf", parsed_book("Lanterns burn.", title="Core"))
    small.put_parsed("sky/core.pdf", parsed_book("Kites fly.", title="Sky Core"))
    small.ingest()
    game = '[[game]]\nfolder = "sea"\nname = "Deep Tides"\naliases = ["dtrpg"]\n'
    small.write("library.toml", f'{game}[[server]]\nid = "7"\ngames = ["sea"]\n')
    assert [book.game for book in small.ingest().books] == ["Deep Tides", "Sky"]
    library = small.open()
    for asked in ("how long do lanterns burn in dtrpg", "Deep Tides: how long do lanterns burn"):
        assert library.queries("player").named_books(asked).files == {"sea/core.pdf"}
    assert Catalog(library.books("player")).find("DTRPG")[0].game == "Deep Tides"
    assert library.servers() == {"7": ("Deep Tides",)}


def test_a_mistake_in_the_entry_of_a_game_is_told(tmp_path: Path) -> None:
    for text, says in (
        ('name = "Sea"', "“folder” is missing"),
        ('folder = "sea"\ncode = "S"', "no key “code”"),
    ):
        with pytest.raises(LibraryTomlError) as refused:
            read_library_toml(written(tmp_path, f"[[game]]\n{text}"))
        assert says in texts_for("en")(refused.value.key, **refused.value.values)
