"""Daily budgets: how many tokens of the chat model each user and each server may spend in a day of UTC."""

import asyncio
import logging
import math
import sqlite3
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from pydantic import TypeAdapter
from pydantic_core import ArgsKwargs

from bot.storage.data_table import DataTable
from rag.config import Settings
from rag.errors import RulesError
from rag.state import Usage

log = logging.getLogger(__name__)

BUDGETS = "budgets.sqlite"
DAY_SECONDS = 86400
HELD = Usage(calls=3, input_tokens=30_000, estimated=True)
"""What a question is taken to cost until its end tells. Measured on 695 pages: 21,000 tokens for a question
of one hop, 31,000 for one of three."""

COLUMNS = "day, kind, id, calls, input_tokens, output_tokens, estimated, money"
VALUES = ", ".join("?" * len(COLUMNS.split()))


class AccountKind(StrEnum):
    """Whose account it is; `PLAYERS` is what all questions of players cost together."""

    USER = "user"
    SERVER = "server"
    PLAYERS = "players"


@dataclass(frozen=True, slots=True)
class Account:
    """What a day's questions of somebody are charged to; `id` is Discord's."""

    kind: AccountKind
    id: int = 0


SPENT = TypeAdapter(tuple[Account, Usage])
PLAYERS = Account(AccountKind.PLAYERS)


def daily_limits(settings: Settings) -> dict[AccountKind, int]:
    """Tokens a day by whose they are; 0 for no budget."""
    return {AccountKind.USER: settings.daily_tokens_user, AccountKind.SERVER: settings.daily_tokens_server}


def payers(user: int, guild: int | None) -> tuple[Account, ...]:
    """Who pays for a question: the user, and the server it was asked in."""
    own = Account(AccountKind.USER, user)
    return (own,) if guild is None else (own, Account(AccountKind.SERVER, guild))


@dataclass
class Bill:
    """What a question costs: what was held for it, until what it used is set."""

    usage: Usage = HELD


class Budgets(DataTable):
    """What accounts have spent today, kept in `budgets.sqlite`: a restart gives nobody a second budget.

    `limits` are tokens a day by kind; a kind without one, or with 0, may spend what it likes. Questions at
    work hold tokens until they are charged; over midnight they are charged on the new day.

    Ids, a day and numbers are all that is kept, and a day's rows go with its end: at the next question,
    or the next start. For the event loop alone; only the table is written beside it.
    """

    def __init__(
        self, data_dir: Path, limits: Mapping[AccountKind, int], clock: Callable[[], float] = time.time
    ) -> None:
        """Open the table, and make it where there is none. Raises `ConfigurationError`.

        `clock` tells the seconds since the epoch.
        """
        self._clock = clock
        self.limits = limits
        self._day = self._today
        self._held: Counter[Account] = Counter()
        super().__init__(data_dir, BUDGETS, math.inf)

    def _begin(self) -> None:
        """Read what was spent today, and drop what was before."""
        self._spent = self._read(self._day)

    @property
    def renewal(self) -> datetime:
        """When the next day begins, and with it every budget."""
        return datetime.fromtimestamp((self._today + 1) * DAY_SECONDS, UTC)

    def spent(self, account: Account) -> Usage:
        """What an account has spent today."""
        if self._day != self._today:
            self._day, self._spent = self._today, {}
        return self._spent.get(account, Usage())

    def over(self, accounts: Sequence[Account]) -> Account | None:
        """The first of the accounts whose budget for today is spent, or held for questions at work."""
        return next((one for one in accounts if self.is_spent(one, self._held[one])), None)

    def is_spent(self, account: Account, held: int = 0) -> bool:
        """Whether an account's budget for today is spent, with what is `held` for questions at work."""
        limit = self.limits.get(account.kind, 0)
        return 0 < limit <= self.spent(account).tokens + held

    @asynccontextmanager
    async def billed(self, accounts: Sequence[Account]) -> AsyncIterator[Bill]:
        """Hold tokens for a question, and charge at its end what its bill says.

        A question that breaks off is charged what was held, for nobody knows what it used; one that
        fails with a sentence for the user what it had used until then: nothing, where it was refused.
        """
        bill = Bill()
        self._held.update(dict.fromkeys(accounts, HELD.tokens))
        try:
            yield bill
        except RulesError as error:
            bill.usage = error.usage or Usage()
            raise
        finally:
            for account in accounts:
                self._spent[account] = self.spent(account) + bill.usage
                self._held[account] -= HELD.tokens
            # Who has nothing at work leaves no trace here.
            self._held = +self._held
            await self._keep(accounts)

    @property
    def _today(self) -> int:
        return int(self._clock() // DAY_SECONDS)

    async def _keep(self, accounts: Sequence[Account]) -> None:
        """Write what accounts have spent; where that fails, it counts until the next start."""
        try:
            await asyncio.to_thread(self._write, self._day, accounts)
        except sqlite3.Error as error:
            log.warning("what was spent today cannot be kept: %s", error)

    def _write(self, day: int, accounts: Sequence[Account]) -> None:
        """Write what accounts have spent by now, whichever question is written first."""
        with self._lock:
            rows = [_row(day, account, self._spent.get(account, Usage())) for account in accounts]
            self._database.executemany(f"INSERT OR REPLACE INTO spent ({COLUMNS}) VALUES ({VALUES})", rows)
            self._drop_before(day)

    def _read(self, day: int) -> dict[Account, Usage]:
        """What was spent on a day; what was spent before it is dropped."""
        self._drop_before(day)
        rows = self._do(f"SELECT {COLUMNS} FROM spent WHERE day = ?", (day,))
        spent = ((ArgsKwargs(row[1:3]), ArgsKwargs(row[3:])) for row in rows)
        return dict(self._readable(spent, SPENT.validate_python))

    def _drop_before(self, day: int) -> None:
        self._do("DELETE FROM spent WHERE day < ?", (day,))


def _row(day: int, account: Account, usage: Usage) -> tuple[object, ...]:
    money = None if usage.money is None else str(usage.money)
    counts = (usage.calls, usage.input_tokens, usage.output_tokens, usage.estimated)
    return (day, account.kind.value, account.id, *counts, money)
