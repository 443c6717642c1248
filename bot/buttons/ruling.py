"""Ruling: a GM writes down what the table decided, in a window filled in from an answer."""

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import discord

from bot.answers.table import KeptAnswer
from bot.books.readers import Reader
from bot.buttons.sent import NO_ANSWER, Pressed, Sent, Window, number_of
from bot.errors import GameUnnamed, NotGm, OtherGameGone
from bot.messages.reply_message import respond
from bot.messages.threads import where
from bot.messages.typed import typed_values
from bot.questions.wording import named
from bot.render.markdown import escaped, one_line
from bot.texts import texts_in
from rag.errors import LibraryError
from rag.library.books.ruling import Ruling, is_ruling
from rag.texts import Texts
from rag.texts.blocks import absence, source_citation

if TYPE_CHECKING:
    from bot.client import RulesBot

LONGEST_RULE, LONGEST_QUESTION, LONGEST_RULING = 200, 300, 2000
SESSION = timedelta(hours=12)
FOR_GOOD, FOR_SESSION = "good", "session"


async def open_for_answer(interaction: Pressed, sent: Sent) -> None:
    """Open the window for a ruling on the question of an answer, for GMs."""
    bot = interaction.client
    require_gm(interaction, bot)
    kept = await bot.asking.kept(interaction, sent.answer)
    reader = await bot.readers.player(interaction.user, interaction.guild_id)
    game = _game_of(kept, reader, bot)
    if game is None:
        game = game_here(interaction, reader, bot)
    rule = await asyncio.to_thread(_rule_quoted, kept, reader, bot, texts_in(interaction.locale.value))
    await open_window(interaction, game, kept.question, rule, sent.answer)


async def open_window(
    interaction: discord.Interaction, game: str, question: str = "", rule: str = "", answer: int = NO_ANSWER
) -> None:
    """Open the window for a ruling on a game, filled in with a question and the rule it is about."""
    texts = texts_in(interaction.locale.value)
    window = Window(texts("ruling-title"), Sent("ruling", answer, number_of(game)))
    hint, long = texts("ruling-rule-hint"), discord.TextStyle.paragraph
    window.ask(texts("ruling-rule"), "rule", LONGEST_RULE, rule, hint=hint)
    window.ask(texts("ruling-question"), "question", LONGEST_QUESTION, question)
    window.ask(texts("ruling-text"), "text", LONGEST_RULING, style=long)
    options = [
        discord.SelectOption(label=texts("ruling-for-good"), value=FOR_GOOD, default=True),
        discord.SelectOption(label=texts("ruling-for-session"), value=FOR_SESSION),
    ]
    held: discord.ui.Select[Any] = discord.ui.Select(custom_id="held", options=options)
    window.add_item(discord.ui.Label(text=texts("ruling-held"), component=held))
    await interaction.response.send_modal(window)


async def keep_ruling(interaction: Pressed, sent: Sent) -> None:
    """Keep the ruling of the window for the game of the number, and say what becomes of it."""
    require_gm(interaction, interaction.client)
    bot, server, typed = interaction.client, interaction.guild_id, typed_values(interaction)
    reader = await bot.readers.player(interaction.user, server)
    game = next((game for game in games_of(reader, bot) if number_of(game) == sent.number), None)
    if game is None or server is None:
        raise OtherGameGone
    question, rule, text = [await named(typed[name], interaction) for name in ("question", "rule", "text")]
    now = bot.rulings.now()
    ruling = Ruling(
        question=" ".join(question.split()),
        rule=" ".join(rule.split()),
        text=text.strip(),
        made=now.date(),
        until=(now + SESSION).replace(second=0, microsecond=0) if typed["held"] == FOR_SESSION else None,
        game=game,
    )
    library = bot.library.limited_to(reader.games)
    absent = await asyncio.to_thread(library.absent_pages, ruling.rule, reader.audience)
    supersedes = await asyncio.to_thread(bot.rulings.add, server, ruling)
    texts = texts_in(interaction.locale.value)
    line = texts("ruling-kept", heading=escaped(ruling.heading), superseded="yes" if supersedes else "no")
    await respond(interaction, content="\n".join([line, *(escaped(absence(one, texts)) for one in absent)]))


def require_gm(interaction: discord.Interaction, bot: "RulesBot") -> None:
    """Raise `NotGm` unless a GM of a server asks for something."""
    is_gm = bot.access.is_gm(interaction.user, interaction.permissions)
    if interaction.guild_id is None or not is_gm:
        raise NotGm


def games_of(reader: Reader, bot: "RulesBot") -> list[str]:
    """The games of the books that somebody may ask, "" for books outside of all games."""
    return list(dict.fromkeys(book.game for book in bot.open_books(reader)))


def game_here(interaction: discord.Interaction, reader: Reader, bot: "RulesBot") -> str:
    """The game that is played in a place, else the only one. Raises `GameUnnamed`."""
    known = games_of(reader, bot)
    bound = bot.places.game_of(where(interaction.channel).home)
    if bound in known:
        return bound
    if len(known) != 1:
        raise GameUnnamed
    return known[0]


def _game_of(kept: KeptAnswer, reader: Reader, bot: "RulesBot") -> str | None:
    """The game that an answer is from, as far as the reader may ask it."""
    game_of_file = {book.file: book.game for book in bot.open_books(reader)}
    return next((game_of_file[one.file] for one in kept.sources if one.file in game_of_file), None)


def _rule_quoted(kept: KeptAnswer, reader: Reader, bot: "RulesBot", texts: Texts) -> str:
    """The place of the rule that an answer quotes first, behind the heading above it where there is one."""
    source = next((source for source in kept.sources if not is_ruling(source.file)), None)
    if source is None:
        return ""
    place = source_citation(source, texts)
    library = bot.library.limited_to(reader.games)
    try:
        page = library.page_at(source.file, source.pdf_page, reader.audience, source.page)
    except LibraryError:
        return place
    above = (text for start, text in reversed(page.sections) if start <= (source.offset or 0))
    heading = "" if source.section else next(above, "")
    return f"{one_line(heading, LONGEST_RULE // 2)} – {place}" if heading else place
