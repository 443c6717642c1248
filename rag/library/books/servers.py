"""Which server of Discord sees which games: the entries `[[server]]` of `library.toml`."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from rag.library.books.book import Problem
from rag.library.books.library_toml import LIBRARY_TOML, game_of, readable
from rag.library.language.words import fold

ServerGames = Mapping[str, Sequence[str]]
"""The games of each server, by its id; empty where no server has an entry."""

NO_GAME = ""
"""How an entry names the books that lie in no game's folder."""


def games_of_servers(declared: ServerGames, files: Collection[str]) -> dict[str, tuple[str, ...]]:
    """The games that each entry means, by the names they go by; one that means nothing is left out."""
    return {
        server: tuple(sorted({game for name in names if (game := _meant(name, files)) is not None}))
        for server, names in declared.items()
    }


def server_problems(declared: ServerGames, files: Collection[str]) -> Iterator[Problem]:
    """The games of entries that are not in the library; `files` are all books."""
    for server, names in declared.items():
        for name in names:
            if _meant(name, files) is None:
                yield Problem(LIBRARY_TOML, "server-game-unknown", {"server": server, "game": name})


def _meant(name: str, files: Collection[str]) -> str | None:
    """The one game that a name means, as written, else whatever its case; None where that is none or several.

    Unlike the names in questions it is never taken for another that is merely alike.
    """
    folders = {PurePosixPath(file).parts[0]: game_of(file) for file in files if game_of(file)}
    if name == NO_GAME:
        return NO_GAME
    exact = {game for folder, game in folders.items() if name in (folder, game)}
    alike = {game for game in folders.values() if fold(game) == fold(readable(name))}
    meant = exact or alike
    return meant.pop() if len(meant) == 1 else None
