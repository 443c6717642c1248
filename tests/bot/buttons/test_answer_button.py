"""How Discord knows the buttons of all answers that were ever sent."""

import re

import pytest

import bot.buttons.rows
import bot.cogs.gm
import bot.cogs.library  # noqa: F401
from bot.buttons.answer_button import AnswerButton
from bot.buttons.pages import Opened

SENT = {
    "rules:sources:1456074443980800014:0": "SourcesButton",
    "rules:turn:1456074443980800014:3": "TurnPageButton",
    "rules:followup:1456074443980800014:1": "FollowUpButton",
    "rules:more:1456074443980800014:0": "MoreButton",
    "rules:again:1456074443980800014:0": "AskAgainButton",
    "rules:game:1456074443980800014:4294967295": "OtherGameButton",
    "rules:ruling:1456074443980800014:0": "RulingButton",
    "rules:delete:1456074443980800014:0": "DeleteButton",
    "rules:retry:1456074443980800014:0": "TryAgainButton",
    "rules:show:1456074443980800014:0": "ShowToTableButton",
    "rules:open:1456074443980800014:0": "AskInTheOpenButton",
    "rules:topic:1456074443980800014:1": "NewTopicButton",
    "rules:copy:1456074443980800014:1": "CopyLineButton",
    "rules:places:0:2": "TurnPlacesButton",
    "rules:read:0:858993459200013100": "ReadPageButton",
    "rules:gmbooks:0:2": "TurnGmBooksButton",
}
"""Ids that stand on buttons in Discord, and what is pressed with them."""


@pytest.mark.parametrize("custom_id", SENT)
def test_a_button_that_was_sent_is_known_by_its_id(custom_id: str) -> None:
    classes = AnswerButton.__subclasses__()
    known = [one for one in classes if re.fullmatch(one.__discord_ui_compiled_template__, custom_id)]
    assert [one.__name__ for one in known] == [SENT[custom_id]]


@pytest.mark.parametrize("is_picture", [False, True])
def test_a_page_is_known_by_its_number_as_it_was_before_pictures(is_picture: bool) -> None:
    before = ((3_000_000_000 * 10**6 + 18) * 10 + 1) * 10 + 2
    opened = Opened(3_000_000_000, 18, half=1, part=2, by_gm=True, is_picture=is_picture)
    assert Opened.of(opened.number) == opened
    assert Opened.of(before * 2 + 1) == Opened(3_000_000_000, 18, half=1, part=2, by_gm=True)
