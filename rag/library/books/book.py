"""A book as it was read, and as the library lists it."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rag.library.books.health import BookHealth
from rag.library.books.page import Page

Numbering = Literal["printed", "unread", "unnumbered"]
"""Whether pages have printed numbers that could be read, numbers that could not, or none that were found."""


@dataclass(frozen=True, slots=True)
class ParsedBook:
    """A book as read. `title` is the file's own if sensible, `language` ISO 639-1, `codes` what the book
    says that the letters before its page references mean, "" for itself. `pages` holds every page, also empty
    ones; where none has a label, `numbers_unread` tells that their printed numbers could not be read.
    `known_words` is the share of words that a dictionary knows, None where there is none; `read_with` names
    what helped to read it, as an OCR engine, empty where nothing did.
    """

    title: str | None
    language: str
    codes: dict[str, str]
    pages: tuple[Page, ...]
    numbers_unread: bool = False
    known_words: float | None = None
    read_with: str = ""

    @property
    def sections(self) -> tuple[str, ...]:
        """The names of its sections, each once, in order; none in formats with pages."""
        return tuple(dict.fromkeys(name for page in self.pages for _, name in page.section_starts))

    def codes_as(self, own: str) -> dict[str, str]:
        """Its codes with the names they stand for, `own` for the book itself."""
        return {code: name or own for code, name in self.codes.items()}

    def awaits(self, tool: str) -> bool:
        """Whether pages of it could not be read without a tool, which is there by now."""
        return tool not in ("", self.read_with) and any(page.layer == "missing" for page in self.pages)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage: the index of its page in the book, and its span in the page's text."""

    page: int
    start: int
    end: int


def passages_of(book: ParsedBook, chunks: Iterable[Chunk]) -> list[str]:
    """The text of each chunk of a book, in order."""
    return [book.pages[chunk.page].searchable(chunk.start, chunk.end) for chunk in chunks]


@dataclass(frozen=True, slots=True)
class Problem:
    """A book that could not be indexed: the key of the sentence that says why, and its values."""

    file: str
    key: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class FileStamp:
    """A file's content, and what the file system says about it, which tells if it must be hashed again."""

    size: int
    modified_ns: int
    changed_ns: int
    content: str


@dataclass(frozen=True, slots=True)
class BookSummary:
    """A book as the library lists it to one reader.

    `first_label` and `last_label` are the printed labels of its first and last labelled page; `references`
    counts those found in its text, `resolved` those whose page this reader can open. `health` tells how well
    it could be read. `problems` holds `{"key", "values"}` of sentences in `rag/texts`. `kind` is the format:
    pdf, markdown, text, docx, html or epub. Where that has no pages, `pages` counts the positions, each of
    about a printed page, and `sections` what they are cited by. `numbers` are the first and last page number
    in digits: before and behind them a book may count otherwise. `game_aliases` are further names of the
    game.
    """

    title: str
    file: str
    game: str
    language: str
    audience: str
    codes: tuple[str, ...]
    pages: int
    first_label: str | None
    last_label: str | None
    references: int = 0
    resolved: int = 0
    health: BookHealth = field(default_factory=BookHealth)
    problems: tuple[dict[str, Any], ...] = field(default=())
    kind: str = "pdf"
    numbering: Numbering = "printed"
    sections: int = 0
    numbers: tuple[int, int] | None = None
    game_aliases: tuple[str, ...] = ()

    @property
    def own_game(self) -> str:
        """The game it belongs to; a book outside of all games is one by itself."""
        return self.game or self.title


def name_of_work(books: Collection[BookSummary]) -> str:
    """What the books of a work are called in short: their one title, else their game."""
    first, *others = books
    return first.own_game if any(book.title != first.title for book in others) else first.title


IsSeen = Callable[[BookSummary], bool]
"""Tells whether a book exists for somebody."""


def languages_of(books: Iterable[BookSummary]) -> list[str]:
    """The languages that books are written in (ISO 639-1)."""
    return sorted({book.language for book in books})
