"""The buttons under an answer; they carry the id of its message, so they work after a restart.

How they look stands here; what they do, in `bot.questions.actions`.
"""

import re
import zlib
from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Protocol, Self, cast

import discord

from bot.messages.error_replies import tell_privately
from bot.questions.followups import LONGEST_QUESTION
from bot.render.markdown import one_line
from rag.texts import Texts

MODAL_SECONDS = 3600.0
"""For so long a modal that somebody opened and closed again is remembered."""
LABEL = 80
"""Characters that Discord shows on a button."""
GMS = 1
"""In place of a page, on the follow-up button of a GM's answer: told also when that is no longer kept."""
NO_ANSWER = 0
"""In place of an answer's id, on a button that stands on a hint."""


class Action(StrEnum):
    """What a button does; the values stand in the ids of all buttons that were ever sent."""

    SOURCES = "sources"
    TURN_PAGE = "turn"
    FOLLOW_UP = "followup"
    MORE = "more"
    AGAIN = "again"
    OTHER_GAME = "game"
    DELETE = "delete"


class ActionHandler(Protocol):
    """The part of the client that does what buttons say."""

    async def handle_action(
        self, interaction: discord.Interaction, action: Action, answer: int, page: int
    ) -> None: ...

    async def handle_follow_up(
        self, interaction: discord.Interaction, question: str, answer: int, *, by_gm: bool
    ) -> None: ...


class AnswerButton(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"rules:never"):
    """A button that knows its answer; subclasses say which it is."""

    action: Action
    style = discord.ButtonStyle.secondary

    def __init__(self, answer: int, label: str = "…", page: int = 0, *, disabled: bool = False) -> None:
        button: discord.ui.Button[Any] = discord.ui.Button(
            label=label,
            style=self.style,
            custom_id=f"rules:{self.action}:{answer}:{page}",
            disabled=disabled,
        )
        super().__init__(button)
        self.answer = answer
        self.page = page

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The button as it was sent, perhaps by a process before this one."""
        return cls(int(match["answer"]), page=int(match["page"]))

    async def callback(self, interaction: discord.Interaction) -> None:
        """Have the action done; every failure is told to the user."""
        try:
            await _handler(interaction).handle_action(interaction, self.action, self.answer, self.page)
        except Exception as error:
            await tell_privately(interaction, error)


class SourcesButton(AnswerButton, template=r"rules:sources:(?P<answer>\d+):(?P<page>\d+)"):
    """The full passages behind an answer, one at a time."""

    action = Action.SOURCES


class TurnPageButton(AnswerButton, template=r"rules:turn:(?P<answer>\d+):(?P<page>\d+)"):
    """Turns to another passage."""

    action = Action.TURN_PAGE


class FollowUpButton(AnswerButton, template=r"rules:followup:(?P<answer>\d+):(?P<page>\d+)"):
    """Asks a follow-up where typing one needs an intent."""

    action = Action.FOLLOW_UP
    style = discord.ButtonStyle.primary


class MoreButton(AnswerButton, template=r"rules:more:(?P<answer>\d+):(?P<page>\d+)"):
    """What only the asker and moderators may do."""

    action = Action.MORE


class AskAgainButton(AnswerButton, template=r"rules:again:(?P<answer>\d+):(?P<page>\d+)"):
    """Asks the same question once more."""

    action = Action.AGAIN
    style = discord.ButtonStyle.primary


class OtherGameButton(AnswerButton, template=r"rules:game:(?P<answer>\d+):(?P<page>\d+)"):
    """Asks the same question of another game, which it knows by a number made of its name."""

    action = Action.OTHER_GAME


class DeleteButton(AnswerButton, template=r"rules:delete:(?P<answer>\d+):(?P<page>\d+)"):
    """Deletes an answer and what is kept of it."""

    action = Action.DELETE
    style = discord.ButtonStyle.danger


BUTTONS = (
    SourcesButton,
    TurnPageButton,
    FollowUpButton,
    MoreButton,
    AskAgainButton,
    OtherGameButton,
    DeleteButton,
)


class FollowUpModal(discord.ui.Modal):
    """A question that goes on with an answer's conversation."""

    def __init__(self, answer: int, texts: Texts, *, by_gm: bool = False) -> None:
        super().__init__(title=texts("followup-title"), timeout=MODAL_SECONDS)
        self.answer = answer
        self.by_gm = by_gm
        self.question: discord.ui.TextInput[Any] = discord.ui.TextInput(
            style=discord.TextStyle.paragraph,
            placeholder=texts("followup-placeholder"),
            max_length=LONGEST_QUESTION,
        )
        self.add_item(discord.ui.Label(text=texts("followup-label"), component=self.question))

    async def on_submit(self, interaction: discord.Interaction) -> None:
        """Answer it where the conversation goes on."""
        await _handler(interaction).handle_follow_up(
            interaction, self.question.value, self.answer, by_gm=self.by_gm
        )

    async def on_error(  # type: ignore[override]
        self, interaction: discord.Interaction, error: Exception
    ) -> None:
        """Tell the user what went wrong."""
        await tell_privately(interaction, error)


def _handler(interaction: discord.Interaction) -> ActionHandler:
    return cast(ActionHandler, interaction.client)


def number_of_game(game: str) -> int:
    """A number that means a game, the same in every process: a button's id has no room for any name."""
    return zlib.crc32(game.encode())


def answer_view(
    answer: int, texts: Texts, *, has_sources: bool, other_games: Sequence[str] = (), by_gm: bool = False
) -> discord.ui.View:
    """The rows under an answer: what all have, and the other games that could answer."""
    view = discord.ui.View(timeout=None)
    if has_sources:
        view.add_item(SourcesButton(answer, texts("button-sources")))
    view.add_item(FollowUpButton(answer, texts("button-followup"), GMS if by_gm else 0))
    view.add_item(MoreButton(answer, texts("button-more")))
    for game in other_games:
        label = one_line(texts("button-other-game", game=game), LABEL)
        view.add_item(OtherGameButton(answer, label, number_of_game(game)))
    return view


def passages_view(answer: int, page: int, pages: int, texts: Texts) -> discord.ui.View:
    """The row under a passage: back and forth."""
    view = discord.ui.View(timeout=None)
    if pages > 1:
        view.add_item(TurnPageButton(answer, texts("button-previous"), max(0, page - 1), disabled=page == 0))
        view.add_item(TurnPageButton(answer, texts("button-next"), page + 1, disabled=page + 1 >= pages))
    return view


def menu_view(answer: int, texts: Texts) -> discord.ui.View:
    """The private menu of an answer."""
    view = discord.ui.View(timeout=None)
    view.add_item(AskAgainButton(answer, texts("button-again")))
    view.add_item(DeleteButton(answer, texts("button-delete")))
    return view


def hint_view(texts: Texts, answer: int = NO_ANSWER) -> discord.ui.View:
    """The button on a hint: a follow-up to an answer, else in the conversation of the place."""
    view = discord.ui.View(timeout=None)
    view.add_item(FollowUpButton(answer, texts("button-followup")))
    return view
