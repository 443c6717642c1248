"""The client: intents, cogs, command sync, and an orderly end."""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands, tasks

from bot.access import MEMBERSHIP_WITHIN_SECONDS, Access
from bot.answers.feedback import Feedback
from bot.answers.table import Answers, KeptAnswer
from bot.books.book_list import BookList
from bot.books.readers import Reader, Readers
from bot.books.scope import games
from bot.budgets import Budgets, daily_limits
from bot.buttons.pages import quoted_lines
from bot.cogs.about import About
from bot.cogs.buttons import Buttons
from bot.cogs.conversation import Conversations
from bot.cogs.gm import Gm
from bot.cogs.gm_rulings import make_it_a_ruling
from bot.cogs.library import LibraryCog
from bot.cogs.rules import Rules, ask_the_rules
from bot.errors import NoGamesHere, StillReading
from bot.messages.calls import is_too_late
from bot.messages.error_replies import tell_privately
from bot.messages.reply_message import acknowledge
from bot.operations.command_sync import sync_or_explain
from bot.operations.health import Finding, server_warnings
from bot.operations.ingestion import Ingestion
from bot.operations.interpreter import collect
from bot.operations.welcome import tell_not_served, welcome
from bot.questions.answering import Answering
from bot.questions.asking import Asking
from bot.questions.forgetting import Forgetting, forget_gone_places
from bot.questions.interrupted import tell_interrupted
from bot.storage.files import begin
from bot.storage.kept_places import KeptPlaces
from bot.texts import host_texts
from bot.texts.command_translator import CommandTranslator
from rag.config import EMBEDDED, SAMPLE_LIBRARY, PageImages, Settings
from rag.errors import LibraryAbsent
from rag.library.books.book import BookSummary
from rag.library.books.ruling import Ruling

if TYPE_CHECKING:
    from rag.graph import RulesGraph
    from rag.library.library import Library
    from rag.library.page_pictures.process import DrawingProcess
    from rag.models.provider import ProviderChatModel

log = logging.getLogger(__name__)

SAMPLE_NOTICE = "notice-sample-library"
"""Said wherever somebody could take the sample game for the group's own books."""
ALWAYS_SERVED = ("privacy forget", "privacy show")
"""Whoever has left the table may still see what is kept, and have it deleted."""
GUILDS_KEPT_SECONDS = 600.0
"""How long the servers of other processes are taken for those that they were."""
GARBAGE_KEPT_SECONDS = 60.0
ALIVE = "alive"
"""A file of DATA_DIR whose age tells whether the bot is connected; a container's health is that."""
ALIVE_SECONDS = 30.0
FINISH_SECONDS = 4.0
EXCUSE_SECONDS = 1.5
CLOSE_SECONDS = 1.0


Embed = Callable[[str], object]
"""What embeds a question."""


@dataclass
class Services:
    """What the bot is built on; made once, whatever becomes of the connection."""

    settings: Settings
    library: "Library"
    rules_graph: "RulesGraph"
    embed: Embed
    chat_model: "ProviderChatModel | None"
    ingestion: Ingestion
    drawing: "DrawingProcess"
    clock: Callable[[], float] = time.time

    def __post_init__(self) -> None:
        """Open what is in DATA_DIR. Raises `ConfigurationError`."""
        folder, kept_days = self.settings.data_dir, self.settings.answers_kept_days
        is_first_start = begin(folder)
        self.answers = Answers(folder, kept_days)
        self.feedback = Feedback(folder, kept_days)
        self.budgets = Budgets(folder, daily_limits(self.settings), self.clock)
        self.places = KeptPlaces(folder, is_first_start=is_first_start)

    def close(self) -> None:
        """Let go of the tables."""
        for table in (self.answers, self.feedback, self.budgets):
            table.close()

    @property
    def provider_embed(self) -> Embed | None:
        """The embedding where it is a provider's, and may fail."""
        return None if self.settings.embedding_name == EMBEDDED else self.embed


def is_in_time(record: logging.LogRecord) -> bool:
    """Whether a record of discord.py tells something else than that an interaction was answered too late."""
    return not (record.exc_info and is_too_late(record.exc_info[1]))


# What completes an option comes too late wherever somebody types fast: that is no failure.
logging.getLogger("discord.app_commands.tree").addFilter(is_in_time)


