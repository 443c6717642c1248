"""References and corrections carried over from the snapshot before, until they are looked for anew."""

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeAlias

from rag.errors import IndexDamaged
from rag.library.index.tables import DATABASE, read_only

PageCounts: TypeAlias = Mapping[str, int]
"""How many pages each file has, in order of file."""


def page_counts(layers: Iterable[tuple[Path, Collection[str]]]) -> dict[str, int]:
    """The pages of each file of a snapshot; its `layers` are directories with the files that count there.

    Raises `IndexDamaged`.
    """
    counts: dict[str, int] = {}
    for directory, files in layers:
        address = read_only(directory / DATABASE)
        with _noticing(directory), closing(sqlite3.connect(address, uri=True)) as database:
            rows = database.execute("SELECT file, count(*) FROM pages GROUP BY file").fetchall()
        counts |= dict.fromkeys(files, 0) | {file: count for file, count in rows if file in files}
    return dict(sorted(counts.items()))


def carry_links(
    database: sqlite3.Connection,
    before: Path,
    counts_before: PageCounts,
    counts: PageCounts,
    same: Collection[str],
) -> None:
    """Copy what links the pages of the `same` files from the snapshot in the directory `before`.

    `counts_before` and `counts` are the pages of each file there and in the new snapshot. What led to pages
    of other files leads nowhere. Raises `IndexDamaged`.
    """
    firsts_before, firsts = _firsts(counts_before), _firsts(counts)
    rows = [
        (firsts_before[file] + place, firsts[file] + place) for file in same for place in range(counts[file])
    ]
    database.execute("CREATE TEMP TABLE moved (old INTEGER PRIMARY KEY, new INTEGER)")
    database.executemany("INSERT INTO moved VALUES (?, ?)", rows)
    database.commit()
    with _noticing(before):
        database.execute("ATTACH ? AS before", (read_only(before / DATABASE),))
        database.executescript(_CARRY)
        database.execute("DETACH before")
    database.execute("DROP TABLE moved")


def _firsts(counts: PageCounts) -> dict[str, int]:
    """The number of the first page of each file."""
    firsts, total = {}, 0
    for file, count in counts.items():
        firsts[file] = total
        total += count
    return firsts


@contextmanager
def _noticing(directory: Path) -> Iterator[None]:
    """Tell damage to a snapshot that is read from what else can go wrong with a database, as a full disk."""
    try:
        yield
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        raise IndexDamaged(parts=directory.name) from error


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
