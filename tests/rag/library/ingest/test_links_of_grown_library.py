"""Links made with what was found before are those that are made of the library from nothing."""

import random
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag.library.books.library_toml import DeclaredBook
from rag.library.books.page import Heading, Page, PageLink
from rag.library.books.reader_catalogs import READERS, NamedBook, catalogs, with_codes
from rag.library.index.tables import SCHEMA
from rag.library.ingest.kept_finds import load_finds, save_finds
from rag.library.ingest.links import Links
from rag.library.references.code_evidence import proven_codes
from rag.library.references.page_finds import PageFinds
from tests.rag.library.small_library import parsed_book

Library = dict[str, NamedBook]

FILES = [
    *(f"{game}/{name}.pdf" for game in ("sea", "land") for name in ("a", "b", "c", "gm/d")),
    "land/a b.pdf",
    "sea/house-rules.md",
    "land/errata.pdf",
    "alone.pdf",
]
TITLES = ["Powers", "GURPS Powers", "Tides: Ebb", "Tides: Flood", "Martial Arts", "Magic", "Magic Rulebook"]
THINGS = ["Riposte", "Tidesense", "Ironhide", "Boarding Axe", "Mire Drake", "Stormcall", "Kick", "Ebb", "Art"]
CODES = ["P", "T", "MA", "M"]
STEPS = 6


class Changes:
    """Random books put into a library, changed and taken out."""

    def __init__(self, chosen: random.Random) -> None:
        self._random = chosen
        self.books: Library = {}

    def make(self) -> None:
        """Change one book, or at first several."""
        for _ in range(1 if self.books else 6):
            file = self._random.choice(FILES)
            if file in self.books and self._random.random() < 0.4:
                del self.books[file]
            elif self.books and self._random.random() < 0.2:
                twin = self.books[self._random.choice(sorted(self.books))]
                self.books[file] = NamedBook(file, twin.parsed, DeclaredBook(file))
            else:
                self.books[file] = self._book(file)

    def _book(self, file: str) -> NamedBook:
        first = self._random.choice([1, 1, 5])
        pages = [self._page(place, first + place - 1, file) for place in range(1, 5)]
        codes = self._maybe({self._random.choice(CODES): self._random.choice(["", *TITLES])})
        amended = self._random.choice(FILES)
        declared = DeclaredBook(
            file,
            codes=(self._random.choice(CODES),) * (self._random.random() < 0.2),
            amends=amended if self._random.random() < 0.2 and amended != file else None,
        )
        return NamedBook(file, parsed_book(*pages, title=self._random.choice(TITLES), codes=codes), declared)

    def _page(self, place: int, number: int, file: str) -> Page:
        thing = self._random.choice(THINGS)
        heading = self._random.choice(
            [thing, f"Chapter {place}: {thing}", "Errata" if "errata" in file else thing]
        )
        text = "\n\n".join([heading, *(self._sentence() for _ in range(4))])
        start = text.index(". ") - 3
        links: list[PageLink] = [(start, start + 3, self._random.randrange(1, 5), self._random.choice(FILES))]
        has_link = self._random.random() < 0.3
        return Page(
            place,
            self._random.choice([str(number), str(number), f"P{number}"]),
            text,
            (Heading(self._random.choice([1, 2]), heading, 0),),
            "text",
            False,
            links=tuple(links * has_link),
        )

    def _sentence(self) -> str:
        thing, title = self._random.choice(THINGS), self._random.choice(TITLES)
        code, number = self._random.choice(CODES), self._random.randrange(1, 9)
        return self._random.choice(
            [
                f"A {thing} costs a coin. It is told of in {title}, p. {number}.",
                f"It has {thing} (p. {code}{number}). See also p. {number}.",
                f"See {thing}. For {title} the letter is {code}.",
                f"For {thing}, see p. {number}. It ends there.",
                f"{thing} (p. {number}) is counted. As described under {thing} in {title}.",
                f"See Chapter {number} of {title}. See the next page.",
                f"{thing} – {code}{number}. Double the damage.",
                f"See page {number} of {title}. Nothing else is said.",
            ]
        )

    def _maybe(self, codes: dict[str, str]) -> dict[str, str]:
        return codes if self._random.random() < 0.3 else {}


