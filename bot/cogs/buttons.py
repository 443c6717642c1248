"""What each button and window does, by the name in its id, whichever process of the bot sent it."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

import discord
from discord.ext import commands

from bot.buttons import feedback, lists, menu, pages, questions, ruling, sources
from bot.buttons.commands import use_command, use_with_options
from bot.buttons.rows import STAYS
from bot.buttons.sent import Handler, Sent
from bot.errors import ButtonOutdated
from bot.messages.error_replies import tell_privately
from bot.messages.reply_message import Interaction, accept, acknowledge


def after(acknowledged: Callable[[Interaction], Awaitable[object]], handler: Handler) -> Handler:
    """A handler before which Discord is told that an answer will come, and where."""

    async def handle(interaction: Interaction, sent: Sent) -> None:
        await acknowledged(interaction)
        await handler(interaction, sent)

    return handle


privately = partial(after, partial(acknowledge, private=True))
"""A handler that answers in a message that only one person sees."""
in_place = partial(after, accept)
"""A handler that changes the message of the button."""

BUTTONS: Mapping[str, Handler] = {
    "sources": privately(sources.show_passage),
    "source": privately(sources.show_passage),
    "turn": in_place(sources.show_passage),
    pages.SOURCES_MENU: in_place(sources.show_passage),
    "page": privately(pages.show_quoted_lines),
    pages.TURN: in_place(pages.turn_to_page),
    "place": privately(pages.turn_to_page),
    "copy": privately(sources.show_line_to_copy),
    "command": use_command,
    "followup": questions.open_follow_up,
    "topic": questions.begin_topic,
    "more": privately(menu.show_menu),
    "why": privately(menu.show_why),
    "rate": in_place(menu.rate),
    "again": privately(questions.ask_again),
    "delete": in_place(menu.delete),
    "ruling": ruling.open_for_answer,
    "rulings": in_place(ruling.turn_rulings),
    "game": privately(questions.ask_other_game),
    "plays": privately(questions.choose_game),
    STAYS: privately(questions.choose_game),
    "all": privately(questions.ask_again),
    "show": in_place(questions.show_to_table),
    "open": privately(questions.ask_in_the_open),
    "retry": questions.try_again,
    "books": in_place(lambda interaction, sent: lists.show_books(interaction, sent.number)),
    "gmbooks": in_place(lambda interaction, sent: lists.show_books(interaction, sent.number, "gm")),
    "places": in_place(lists.turn_places),
    "feedback": in_place(lambda interaction, sent: feedback.show_feedback(interaction, sent.number)),
    "writepage": feedback.open_page_window,
    "unrate": in_place(feedback.remove_feedback),
}
WINDOWS: Mapping[str, Handler] = {
    "command": use_with_options,
    "followup": questions.ask_follow_up,
    "writepage": in_place(feedback.write_page),
    "ruling": privately(ruling.keep_ruling),
}


class Buttons(commands.Cog):
    """Takes presses of buttons, and what is typed into windows."""

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Do what a button or a window is for, where the bot answers; tell the user every failure.

        Who somebody is in a direct message, Discord has to be asked: whatever reads there asks, once Discord
        was told that an answer will come. To open a window nobody has to be known.
        """
        data: Mapping[str, Any] = interaction.data or {}
        sent = Sent.of(data.get("custom_id"))
        if sent is None:
            return
        for chosen in data.get("values", ()):
            sent = sent._replace(number=int(chosen))
        is_window = interaction.type is discord.InteractionType.modal_submit
        handler = (WINDOWS if is_window else BUTTONS).get(sent.name)
        try:
            interaction.client.access.require_served(interaction.guild_id)
            if handler is None:
                raise ButtonOutdated
            await handler(interaction, sent)
        except Exception as error:
            await tell_privately(interaction, error)
