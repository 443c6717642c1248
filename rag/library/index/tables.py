"""The SQLite files of a snapshot, how they are read, and the page labels in them."""

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Mapping
from contextlib import closing
from importlib import resources
from pathlib import Path

from rag.errors import IndexDamaged

DATABASE = "library.sqlite"
"""The tables of a segment, in its directory."""


LINKS = "links.sqlite"
"""The references and corrections among all books, in the directory of the snapshot that looked for them."""


def schema(name: str) -> str:
    """The statements of `schemas/NAME.sql`."""
    folder = resources.files("rag.library.index").joinpath("schemas")
    return folder.joinpath(f"{name}.sql").read_text(encoding="utf-8")


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


def sheet_labels(segments: Mapping[Path, Collection[str]]) -> dict[str, list[SheetLabel]]:
    """The label of every page of each file, in order of position, the lower number of a sheet first.

    `segments` are the directories of a snapshot's segments, each with the files that count there.

    Raises `IndexDamaged`.
    """
    sheets: defaultdict[str, defaultdict[int, list[str | None]]] = defaultdict(lambda: defaultdict(list))
    for directory, files in segments.items():
        try:
            with closing(sqlite3.connect(read_only(directory / DATABASE), uri=True)) as database:
                rows = database.execute("SELECT file, pdf_page, label FROM pages ORDER BY id").fetchall()
        except sqlite3.DatabaseError as error:
            raise IndexDamaged(parts=directory.name) from error
        for file, pdf_page, label in rows:
            if file in files:
                sheets[file][pdf_page].append(label)
    return {
        file: [labels[0] if len(labels) == 1 else labels for _, labels in sorted(pages.items())]
        for file, pages in sheets.items()
    }