def linked(books: Library, finds: PageFinds) -> list[Any]:
    """The references and corrections among books, and how many of each book there are for each reader."""
    named = dict(sorted(books.items()))
    known = catalogs(named.values())
    codes = proven_codes(named.values(), known["gm"], finds)
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(SCHEMA)
        known = {reader: with_codes(known[reader], codes) for reader in READERS}
        links = Links(database, named, known, codes, finds)
        counts = links.add_references()
        links.add_amendments()
        rows = database.execute("SELECT * FROM page_references ORDER BY page, start, rowid").fetchall()
        return [rows, database.execute("SELECT * FROM amendments").fetchall(), counts, codes]


def linked_again(books: Library, finds: Path) -> list[Any]:
    """The same, from what is kept of the times before."""
    contents = {
        file: sha256(
            repr((book.parsed, book.declared and replace(book.declared, file=""))).encode()
        ).hexdigest()
        for file, book in books.items()
    }
    known = load_finds(finds, contents)
    made = linked(books, known)
    save_finds(finds, contents, known)
    return made


@given(st.integers(0, 2**32))
@settings(max_examples=5)
def test_links_of_a_library_that_changed_are_those_made_of_it_from_nothing(seed: int) -> None:
    with TemporaryDirectory() as directory:
        changes, finds = Changes(random.Random(seed)), Path(directory, "finds")
        for _ in range(STEPS):
            changes.make()
            assert linked_again(changes.books, finds) == linked(changes.books, PageFinds())


def book(
    file: str,
    title: str,
    *texts: str,
    first: int = 1,
    declared: Mapping[str, Any] | None = None,
) -> NamedBook:
    """A book whose pages begin with their headings."""
    pages = [
        Page(place + 1, str(first + place), text, (Heading(1, text.split("\n")[0], 0),), "text", False)
        for place, text in enumerate(texts)
    ]
    return NamedBook(
        file, parsed_book(*pages, title=title), DeclaredBook(file, **declared) if declared else None
    )


def library(*books: NamedBook) -> Library:
    return {one.file: one for one in books}


def home(text: str) -> NamedBook:
    """A book that refers to others."""
    return book("sea/m.pdf", "Sea Laws", f"Ships\n\n{text}")


MIDDLE = home("See Riposte.")
NUMBERED = home("See Powers, p. 2.")
LETTERED = home("It has Riposte (p. P2). It ends there.")
OTHER = book("sea/p.pdf", "Powers", "Kick\n\nKick them.", "Riposte\n\nHit them back.")
LATER = book("sea/z.pdf", "Duels", "Riposte\n\nHit back.")
CITING = home("And so on (see P2).")
CODED = book("sea/p.pdf", "Powers", "Kick", "Riposte", declared={"codes": ("P",)})

CHANGES: dict[str, tuple[Library, Library]] = {
    "a book before all others": (
        library(MIDDLE, OTHER),
        library(book("a/a.pdf", "Hills", "Hill", "Dale"), MIDDLE, OTHER),
    ),
    "a name of two words is a heading and a book": (
        library(home("See Riposte in Duels."), OTHER),
        library(home("See Riposte in Duels."), OTHER, book("sea/z.pdf", "Duels", "Parry")),
    ),
    "a book is called otherwise": (
        library(NUMBERED, OTHER),
        library(
            NUMBERED,
            book("sea/p.pdf", "Powers", "Kick\n\nKick.", "Riposte\n\nBack.", declared={"title": "Arms"}),
        ),
    ),
    "two books go by one name": (
        library(NUMBERED, OTHER),
        library(NUMBERED, OTHER, book("sea/q.pdf", "Powers", "Kick\n\nThem.", "Parry\n\nThem.")),
    ),
    "a code means another book": (
        library(LETTERED, CODED, LATER),
        library(
            LETTERED, OTHER, book("sea/z.pdf", "Duels", "Riposte", "Riposte", declared={"codes": ("P",)})
        ),
    ),
    "a code has a meaning for one of two twins": (
        library(CITING, replace(CITING, file="land/m.pdf"), CODED),
        library(
            CITING,
            replace(CITING, file="land/m.pdf"),
            CODED,
            book("land/p.pdf", "Hills", "Hill", "Dale", declared={"codes": ("P",)}),
        ),
    ),
}
"""Libraries before and after a change."""


@pytest.mark.parametrize(("before", "after"), CHANGES.values(), ids=CHANGES)
def test_what_a_change_makes_of_references_is_what_the_library_has_from_nothing(
    before: Library, after: Library, tmp_path: Path
) -> None:
    # There and back: what is carried over twice is as true.
    for books in (before, after, before, after):
        assert linked_again(books, tmp_path / "finds") == linked(books, PageFinds())
