"""`library.toml`: what a GM says about books that the files themselves do not tell."""

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)
from pydantic.dataclasses import dataclass
from pydantic_core import ErrorDetails

from rag.config import Audience
from rag.errors import LibraryTomlError
from rag.library.books.book import BookSummary, Problem
from rag.library.language.language import TITLES
from rag.library.language.words import fold

LIBRARY_TOML = "library.toml"
GM_FOLDER = "gm"
_UPLOADED = re.compile(r"(\d{15,20})/")
"""How the name of a book begins that was uploaded in Discord: with the id of its server."""
_CODE = re.compile(r"[A-ZÀ-Þ][^\W\d_]{0,4}\d?")
_SMALL_WORDS = frozenset(TITLES.small)
_KNOWN_KEYS = ConfigDict(extra="forbid")


def _posix(path: str) -> str:
    return PurePosixPath(path.replace("\\", "/")).as_posix()


BookPath = Annotated[str, Field(min_length=1), AfterValidator(_posix)]
Reader = Annotated[
    Literal["player", "gm"], BeforeValidator(lambda said: "player" if said == "everyone" else said)
]


@dataclass(frozen=True, slots=True, config=_KNOWN_KEYS)
class DeclaredBook:
    """What one `[[book]]` table declares about a file; `None` and `()` where nothing is.

    `first_printed_page` is the number printed on page `on_pdf_page` (1-based) of the file.
    `amends` is the file that this book corrects.
    """

    file: BookPath
    title: Annotated[str, Field(min_length=1)] | None = None
    codes: tuple[str, ...] = ()
    first_printed_page: Annotated[int, Field(ge=1, strict=True)] | None = None
    on_pdf_page: Annotated[int, Field(ge=1, strict=True)] | None = None
    audience: Reader | None = None
    amends: BookPath | None = None

    @model_validator(mode="after")
    def _pages_come_in_pairs(self) -> Self:
        if (self.first_printed_page is None) != (self.on_pdf_page is None):
            raise ValueError("first_printed_page and on_pdf_page belong together")
        return self

    @property
    def usable_codes(self) -> tuple[str, ...]:
        """The codes that can stand before a page number: up to five letters, a capital first, and a digit."""
        return tuple(code for code in self.codes if _CODE.fullmatch(code))


@dataclass(frozen=True, slots=True, config=_KNOWN_KEYS)
class DeclaredGame:
    """What one `[[game]]` table says of the game in a folder: its name, and what else people call it."""

    folder: BookPath
    name: Annotated[str, Field(min_length=1)] | None = None
    aliases: tuple[str, ...] = ()


class _Server(BaseModel):
    """One `[[server]]` table."""

    model_config = _KNOWN_KEYS

    id: Annotated[str, BeforeValidator(lambda said: str(said).strip()), Field(pattern=r"^[0-9]+$")]
    games: list[str]


class _Declarations(BaseModel):
    """All of library.toml."""

    model_config = _KNOWN_KEYS

    book: list[DeclaredBook] = []
    server: list[_Server] = []
    game: list[DeclaredGame] = []


def read_library_toml(library_dir: Path) -> dict[str, DeclaredBook]:
    """The declarations of `library.toml`, by file (its posix path under `library_dir`).

    Raises `LibraryTomlError` naming the book and the key where library.toml is wrong.
    """
    books: dict[str, DeclaredBook] = {}
    for book in _declarations(library_dir).book:
        if book.file in books:
            raise LibraryTomlError("library-toml-twice", file=book.file)
        books[book.file] = book
    return books


def read_games(library_dir: Path) -> dict[str, DeclaredGame]:
    """What `library.toml` says of games, by their folder. Raises `LibraryTomlError` where it is wrong."""
    return {game.folder.strip("/"): game for game in _declarations(library_dir).game}


def read_servers(library_dir: Path) -> dict[str, tuple[str, ...]]:
    """The games that `library.toml` gives each server, by the server's id, as they are written there.

    Raises `LibraryTomlError` naming the server and the key where library.toml is wrong.
    """
    servers: dict[str, tuple[str, ...]] = {}
    for entry in _declarations(library_dir).server:
        if entry.id in servers:
            raise LibraryTomlError("library-toml-server-twice", id=entry.id)
        servers[entry.id] = tuple(entry.games)
    return servers


def _declarations(library_dir: Path) -> _Declarations:
    """What stands in `library.toml`; nothing where there is none."""
    try:
        text = (library_dir / LIBRARY_TOML).read_text(encoding="utf-8-sig")
        return _Declarations.model_validate(tomllib.loads(text))
    except FileNotFoundError:
        return _Declarations()
    except UnicodeDecodeError as error:
        raise LibraryTomlError("library-toml-encoding") from error
    except OSError as error:
        raise LibraryTomlError("library-toml-not-opened", reason=error.strerror or str(error)) from error
    except tomllib.TOMLDecodeError as error:
        raise LibraryTomlError("library-toml-not-toml", reason=str(error)) from error
    except ValidationError as error:
        raise _mistake(error.errors(include_url=False)[0]) from error


