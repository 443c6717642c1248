"""`/status`: how the bot is doing."""

import asyncio
import time
from typing import TYPE_CHECKING

import discord
from babel.dates import format_timedelta
from babel.numbers import format_currency, format_decimal
from discord import app_commands
from discord.ext import commands

from bot.budgets import PLAYERS
from bot.messages.reply_message import acknowledge, respond
from bot.operations.ingestion import Reading
from bot.render.embeds import list_embed
from bot.render.markdown import escaped
from bot.texts import texts_in
from bot.texts.command_translator import described
from rag.state import Usage
from rag.texts import Texts, locale_for

if TYPE_CHECKING:
    from bot.client import RulesBot


class Status(commands.Cog):
    """What everyone may know of the bot."""

    def __init__(self, bot: "RulesBot") -> None:
        self.bot = bot

    @app_commands.command(name="status", description=described("command-status"))
    async def status(self, interaction: discord.Interaction) -> None:
        """Say which strategy and models answer, from which books, and how fast."""
        await acknowledge(interaction, private=True)
        texts = texts_in(interaction.locale.value)
        lines = await self._lines(interaction, texts)
        await respond(interaction, embed=list_embed(texts("status-title"), lines, texts))

    async def _lines(self, interaction: discord.Interaction, texts: Texts) -> list[str]:
        bot, settings, locale = self.bot, self.bot.settings, interaction.locale.value
        reader = await bot.readers.player(interaction.user, interaction.guild_id)
        # Where servers see different games, what others ask is their own affair.
        is_alone = reader.games is None
        servers = None if is_alone else [interaction.guild_id]
        today = await asyncio.to_thread(bot.answers.today, servers)
        indexed_at = bot.book_list.indexed_at()
        facts = [
            ("status-strategy", settings.retrieval_strategy.value),
            ("status-mode", texts("mode-model" if settings.has_chat_model else "mode-quotes")),
            ("status-chat-model", settings.chat_model if settings.has_chat_model else "–"),
            ("status-embedding-model", settings.embedding_name),
            ("status-books", str(len(bot.book_list.books(reader)))),
            ("status-index", _ago(time.time() - indexed_at, locale) if indexed_at else "–"),
            ("status-latency", f"{bot.latency * 1000:.0f} ms"),
            ("status-uptime", _for(time.monotonic() - bot.began, locale)),
            ("status-questions", str(today.questions)),
            *(used_today(bot.budgets.spent(PLAYERS), locale) if is_alone else ()),
            ("status-median", decimal_seconds(today.median_seconds, locale)),
        ]
        lines = [f"{texts(key)}: **{escaped(value)}**" for key, value in facts]
        lines += [f"-# {texts(key)}" for key in bot.standing_notices]
        if bot.ingestion.reading:
            lines.append(f"⏳ {reading_line(bot.ingestion.reading, texts)}")
        return lines


def used_today(used: Usage, locale: str) -> list[tuple[str, str]]:
    """Calls, tokens and, where prices are configured, money: "12", "31,400", "US$ 0.02"."""
    about = "≈ " if used.estimated else ""
    facts = [
        ("status-calls", str(used.calls)),
        ("status-tokens", f"{about}{format_decimal(used.tokens, locale=_babel(locale))}"),
    ]
    if used.money is not None:
        money = format_currency(used.money, "USD", locale=_babel(locale))
        facts.append(("status-money", f"{about}{money}"))
    return facts


def reading_line(reading: Reading, texts: Texts) -> str:
    """How far ingestion is: "reading Powers: 40 %"; a book for the GM is not named."""
    if reading.book is None:
        return texts("status-reading-unnamed", percent=reading.percent)
    return texts("status-reading", book=escaped(reading.book), percent=reading.percent)


def decimal_seconds(seconds: float | None, locale: str) -> str:
    """A time as it is written in a language: "3.4 s", "3,4 s"."""
    return "–" if seconds is None else f"{format_decimal(seconds, '0.0', locale=_babel(locale))} s"


def _babel(locale: str) -> str:
    return locale_for(locale).replace("-", "_")


def _ago(seconds: float, locale: str) -> str:
    """How long ago something was: "3 days ago"."""
    return format_timedelta(-max(1, round(seconds)), add_direction=True, locale=_babel(locale))


def _for(seconds: float, locale: str) -> str:
    """How long something takes: "3 days"."""
    return format_timedelta(round(seconds), locale=_babel(locale))


async def setup(bot: "RulesBot") -> None:
    """Add the cog."""
    await bot.add_cog(Status(bot))
