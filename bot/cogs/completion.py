"""Completion of the options that name a book or a game: what is offered while somebody types."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from operator import itemgetter

from discord import app_commands

from bot.books.readers import Reader
from bot.books.scope import games
from bot.errors import Refused
from bot.messages.places import where
from bot.messages.reply_message import Interaction
from bot.render.markdown import length
from bot.texts import texts_in
from rag.config import Audience
from rag.errors import LibraryError
from rag.library.books.book import BookSummary
from rag.library.books.catalog import plain
from rag.library.books.page import SECTION_JOINT
from rag.library.language.words import fold

MOST_CHOICES = 25
LONGEST_CHOICE = 100
MOST_SUGGESTED = 3
NO_MATCH = 3
"""The rank of a name that does not hold what was typed; a better name has a lower one."""

Choices = list[app_commands.Choice[str]]


async def complete_books(interaction: Interaction, typed: str) -> Choices:
    """Books and games and, where there are several, all of them as one."""
    texts = texts_in(interaction.locale.value)
    choices = book_choices(await _books(interaction), typed)
    everything = _choice(texts("books-all-choice"), texts("books-all"))
    offered = _matching([everything], typed) if len(choices) > 1 or typed else []
    return [*choices[: MOST_CHOICES - len(offered)], *offered]


async def complete_titles(interaction: Interaction, typed: str) -> Choices:
    """Books without games."""
    return book_choices(await _books(interaction), typed, with_games=False)


async def _books(interaction: Interaction) -> list[BookSummary]:
    """The books that may be asked in this channel."""
    bot = interaction.client
    books = bot.book_list.books(await _reader(interaction))
    bound = bot.places.game_of(where(interaction.channel).home)
    return [book for book in books if book.game == bound] or books


async def _reader(interaction: Interaction) -> Reader:
    """Who types: for the commands of GMs a GM, whose books are offered too."""
    with suppress(Refused):
        return await interaction.client.asking.reader(interaction, audience_of(interaction))
    return await interaction.client.readers.player(interaction.user, interaction.guild_id)


def audience_of(interaction: Interaction) -> Audience:
    """As whom somebody reads who uses a command: as a GM with those of GMs."""
    command = interaction.command
    return "gm" if command and command.qualified_name.startswith("gm ") else "player"


async def complete_games(interaction: Interaction, typed: str) -> Choices:
    """The games of the library."""
    return name_choices(games(interaction.client.book_list.books(await _reader(interaction))), typed)


async def complete_sections(interaction: Interaction, typed: str) -> Choices:
    """The sections of the book in the option beside it, where it has sections in place of pages."""
    reader = await _reader(interaction)
    library = interaction.client.library.limited_to(reader.sees)
    with suppress(LibraryError):
        book = interaction.namespace.book or ""
        return section_choices(await asyncio.to_thread(library.sections, book, reader.audience), typed)
    return []


def name_choices(names: Iterable[str], typed: str = "") -> Choices:
    """Names that hold what was typed, each as a whole or its beginning."""
    return _matching([_choice(name, _short(name)) for name in names], typed)


def names_meant(names: Iterable[str], typed: str, identity: Callable[[str], str]) -> list[str]:
    """The name of the identity of what was typed, else the first that begin so: a choice may hold no more."""
    known, wanted = list(names), plain(typed)
    exact = [name for name in known if identity(name) == identity(typed)]
    begun = [name for name in known if wanted and plain(name).startswith(wanted)]
    return exact[:1] or begun[:MOST_SUGGESTED]


def section_choices(sections: Iterable[str], typed: str) -> Choices:
    """Sections whose name holds what was typed, without the title of their book."""
    names = (section.partition(SECTION_JOINT)[2] for section in sections)
    offered = [_choice(name, name) for name in names if name and length(name) <= LONGEST_CHOICE]
    return _matching(offered, typed)


def book_choices(books: Sequence[BookSummary], typed: str, *, with_games: bool = True) -> Choices:
    """Books, and games where there are several, whose name holds what was typed.

    Case and accents do not count. Names that begin with it come first; at most 25.
    """
    named = games(books)
    several = len(named) > 1
    titles = Counter(title for title, _ in {(plain(book.title), book.game) for book in books})
    titles.update({plain(game) for game in named})
    offered = [_book_choice(book, several, is_shared=titles[plain(book.title)] > 1) for book in books]
    if with_games and several:
        offered += name_choices(named)
    return _matching(offered, typed)


def _book_choice(book: BookSummary, several: bool, *, is_shared: bool) -> app_commands.Choice[str]:
    """A book by its title; where another or a game has the same, by its file, if that is short enough."""
    codes = f" ({', '.join(book.codes)})" if book.codes else ""
    game = f" · {book.game}" if several and book.game else ""
    value = book.file if is_shared and length(book.file) <= LONGEST_CHOICE else _short(book.title)
    return _choice(f"{book.title}{codes}{game}", value)


def _choice(name: str, value: str) -> app_commands.Choice[str]:
    return app_commands.Choice(name=_short(name), value=value)


def _matching(offered: Choices, typed: str) -> Choices:
    # With the article, as somebody begins to type, and without.
    readings = [(read, read(typed).strip()) for read in (fold, plain)]
    ranked = [(min(_position(read(one.name), wanted) for read, wanted in readings), one) for one in offered]
    found = [choice for rank, choice in sorted(ranked, key=itemgetter(0)) if rank < NO_MATCH]
    return list(dict.fromkeys(found))[:MOST_CHOICES]


def _position(name: str, wanted: str) -> int:
    """How well a name fits what was typed: 0 where it begins so, `NO_MATCH` where it does not hold that."""
    return [name.startswith(wanted), f" {wanted}" in name, wanted in name, True].index(True)


def _short(name: str) -> str:
    """A name within Discord's limit, in whole words: a part of a title still names the book."""
    while length(name) > LONGEST_CHOICE:
        name = name[: min(len(name) - 1, LONGEST_CHOICE)].rsplit(" ", 1)[0]
    return name