_OF_BOOKS = ("library-toml-shape", "library-toml-unknown-key", "library-toml-value")
_OF_GAMES = ("library-toml-game-shape", "library-toml-game-unknown-key", "library-toml-game-value")
_OF_SERVERS = ("library-toml-server-shape", "library-toml-server-unknown-key", "library-toml-server-value")


def _mistake(found: ErrorDetails) -> LibraryTomlError:
    """What a validator found, in words for whoever writes library.toml."""
    table, *place = map(str, found["loc"])
    shape, unknown_key, value = {"server": _OF_SERVERS, "game": _OF_GAMES}.get(table, _OF_BOOKS)
    if not place or (len(place) == 1 and found["type"] != "value_error"):
        return LibraryTomlError(shape, name=table)
    entry = {table: int(place[0]) + 1}
    if len(place) == 1:
        return LibraryTomlError("library-toml-page-alone", **entry)
    if found["type"] == "missing" and table == "book" and place[1] == "file":
        return LibraryTomlError("library-toml-no-file", **entry)
    if found["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
        of_table = DeclaredGame if table == "game" else DeclaredBook
        keys = _Server.model_fields if table == "server" else of_table.__dataclass_fields__
        return LibraryTomlError(unknown_key, **entry, name=place[1], allowed=", ".join(keys))
    return LibraryTomlError(value, **entry, name=place[1])


def audience_of(file: str, declared: DeclaredBook | None) -> Audience:
    """Who may read a book: as declared, else the GM for what lies in a folder named `gm`."""
    if declared and declared.audience:
        return declared.audience
    folders = PurePosixPath(file).parts[:-1]
    return "gm" if any(folder.casefold() == GM_FOLDER for folder in folders) else "player"


def game_of(file: str) -> str:
    """The game a file belongs to: the first folder under the library, made readable; `""` at its root.

    The folder of what is for the GM alone is no game. What was uploaded has its own folder's name.
    """
    folders = [one for one in PurePosixPath(file).parts[:-1] if one.casefold() != GM_FOLDER]
    return "".join(folders[1:2] if server_of(file) else map(readable, folders[:1]))


def server_of(file: str) -> int | None:
    """The server of Discord that a book was uploaded in, and exists for alone; None of the host's books."""
    return int(uploaded[1]) if (uploaded := _UPLOADED.match(file)) else None


def readable(name: str) -> str:
    """A file or folder name as a title: `fire-and-sword_2e` → `Fire and Sword 2e`."""
    parts = name.replace("_", " ").replace("-", " ").split()
    spelled = [
        word if word != word.lower() or (position and word in _SMALL_WORDS) else word[0].upper() + word[1:]
        for position, word in enumerate(parts)
    ]
    return " ".join(spelled) or name


_LOOKS_GM = re.compile(r"\b(?:gms?|dms?|mestres?|masters? only|(?:game|dungeon) masters?)\b")


def library_toml_problems(declared: Mapping[str, DeclaredBook], files: Collection[str]) -> Iterator[Problem]:
    """What is declared about books that are not there, or cannot be meant so; `files` are all books."""
    for book in declared.values():
        file = book.file
        if file not in files:
            yield Problem(file, "book-declared-missing", {"file": file})
        if book.amends is not None and book.amends not in files:
            yield Problem(file, "book-amends-missing", {"file": file, "amends": book.amends})
        for code in book.codes:
            if code not in book.usable_codes:
                yield Problem(file, "book-code-unusable", {"file": file, "code": code})


def pages_beyond(declared: Mapping[str, DeclaredBook], books: Sequence[BookSummary]) -> Iterator[Problem]:
    """Declared pages that lie beyond the end of their book, so that its numbers are not set by them."""
    for book in books:
        page = declared[book.file].on_pdf_page if book.file in declared else None
        if page and page > book.pages:
            values = {"file": book.file, "page": page, "pages": book.pages}
            yield Problem(book.file, "book-page-beyond", values)


def folder_problems(declared: Mapping[str, DeclaredBook], files: Collection[str]) -> list[Problem]:
    """Folders that look meant for the GM while players read a book in them of which nothing is declared."""
    folders = {
        folder.as_posix()
        for file in files
        if not (file in declared and declared[file].audience) and audience_of(file, None) == "player"
        for folder in PurePosixPath(file).parents
        if _LOOKS_GM.search(" ".join(re.split(r"[\W_]+", fold(folder.name))))
    }
    return [Problem(folder, "folder-looks-gm", {"folder": folder}) for folder in sorted(folders)]
