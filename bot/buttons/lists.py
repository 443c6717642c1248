"""Lists that buttons turn: the books, and the places that `/library search` found."""

import asyncio
from contextlib import suppress
from itertools import groupby

from babel import Locale, UnknownLocaleError

from bot.books.scope import games, is_all
from bot.buttons.pages import Opened
from bot.buttons.rows import menu, row_of, turned
from bot.buttons.sent import Sent
from bot.messages.places import where
from bot.messages.reply_message import Interaction, respond
from bot.render.embeds import list_embeds, places_embed
from bot.render.markdown import ELLIPSIS, cut, escaped, quoted
from bot.texts import babel_locale, texts_in
from rag.config import Audience
from rag.errors import EmptyLibrary
from rag.library.books.book import BookSummary
from rag.library.books.found_page import FoundPage
from rag.library.books.page import SECTION_JOINT
from rag.library.language.language import UNKNOWN
from rag.library.language.likeness import shared_words
from rag.strategies.lines import lines_of
from rag.texts import Texts
from rag.texts.blocks import citation

LONGEST_SEARCH = 100
PLACES = 24
PLACES_A_PAGE = 4
BEFORE_BOOK = " · "
SHOWN = 220
"""Characters of a page: enough to know the rule again."""


# --- books ----------------------------------------------------------------------------------------


async def show_books(interaction: Interaction, number: int, audience: Audience = "player") -> None:
    """Show a page of the books that somebody may ask, or the last one. Raises `EmptyLibrary`."""
    bot, locale = interaction.client, interaction.locale.value
    texts = texts_in(locale)
    reader = await bot.asking.reader(interaction, audience)
    books = bot.open_books(reader)
    if not books:
        raise EmptyLibrary
    notices = [f"-# {texts(key)}" for key in bot.standing_notices]
    pages = list_embeds(texts("books-title", count=len(books)), [*notices, *_book_lines(books, locale)])
    number = min(number, len(pages) - 1)
    row = row_of(turned("gmbooks" if audience == "gm" else "books", number, len(pages), texts))
    await respond(interaction, embed=pages[number], view=row)


def _book_lines(books: list[BookSummary], locale: str) -> list[str]:
    """A line a book, under its game where there are several."""
    lines: list[str] = []
    for game, its_books in groupby(books, lambda book: book.game):
        if len(games(books)) > 1:
            lines.append(f"### {escaped(game)}" if game else "")
        lines += [book_line(book, locale) for book in its_books]
    return lines


def book_line(book: BookSummary, locale: str) -> str:
    """A book as the list has it: its title with its codes, below it how long it is, and its language."""
    texts = texts_in(locale)
    codes = f" ({', '.join(map(escaped, book.codes))})" if book.codes else ""
    key, count = ("books-sections", book.sections) if book.sections else ("books-pages", book.pages)
    facts = [texts(key, count=count)]
    if book.first_label and book.last_label:
        facts.append(texts("books-printed", first=escaped(book.first_label), last=escaped(book.last_label)))
    facts.append(language_name(book.language, locale))
    return f"**{escaped(book.title)}**{codes}\n-# {' · '.join(facts)}"


def language_name(language: str, locale: str) -> str:
    """A language by its name in another, "Portuguese" for "pt"; the code where it has none."""
    if language == UNKNOWN:
        return texts_in(locale)("language-unknown")
    with suppress(UnknownLocaleError, ValueError):
        return Locale.parse(language).get_display_name(babel_locale(locale)) or language
    return language


# --- places ---------------------------------------------------------------------------------------


async def turn_places(interaction: Interaction, sent: Sent) -> None:
    """Turn to another page of the list.

    Nothing is kept of a search: what was looked for, and in which book, stands on the list itself.
    """
    assert interaction.message is not None
    [shown] = interaction.message.embeds
    _, _, book = (shown.footer.text or "").partition(BEFORE_BOOK)
    await show_places(interaction, shown.author.name or "", book or None, sent.number)


async def show_places(interaction: Interaction, query: str, book: str | None, number: int) -> None:
    """Show a page of the places where the books speak of something, or the last one."""
    bot, texts = interaction.client, texts_in(interaction.locale.value)
    reader = await bot.readers.player(interaction.user, interaction.guild_id)
    option = None if book is None or is_all(book) else book
    scoped = bot.asking.scoped(reader, option, where(interaction.channel))
    found = await bot.library.limited_to(reader.sees).search(query, reader.audience, scoped, PLACES)
    places = [page for page in found if page.is_citable]
    count = max(1, -(-len(places) // PLACES_A_PAGE))
    number = min(number, count - 1)
    shown = places[number * PLACES_A_PAGE :][:PLACES_A_PAGE]
    lines = await asyncio.to_thread(lambda: [_place(page, query, texts) for page in shown])
    numbered = [f"{number + 1}/{count}", *([option] if option else [])]
    embed = places_embed(query, "\n".join(lines) or texts("places-none"), BEFORE_BOOK.join(numbered))
    opened = [(Opened.at(one, reader.audience).number, _place_name(one, texts)) for one in shown]
    row = row_of([*turned("places", number, count, texts), *menu("place", texts("places-menu"), opened)])
    await respond(interaction, embed=embed, view=row)


def _place_name(page: FoundPage, texts: Texts) -> str:
    return citation(page.book, page.label, page.pdf_page, texts, page.section)


def _place(page: FoundPage, query: str, texts: Texts) -> str:
    """A place by book and printed page, under its headings, with the words that come closest."""
    place = _place_name(page, texts)
    headings = "" if place == page.section else SECTION_JOINT.join(page.headings)
    title = f"**{escaped(place)}**" + (f" · {escaped(cut(headings, SHOWN))}" if headings else "")
    return f"{title}\n{quoted(cut(_closest_words(page, query), SHOWN))}"


def _closest_words(page: FoundPage, query: str) -> str:
    """The line of what matched that shares most words with a query; of several alike the first."""
    lines = lines_of(page)
    matched = [line.text for hit in page.hits for line in lines if line.span.overlaps(hit)]
    told = list(dict.fromkeys(matched)) or [line.text for line in lines] or [ELLIPSIS]
    shared = shared_words(query, told, [page.language] * len(told))
    return told[shared.index(max(shared))]
