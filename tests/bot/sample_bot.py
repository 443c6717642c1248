"""A small discord.py bot by which the loopback server is tested; no part of the product."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import discord
from discord import app_commands

from tests.bot.discord_server.places import Channel
from tests.bot.discord_server.waiting import Changes

Answer = Callable[[discord.Interaction], Awaitable[None]]
RunBot = Callable[..., AbstractAsyncContextManager["SampleBot"]]
SILENT = discord.AllowedMentions.none()


def embed(text: str) -> discord.Embed:
    """An embed that says `text`."""
    return discord.Embed(title="Rules", description=text)


async def refused(action: Awaitable[object]) -> tuple[int, int]:
    """HTTP status and Discord's code of the error that discord.py raises for `action`."""
    try:
        await action
    except discord.HTTPException as error:
        return error.status, error.code
    raise AssertionError("the server accepted it")


class FollowUp(discord.ui.Modal, title="Follow up"):
    """Asks for one more question, and changes the message under which it was opened."""

    question: discord.ui.TextInput["FollowUp"] = discord.ui.TextInput(label="Question", max_length=1000)

    async def on_submit(self, interaction: discord.Interaction) -> None:
        """Show the question."""
        await interaction.response.edit_message(embed=embed(f"asked: {self.question.value}"))


class Buttons(discord.ui.View):
    """Opens the modal, or answers privately."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    @discord.ui.button(label="Follow up", custom_id="follow")
    async def follow_up(self, interaction: discord.Interaction, _: discord.ui.Button["Buttons"]) -> None:
        """Open the modal."""
        await interaction.response.send_modal(FollowUp())

    @discord.ui.button(label="Sources", custom_id="sources")
    async def sources(self, interaction: discord.Interaction, _: discord.ui.Button["Buttons"]) -> None:
        """Answer privately, with a follow-up that is private too."""
        await interaction.response.send_message(embed=embed("sources"), ephemeral=True)
        await interaction.followup.send(embed=embed("more sources"), ephemeral=True)

    @discord.ui.select(custom_id="more", options=[discord.SelectOption(label="Ask again", value="again")])
    async def more(self, interaction: discord.Interaction, menu: discord.ui.Select["Buttons"]) -> None:
        """Say what was chosen."""
        await interaction.response.edit_message(embed=embed(f"chosen: {menu.values[0]}"))


class SampleBot(discord.Client):
    """Answers `/rules` by `answer`, which a test may replace, and keeps every message it is told of."""

    def __init__(self, intents: discord.Intents | None = None, **options: Any) -> None:
        chosen = intents or discord.Intents(guilds=True, guild_messages=True, dm_messages=True)
        super().__init__(intents=chosen, allowed_mentions=SILENT, **options)
        self.heard: list[discord.Message] = []
        self.changes = Changes()
        self.interactions: list[discord.Interaction] = []
        self.answer: Answer = self.defer_and_answer
        self.tree = app_commands.CommandTree(self)
        self._add_commands()

    def _add_commands(self) -> None:
        @self.tree.command(description="Ask the rules")
        @app_commands.describe(question="What to settle", book="Where to look", private="Only for you")
        async def rules(
            interaction: discord.Interaction, question: str, book: str | None = None, private: bool = False
        ) -> None:
            self.interactions.append(interaction)
            await self.answer(interaction)

        @rules.autocomplete("book")
        async def complete(_: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
            books = [book for book in ("Basic Set", "Powers") if current.lower() in book.lower()]
            return [app_commands.Choice(name=book, value=book) for book in books]

        @self.tree.context_menu(name="Ask the rules")
        async def ask(interaction: discord.Interaction, message: discord.Message) -> None:
            await interaction.response.send_message(embed=embed(message.content))

        gm = app_commands.Group(
            name="gm",
            description="For game masters",
            guild_only=True,
            default_permissions=discord.Permissions(manage_guild=True),
        )

        @gm.command(description="What is misconfigured")
        async def check(interaction: discord.Interaction, channel: discord.TextChannel) -> None:
            await interaction.response.send_message(embed=embed(channel.name), ephemeral=True)

        self.tree.add_command(gm)

    async def defer_and_answer(self, interaction: discord.Interaction) -> None:
        """Think, then edit the answer in; private where the asker said so."""
        await interaction.response.defer(thinking=True, ephemeral=bool(interaction.namespace.private))
        question = interaction.namespace.question
        await interaction.edit_original_response(embed=embed(f"yes: {question}"), view=Buttons())

    async def setup_hook(self) -> None:
        """Register the commands and the buttons of earlier runs."""
        self.add_view(Buttons())
        await self.tree.sync()

    async def on_message(self, message: discord.Message) -> None:
        """Keep what others say."""
        if message.author != self.user:
            self.heard.append(message)
            self.changes.announce()

    async def hears(self, number: int = 0) -> discord.Message:
        """The message of that number which it was told of."""
        await self.changes.until(lambda: len(self.heard) > number or None, 5, f"message {number} heard")
        return self.heard[number]

    def place(self, channel: Channel) -> discord.PartialMessageable:
        """A channel of the server, to write to."""
        return self.get_partial_messageable(channel.id, guild_id=channel.guild.id if channel.guild else None)


async def main() -> None:
    """Run until SIGTERM."""
    bot = SampleBot()
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, lambda: loop.create_task(bot.close()))
    print("starting")
    async with bot:
        await bot.start(os.environ["DISCORD_TOKEN"])


if __name__ == "__main__":
    asyncio.run(main())
