"""How Discord knows the buttons of all answers that were ever sent."""

import pytest

from bot.buttons.pages import Opened
from bot.buttons.sent import Sent
from bot.cogs.buttons import BUTTONS

SENT = (
    "rules:sources:1456074443980800014:0",
    "rules:turn:1456074443980800014:3",
    "rules:followup:1456074443980800014:1",
    "rules:more:1456074443980800014:0",
    "rules:again:1456074443980800014:0",
    "rules:game:1456074443980800014:4294967295",
    "rules:ruling:1456074443980800014:0",
    "rules:delete:1456074443980800014:0",
    "rules:retry:1456074443980800014:0",
    "rules:show:1456074443980800014:0",
    "rules:open:1456074443980800014:0",
    "rules:topic:1456074443980800014:1",
    "rules:copy:1456074443980800014:1",
    "rules:places:0:2",
    "rules:read:0:858993459200013100",
    "rules:gmbooks:0:2",
)
"""Ids that stand on buttons in Discord."""


@pytest.mark.parametrize("custom_id", SENT)
def test_a_button_that_was_sent_is_known_by_its_id(custom_id: str) -> None:
    sent = Sent.of(custom_id)
    assert sent
    assert sent.custom_id == custom_id
    assert sent.name in BUTTONS


@pytest.mark.parametrize("is_picture", [False, True])
def test_a_page_is_known_by_its_number_as_it_was_before_pictures(is_picture: bool) -> None:
    before = ((3_000_000_000 * 10**6 + 18) * 10 + 1) * 10 + 2
    opened = Opened(by_gm=1, part=2, half=1, pdf_page=18, book=3_000_000_000, is_picture=is_picture)
    assert Opened.of(opened.number) == opened
    assert Opened.of(before * 2 + 1) == opened._replace(is_picture=False)
