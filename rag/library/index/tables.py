"""The SQLite files of a snapshot, how they are read, and the page labels in them."""

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable
from contextlib import closing
from pathlib import Path

from rag.errors import IndexDamaged

DATABASE = "library.sqlite"
"""The tables of a segment, in its directory."""


SCHEMA = """
CREATE TABLE pages (
    id INTEGER PRIMARY KEY, file TEXT NOT NULL, pdf_page INTEGER NOT NULL, label TEXT, kind TEXT NOT NULL,
    continues INTEGER NOT NULL, text TEXT NOT NULL, headings TEXT NOT NULL, path TEXT NOT NULL,
    rows TEXT NOT NULL, layer TEXT NOT NULL, half INTEGER NOT NULL, section_starts TEXT NOT NULL,
    UNIQUE (file, pdf_page, half)
);
CREATE TABLE children (
    id INTEGER PRIMARY KEY, page INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL,
    words INTEGER NOT NULL
);
CREATE TABLE postings (
    language TEXT NOT NULL, term TEXT NOT NULL, children BLOB NOT NULL, counts BLOB NOT NULL,
    PRIMARY KEY (language, term)
) WITHOUT ROWID;
CREATE TABLE topics (
    id INTEGER PRIMARY KEY, child INTEGER NOT NULL, name INTEGER NOT NULL, words INTEGER NOT NULL
);
CREATE TABLE topic_postings (
    language TEXT NOT NULL, term TEXT NOT NULL, topics BLOB NOT NULL, PRIMARY KEY (language, term)
) WITHOUT ROWID;
CREATE TABLE words (id INTEGER PRIMARY KEY, language TEXT NOT NULL, word TEXT NOT NULL, folded TEXT NOT NULL);
"""
INDEXES = """
CREATE INDEX pages_by_label ON pages (lower(label), file);
CREATE INDEX words_by_form ON words (language, folded);
"""

LINKS = "links.sqlite"
"""The references and corrections among all books, in the directory of the snapshot that looked for them."""
LINKS_SCHEMA = """
CREATE TABLE linked_files (file TEXT PRIMARY KEY, content TEXT NOT NULL, pages INTEGER NOT NULL);
CREATE TABLE page_references (
    page INTEGER NOT NULL, start INTEGER NOT NULL, text TEXT NOT NULL, name TEXT, label TEXT,
    player_page INTEGER, player_last INTEGER, gm_page INTEGER, gm_last INTEGER
);
CREATE TABLE amendments (
    reader TEXT NOT NULL, page INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL,
    amending INTEGER NOT NULL, at INTEGER NOT NULL, until INTEGER NOT NULL,
    PRIMARY KEY (reader, page, start, amending, at)
) WITHOUT ROWID;
"""
LINKS_INDEXES = """
CREATE INDEX references_by_page ON page_references (page);
CREATE INDEX references_by_player_page ON page_references (player_page);
CREATE INDEX amendments_by_amending ON amendments (reader, amending);
CREATE INDEX references_by_gm_page ON page_references (gm_page);
"""
"""Pages are numbered here through the linked files, in order of file."""


def read_only(path: Path, *, is_final: bool = True) -> str:
    """The address by which SQLite opens a file only to read it.

    One that is final never changes, so that no lock is needed: https://www.sqlite.org/uri.html.
    """
    return f"{path.resolve().as_uri()}?mode=ro{'&immutable=1' * is_final}"


def marks(values: Collection[object]) -> str:
    """A place in a statement for each value."""
    return ", ".join("?" * len(values))


SheetLabel = str | None | list[str | None]
"""The label of a page of the file, None where it is unknown; a list where two printed pages share a sheet."""


def sheet_labels(layers: Iterable[tuple[Path, Collection[str]]]) -> dict[str, list[SheetLabel]]:
    """The label of every page of each file, in order of position, the lower number of a sheet first.

    `layers` are the directories of a snapshot's segments, each with the files that count there.

    Raises `IndexDamaged`.
    """
    sheets: defaultdict[str, defaultdict[int, list[str | None]]] = defaultdict(lambda: defaultdict(list))
    for directory, files in layers:
        for file, pdf_page, label in _labels(directory):
            if file in files:
                sheets[file][pdf_page].append(label)
    return {
        file: [labels[0] if len(labels) == 1 else labels for _, labels in sorted(pages.items())]
        for file, pages in sheets.items()
    }


def _labels(directory: Path) -> list[tuple[str, int, str | None]]:
    if not (directory / DATABASE).is_file():
        return []
    try:
        with closing(sqlite3.connect(read_only(directory / DATABASE), uri=True)) as database:
            return database.execute(
                "SELECT file, pdf_page, label FROM pages ORDER BY file, pdf_page, id"
            ).fetchall()
    except sqlite3.DatabaseError as error:
        raise IndexDamaged(parts=directory.name) from error
