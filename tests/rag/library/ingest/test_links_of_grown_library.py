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
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag.library.books.library_toml import DeclaredBook
from rag.library.books.page import Heading, Page, PageLink
from rag.library.books.reader_catalogs import READERS, NamedBook, catalogs, with_codes
from rag.library.index.tables import DATABASE, SCHEMA
from rag.library.ingest.carried_links import LinkedBefore, same_files
from rag.library.ingest.kept_finds import load_finds, save_finds
from rag.library.ingest.links import Links
from rag.library.references import Reference
from rag.library.references.code_evidence import proven_codes
from rag.library.references.page_finds import PageFinds
from rag.library.references.resolve import PageRange, resolve
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


def linked(books: Library, finds: PageFinds, directory: Path, before: LinkedBefore | None) -> list[Any]:
    """The references and corrections among books, and how many of each book there are for each reader."""
    directory.mkdir()
    named = dict(sorted(books.items()))
    known = catalogs(named.values())
    codes = proven_codes(named.values(), known["gm"], finds)
    with closing(sqlite3.connect(directory / DATABASE, uri=True)) as database:
        database.executescript(SCHEMA)
        known = {reader: with_codes(known[reader], codes) for reader in READERS}
        links = Links(database, named, known, codes, finds, before)
        counts = links.add_references()
        links.add_amendments()
        database.commit()
        rows = database.execute("SELECT * FROM page_references ORDER BY page, start, rowid").fetchall()
        return [rows, database.execute("SELECT * FROM amendments").fetchall(), counts, codes]


def contents(books: Mapping[str, NamedBook]) -> dict[str, str]:
    """What an ingestion would know each book by: as it is read and declared."""
    return {
        file: sha256(
            repr((book.parsed, book.declared and replace(book.declared, file=""))).encode()
        ).hexdigest()
        for file, book in books.items()
    }


