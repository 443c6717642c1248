"""Refusals of Discord's, as discord.py raises them."""

from unittest.mock import Mock

import discord

KINDS = {403: discord.Forbidden, 404: discord.NotFound}


def refused(status: int, code: int = 0) -> discord.HTTPException:
    """A request that was refused with an HTTP status and a code of Discord's."""
    kind = discord.DiscordServerError if status >= 500 else KINDS.get(status, discord.HTTPException)
    return kind(Mock(status=status, reason=""), {"code": code, "message": "refused"})
