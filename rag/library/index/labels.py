"""The printed labels of a snapshot's pages, read without opening the whole index."""

import sqlite3
from collections import defaultdict
from contextlib import closing
from pathlib import Path

DATABASE = "library.sqlite"
"""The tables of a snapshot, in its directory."""


def printed_labels(snapshot: Path) -> dict[str, list[str | None]]:
    """The label of every page in order, by file; None where it is unknown."""
    labels: defaultdict[str, list[str | None]] = defaultdict(list)
    if (snapshot / DATABASE).is_file():
        with closing(sqlite3.connect(snapshot / DATABASE)) as database:
            for file, label in database.execute("SELECT file, label FROM pages ORDER BY id"):
                labels[file].append(label)
    return dict(labels)
