"""References and corrections carried over from the snapshot before, where they are as they were."""

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from rag.errors import IndexDamaged
from rag.library.index.tables import DATABASE, read_only

_ONCE_IN_EACH = 2

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


def same_files(before: Mapping[str, str], now: Mapping[str, str]) -> set[str]:
    """The files of which nothing has changed between two snapshots, by the contents of the files of each.

    What was found on pages is kept by their content: it does not tell a file from its twin in another game.
    """
    times = Counter([*before.values(), *now.values()])
    return {file for file, content in before.items() & now.items() if times[content] == _ONCE_IN_EACH}


@dataclass(frozen=True, slots=True)
class LinkedBefore:
    """A snapshot whose references are known: its `directory`, and how many pages it has of each file.

    Nothing has changed since about the files that are the `same`.
    """

    directory: Path
    counts: PageCounts
    same: Collection[str]

    def carry_links(
        self, database: sqlite3.Connection, counts: PageCounts, files: Collection[str] | None = None
    ) -> None:
        """Copy what links the pages of the same files into a snapshot with so many pages of each file.

        With `files`, some of the same, copy only the references printed in these. What led to pages of files
        that are not the same leads nowhere. Raises `IndexDamaged`.
        """
        before, now = _firsts(self.counts), _firsts(counts)
        rows = [
            (before[file] + place, now[file] + place, files is None or file in files)
            for file in self.same
            for place in range(counts[file])
        ]
        database.execute("CREATE TEMP TABLE moved (old INTEGER PRIMARY KEY, new INTEGER, is_carried INTEGER)")
        database.executemany("INSERT INTO moved VALUES (?, ?, ?)", rows)
        database.commit()
        with _noticing(self.directory):
            database.execute("ATTACH ? AS before", (read_only(self.directory / DATABASE),))
            database.executescript(_CARRY_REFERENCES)
            if files is None:
                database.executescript(_CARRY_AMENDMENTS)
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


_CARRY_REFERENCES = """
INSERT INTO page_references
SELECT page.new, start, text, name, label, player.new, player_end.new, gm.new, gm_end.new
FROM before.page_references AS old JOIN moved AS page ON page.old = old.page AND page.is_carried
LEFT JOIN moved AS player ON player.old = old.player_page
LEFT JOIN moved AS player_end ON player_end.old = old.player_last
LEFT JOIN moved AS gm ON gm.old = old.gm_page
LEFT JOIN moved AS gm_end ON gm_end.old = old.gm_last
ORDER BY old.rowid;
"""
_CARRY_AMENDMENTS = """
INSERT INTO amendments
SELECT reader, page.new, start, end, amending.new, at, until FROM before.amendments AS old
JOIN moved AS page ON page.old = old.page JOIN moved AS amending ON amending.old = old.amending;
"""
