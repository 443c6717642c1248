"""What a user is told of any failure: typed, translated, with an id for the log."""

import logging
import secrets
from collections.abc import Awaitable, Callable

import discord
from discord import app_commands

from bot.errors import DiscordFailed, MessageGone, Refused
from bot.messages.calls import is_discords, is_too_late, refusal, silently
from bot.messages.typed import typed_words
from bot.render.embeds import Asker, failed_embed, said_embed
from bot.render.markdown import fitted
from bot.texts import discord_key, texts_in
from rag.errors import NothingAsked, RulesError

log = logging.getLogger(__name__)

UNEXPECTED = "error-unexpected"
TYPED = 2000
"""Room for what is given back: a whole question or ruling, however it has to be escaped."""


def explained(
    error: BaseException, locale: str | None, asker: Asker | None = None, typed: str = ""
) -> discord.Embed:
    """A failure as its user reads it; what truly happened goes to the log under the same id.

    What was `typed` where it is gone by then is given back.
    """
    cause = _cause(error)
    if isinstance(cause, NothingAsked):
        return said_embed(_sentence(cause, locale), asker)
    incident = secrets.token_hex(3)
    if is_discords(cause):
        log.warning("incident=%s Discord did not take a request: %s", incident, refusal(cause))
        cause = DiscordFailed()
    elif isinstance(cause, Refused):
        log.info("incident=%s refused: %s", incident, type(cause).__name__)
    elif isinstance(cause, RulesError):
        log.warning("incident=%s %s: %s", incident, type(cause).__name__, cause.key)
    else:
        log.error("incident=%s unexpected failure", incident, exc_info=cause)
    texts = texts_in(locale)
    embed = failed_embed(_sentence(cause, locale), texts("incident", id=incident), asker)
    if typed:
        embed.description = f"{embed.description}\n\n{texts('asked', question=fitted(typed, TYPED))}"
    return embed


async def tell_privately(interaction: discord.Interaction, error: BaseException) -> None:
    """Answer a failed interaction, whatever state it is in, so that only its user sees it."""
    cause = _cause(error)
    if is_too_late(cause):
        log.warning("an interaction was answered too late: Discord had given it up after three seconds")
    if is_too_late(cause) or isinstance(cause, MessageGone):
        return
    embed = explained(error, interaction.locale.value, typed=typed_words(interaction))
    response, followup = interaction.response, interaction.followup
    send: Callable[..., Awaitable[object]] = followup.send if response.is_done() else response.send_message
    await silently(lambda: send(embed=embed, ephemeral=True), "report a failure")


def _cause(error: BaseException) -> BaseException:
    """What truly happened: discord.py wraps what a command raises, and wants checks to fail its way."""
    if isinstance(error, app_commands.CommandInvokeError):
        return error.original
    if isinstance(error, app_commands.CheckFailure) and error.__cause__:
        return error.__cause__
    return error


def _sentence(error: BaseException, locale: str | None) -> str:
    texts = texts_in(locale)
    if not isinstance(error, RulesError):
        return texts(UNEXPECTED)
    try:
        return texts(discord_key(error.key), **error.values)
    except (LookupError, ValueError):
        log.exception("the sentence %s cannot be told", error.key)
        return texts(UNEXPECTED)
