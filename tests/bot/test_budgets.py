"""The day's budgets of users and servers: what may still be spent, and what is kept of it."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from bot.budgets import BUDGETS, DAY_SECONDS, HELD, Account, AccountKind, Budgets
from rag.errors import EmptyLibrary, IndexUnreachable
from rag.state import Usage

LIMITS = {AccountKind.USER: 100_000, AccountKind.SERVER: 250_000, AccountKind.PLAYERS: 0}
ANA, BIA = Account(AccountKind.USER, 1), Account(AccountKind.USER, 2)
TABLE = Account(AccountKind.SERVER, 7)
UNLIMITED = Account(AccountKind.PLAYERS)
NOON = 20_000.5 * DAY_SECONDS
Opened = Callable[[], Budgets]


@pytest.fixture
def clock() -> list[float]:
    """The time, alone in a list, which tests set."""
    return [NOON]


@pytest.fixture
def opened(tmp_path: Path, clock: list[float]) -> Iterator[Callable[[], Budgets]]:
    """Opens the budgets of one folder, as each start of the bot does."""
    every: list[Budgets] = []

    def open_budgets() -> Budgets:
        every.append(Budgets(tmp_path, LIMITS, lambda: clock[0]))
        return every[-1]

    yield open_budgets
    for budgets in every:
        budgets.close()


async def bill(budgets: Budgets, accounts: tuple[Account, ...], usage: Usage) -> None:
    async with budgets.billed(accounts) as billed:
        billed.usage = usage


# --- what may be spent ----------------------------------------------------------------------------


async def test_a_server_is_over_when_its_users_together_have_spent_its_tokens(opened: Opened) -> None:
    budgets = opened()
    for user in range(3):
        await bill(budgets, (Account(AccountKind.USER, user), TABLE), Usage(1, 90_000))
    assert budgets.over((BIA, TABLE)) == TABLE
    assert budgets.over((BIA,)) is None


async def test_a_question_at_work_over_midnight_is_held_and_paid_on_the_new_day(
    opened: Opened, clock: list[float]
) -> None:
    budgets = opened()
    async with budgets.billed((ANA,)) as billed:
        clock[0] += DAY_SECONDS
        billed.usage = Usage(1, 100_000)
    assert budgets.over((ANA,)) == ANA


async def test_a_limit_of_0_is_no_budget(opened: Opened) -> None:
    budgets = opened()
    await bill(budgets, (UNLIMITED,), Usage(1, 10**9))
    assert budgets.over((UNLIMITED,)) is None


# --- bills ----------------------------------------------------------------------------------------


async def test_of_fifty_at_once_only_as_many_begin_as_the_budget_holds(opened: Opened) -> None:
    budgets, begun = opened(), 0

    async def ask() -> None:
        nonlocal begun
        if budgets.over((ANA,)):
            return
        async with budgets.billed((ANA,)):
            begun += 1
            await asyncio.sleep(0)

    await asyncio.gather(*(ask() for _ in range(50)))
    assert begun == -(-LIMITS[AccountKind.USER] // HELD.tokens)


def after_calls() -> IndexUnreachable:
    failure = IndexUnreachable()
    failure.usage = Usage(2, 900, 100)
    return failure


@pytest.mark.parametrize(
    ("failure", "charged"),
    [(asyncio.CancelledError(), HELD), (EmptyLibrary(), Usage()), (after_calls(), Usage(2, 900, 100))],
    ids=["broken off: what was held", "refused: nothing", "failed after calls: what they took"],
)
async def test_a_question_without_an_answer_is_charged(
    opened: Opened, failure: BaseException, charged: Usage
) -> None:
    budgets = opened()
    with pytest.raises(type(failure)):
        async with budgets.billed((ANA,)):
            raise failure
    assert budgets.spent(ANA) == charged


# --- what is kept ---------------------------------------------------------------------------------


async def test_a_restart_gives_nobody_a_second_budget(opened: Opened) -> None:
    used = Usage(9, 100_000, 400, estimated=True, money=Decimal("0.0421"))
    await bill(opened(), (ANA, TABLE), used)
    again = opened()
    assert (again.over((ANA, TABLE)), again.over((BIA, TABLE))) == (ANA, None)
    assert again.spent(TABLE) == used


async def test_budgets_are_renewed_when_the_day_of_utc_is_over(opened: Opened, clock: list[float]) -> None:
    budgets = opened()
    await bill(budgets, (ANA,), Usage(input_tokens=100_000))
    assert budgets.renewal == datetime.fromtimestamp(20_001 * DAY_SECONDS, UTC)
    clock[0] = budgets.renewal.timestamp() - 1
    assert budgets.over((ANA,)) == ANA
    clock[0] = budgets.renewal.timestamp()
    assert budgets.over((ANA,)) is None


@pytest.mark.parametrize("ends_with", ["a question", "a start"])
async def test_what_is_kept_of_a_day_goes_with_its_end(
    opened: Opened, clock: list[float], tmp_path: Path, ends_with: str
) -> None:
    budgets = opened()
    await bill(budgets, (ANA, TABLE), Usage(input_tokens=10))
    clock[0] += DAY_SECONDS
    if ends_with == "a question":
        await bill(budgets, (BIA,), Usage(input_tokens=10))
    else:
        opened()
    with closing(sqlite3.connect(tmp_path / BUDGETS)) as table:
        kept = table.execute("SELECT day, kind, id FROM spent").fetchall()
    assert kept == ([(20_001, "user", BIA.id)] if ends_with == "a question" else [])


async def test_a_full_disk_stops_no_question_and_what_was_spent_still_counts(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    budgets = opened()
    monkeypatch.setattr(budgets, "_write", full)
    await bill(budgets, (ANA,), Usage(input_tokens=100_000))
    assert budgets.over((ANA,)) == ANA
    assert "disk is full" in caplog.text
