"""Mistakes that only the books show: each is named when the library is indexed, and in `/gm check`."""

import pytest

from rag.library.books.library_toml import folder_problems, library_toml_problems, parse_library_toml
from rag.texts import texts_for
from tests.rag.library.small_library import SmallLibrary

FILES = ["sea/core.pdf", "sea/deep.pdf", "sky/core.pdf"]


def declared(*books: str) -> str:
    return "\n".join(f"[[book]]\n{book}" for book in books)


def found(*books: str) -> list[tuple[str, str]]:
    problems = library_toml_problems(parse_library_toml(declared(*books)), FILES)
    for problem in problems:
        for language in ("en", "pt-BR"):
            assert problem.file in texts_for(language)(problem.key, **problem.values)
    return [(problem.file, problem.key) for problem in problems]


@pytest.mark.parametrize(
    ("book", "problem"),
    [
        ('file = "sea/cor.pdf"', ("sea/cor.pdf", "book-declared-missing")),
        ('file = "sea/deep.pdf"\namends = "sea/cor.pdf"', ("sea/deep.pdf", "book-amends-missing")),
        ('file = "sea/deep.pdf"\namends = "sea/deep.pdf"', ("sea/deep.pdf", "book-amends-itself")),
        ('file = "sea/deep.pdf"\ncodes = ["Core 1"]', ("sea/deep.pdf", "book-code-unusable")),
        ('file = "sea/deep.pdf"\ncodes = [""]', ("sea/deep.pdf", "book-code-unusable")),
        ('file = "sea/deep.pdf"\ncodes = ["c"]', ("sea/deep.pdf", "book-code-unusable")),
    ],
)
def test_a_declaration_that_cannot_be_meant_so_is_a_problem(book: str, problem: tuple[str, str]) -> None:
    assert found(book) == [problem]


@pytest.mark.parametrize("codes", ['["B"]', '["MA", "P2"]', '["Mag"]', "[]"])
def test_a_right_declaration_is_none(codes: str) -> None:
    assert found(f'file = "sea/deep.pdf"\ncodes = {codes}\namends = "sea/core.pdf"') == []


def test_two_books_of_one_game_may_not_share_a_code() -> None:
    core, deep = 'file = "sea/core.pdf"\ncodes = ["B"]', 'file = "sea/deep.pdf"\ncodes = ["D", "B"]'
    assert found(core, deep) == [("sea/deep.pdf", "book-code-shared")]


def test_books_of_different_games_and_volumes_of_one_work_may() -> None:
    core, sky = 'file = "sea/core.pdf"\ncodes = ["B"]', 'file = "sky/core.pdf"\ncodes = ["B"]'
    volumes = [f'file = "sea/{name}.pdf"\ntitle = "Sea"\ncodes = ["B"]' for name in ("core", "deep")]
    assert found(core, sky) == []
    assert found(*volumes) == []


def test_an_unusable_code_is_no_code_of_the_book(small: SmallLibrary) -> None:
    small.put("light.pdf", ["A lantern burns for six hours."])
    small.write("library.toml", declared('file = "light.pdf"\ncodes = ["Core 1", "", "L"]'))
    assert [book.codes for book in small.ingest().books] == [("L",)]


def test_a_declared_page_beyond_the_end_is_a_problem_until_it_is_mended(small: SmallLibrary) -> None:
    small.put("light.pdf", ["A lantern burns for six hours."] * 2)
    small.write("library.toml", declared('file = "light.pdf"\nfirst_printed_page = 1\non_pdf_page = 3'))
    (problem,) = small.ingest().problems
    assert (problem.key, problem.values) == (
        "book-page-beyond",
        {"file": "light.pdf", "page": 3, "pages": 2},
    )
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
