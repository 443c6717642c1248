"""Which files of a library are books, and which only lie beside them."""

from pathlib import Path

import pytest

from rag.config import SAMPLE_LIBRARY, Settings
from rag.library.books.files import KINDS, holds_books, library_files
from rag.library.index.open import library_settings
from rag.texts import LOCALES, texts_for


def found(library: Path, *names: str) -> list[str]:
    """Those of the files of some names that are taken for books."""
    for name in names:
        path = library / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("A fall costs 1d6.", encoding="utf-8")
    books, _ = library_files(library, {}, KINDS)
    return [book.file for book in books]


@pytest.mark.parametrize(
    "name",
    [
        "README.md",
        "readme_first.txt",
        "LICENSE.txt",
        "licence.md",
        "OGL 1.0a.txt",
        "ogl.pdf",
        "NOTICE.md",
        "CHANGELOG.md",
        ".hidden.md",
        ".obsidian/notes.md",
        "~$house-rules.txt",
        "Rules_files/saved_resource.html",
    ],
)
def test_what_lies_beside_books_is_none(name: str, tmp_path: Path) -> None:
    assert found(tmp_path, name, "Rules.html") == ["Rules.html"]


@pytest.mark.parametrize(
    "name", ["Noticeboard Quests.md", "Oglaf.pdf", "my_files/rules.md", "Licensed Heroes.txt"]
)
def test_a_book_whose_name_only_begins_alike_is_one(name: str, tmp_path: Path) -> None:
    assert found(tmp_path, name) == [name]


@pytest.mark.parametrize(
    ("name", "says"),
    [("rules.doc", "DOCX"), ("core.mobi", "EPUB"), ("map.djvu", "PDF"), ("all.zip", "Unpack")],
)
def test_a_document_that_is_not_read_is_named_with_what_to_save_it_as(
    name: str, says: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(b"x")
    books, (problem,) = library_files(tmp_path, {}, KINDS)
    assert (books, problem.file) == ([], name)
    assert says in texts_for("en")(problem.key, **problem.values)
    for locale in LOCALES:
        assert name in texts_for(locale)(problem.key, **problem.values)


def test_a_document_that_was_saved_anew_beside_itself_is_no_problem(tmp_path: Path) -> None:
    assert found(tmp_path, "rules.doc", "rules.docx") == ["rules.docx"]
    assert library_files(tmp_path, {}, KINDS)[1] == []


@pytest.mark.parametrize("name", ["rules.pdf", "casa/regras.md", "rules.txt", "rules.html", "rules.doc"])
def test_any_book_takes_the_place_of_the_sample_game(name: str, tmp_path: Path) -> None:
    found(tmp_path, name)
    assert holds_books(tmp_path)
    settings = Settings(library_dir=tmp_path)
    assert library_settings(settings) is settings


@pytest.mark.parametrize("name", ["README.md", "LICENSE", ".gitkeep", "library.toml", "cover.png"])
def test_what_is_no_book_leaves_the_sample_game_in_place(name: str, tmp_path: Path) -> None:
    found(tmp_path, name)
    settings = Settings(library_dir=tmp_path, index_dir=tmp_path / ".index")
    assert library_settings(settings).library_dir == SAMPLE_LIBRARY
