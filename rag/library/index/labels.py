"""The printed labels of a snapshot's pages, read without opening the whole index."""

import sqlite3
from collections import defaultdict
from contextlib import closing
from pathlib import Path

DATABASE = "library.sqlite"
"""The tables of a snapshot, in its directory."""


SheetLabel = str | None | list[str | None]
"""The label of a page of the file, None where it is unknown; a list where two printed pages share a sheet."""


def sheet_labels(snapshot: Path) -> dict[str, list[SheetLabel]]:
    """The label of every page of each file, in order of position, the lower number of a sheet first."""
    sheets: defaultdict[str, defaultdict[int, list[str | None]]] = defaultdict(lambda: defaultdict(list))
    if (snapshot / DATABASE).is_file():
        with closing(sqlite3.connect(snapshot / DATABASE)) as database:
            rows = database.execute("SELECT file, pdf_page, label FROM pages ORDER BY file, pdf_page, id")
            for file, pdf_page, label in rows:
                sheets[file][pdf_page].append(label)
    return {
        file: [labels[0] if len(labels) == 1 else labels for _, labels in sorted(pages.items())]
        for file, pages in sheets.items()
    }
