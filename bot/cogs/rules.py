"""`/rules` and the message menu "Ask the rules"."""

from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.completion import complete_books
from bot.errors import NoText
from bot.messages.reply_message import ANSWERED_IN_THE_OPEN
from bot.questions.followups import LONGEST_QUESTION
from bot.questions.talk import has_words
from bot.questions.wording import fitting, question_in
from bot.texts.command_translator import described

if TYPE_CHECKING:
    from bot.client import RulesBot


class Rules(commands.Cog):
    """Questions of players."""

    def __init__(self, bot: "RulesBot") -> None:
        self.bot = bot
        self.menu = app_commands.ContextMenu(
            name=described("menu-ask"), callback=self.ask_menu, extras={ANSWERED_IN_THE_OPEN: True}
        )
        bot.tree.add_command(self.menu)

    async def cog_unload(self) -> None:
        """Take the menu away with the cog."""
        self.bot.tree.remove_command(self.menu.name, type=self.menu.type)

    @app_commands.command(
        name="rules", description=described("command-rules"), extras={ANSWERED_IN_THE_OPEN: True}
    )
    @app_commands.describe(
        question=described("option-question"),
        book=described("option-book"),
        private=described("option-private"),
        book_only=described("option-book-only"),
    )
    @app_commands.autocomplete(book=complete_books)
    async def rules(
        self,
        interaction: discord.Interaction,
        question: app_commands.Range[str, 1, LONGEST_QUESTION],
        book: str | None = None,
        private: bool = False,
        book_only: bool = False,
    ) -> None:
        """Ask the rules."""
        await self.bot.asking.by_command(
            interaction, question, book=book, private=private, book_only=book_only
        )

    async def ask_menu(self, interaction: discord.Interaction, message: discord.Message) -> None:
        """Ask the rules what a message asks."""
        assert self.bot.user is not None
        question = fitting(question_in(message, self.bot.user.id))
        if not has_words(question):
            raise NoText
        await self.bot.asking.by_command(interaction, question)


async def setup(bot: "RulesBot") -> None:
    """Add the cog."""
    await bot.add_cog(Rules(bot))
