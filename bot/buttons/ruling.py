"""Ruling: a GM writes down what the table decided, in a window filled in from an answer."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, time, timedelta

import discord
from discord.utils import format_dt

from bot.answers.table import KeptSource
from bot.books.readers import Reader
from bot.buttons.rows import row_of, turned
from bot.buttons.sent import NO_ANSWER, Sent, Window, number_of
from bot.errors import GameUnnamed, NotGm, NothingRuled, OtherGameGone, UnknownGame
from bot.messages.places import where
from bot.messages.reply_message import Interaction, respond
from bot.messages.typed import typed_values
from bot.questions.wording import NAMED, UNNAMED, named
from bot.render.embeds import CONTENT, list_embeds
from bot.render.markdown import cut, escaped, one_line, with_end
from bot.texts import texts_in
from rag.errors import LibraryError
from rag.library.books.catalog import plain
from rag.library.books.ruling import Ruling, is_ruling
from rag.nodes.contradictions import contradict
from rag.texts import Texts
from rag.texts.blocks import absence, source_citation

LONGEST_RULE, LONGEST_QUESTION, LONGEST_RULING = 200, 300, 2000
SESSION = timedelta(hours=12)
FILLED_WITHIN_SECONDS = 1.0
SHOWN = 300
"""Characters of a ruling in the list."""
FOR_GOOD, FOR_SESSION = "good", "session"


async def open_for_answer(interaction: Interaction, sent: Sent) -> None:
    """Open the window for a ruling on the question of an answer, for GMs.

    It opens empty where the answer takes long to be read: a press is acknowledged within three seconds.
    """
    require_gm(interaction)
    try:
        game, filled = await asyncio.wait_for(_filled(interaction, sent.answer), FILLED_WITHIN_SECONDS)
    except TimeoutError:
        game, filled = await game_here(interaction), {}
    await open_window(interaction, game, sent.answer, **filled)


async def _filled(interaction: Interaction, answer: int) -> tuple[str, dict[str, str]]:
    """The game of an answer, and what of it stands in the window for a ruling.

    Players read a ruling: nothing that only a GM may know stands there, neither a GM's question nor a place
    in a GM's book.
    """
    kept = await interaction.client.asking.kept(interaction, answer)
    reader = await interaction.client.readers.player(interaction.user, interaction.guild_id)
    game_of_file = {book.file: book.game for book in interaction.client.open_books(reader)}
    quoted = [source for source in kept.sources if source.file in game_of_file]
    game = game_of_file[quoted[0].file] if quoted else await game_here(interaction)
    if kept.audience == "gm":
        return game, {}
    rule = await asyncio.to_thread(_rule_quoted, interaction, quoted, reader)
    return game, {"question": kept.question, "rule": rule}


async def open_window(interaction: Interaction, game: str, answer: int = NO_ANSWER, **filled: str) -> None:
    """Open the window for a ruling on a game, its fields `filled` in by their names, but nobody's in them."""
    texts = texts_in(interaction.locale.value)
    filled = {field: NAMED.sub(UNNAMED, text) for field, text in filled.items()}
    window = Window(texts("ruling-title"), Sent("ruling", answer, number_of(game)))
    hint, long = texts("ruling-rule-hint"), discord.TextStyle.paragraph
    window.ask(texts("ruling-rule"), "rule", LONGEST_RULE, filled.get("rule", ""), hint=hint)
    window.ask(texts("ruling-question"), "question", LONGEST_QUESTION, filled.get("question", ""))
    window.ask(texts("ruling-text"), "text", LONGEST_RULING, filled.get("text", ""), style=long)
    held = {FOR_GOOD: texts("ruling-for-good"), FOR_SESSION: texts("ruling-for-session")}
    window.choose(texts("ruling-held"), "held", held)
    await interaction.response.send_modal(window)


async def keep_ruling(interaction: Interaction, sent: Sent) -> None:
    """Keep the ruling of the window for the game of the number, and say what becomes of it."""
    require_gm(interaction)
    bot, server, typed = interaction.client, interaction.guild_id or 0, typed_values(interaction)
    reader = await bot.readers.player(interaction.user, server)
    game = await _game_of(interaction, sent.number)
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
    library = bot.library.limited_to(reader.sees)
    absent = await asyncio.to_thread(library.absent_pages, ruling.rule, reader.audience)
    holding = await asyncio.to_thread(bot.rulings.holding, server, [game])
    supersedes = await asyncio.to_thread(bot.rulings.add, server, ruling)
    texts, languages = texts_in(interaction.locale.value), {book.language for book in bot.open_books(reader)}
    lines = [texts("ruling-kept", heading=escaped(ruling.heading), superseded="yes" if supersedes else "no")]
    others = [one for one in holding if one.identity != ruling.identity]
    against = (one for one in others if contradict(ruling.text, one.text, languages))
    lines += [texts("ruling-against", heading=escaped(one.heading)) for one in against]
    lines += [escaped(absence(one, texts)) for one in absent]
    await respond(interaction, content=cut("\n".join(lines), CONTENT))


