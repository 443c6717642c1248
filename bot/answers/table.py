"""The table of answers: what was said, so that buttons still work after a restart.

A record, not a memory: no prompt is built from it, and it holds no passage of a book beyond the quotes.
"""

import asyncio
import json
import logging
import sqlite3
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TypeVar

from pydantic import Json, TypeAdapter

from bot.storage.data_table import PLACE, DataTable, Of, among
from rag.config import Audience
from rag.library.books.ruling import Ruling
from rag.state import QuotedPlace, Source, Trace

log = logging.getLogger(__name__)

Value = TypeVar("Value")

ANSWERS = "answers.sqlite"
DAY = 86400.0


@dataclass(frozen=True, slots=True)
class KeptSource(QuotedPlace):
    """Where a quotation stands; the page itself is read again from the index.

    `edition` is the digest of the file that was quoted, where it is known.
    """

    edition: str | None = None

    @classmethod
    def of(cls, source: Source, edition: str | None, rulings: Sequence[Ruling]) -> "KeptSource":
        """What is kept of a source of that edition; of one of the rulings the paragraphs, too.

        A quotation is one line.
        """
        own = {one.name: getattr(source, one.name) for one in fields(cls) if one.name != "edition"}
        written = (one.text for one in rulings if one.text.split() == source.quote.split())
        return cls(edition=edition, **own | {"quote": next(written, source.quote)})


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """One answer, or a question that was not answered, by the id of its message.

    `channel` is where the message stands, `home` the channel that a thread belongs to, `thread_id`
    LangGraph's, `queries` what was searched, `followed` printed references from page to page,
    `created` seconds since the epoch. `trace` tells how it was found, None of what was not answered, and of
    an answer of an earlier release. `book_only` says that a table's own rules were left out. `locale` is the
    language in which whoever used a command or a button has Discord, None of a message. In the table, what is
    `Json` is text.
    """

    message: int
    channel: int
    home: int
    guild: int | None
    thread_id: str
    asker: int
    audience: Audience
    private: bool
    book: str | None
    question: str
    standalone_question: str
    outcome: str
    created: float
    sources: Json[tuple[KeptSource, ...]] = ()
    hops: int = 0
    queries: Json[tuple[str, ...]] = ()
    followed: Json[tuple[tuple[str, str], ...]] = ()
    seconds: float = 0.0
    trace: Json[Trace] | None = None
    book_only: bool = False
    locale: str | None = None


KEPT_ANSWER = TypeAdapter(KeptAnswer)
SECONDS = TypeAdapter(tuple[float, int | None])
"""How long a question took, and its server."""
AT_WORK = "at-work"
"""The outcome of a question until it has one: it stays where the process is killed."""
ANSWERED = f"outcome NOT IN ('{AT_WORK}', 'failed', 'excused')"
"""True of answers; questions without one are kept so that they can be asked again."""

FIELDS = tuple(field.name for field in fields(KeptAnswer))
COLUMNS = tuple("conversation" if name == "thread_id" else name for name in FIELDS)
"""The columns of the fields; tables of earlier versions call `thread_id` a conversation."""
LISTS = ("sources", "queries", "followed")


class Answers(DataTable):
    """The table in `answers.sqlite`."""

    def __init__(self, data_dir: Path, kept_days: int) -> None:
        """Open the table, and make it where there is none. Raises `ConfigurationError`."""
        self._kept_seconds = kept_days * DAY
        self._lookup = asyncio.Lock()
        super().__init__(data_dir, ANSWERS, self._kept_seconds)

    def keep(self, answer: KeptAnswer) -> None:
        """Keep an answer, and drop those whose time is over."""
        row = asdict(answer)
        row |= {name: json.dumps(row[name], ensure_ascii=False) for name in LISTS}
        row["trace"] = answer.trace and answer.trace.model_dump_json()
        values = ", ".join(f":{name}" for name in FIELDS)
        self._do(f"INSERT OR REPLACE INTO answers ({', '.join(COLUMNS)}) VALUES ({values})", row)
        self._begin()

    def find(self, message: int) -> KeptAnswer | None:
        """The answer of a message, None where nothing is kept, or nothing that this release can read."""
        since = time.time() - self._kept_seconds
        return next(iter(self._read("message = ? AND created >= ?", message, since)), None)

    def of_asker(self, person: int) -> list[KeptAnswer]:
        """What is kept of somebody's questions, the newest first."""
        return self._read("asker = ? ORDER BY created DESC", person)

    def at_work(self) -> list[KeptAnswer]:
        """The questions at work; at the start of the process those at which the one before was killed."""
        return self._read("outcome = ?", AT_WORK)

    async def looked_up(self, search: Callable[[], Value]) -> Value | None:
        """What a search in the table finds; None where the table cannot be read.

        Searches end in the order in which they began, so that messages keep theirs.
        """
        try:
            async with self._lookup:
                return await asyncio.to_thread(search)
        except sqlite3.Error as error:
            log.warning("the table of answers cannot be read: %s", error)
            return None

    def knows(self, thread_id: str) -> bool:
        """Whether a conversation has had an answer."""
        answer = f"SELECT 1 FROM answers WHERE conversation = ? AND {ANSWERED} LIMIT 1"
        return bool(self._do(answer, (thread_id,)))

    def drop(self, of: Of, *ids: int) -> tuple[int, list[str]]:
        """Drop the answers of messages, a place or a person; how many there were, and their thread ids.

        A question at work is no answer yet.
        """
        rows = self._do(f"DELETE FROM answers WHERE {of} RETURNING conversation, outcome", among(ids))
        thread_ids = list(dict.fromkeys(thread_id for thread_id, _ in rows))
        return sum(outcome != AT_WORK for _, outcome in rows), thread_ids

    def places(self) -> list[tuple[int, int]]:
        """The servers and channels of which anything is kept."""
        rows = self._do("SELECT DISTINCT guild, home FROM answers WHERE guild IS NOT NULL")
        return list(self._readable(rows, PLACE.validate_python))

    def seconds_today(self, servers: Collection[int | None] | None = None) -> list[float]:
        """How long each question since midnight (UTC) took, from some servers or all; not those of GMs."""
        midnight = time.time() // DAY * DAY
        of_players = f"created >= ? AND audience != 'gm' AND {ANSWERED}"
        rows = self._do(f"SELECT seconds, guild FROM answers WHERE {of_players}", (midnight,))
        read = self._readable(rows, SECONDS.validate_python)
        return [seconds for seconds, guild in read if servers is None or guild in servers]

    def newest(self, thread_id: str) -> KeptAnswer | None:
        """The newest answer of a conversation."""
        return next(iter(self._read("conversation = ? ORDER BY created DESC LIMIT 1", thread_id)), None)

    def _read(self, condition: str, *values: object) -> list[KeptAnswer]:
        """The answers of which a condition is true, as far as this release can read them."""
        rows = self._do(f"SELECT {', '.join(COLUMNS)} FROM answers WHERE {condition}", values)
        facts = [dict(zip(FIELDS, row, strict=True)) for row in rows]
        return list(self._readable(facts, KEPT_ANSWER.validate_python))

    def _begin(self) -> None:
        """Drop the answers whose time is over."""
        self._do("DELETE FROM answers WHERE created < ?", (time.time() - self._kept_seconds,))
