"""References and corrections carried over from the snapshot before, so that a new book is soon found."""

import sqlite3
from collections.abc import Collection, Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import TypeAlias

from rag.library.index.labels import DATABASE

PageCounts: TypeAlias = Mapping[str, int]
"""How many pages each file has, in order of file."""


def page_counts(layers: Iterable[tuple[Path, Collection[str]]]) -> dict[str, int]:
    """The pages of each file of a snapshot; its `layers` are directories with the files that count there."""
    counts: dict[str, int] = {}
    for directory, files in layers:
        with closing(_reading(directory)) as database:
            rows = database.execute("SELECT file, count(*) FROM pages GROUP BY file").fetchall()
        counts |= dict.fromkeys(files, 0) | {file: count for file, count in rows if file in files}
    return dict(sorted(counts.items()))


def carry_links(
    database: sqlite3.Connection,
    before: Path,
    counts_before: PageCounts,
    counts: PageCounts,
    same: Iterable[str],
) -> None:
    """Copy what links the pages of files that are the `same` from the snapshot in the directory `before`.

    Of both snapshots the pages are counted by file. What led to pages of other files leads nowhere.
    """
    firsts_before, firsts = _firsts(counts_before), _firsts(counts)
    moved = [
        (firsts_before[file] + place, firsts[file] + place) for file in same for place in range(counts[file])
    ]
    database.execute("CREATE TEMP TABLE moved (old INTEGER PRIMARY KEY, new INTEGER NOT NULL)")
    database.executemany("INSERT INTO moved VALUES (?, ?)", moved)
    database.commit()
    database.execute("ATTACH ? AS before", (_uri(before),))
    database.executescript(_CARRY)
    database.execute("DETACH before")


def _firsts(counts: PageCounts) -> dict[str, int]:
    """The number of the first page of each file."""
    firsts, total = {}, 0
    for file, count in counts.items():
        firsts[file] = total
        total += count
    return firsts


def _reading(directory: Path) -> sqlite3.Connection:
    return sqlite3.connect(_uri(directory), uri=True)


def _uri(directory: Path) -> str:
    return f"{(directory / DATABASE).resolve().as_uri()}?mode=ro&immutable=1"


_CARRY = """
INSERT INTO page_references
SELECT page.new, start, text, name, label, player.new, player_end.new, gm.new, gm_end.new
FROM before.page_references AS old JOIN moved AS page ON page.old = old.page
LEFT JOIN moved AS player ON player.old = old.player_page
LEFT JOIN moved AS player_end ON player_end.old = old.player_last
LEFT JOIN moved AS gm ON gm.old = old.gm_page
LEFT JOIN moved AS gm_end ON gm_end.old = old.gm_last
ORDER BY old.rowid;
INSERT INTO amendments
SELECT reader, page.new, start, end, amending.new, at, until FROM before.amendments AS old
JOIN moved AS page ON page.old = old.page JOIN moved AS amending ON amending.old = old.amending;
"""