async def turn_rulings(interaction: Interaction, sent: Sent) -> None:
    """Turn to another page of the rulings on the game of a number. Raises `OtherGameGone`."""
    await show_rulings(interaction, await _game_of(interaction, sent.answer), sent.number)


async def show_rulings(interaction: Interaction, game: str, number: int) -> None:
    """Show a page of what holds on a game and what did, the newest first. Raises `NotGm`, `NothingRuled`."""
    require_gm(interaction)
    kept, texts = interaction.client.rulings, texts_in(interaction.locale.value)
    rulings = await asyncio.to_thread(kept.all, interaction.guild_id or 0, game)
    if not rulings:
        raise NothingRuled
    now = kept.now()
    holding_first = sorted(rulings, key=lambda one: one.holds(now))[::-1]
    title = texts("rulings-title", game=game or "none")
    pages = list_embeds(title, [_line(ruling, now, texts) for ruling in holding_first])
    number = min(number, len(pages) - 1)
    row = row_of(turned("rulings", number, len(pages), texts, number_of(game)))
    await respond(interaction, embed=pages[number], view=row)


def require_gm(interaction: Interaction) -> None:
    """Raise `NotGm` unless a GM of a server asks for something."""
    if not interaction.client.access.is_gm(interaction.user, interaction.permissions):
        raise NotGm


async def game_named(interaction: Interaction, option: str) -> str:
    """The game that a player means by an option. Raises `UnknownGame`."""
    known = {plain(game): game for game in await _games(interaction) if game}
    if plain(option) not in known:
        raise UnknownGame(game=option)
    return known[plain(option)]


async def game_here(interaction: Interaction) -> str:
    """The game that is played in a place, else the only one. Raises `GameUnnamed`."""
    known = await _games(interaction)
    bound = interaction.client.places.game_of(where(interaction.channel).home)
    if bound in known:
        return bound
    if len(known) != 1:
        raise GameUnnamed
    return known[0]


async def _game_of(interaction: Interaction, number: int) -> str:
    """The game of a number. Raises `OtherGameGone`."""
    for game in await _games(interaction):
        if number_of(game) == number:
            return game
    raise OtherGameGone


async def _games(interaction: Interaction) -> list[str]:
    """The games of the books that somebody may ask as a player, "" for books outside of all games."""
    bot = interaction.client
    reader = await bot.readers.player(interaction.user, interaction.guild_id)
    return list(dict.fromkeys(book.game for book in bot.open_books(reader)))


def _rule_quoted(interaction: Interaction, quoted: Sequence[KeptSource], reader: Reader) -> str:
    """The place of the rule that is quoted first, behind the heading above it where there is one."""
    source = next((source for source in quoted if not is_ruling(source.file)), None)
    if source is None:
        return ""
    place = source_citation(source, texts_in(interaction.locale.value))
    library = interaction.client.library.limited_to(reader.sees)
    with suppress(LibraryError):
        page = library.page_at(source.file, source.pdf_page, reader.audience, source.page)
        above = [path[-1] for start, path in page.sections if start <= (source.offset or 0)]
        if above and not source.section:
            place = f"{one_line(above[-1], LONGEST_RULE // 2)} – {place}"
    return with_end(place, LONGEST_RULE)


def _line(ruling: Ruling, now: datetime, texts: Texts) -> str:
    """A ruling with the day on which it was made, and until when it holds, or since when it does not."""
    state = ""
    if ruling.superseded:
        state = texts("ruling-superseded")
    elif not ruling.holds(now):
        state = texts("ruling-over")
    elif ruling.until:
        state = texts("ruling-until", time=format_dt(ruling.until, "f"))
    # Noon is that day wherever it is read, but for the farthest clocks.
    made = format_dt(datetime.combine(ruling.made, time(12), UTC), "D") if ruling.made else ""
    facts = " · ".join(filter(None, (made, state)))
    return f"**{escaped(ruling.heading)}** · {facts}\n> {escaped(one_line(ruling.text, SHOWN))}"
