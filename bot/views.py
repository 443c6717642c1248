"""The buttons under an answer; they carry the id of its message, so they work after a restart."""

import re
from typing import TYPE_CHECKING, Any, Self

import discord

from bot.error_door import tell_privately
from bot.followups import LONGEST_QUESTION
from bot.texts import texts_in
from rag.texts import Texts

if TYPE_CHECKING:
    from bot.client import RulesBot

MODAL_SECONDS = 3600.0
"""For so long a window that somebody opened and closed again is remembered."""
NO_ANSWER = 0
"""In place of an answer's id, on a button that stands on a hint."""


class AnswerButton(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"rules:never"):
    """A button that knows its answer; subclasses say what it does."""

    name: str
    style = discord.ButtonStyle.secondary

    def __init__(self, answer: int, label: str = "…", page: int = 0, *, disabled: bool = False) -> None:
        button: discord.ui.Button[Any] = discord.ui.Button(
            label=label,
            style=self.style,
            custom_id=f"rules:{self.name}:{answer}:{page}",
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

    async def callback(self, interaction: "discord.Interaction[RulesBot]") -> None:  # type: ignore[override]
        """Serve the click; every failure leaves by the error door."""
        bot = interaction.client
        try:
            await bot.access.check(interaction.user, interaction.guild_id, list(bot.guilds))
            await self.clicked(interaction)
        except Exception as error:
            await tell_privately(interaction, error)

    async def clicked(self, interaction: "discord.Interaction[RulesBot]") -> None:
        """What the button does."""
        raise NotImplementedError


class SourcesButton(AnswerButton, template=r"rules:sources:(?P<answer>\d+):(?P<page>\d+)"):
    """The full passages behind an answer, one at a time."""

    name = "sources"

    async def clicked(self, interaction: "discord.Interaction[RulesBot]") -> None:
        """Open the first passage."""
        await interaction.client.passages.open(interaction, self.answer)


class TurnButton(AnswerButton, template=r"rules:turn:(?P<answer>\d+):(?P<page>\d+)"):
    """Turns to another passage."""

    name = "turn"

    async def clicked(self, interaction: "discord.Interaction[RulesBot]") -> None:
        """Show the passage of that number in the same message."""
        await interaction.client.passages.turn(interaction, self.answer, self.page)


class FollowUpButton(AnswerButton, template=r"rules:followup:(?P<answer>\d+):(?P<page>\d+)"):
    """Asks a follow-up where typing one needs an intent."""

    name = "followup"
    style = discord.ButtonStyle.primary

    async def clicked(self, interaction: "discord.Interaction[RulesBot]") -> None:
        """Ask for the question."""
        await interaction.response.send_modal(FollowUpModal(self.answer, texts_in(interaction.locale.value)))


class MoreButton(AnswerButton, template=r"rules:more:(?P<answer>\d+):(?P<page>\d+)"):
    """What only the asker and moderators may do."""

    name = "more"

    async def clicked(self, interaction: "discord.Interaction[RulesBot]") -> None:
        """Open the private menu."""
        await interaction.client.upkeep.open_menu(interaction, self.answer)


class AskAgainButton(AnswerButton, template=r"rules:again:(?P<answer>\d+):(?P<page>\d+)"):
    """Asks the same question once more."""

    name = "again"
    style = discord.ButtonStyle.primary

    async def clicked(self, interaction: "discord.Interaction[RulesBot]") -> None:
        """Ask it where its answer stands."""
        await interaction.client.upkeep.ask_again(interaction, self.answer)


class DeleteButton(AnswerButton, template=r"rules:delete:(?P<answer>\d+):(?P<page>\d+)"):
    """Deletes an answer and what is kept of it."""

    name = "delete"
    style = discord.ButtonStyle.danger

    async def clicked(self, interaction: "discord.Interaction[RulesBot]") -> None:
        """Delete the message and its row."""
        await interaction.client.upkeep.delete(interaction, self.answer)


BUTTONS = (SourcesButton, TurnButton, FollowUpButton, MoreButton, AskAgainButton, DeleteButton)


class FollowUpModal(discord.ui.Modal):
    """A question that goes on with an answer's conversation."""

    def __init__(self, answer: int, texts: Texts) -> None:
        super().__init__(title=texts("followup-title"), timeout=MODAL_SECONDS)
        self.answer = answer
        self.question: discord.ui.TextInput[Any] = discord.ui.TextInput(
            style=discord.TextStyle.paragraph,
            placeholder=texts("followup-placeholder"),
            max_length=LONGEST_QUESTION,
        )
        self.add_item(discord.ui.Label(text=texts("followup-label"), component=self.question))

    async def on_submit(self, interaction: "discord.Interaction[RulesBot]") -> None:  # type: ignore[override]
        """Answer it where the conversation goes on."""
        asking = interaction.client.asking
        if self.answer == NO_ANSWER:
            await asking.beside(interaction, self.question.value, None)
        else:
            await asking.follow_up(interaction, self.question.value, self.answer)

    async def on_error(  # type: ignore[override]
        self, interaction: discord.Interaction, error: Exception
    ) -> None:
        """Leave by the error door."""
        await tell_privately(interaction, error)


def answer_view(answer: int, texts: Texts, *, has_sources: bool) -> discord.ui.View:
    """The row under an answer."""
    view = discord.ui.View(timeout=None)
    if has_sources:
        view.add_item(SourcesButton(answer, texts("button-sources")))
    view.add_item(FollowUpButton(answer, texts("button-followup")))
    view.add_item(MoreButton(answer, texts("button-more")))
    return view


def passages_view(answer: int, page: int, pages: int, texts: Texts) -> discord.ui.View:
    """The row under a passage: back and forth."""
    view = discord.ui.View(timeout=None)
    if pages > 1:
        view.add_item(TurnButton(answer, texts("button-previous"), max(0, page - 1), disabled=page == 0))
        view.add_item(TurnButton(answer, texts("button-next"), page + 1, disabled=page + 1 >= pages))
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