class RulesTree(app_commands.CommandTree["RulesBot"]):
    """The commands; every one is checked, and every failure is told to its user."""

    async def interaction_check(self, interaction: discord.Interaction["RulesBot"]) -> bool:
        """Whether the bot answers here; no search and no model call where it does not.

        What answers is told privately, unless the extras of a command say that it tells itself. Who somebody
        is in a direct message, Discord has to be asked: whatever reads there asks, once that is told.
        """
        bot, command, guild = interaction.client, interaction.command, interaction.guild_id
        is_typing = interaction.type is discord.InteractionType.autocomplete
        try:
            if is_typing:
                await bot.access.check(interaction.user, guild, bot.all_guilds, MEMBERSHIP_WITHIN_SECONDS)
            elif command and not command.extras:
                await acknowledge(interaction, private=True)
            if command and command.qualified_name not in ALWAYS_SERVED:
                bot.access.require_served(guild)
        except Exception as error:
            if not is_typing:
                await tell_privately(interaction, error)
            return False
        return True

    async def on_error(
        self, interaction: discord.Interaction["RulesBot"], error: app_commands.AppCommandError
    ) -> None:
        """Tell the user, and the log, what went wrong."""
        await tell_privately(interaction, error)


class RulesBot(commands.AutoShardedBot):
    """The bot; its parts are public for the cogs and buttons that use them."""

    def __init__(self, services: Services, *, message_content: bool) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            # No members or presences; what people write only where it was asked for.
            intents=discord.Intents(
                guilds=True, guild_messages=True, dm_messages=True, message_content=message_content
            ),
            tree_cls=RulesTree,
            allowed_mentions=discord.AllowedMentions.none(),
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=True, private_channel=False
            ),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
            max_messages=None,
            shard_count=services.settings.shard_count,
        )
        # Without any these are all there are, which cannot be told above.
        self.shard_ids = sorted(services.settings.shard_ids) or None
        self.settings = services.settings
        self.library = services.library
        self.chat_model = services.chat_model
        self.provider_embed = services.provider_embed
        self.answers = services.answers
        self.feedback = services.feedback
        self.budgets = services.budgets
        self.places = services.places
        self.rulings = services.places.rulings
        self.uploads = services.places.uploads
        self.ingestion = services.ingestion
        self.drawing = services.drawing
        self.standing_notices = (SAMPLE_NOTICE,) if self.settings.library_dir == SAMPLE_LIBRARY else ()
        self.book_list = BookList(services.library, services.rules_graph, services.settings.index_dir)
        self.access = Access(self.settings, self.book_list.servers, self.places.met, lambda: self.is_public)
        self.readers = Readers(
            self.access, self.book_list.servers, self.book_list.uploaders, lambda: self.all_guilds
        )
        self._guilds_elsewhere: tuple[discord.Guild, ...] = ()
        shows_pages = services.settings.page_images is not PageImages.OFF
        draw = partial(quoted_lines, library=services.library, drawing=services.drawing)
        self.answering = Answering(
            services.rules_graph,
            services.answers,
            services.budgets,
            services.settings.retrieval_strategy,
            lambda reader: len(games(self.book_list.books(reader))),
            standing=self.standing_notices,
            shows_pages=shows_pages,
            edition_of=services.library.edition,
            rulings_of=self.rulings_of,
            asks_game=services.places.asks_game,
            draw=draw if shows_pages and services.settings.answer_picture else None,
            threads_kept=services.settings.threads_kept,
        )
        self.asking = Asking(
            services.answers, self.access, services.places, self.readers, self.open_books, self.answering
        )
        self.forgetting = Forgetting(services.answers, services.feedback, self.answering, services.places)
        self._interrupted: list[KeptAnswer] = []
        self._told: list[Finding] = []
        self.ingestion.when_done = self.tell_servers
        self.began = time.monotonic()

    def rulings_of(self, reader: Reader) -> list[Ruling]:
        """The rulings that hold at a reader's table, on games of which they know a book."""
        return self.rulings.holding(reader.server, {book.game for book in self.book_list.books(reader)})

    def open_books(self, reader: Reader) -> list[BookSummary]:
        """The books that a reader can ask.

        While there is none yet, raises `StillReading`, or `LibraryAbsent` where nothing is there to read;
        `NoGamesHere` where none is for this reader.
        """
        books = self.book_list.books(reader)
        if not books and self.ingestion.reading:
            raise StillReading(percent=self.ingestion.reading.percent)
        if not books and self.ingestion.is_absent:
            raise LibraryAbsent(folder=str(self.ingestion.library_dir))
        if not books and self.book_list.servers():
            raise NoGamesHere
        return books

    @property
    def all_guilds(self) -> Sequence[discord.Guild]:
        """The servers that the bot is in, those of other processes included."""
        return list({guild.id: guild for guild in (*self._guilds_elsewhere, *self.guilds)}.values())

    @property
    def is_public(self) -> bool:
        """Whether anybody may invite the bot, as Discord told when it logged in."""
        return self.application is not None and self.application.bot_public

    @tasks.loop(seconds=GUILDS_KEPT_SECONDS)
    async def _look_for_guilds(self) -> None:
        """Ask Discord which servers the shards of other processes have."""
        self._guilds_elsewhere = tuple([guild async for guild in self.fetch_guilds(limit=None)])

    @tasks.loop(seconds=GARBAGE_KEPT_SECONDS)
    async def _collect_garbage(self) -> None:
        """Collect garbage if nobody waits for an answer."""
        if self.asking.queue.is_empty:
            collect()

    @tasks.loop(seconds=ALIVE_SECONDS)
    async def _tell_alive(self) -> None:
        """Touch the file for health checks while every shard is connected."""
        if not any(shard.is_closed() for shard in self.shards.values()):
            await asyncio.to_thread((self.settings.data_dir / ALIVE).touch)

    @tasks.loop(hours=24)
    async def _forget_gone_places(self) -> None:
        """Forget servers and channels that are gone."""
        await forget_gone_places(self)

    async def setup_hook(self) -> None:
        """Add commands and buttons before the connection, and register what changed."""
        self._collect_garbage.start()
        if self.settings.is_one_of_several:
            # Before anybody asks: who is alone has all books.
            await self._look_for_guilds()
            self._look_for_guilds.start()
        await self.tree.set_translator(CommandTranslator())
        await self.add_commands()
        self._interrupted = await asyncio.to_thread(self.answers.at_work)
        await self._sync()

    async def add_commands(self) -> None:
        """Add what people can use, and what takes messages and buttons."""
        for cog in (Rules(), LibraryCog(), About(), Gm(), Buttons(), Conversations(self)):
            await self.add_cog(cog)
        self.tree.add_command(ask_the_rules)
        self.tree.add_command(make_it_a_ruling)
        if not self.settings.book_uploads:
            group = self.tree.get_command("gm")
            assert isinstance(group, app_commands.Group)
            group.remove_command("book")

    async def _sync(self) -> None:
        """Register the commands where that was not done yet, by one process of several."""
        if not self.settings.registers_commands:
            return
        guild = self.settings.discord_guild_id
        assert self.application_id is not None
        await sync_or_explain(
            self.tree, self.application_id, discord.Object(guild) if guild else None, self.settings.data_dir
        )

    async def on_ready(self) -> None:
        """Say that questions can be asked."""
        log.info("ready: %s servers, strategy %s", len(self.guilds), self.settings.retrieval_strategy.value)
        self.access.meet([guild.id for guild in self.all_guilds])
        self.tell_servers()
        for guild in self.guilds:
            await self._greet(guild)
        interrupted, self._interrupted = self._interrupted, []
        await tell_interrupted(self, interrupted)
        for repeated in (self._forget_gone_places, self._tell_alive):
            if not repeated.is_running():
                repeated.start()

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Say what another server changes; the commands of a server that was left are registered again."""
        self.places.come_back([guild.id])
        self.access.meet([guild.id])
        self.tell_servers()
        await self._greet(guild)
        if guild.id == self.settings.discord_guild_id:
            await self._sync()

    async def _greet(self, guild: discord.Guild) -> None:
        if self.access.serves(guild.id):
            to_try = partial(self.book_list.to_try, self.readers.of("player", [guild.id]))
            await welcome(guild, self.places.welcomed, to_try, self.standing_notices)
        else:
            await tell_not_served(guild, self.places.turned_away)

    def tell_servers(self) -> None:
        """Tell what servers may see that the host may not have meant; of each once."""
        found = server_warnings(self)
        for finding in found:
            if finding not in self._told:
                level = logging.INFO if finding.is_well else logging.WARNING
                log.log(level, host_texts()(finding.key, **finding.values))
        self._told = found

    async def on_message(self, message: discord.Message, /) -> None:
        """Leave messages to the cogs: there are no prefix commands."""

    async def close(self) -> None:
        """Leave Discord; discord.py's shards cannot leave what they never entered."""
        if isinstance(self.loop, asyncio.AbstractEventLoop):
            await super().close()

    async def end(self) -> None:
        """Refuse new questions, finish or excuse the running ones, leave Discord."""
        await self.asking.queue.finish(FINISH_SECONDS, EXCUSE_SECONDS)
        try:
            await asyncio.wait_for(self.close(), CLOSE_SECONDS)
        except TimeoutError:
            log.warning("the gateway did not close in time")
