"""A database of DATA_DIR: opened at its newest version, used by one thread at a time."""

import json
import logging
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter

from bot.storage.files import drop_set_aside, open_database
from rag.errors import ConfigurationError

log = logging.getLogger(__name__)

Row = TypeVar("Row")

VERSION = "-- version "
AMONG_IDS = "IN (SELECT value FROM json_each(:ids))"
PLACE = TypeAdapter(tuple[int, int])
"""A server and a channel of it."""


class Of(StrEnum):
    """Which rows: a condition on columns that the tables of answers and of ratings both have."""

    MESSAGE = f"message {AMONG_IDS}"
    CHANNEL = f"channel {AMONG_IDS} OR home {AMONG_IDS}"
    """Those of a thread, or of a channel and its threads."""
    SERVER = f"guild {AMONG_IDS}"
    ASKER = f"asker {AMONG_IDS}"


def among(ids: Iterable[int]) -> dict[str, str]:
    """The value of a condition on ids."""
    return {"ids": json.dumps([*ids])}


def migrations(name: str) -> list[str]:
    """How each version of a database is made of the one before, from `migrations/NAME.sql`."""
    text = files("bot.storage").joinpath("migrations", f"{name}.sql").read_text(encoding="utf-8")
    return [one.partition("\n")[2].strip() for one in text.split(VERSION)[1:]]


class DataTable:
    """The tables of one SQLite file; every method is safe to call from any thread."""

    def __init__(self, data_dir: Path, file: str, kept_seconds: float) -> None:
        """Open the file, and make it where there is none. Raises `ConfigurationError`.

        What was set aside of a damaged one is kept for so many seconds.
        """
        self._path = data_dir / file
        self._lock = threading.RLock()
        # Once a start: a table of a later release may have many such rows, read again and again.
        self._tell_unreadable = cache(partial(log.warning, "a row of %s cannot be read: %s", file))
        try:
            drop_set_aside(self._path, kept_seconds)
            self._database = open_database(self._path, migrations(self._path.stem))
            self._begin()
        except (OSError, sqlite3.Error) as error:
            raise ConfigurationError(variable="DATA_DIR", reason=f"{data_dir}: {error}") from error

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._database.close()

    def drop_set_aside(self) -> bool:
        """Delete what was set aside of a damaged file; whether there was any."""
        return drop_set_aside(self._path)

    def _begin(self) -> None:
        """Bring what is kept up to date. Raises `OSError` or `sqlite3.Error`."""

    def _readable(self, rows: Iterable[Any], read: Callable[[Any], Row]) -> Iterator[Row]:
        """What rows hold, as far as this release can read it: others are of another one, or damaged.

        Only the kind of an error is told, once, for its message may hold what somebody asked.
        """
        for row in rows:
            try:
                yield read(row)
            except ValueError as error:
                self._tell_unreadable(type(error).__name__)

    def _do(self, statement: str, values: Any = ()) -> list[Any]:
        """The rows that a statement gives."""
        with self._lock:
            return self._database.execute(statement, values).fetchall()
