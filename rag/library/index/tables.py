"""The SQLite file with the tables of a snapshot, and how it is read."""

from pathlib import Path

DATABASE = "library.sqlite"
"""The tables of a snapshot, in its directory."""


def read_only(path: Path, *, is_final: bool = True) -> str:
    """The address by which SQLite opens a file only to read it.

    One that is final never changes, so that no lock is needed: https://www.sqlite.org/uri.html.
    """
    return f"{path.resolve().as_uri()}?mode=ro{'&immutable=1' * is_final}"
