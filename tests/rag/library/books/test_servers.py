"""Which server sees which games, as it is written in library.toml."""

from pathlib import Path

import pytest

from rag.errors import LibraryTomlError
from rag.library.books.library_toml import read_servers
from rag.library.books.servers import games_of_servers, server_problems
from rag.library.index.manifest import published
from rag.texts import texts_for
from tests.rag.library.small_library import SmallLibrary, parsed_book

FILES = ["gurps/powers.pdf", "fire-and-sword_2e/core.pdf", "GURPS/old.pdf", "house-rules.md"]


def test_an_entry_gives_a_server_games(tmp_path: Path) -> None:
    text = '[[server]]\nid = "11"\ngames = ["gurps"]\n[[server]]\nid = 22\ngames = []'
    (tmp_path / "library.toml").write_text(text)
    assert read_servers(tmp_path) == {"11": ("gurps",), "22": ()}


@pytest.mark.parametrize(
    "name", ["sword", "fire and sword", "the fire and sword 2e", "powers", "house-rules"]
)
def test_a_game_is_never_taken_for_one_that_is_merely_alike(name: str) -> None:
    assert games_of_servers({"11": [name]}, FILES) == {"11": ()}


def test_books_in_no_folder_are_given_by_an_empty_name() -> None:
    assert games_of_servers({"11": [""]}, FILES) == {"11": ("",)}


def test_a_game_that_is_not_in_the_library_is_a_problem_that_names_the_server() -> None:
    [problem] = server_problems({"11": ["gurps", "chess"]}, FILES)
    assert problem.values == {"server": "11", "game": "chess"}
    for locale in ("en", "pt-BR"):
        assert "chess" in texts_for(locale)(problem.key, **problem.values)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[[server]]\nid = "eleven"\ngames = []', "server 1: “id” must be the server's number"),
        ("[[server]]\nid = -3\ngames = []", "server 1: “id” must be"),
        ("[[server]]\nid = 1.5\ngames = []", "server 1: “id” must be"),
        ('[[server]]\ngames = ["gurps"]', "server 1: “id” must be"),
        ('[[server]]\nid = "11"', "server 1: “games” must be a list"),
        ('[[server]]\nid = "11"\ngames = "gurps"', "server 1: “games” must be a list"),
        ('[[server]]\nid = "11"\ngames = [3]', "server 1: “games” must be a list"),
        ('[[server]]\nid = "11"\ngame = ["gurps"]', "“games” must be a list"),
        ('[[server]]\nid = "11"\ngames = []\nbooks = []', "there is no key “books”. A server has: id, games"),
        ('[server]\nid = "11"\ngames = []', "Each begins with the line [[server]]"),
        ("server = [3]", "Each begins with the line [[server]]"),
        ("server = 3", "Each begins with the line [[server]]"),
        (
            '[[server]]\nid = "11"\ngames = []\n[[server]]\nid = 11\ngames = []',
            "the server 11 has two entries",
        ),
    ],
)
def test_a_mistake_in_an_entry_is_told_where_it_stands(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "library.toml").write_text(text)
    with pytest.raises(LibraryTomlError) as caught:
        read_servers(tmp_path)
    assert told in texts_for("en")(caught.value.key, **caught.value.values)
    assert texts_for("pt-BR")(caught.value.key, **caught.value.values)


def test_changed_entries_alone_are_published(small: SmallLibrary) -> None:
    small.put_parsed("gurps/powers.pdf", parsed_book("Fire burns for three turns."))
    small.ingest()
    assert small.open().servers() == {}
    small.write("library.toml", '[[server]]\nid = "11"\ngames = ["chess"]')
    report = small.ingest()
    assert report.changed
    assert [problem.key for problem in report.problems] == ["server-game-unknown"]
    manifest = published(small.settings.index_dir)
    assert manifest
    assert manifest.servers == {"11": ()}