class Growing:
    """Links a library again and again, from what is kept of the time before."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._finds = directory / "finds"
        self._books: Library = {}
        self._snapshot = ""

    def linked(self, books: Library) -> list[Any]:
        """What is linked, with all that is kept."""
        now, then = contents(books), contents(self._books)
        counts = {file: len(book.parsed.pages) for file, book in sorted(self._books.items())}
        before = LinkedBefore(self._directory / self._snapshot, counts, same_files(then, now))
        finds = load_finds(self._finds, now, self._snapshot)
        snapshot = uuid4().hex
        made = linked(books, finds, self._directory / snapshot, before if self._snapshot else None)
        save_finds(self._finds, now, finds, snapshot)
        self._books, self._snapshot = dict(books), snapshot
        return made

    def link_in_vain(self, books: Library) -> None:
        """Link a library, and be killed before that is published."""
        published = self._books, self._snapshot
        self.linked(books)
        self._books, self._snapshot = published


@given(st.integers(0, 2**32))
@settings(max_examples=5)
def test_links_of_a_library_that_changed_are_those_made_of_it_from_nothing(seed: int) -> None:
    with TemporaryDirectory() as directory:
        changes, growing = Changes(random.Random(seed)), Growing(Path(directory))
        for step in range(STEPS):
            changes.make()
            anew = linked(changes.books, PageFinds(), Path(directory, f"anew {step}"), None)
            assert growing.linked(changes.books) == anew


def book(
    file: str,
    title: str,
    *texts: str,
    first: int = 1,
    links: tuple[PageLink, ...] = (),
    declared: Mapping[str, Any] | None = None,
) -> NamedBook:
    """A book whose pages begin with their headings, the first of them with links."""
    pages = [
        Page(place + 1, str(first + place), text, (Heading(1, text.split("\n")[0], 0),), "text", False)
        for place, text in enumerate(texts)
    ]
    parsed = parsed_book(replace(pages[0], links=links), *pages[1:], title=title)
    return NamedBook(file, parsed, DeclaredBook(file, **declared) if declared else None)


def library(*books: NamedBook) -> Library:
    return {one.file: one for one in books}


def home(text: str, file: str = "sea/m.pdf") -> NamedBook:
    """A book that refers to others."""
    return book(file, "Sea Laws", f"Ships\n\n{text}")


MIDDLE = home("See Riposte.")
NUMBERED = home("See Powers, p. 2.")
BESIDE = home("For Kick, see pp. 1-2.")
LETTERED = home("It has Riposte (p. P2). It ends there.")
LINKED = book("sea/m.pdf", "Sea Laws", "Ships\n\nAnd so on.", links=((7, 10, 1, "../x/Tides.pdf"),))
OTHER = book("sea/p.pdf", "Powers", "Kick\n\nKick them.", "Riposte\n\nHit them back.")
RENUMBERED = book("sea/p.pdf", "Powers", "Kick\n\nKick them.", "Riposte\n\nHit them back.", first=2)
LATER = book("sea/z.pdf", "Duels", "Riposte\n\nHit back.")
EARLIER = book("sea/a.pdf", "Duels", "Riposte\n\nHit first.")
ERRATA = book("sea/e.pdf", "Errata", "Errata\n\nKick: they hit harder, see page 1.")
NETS, HOOKS = (book("sea/n.pdf", name, f"{name}\n\nSee the next page.", "End") for name in ("Nets", "Hooks"))
CITING = home("And so on (see P2).")
CODED = book("sea/p.pdf", "Powers", "Kick", "Riposte", declared={"codes": ("P",)})
TWIN = replace(MIDDLE, file="land/m.pdf")

CHANGES: dict[str, tuple[Library, Library]] = {
    "nothing": (library(MIDDLE, OTHER), library(MIDDLE, OTHER)),
    "a book before all others": (
        library(MIDDLE, OTHER),
        library(book("a/a.pdf", "Hills", "Hill", "Dale"), MIDDLE, OTHER),
    ),
    "a book of the game has the heading sooner": (library(MIDDLE, LATER), library(EARLIER, MIDDLE, LATER)),
    "the first book with the heading is gone": (library(EARLIER, MIDDLE, LATER), library(MIDDLE, LATER)),
    "the book with the heading has it no more": (
        library(EARLIER, MIDDLE, LATER),
        library(book("sea/a.pdf", "Duels", "Parry\n\nHit back."), MIDDLE, LATER),
    ),
    "a book of the GM's has the heading sooner": (
        library(MIDDLE, LATER, book("sea/gm/x.pdf", "Traps", "Pit")),
        library(MIDDLE, LATER, book("sea/gm/x.pdf", "Traps", "Pit"), book("sea/gm/d.pdf", "D", "Riposte")),
    ),
    "what everybody knew is the GM's now": (
        library(MIDDLE, EARLIER, LATER),
        library(
            MIDDLE, book("sea/a.pdf", "Duels", "Riposte\n\nHit back.", declared={"audience": "gm"}), LATER
        ),
    ),
    "another edition has other page numbers": (library(NUMBERED, OTHER), library(NUMBERED, RENUMBERED)),
    "a book takes the place of another": (
        library(NETS, replace(HOOKS, file="sea/h.pdf")),
        library(replace(HOOKS, file="sea/n.pdf")),
    ),
    "a name of two words is a heading and a book": (
        library(home("See Riposte in Duels."), OTHER),
        library(home("See Riposte in Duels."), OTHER, book("sea/z.pdf", "Duels", "Parry")),
    ),
    "a volume of the same title comes": (
        library(BESIDE, LATER),
        library(BESIDE, LATER, book("sea/n.pdf", "Sea Laws", "Kick\n\nKick them.", "Parry", first=2)),
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
    "a book is moved to another game": (
        library(NUMBERED, OTHER),
        library(NUMBERED, replace(OTHER, file="land/p.pdf")),
    ),
    "a code means another book": (
        library(LETTERED, CODED, LATER),
        library(
            LETTERED, OTHER, book("sea/z.pdf", "Duels", "Riposte", "Riposte", declared={"codes": ("P",)})
        ),
    ),
    "the book of a code is called otherwise": (
        library(LETTERED, book("sea/p.pdf", "Powers", "Kick", declared={"codes": ("P",)})),
        library(LETTERED, book("sea/p.pdf", "Powers", "Kick", declared={"codes": ("P",), "title": "Arms"})),
    ),
    "the book of a code is told apart from another of its title": (
        library(LETTERED, CODED),
        library(LETTERED, CODED, book("land/q.pdf", "Powers", "Hill", "Dale")),
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
    "another file has the name of a link": (
        library(LINKED, book("land/Tides.pdf", "Tides", "Ebb")),
        library(LINKED, book("land/Tides.pdf", "Tides", "Ebb"), book("sea/Tides.pdf", "Tides", "Flood")),
    ),
    "a book is corrected that was one of several": (library(ERRATA, OTHER, LATER), library(ERRATA, OTHER)),
    "a corrected book is one of several": (library(ERRATA, OTHER), library(ERRATA, OTHER, LATER)),
    "a book has a twin in another game": (library(TWIN, MIDDLE, OTHER), library(TWIN, MIDDLE, OTHER, LATER)),
    "a range is in a book of the GM's": (
        library(book("gm/m.pdf", "Sea Laws", "Ships\n\nFor Kick, see pp. 1-2.", "Kick\n\nKick them.")),
        library(
            book("a.pdf", "Hills", "Hill"),
            book("gm/m.pdf", "Sea Laws", "Ships\n\nFor Kick, see pp. 1-2.", "Kick\n\nKick them."),
        ),
    ),
}
"""Libraries before and after a change."""


@pytest.mark.parametrize(("before", "after"), CHANGES.values(), ids=CHANGES)
def test_what_a_change_makes_of_references_is_what_the_library_has_from_nothing(
    before: Library, after: Library, tmp_path: Path
) -> None:
    growing = Growing(tmp_path)
    # There and back: what is carried over twice is as true.
    for step, books in enumerate([before, after, before, after]):
        assert growing.linked(books) == linked(books, PageFinds(), tmp_path / f"anew {step}", None)


def test_what_was_found_out_for_a_snapshot_that_was_not_published_carries_nothing(tmp_path: Path) -> None:
    growing, books = Growing(tmp_path), library(MIDDLE, LATER)
    growing.linked(library(EARLIER, MIDDLE, LATER))
    growing.link_in_vain(books)
    assert growing.linked(books) == linked(books, PageFinds(), tmp_path / "anew", None)


def test_references_that_lead_where_they_led_are_not_resolved_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    growing = Growing(tmp_path)
    growing.linked(library(MIDDLE, OTHER, LATER))
    resolved: list[str] = []

    def noted(reference: Reference, page: int, home: str, *known: Any) -> PageRange | None:
        resolved.append(home)
        return resolve(reference, page, home, *known)

    monkeypatch.setattr("rag.library.ingest.links.resolve", noted)
    new = book("sea/n.pdf", "Nets", "Nets\n\nSee Riposte.")
    growing.linked(library(MIDDLE, OTHER, LATER, new))
    assert set(resolved) == {"sea/n.pdf"}
