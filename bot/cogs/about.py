"""`/help`, `/status` and `/privacy`: what the bot does, how it is doing, what it keeps of somebody."""

import asyncio
import time
from statistics import median

from babel.dates import format_timedelta
from babel.numbers import format_currency, format_decimal
from discord import app_commands
from discord.ext import commands

from bot.budgets import PLAYERS
from bot.messages.reply_message import Interaction, respond
from bot.operations.ingestion import reading_line
from bot.operations.welcome import lines_to_try
from bot.questions.forgetting import Forgotten
from bot.render.embeds import list_embed
from bot.render.markdown import escaped
from bot.texts import babel_locale, texts_in
from bot.texts.command_translator import described
from rag import __version__
from rag.state import Usage

FOR_ALL = (
    "help-ask",
    "help-go-on",
    "help-why",
    "help-message",
    "help-look-up",
    "help-private",
    "help-menu",
    "help-keep",
)


class About(commands.Cog):
    """What everyone may know of the bot, told privately."""

    privacy = app_commands.Group(name="privacy", description=described("command-privacy"))

    @app_commands.command(name="help", description=described("command-help"))
    async def help(self, interaction: Interaction) -> None:
        """Say how to ask, and what else there is; to GMs, what they can do besides."""
        bot, texts = interaction.client, texts_in(interaction.locale.value)
        is_for_gms = bot.access.may_set_up(interaction.user, interaction.permissions)
        plainly, uploads = bot.intents.message_content, bot.settings.book_uploads
        facts = {"plainly": "yes" if plainly else "no", "uploads": "yes" if uploads else "no"}
        # A paragraph each: a phone shows no more than five words a line.
        lines = [f"{texts(key, **facts)}\n" for key in (*FOR_ALL, *["help-gm"] * is_for_gms)]
        reader = await bot.readers.player(interaction.user, interaction.guild_id)
        to_try = await bot.book_list.to_try(reader, interaction.locale.value)
        await _show_list(interaction, "help-title", [*lines, *lines_to_try(to_try, texts)])

    @app_commands.command(name="status", description=described("command-status"))
    async def status(self, interaction: Interaction) -> None:
        """Say which strategy and models answer, from which books, and how fast."""
        await _show_list(interaction, "status-title", await _status(interaction))

    @privacy.command(name="show", description=described("command-privacy-show"))
    async def show(self, interaction: Interaction) -> None:
        """List the questions of somebody that are kept with their answers, and count their ratings."""
        user, texts = interaction.user.id, texts_in(interaction.locale.value)
        forgetting = interaction.client.forgetting
        kept = await asyncio.to_thread(forgetting.answers.of_asker, user)
        rated = await asyncio.to_thread(forgetting.feedback.rated_by, user)
        elsewhere = [texts("privacy-elsewhere")] * interaction.client.settings.is_one_of_several
        told = [texts("privacy-kept", answers=len(kept), rated=rated), *elsewhere]
        asked = [f"<t:{int(one.created)}:d> {escaped(one.question)}" for one in kept]
        await _show_list(interaction, "command-privacy", [f"{' '.join(told)}\n", *asked])

    @privacy.command(name="forget", description=described("command-privacy-forget"))
    async def forget(self, interaction: Interaction) -> None:
        """Drop every answer kept for somebody, and the conversations they took part in."""
        forgotten = await interaction.client.forgetting.person(interaction.user.id)
        texts = texts_in(interaction.locale.value)
        elsewhere = [texts("privacy-elsewhere")] * interaction.client.settings.is_one_of_several
        told = [texts(key, answers=forgotten.answers) for key in _told(forgotten)]
        await respond(interaction, content=" ".join([*told, *elsewhere]))


async def _show_list(interaction: Interaction, title: str, lines: list[str]) -> None:
    """Show lines under the title of that key, what everybody should know below them."""
    texts = texts_in(interaction.locale.value)
    notices = [f"-# {texts(key)}" for key in interaction.client.standing_notices]
    await respond(interaction, embed=list_embed(texts(title), [*lines, *notices], texts))


async def _status(interaction: Interaction) -> list[str]:
    bot, settings, locale = interaction.client, interaction.client.settings, interaction.locale.value
    texts, babel = texts_in(locale), babel_locale(locale)
    reader = await bot.readers.player(interaction.user, interaction.guild_id)
    # Where servers see different games, what others ask is their own affair.
    is_alone = reader.games is None
    servers = None if is_alone else [interaction.guild_id]
    seconds = await asyncio.to_thread(bot.answers.seconds_today, servers)
    indexed_at = bot.book_list.indexed_at()
    uptime, age = time.monotonic() - bot.began, time.time() - indexed_at if indexed_at else 0.0
    made = format_timedelta(-max(1, round(age)), add_direction=True, locale=babel)
    facts = {
        "status-version": __version__,
        "status-strategy": settings.retrieval_strategy.value,
        "status-mode": texts("mode-model" if settings.has_chat_model else "mode-quotes"),
        "status-chat-model": settings.chat_model if settings.has_chat_model else "–",
        "status-embedding-model": settings.embedding_name,
        "status-books": str(len(bot.book_list.books(reader))),
        "status-index": made if indexed_at else "–",
        "status-latency": f"{bot.latency * 1000:.0f} ms",
        "status-uptime": format_timedelta(round(uptime), locale=babel),
        "status-questions": str(len(seconds)),
        **(_used_today(bot.budgets.spent(PLAYERS), babel) if is_alone else {}),
        "status-median": f"{format_decimal(median(seconds), '0.0', locale=babel)} s" if seconds else "–",
    }
    lines = [f"{texts(key)}: **{escaped(value)}**" for key, value in facts.items()]
    reading = bot.ingestion.reading
    return [*lines, reading_line(reading, texts)] if reading else lines


def _used_today(used: Usage, babel: str) -> dict[str, str]:
    """Calls, tokens and, where prices are configured, money: "12", "31,400", "US$ 0.02"."""
    about = "≈ " if used.estimated else ""
    tokens = f"{about}{format_decimal(used.tokens, locale=babel)}"
    facts = {"status-calls": str(used.calls), "status-tokens": tokens}
    if used.money is not None:
        facts["status-money"] = f"{about}{format_currency(used.money, 'USD', locale=babel)}"
    return facts


def _told(forgotten: Forgotten) -> list[str]:
    """The keys of what somebody is told of what was kept of them."""
    gone = {
        "privacy-answers": forgotten.answers,
        "privacy-conversations": forgotten.conversations and not forgotten.answers,
        "privacy-ratings": forgotten.rated,
        "privacy-set-aside": forgotten.was_set_aside,
    }
    keys = [key for key, is_gone in gone.items() if is_gone] or ["privacy-nothing"]
    return [*keys, "privacy-at-work"] if forgotten.at_work else keys
