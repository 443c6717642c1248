"""`library.toml`: what a GM says about books that the files themselves do not tell."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from rag.errors import LibraryTomlError

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from rag.config import Audience
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

from rag.library.books.book import BookSummary, Problem
from rag.library.language.language import TITLES
from rag.library.language.words import fold

LIBRARY_TOML = "library.toml"
GM_FOLDER = "gm"
_CODE = re.compile(r"[A-ZÀ-Þ][^\W\d_]{0,4}\d?")
_SMALL_WORDS = frozenset(TITLES.small)


@dataclass(frozen=True, slots=True)
class DeclaredBook:
    """What is declared about one file; `None` and `()` where nothing is.

    `first_printed_page` is the number printed on page `on_pdf_page` (1-based) of the file.
    `amends` is the file that this book corrects.
    """

    file: str
    title: str | None = None
    codes: tuple[str, ...] = ()
    first_printed_page: int | None = None
    on_pdf_page: int | None = None
    audience: "Audience | None" = None
    amends: str | None = None

    @property
    def usable_codes(self) -> tuple[str, ...]:
        """The codes that can stand before a page number: up to five letters, a capital first, and a digit."""
        return tuple(code for code in self.codes if _CODE.fullmatch(code))


class _Entry(BaseModel):
    """One `[[book]]` table."""

    model_config = ConfigDict(extra="forbid", strict=True)

    file: str = Field(min_length=1)
    title: str | None = Field(default=None, min_length=1)
    codes: list[str] = []
    first_printed_page: int | None = Field(default=None, ge=1)
    on_pdf_page: int | None = Field(default=None, ge=1)
    audience: Literal["gm", "everyone"] | None = None
    amends: str | None = None

    @model_validator(mode="after")
    def _pages_come_in_pairs(self) -> "_Entry":
        if (self.first_printed_page is None) != (self.on_pdf_page is None):
            raise ValueError("first_printed_page and on_pdf_page belong together")
        return self

    def declared(self) -> DeclaredBook:
        return DeclaredBook(
            file=_posix(self.file),
            title=self.title,
            codes=tuple(self.codes),
            first_printed_page=self.first_printed_page,
            on_pdf_page=self.on_pdf_page,
            audience="player" if self.audience == "everyone" else self.audience,
            amends=_posix(self.amends) if self.amends else None,
        )


class _Server(BaseModel):
    """One `[[server]]` table."""

    model_config = ConfigDict(extra="forbid", strict=True)

    id: str | int
    games: list[str]


class _Catalogue(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    book: list[_Entry] = []
    server: list[_Server] = []


def read_library_toml(library_dir: Path) -> dict[str, DeclaredBook]:
    """The declarations of `library.toml`, by file (its posix path under `library_dir`).

    Raises `LibraryTomlError` naming the book and the key where library.toml is wrong.
    """
    return parse_library_toml(_text(library_dir))


def read_servers(library_dir: Path) -> dict[str, tuple[str, ...]]:
    """The games that `library.toml` gives each server, by the server's id, as they are written there.

    Raises `LibraryTomlError` naming the server and the key where library.toml is wrong.
    """
    return parse_servers(_text(library_dir))


def _text(library_dir: Path) -> str:
    """What stands in `library.toml`; nothing where there is none."""
    try:
        return (library_dir / LIBRARY_TOML).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise LibraryTomlError("library-toml-encoding") from error
    except OSError as error:
        raise LibraryTomlError("library-toml-not-opened", reason=error.strerror or str(error)) from error


def parse_library_toml(text: str) -> dict[str, DeclaredBook]:
    """The declarations in the text of a `library.toml`, by file. Raises `LibraryTomlError`."""
    books: dict[str, DeclaredBook] = {}
    for entry in _validated(text).book:
        book = entry.declared()
        if book.file in books:
            raise LibraryTomlError("library-toml-twice", file=book.file)
        books[book.file] = book
    return books


def parse_servers(text: str) -> dict[str, tuple[str, ...]]:
    """The games of each server in the text of a `library.toml`. Raises `LibraryTomlError`."""
    servers: dict[str, tuple[str, ...]] = {}
    for number, entry in enumerate(_validated(text).server, start=1):
        name = str(entry.id).strip()
        if not (name.isascii() and name.isdecimal()):
            raise LibraryTomlError("library-toml-server-value", server=number, name="id")
        if name in servers:
            raise LibraryTomlError("library-toml-server-twice", id=name)
        servers[name] = tuple(entry.games)
    return servers


def _validated(text: str) -> _Catalogue:
    try:
        return _Catalogue.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise LibraryTomlError("library-toml-not-toml", reason=str(error)) from error
    except ValidationError as error:
        raise _mistake(error.errors(include_url=False)[0]) from error


def _mistake(found: "ErrorDetails") -> LibraryTomlError:
    """What a validator found, in words for whoever writes library.toml."""
    location = found["loc"]
    if location[0] == "server":
        return _mistake_of_server(found)
    if len(location) < 2 or not isinstance(location[1], int):
        return LibraryTomlError("library-toml-shape", name=str(location[0]))
    number = location[1] + 1
    if len(location) == 2:
        is_table = isinstance(found["input"], dict)
        return LibraryTomlError(
            "library-toml-page-alone" if is_table else "library-toml-shape", book=number, name="book"
        )
    name = str(location[2])
    if found["type"] == "missing":
        return LibraryTomlError("library-toml-no-file", book=number)
    if found["type"] == "extra_forbidden":
        return LibraryTomlError(
            "library-toml-unknown-key", book=number, name=name, allowed=", ".join(_Entry.model_fields)
        )
    return LibraryTomlError("library-toml-value", book=number, name=name)


def _mistake_of_server(found: "ErrorDetails") -> LibraryTomlError:
    """What a validator found in the entries of servers."""
    location = found["loc"]
    if len(location) < 3 or not isinstance(location[1], int):
        return LibraryTomlError("library-toml-server-shape")
    number, name = location[1] + 1, str(location[2])
    if found["type"] == "extra_forbidden":
        return LibraryTomlError(
            "library-toml-server-unknown-key",
            server=number,
            name=name,
            allowed=", ".join(_Server.model_fields),
        )
    return LibraryTomlError("library-toml-server-value", server=number, name=name)


def audience_of(file: str, declared: DeclaredBook | None) -> "Audience":
    """Who may read a book: as declared, else the GM for what lies in a folder named `gm`."""
    if declared and declared.audience:
        return declared.audience
    folders = PurePosixPath(file).parts[:-1]
    return "gm" if any(folder.casefold() == GM_FOLDER for folder in folders) else "player"


def game_of(file: str) -> str:
    """The game a file belongs to: the first folder under the library, made readable; `""` at its root."""
    folders = PurePosixPath(file).parts[:-1]
    return readable(folders[0]) if folders else ""


def readable(name: str) -> str:
    """A file or folder name as a title: `fire-and-sword_2e` → `Fire and Sword 2e`."""
    parts = name.replace("_", " ").replace("-", " ").split()
    spelled = [
        word if word != word.lower() or (position and word in _SMALL_WORDS) else word[0].upper() + word[1:]
        for position, word in enumerate(parts)
    ]
    return " ".join(spelled) or name


def _posix(path: str) -> str:
    return PurePosixPath(path.replace("\\", "/")).as_posix()


_LOOKS_GM = re.compile(r"\b(?:gms?|dms?|mestres?|masters? only|(?:game|dungeon) masters?)\b")


def library_toml_problems(declared: Mapping[str, DeclaredBook], files: Collection[str]) -> list[Problem]:
    """What is declared about books that are not there, or cannot be meant so; `files` are all books."""
    return [
        *(Problem(name, "book-declared-missing", {"file": name}) for name in sorted({*declared} - {*files})),
        *(problem for book in declared.values() for problem in _wrong_amends(book, files)),
        *(problem for book in declared.values() for problem in _wrong_codes(book)),
        *_shared_codes(declared, files),
    ]


def _wrong_amends(book: DeclaredBook, files: Collection[str]) -> Iterator[Problem]:
    if book.amends == book.file:
        yield Problem(book.file, "book-amends-itself", {"file": book.file})
    elif book.amends and book.amends not in files:
        yield Problem(book.file, "book-amends-missing", {"file": book.file, "amends": book.amends})


def _wrong_codes(book: DeclaredBook) -> Iterator[Problem]:
    for code in book.codes:
        if code not in book.usable_codes:
            yield Problem(book.file, "book-code-unusable", {"file": book.file, "code": code})


def _shared_codes(declared: Mapping[str, DeclaredBook], files: Collection[str]) -> Iterator[Problem]:
    """Codes of two books of one game; the volumes of a work, declared by one title, may share theirs."""
    present = [book for book in declared.values() if book.file in files]
    for one, other in combinations(present, 2):
        is_one_work = one.title is not None and one.title == other.title
        if game_of(one.file) == game_of(other.file) and not is_one_work:
            for code in sorted({*one.usable_codes} & {*other.usable_codes}):
                values = {"file": other.file, "code": code, "other": one.file}
                yield Problem(other.file, "book-code-shared", values)


def pages_beyond(declared: Mapping[str, DeclaredBook], books: Sequence[BookSummary]) -> list[Problem]:
    """Declared pages that lie beyond the end of their book, so that its numbers are not set by them."""
    return [
        Problem(
            book.file,
            "book-page-beyond",
            {"file": book.file, "page": declared[book.file].on_pdf_page, "pages": book.pages},
        )
        for book in books
        if book.file in declared and (declared[book.file].on_pdf_page or 0) > book.pages
    ]


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
