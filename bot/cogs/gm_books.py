"""`/gm book add|remove`: books of a server's own, uploaded by its GMs where the host allows it."""

import asyncio
import hashlib
from functools import partial

import discord
from discord import app_commands
from discord.ext import commands

from bot.books.uploads import LARGEST_MB, ROOM_MB, folder_name, upload_file
from bot.buttons.lists import book_line
from bot.cogs.completion import Choices, name_choices, names_meant
from bot.errors import UploadNotBook, UploadTooLarge, UploadUnread
from bot.messages.calls import persist, silently
from bot.messages.error_replies import explained
from bot.messages.reply_message import Interaction, respond
from bot.operations.ingestion import reading_line
from bot.render.markdown import escaped
from bot.texts import texts_in
from bot.texts.command_translator import described
from rag.errors import UnknownBook
from rag.library.books.book import BookSummary
from rag.library.books.catalog import plain
from rag.library.books.files import is_of_its_kind
from rag.library.books.library_toml import game_of, server_of
from rag.library.index.manifest import published

SECONDS_BETWEEN_STEPS = 2.0


async def complete_own_games(interaction: Interaction, typed: str) -> Choices:
    """The games of which books were uploaded in this server."""
    return name_choices(dict.fromkeys(map(game_of, _uploaded(interaction).values())), typed)


async def complete_uploads(interaction: Interaction, typed: str) -> Choices:
    """What was uploaded in this server."""
    return name_choices(_uploaded(interaction), typed)


class BookCommands(commands.Cog):
    """The books of a server's own, for its GMs; answered privately."""

    book = app_commands.Group(name="book", description=described("command-gm-book"))

    @book.command(name="add", description=described("command-gm-book-add"))
    @app_commands.describe(file=described("option-book-file"), game=described("option-book-game"))
    @app_commands.autocomplete(game=complete_own_games)
    async def add_book(
        self, interaction: Interaction, file: discord.Attachment, game: str | None = None
    ) -> None:
        """Put a file among the books of this server, unless it cannot be read."""
        bot, texts, guild = interaction.client, texts_in(interaction.locale.value), interaction.guild
        assert guild is not None
        name = upload_file(guild.id, _own_game(interaction, folder_name(game or guild.name)), file.filename)
        reading = asyncio.create_task(_read(interaction, name, file))
        while not (await asyncio.wait({reading}, timeout=SECONDS_BETWEEN_STEPS))[0]:
            line = reading_line(bot.ingestion.reading, texts)
            await silently(partial(respond, interaction, content=line), "tell of progress")
        if failure := reading.exception():
            # In place of how far reading was.
            shown = explained(failure, interaction.locale.value)
            await silently(partial(respond, interaction, content=None, embed=shown), "tell of an upload")
            return
        book = reading.result()
        told = [texts(one["key"], **{**one["values"], "file": file.filename}) for one in book.problems]
        lines = [texts("book-added"), book_line(book, interaction.locale.value), *map(escaped, told)]
        await silently(partial(respond, interaction, content="\n".join(lines)), "tell of an upload")

    @book.command(name="remove", description=described("command-gm-book-remove"))
    @app_commands.describe(book=described("option-book-remove"))
    @app_commands.autocomplete(book=complete_uploads)
    async def remove_book(self, interaction: Interaction, book: str) -> None:
        """Delete what was uploaded, and take it out of the library. Raises `UnknownBook`."""
        bot, texts = interaction.client, texts_in(interaction.locale.value)
        uploaded = _uploaded(interaction)
        meant = names_meant(uploaded, book, str)
        if len(meant) != 1:
            raise UnknownBook(book, meant)
        await asyncio.to_thread(bot.uploads.remove, uploaded[meant[0]])
        await bot.ingestion.ingest()
        line = texts("book-removed", book=escaped(meant[0]))
        await silently(partial(respond, interaction, content=line), "tell of an upload")


def _uploaded(interaction: Interaction) -> dict[str, str]:
    """What was uploaded in a server, by game and file."""
    files = interaction.client.uploads.books(interaction.guild_id or 0)
    return {file.partition("/")[2]: file for file in files}


def _own_game(interaction: Interaction, wanted: str) -> str:
    """The game of a server's own of that name; where others have one called so, with its id behind it."""
    books, server = interaction.client.library.books("gm"), interaction.guild_id
    own = {plain(game): game for game in map(game_of, _uploaded(interaction).values())}
    taken = {plain(name) for one in books if server_of(one.file) != server for name in (one.game, "")}
    return own.get(plain(wanted)) or (f"{wanted} ({server})" if plain(wanted) in taken else wanted)


async def _read(interaction: Interaction, file: str, sent: discord.Attachment) -> BookSummary:
    """Have an upload read, one at a time; one that cannot be is taken back.

    Raises `UploadTooLarge`, `UploadNotBook` or `UploadUnread`.
    """
    bot = interaction.client
    async with bot.uploads.turn:
        if not bot.uploads.has_room(interaction.guild_id or 0, sent.size):
            raise UploadTooLarge(limit=LARGEST_MB, room=ROOM_MB)
        content = await persist(sent.read)
        if not await asyncio.to_thread(is_of_its_kind, file, content):
            raise UploadNotBook(file=sent.filename)
        await asyncio.to_thread(bot.uploads.put, file, content)
        await bot.ingestion.ingest()
        is_new = bot.library.edition(file) == hashlib.sha256(content).hexdigest()
        read = [book for book in bot.library.books("gm") if book.file == file and is_new]
        manifest = await asyncio.to_thread(published, bot.settings.index_dir, bot.settings.chroma_url)
        await asyncio.to_thread(bot.uploads.settle, file, is_read=bool(read))
        if read:
            return read[0]
        await bot.ingestion.ingest()
    problems = [(one.key, one.values) for one in (manifest.problems if manifest else ()) if one.file == file]
    key, values = next(iter(problems), (UploadUnread.key, {}))
    raise UploadUnread(key, **{**values, "file": file.rpartition("/")[2]})
