"""`/rules` and the message menu "Ask the rules"."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.completion import complete_books
from bot.errors import NoText
from bot.messages.reply_message import BY_ITSELF, Interaction
from bot.questions.followups import LONGEST_QUESTION
from bot.questions.wording import fitting, question_in
from bot.texts.command_translator import described
from rag.library.questions.talk import has_words


class Rules(commands.Cog):
    """Questions of players."""

    @app_commands.command(name="rules", description=described("command-rules"), extras={BY_ITSELF: True})
    @app_commands.describe(
        question=described("option-question"),
        book=described("option-book"),
        private=described("option-private"),
        book_only=described("option-book-only"),
    )
    @app_commands.autocomplete(book=complete_books)
    async def rules(
        self,
        interaction: Interaction,
        question: app_commands.Range[str, 1, LONGEST_QUESTION],
        book: str | None = None,
        private: bool = False,
        book_only: bool = False,
    ) -> None:
        """Ask the rules."""
        asking = interaction.client.asking
        await asking.by_command(interaction, question, book=book, private=private, book_only=book_only)


@app_commands.context_menu(name=described("menu-ask"), extras={BY_ITSELF: True})
async def ask_the_rules(interaction: Interaction, message: discord.Message) -> None:
    """Ask the rules what a message asks."""
    question = fitting(question_in(message, interaction.application_id))
    if not has_words(question):
        raise NoText
    await interaction.client.asking.by_command(interaction, question)
