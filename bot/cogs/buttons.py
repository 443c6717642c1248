"""What each button and window does, by the name in its id, whichever process of the bot sent it."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

import discord
from discord.ext import commands

from bot.buttons.feedback import open_page_window, remove_feedback, show_feedback, write_page
from bot.buttons.lists import show_books, turn_places
from bot.buttons.menu import delete, rate, show_menu, show_why
from bot.buttons.pages import SOURCES_MENU, TURN, show_quoted_lines, turn_to_page
from bot.buttons.questions import (
    ask_again,
    ask_all_books,
    ask_follow_up,
    ask_in_the_open,
    ask_other_game,
    begin_topic,
    choose_game,
    open_follow_up,
    show_to_table,
    try_again,
)
from bot.buttons.rows import STAYS
from bot.buttons.ruling import keep_ruling, open_for_answer, turn_rulings
from bot.buttons.sent import Handler, Sent
from bot.buttons.sources import show_line_to_copy, show_passage
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
    "sources": privately(show_passage),
    "source": privately(show_passage),
    "turn": in_place(show_passage),
    SOURCES_MENU: in_place(show_passage),
    "page": privately(show_quoted_lines),
    TURN: in_place(turn_to_page),
    "place": privately(turn_to_page),
    "copy": privately(show_line_to_copy),
    "followup": open_follow_up,
    "topic": begin_topic,
    "more": privately(show_menu),
    "why": privately(show_why),
    "rate": in_place(rate),
    "again": privately(ask_again),
    "delete": in_place(delete),
    "ruling": open_for_answer,
    "rulings": in_place(turn_rulings),
    "game": privately(ask_other_game),
    "plays": privately(choose_game),
    STAYS: privately(choose_game),
    "all": privately(ask_all_books),
    "show": in_place(show_to_table),
    "open": privately(ask_in_the_open),
    "retry": try_again,
    "books": in_place(lambda interaction, sent: show_books(interaction, sent.number)),
    "gmbooks": in_place(lambda interaction, sent: show_books(interaction, sent.number, "gm")),
    "places": in_place(turn_places),
    "feedback": in_place(lambda interaction, sent: show_feedback(interaction, sent.number)),
    "writepage": open_page_window,
    "unrate": in_place(remove_feedback),
}
WINDOWS: Mapping[str, Handler] = {
    "followup": ask_follow_up,
    "writepage": in_place(write_page),
    "ruling": privately(keep_ruling),
}


class Buttons(commands.Cog):
    """Takes presses of buttons, and what is typed into windows."""

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Do what a button or a window is for, where the bot answers; tell the user every failure."""
        data: Mapping[str, Any] = interaction.data or {}
        sent = Sent.of(data.get("custom_id"))
        if sent is None:
            return
        for chosen in data.get("values", ()):
            sent = sent._replace(number=int(chosen))
        is_window = interaction.type is discord.InteractionType.modal_submit
        handler = (WINDOWS if is_window else BUTTONS).get(sent.name)
        bot = interaction.client
        try:
            await bot.access.check(interaction.user, interaction.guild_id, bot.all_guilds)
            if handler is None:
                raise ButtonOutdated
            await handler(interaction, sent)
        except Exception as error:
            await tell_privately(interaction, error)
