"""Calls to Discord that may fail: repeated where that helps, survived where it does not."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

import aiohttp
import discord

log = logging.getLogger(__name__)

Returned = TypeVar("Returned")

REPEATS = 4
FIRST_PAUSE_SECONDS = 0.5
FORBIDDEN, RATE_LIMITED = 403, 429
UNAVAILABLE = 503
"""The one server error that discord.py does not repeat by itself."""

UNKNOWN_CHANNEL = 10003
UNKNOWN_MEMBER = 10007
UNKNOWN_MESSAGE = 10008
UNKNOWN_INTERACTION = 10062
UNKNOWN_WEBHOOK = 10015
INVALID_TOKEN = 50027
ALREADY_ACKNOWLEDGED = 40060
THREAD_ARCHIVED = 50083
NO_HISTORY_TO_REPLY = 160002
THREAD_EXISTS = 160004

FAILURES = (discord.HTTPException, aiohttp.ClientError, TimeoutError)
"""What a call raises that Discord refuses, or does not take."""

GONE = {UNKNOWN_CHANNEL, UNKNOWN_MESSAGE}
"""Codes of a message that is no longer there, or whose channel is not."""
MISSING_PERMISSION = {50001, 50013}
"""Codes of what the roles of the bot do not allow."""

EXPIRED = {UNKNOWN_INTERACTION, UNKNOWN_WEBHOOK, INVALID_TOKEN}
"""Codes of an interaction whose fifteen minutes are over."""


async def persist(call: Callable[[], Awaitable[Returned]]) -> Returned:
    """The result of a call, repeated while Discord is unavailable; other failures are raised."""
    pause = FIRST_PAUSE_SECONDS
    for _ in range(REPEATS):
        try:
            return await call()
        except discord.DiscordServerError as error:
            if error.status != UNAVAILABLE:
                raise
        except (aiohttp.ClientConnectionError, TimeoutError):
            log.info("no connection to Discord; trying again")
        await asyncio.sleep(pause)
        pause *= 2
    return await call()


async def silently(call: Callable[[], Awaitable[Returned]], what: str) -> Returned | None:
    """The result of a call that nothing depends on; None where Discord refuses it."""
    try:
        return await persist(call)
    except FAILURES as error:
        log.info("could not %s: %s", what, refusal(error))
        return None


def is_too_late(error: BaseException | None) -> bool:
    """Whether Discord has given up on an interaction that was not answered in its three seconds."""
    return isinstance(error, discord.HTTPException) and error.code == UNKNOWN_INTERACTION


def is_discords(error: BaseException) -> bool:
    """Whether a failure is Discord's, or of the way there: it is no fault in what was asked of it."""
    if isinstance(error, discord.HTTPException):
        return error.status >= 500 or error.status in (FORBIDDEN, RATE_LIMITED)
    return isinstance(error, aiohttp.ClientError)


def refusal(error: BaseException) -> str:
    """Why Discord refused, for the log: status and code, never what was sent."""
    if isinstance(error, discord.HTTPException):
        return f"status {error.status}, code {error.code}"
    return type(error).__name__
