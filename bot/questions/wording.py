"""The words of a question as Discord delivers them: names for mentions, and what a forwarded message says."""

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import discord

from bot.errors import QuestionTooLong
from bot.messages.calls import silently
from bot.questions.followups import LONGEST_QUESTION
from bot.render.markdown import CLOSING

MENTION = re.compile(r"<(?P<kind>@[!&]?|#)(?P<id>\d{15,20})>")
COMMAND = re.compile(r"<(/[^:>]+):\d+>")
EMOJI = re.compile(r"<a?(:\w+:)\d+>")
MARKS = re.compile(r"\\(?=[^\w\s])|\*\*|^(?:>|-#) ", re.MULTILINE)
"""What makes the words of embeds bold, small or quoted, and what keeps others from being so."""
LINK = re.compile(r"https?://(?:\w+\.)?discord(?:app)?\.com/channels/[\w@/]+")
UNNAMED, NO_BREAK = "…", "\u00a0"
NAMED = re.compile(rf"[@#](?:[^ \n]*[^ \n{re.escape(CLOSING)}]|[^ \n]+)")
"""Somebody, a role or a channel by a name that takes the place of a mention, whatever it consists of.

It ends where a space follows, its own being no-break spaces; what closes a sentence there is no part of it.
"""
MOST_LOOKED_UP = 5
"""People of one text whose names Discord is asked for."""


def question_in(message: discord.Message, bot_id: int) -> str:
    """What a message says to the bot: without its mention, others by their names."""
    own = "|".join(f"<{mention}>" for mention in own_mentions(message.guild, bot_id))
    text = re.sub(own, " ", said_in(message)).strip()
    return without_ids(text, message.guild, {user.id: user.display_name for user in message.mentions})


def own_mentions(guild: discord.Guild | None, bot_id: int) -> list[str]:
    """How people may mention the bot: by its name, or by the role of that name that Discord gives it."""
    role = guild.self_role if guild else None
    return [f"@{bot_id}", f"@!{bot_id}", *([f"@&{role.id}"] if role else ())]


def said_in(message: discord.Message) -> str:
    """The words of a message: its own, else those of what it forwards, else those of its embeds."""
    forwarded = [snapshot.content for snapshot in message.message_snapshots]
    embeds = [*message.embeds, *(embed for one in message.message_snapshots for embed in one.embeds)]
    shown = [MARKS.sub("", part) for embed in embeds for part in _texts_of(embed) if part]
    parts = next((found for found in ([message.content], forwarded, shown) if any(found)), [])
    return "\n".join(filter(None, parts))


def _texts_of(embed: discord.Embed) -> list[str | None]:
    return [embed.title, embed.description, *(part for one in embed.fields for part in (one.name, one.value))]


def without_ids(text: str, guild: discord.Guild | None, names: Mapping[int, str] | None = None) -> str:
    """A text with the names of what it mentions; Discord's ids are nobody else's to know."""

    def named(mention: re.Match[str]) -> str:
        kind, found = mention["kind"], int(mention["id"])
        name = (names or {}).get(found) or (guild and _name_in(guild, kind, found))
        return f"{kind[0]}{(name or UNNAMED).replace(' ', NO_BREAK)}"

    return EMOJI.sub(r"\1", COMMAND.sub(r"\1", LINK.sub(f"#{UNNAMED}", MENTION.sub(named, text))))


async def named(text: str, interaction: discord.Interaction) -> str:
    """What somebody typed, with the names of what it mentions: as Discord sends them beside it, or tells."""
    user, guild = interaction.user, interaction.guild
    names = {user.id: user.display_name, **_sent_names(interaction.data or {})}
    people = {int(found["id"]) for found in MENTION.finditer(text) if found["kind"] in ("@", "@!")}
    if guild and (unknown := sorted(one for one in people - names.keys() if not guild.get_member(one))):
        names |= await _looked_up(unknown[:MOST_LOOKED_UP], guild)
    return without_ids(text, guild, names)


async def _looked_up(members: Iterable[int], guild: discord.Guild) -> dict[int, str]:
    """The names of members of a server, as far as Discord tells them."""
    look_ups = (silently(partial(guild.fetch_member, one), "tell who is mentioned") for one in members)
    return {member.id: member.display_name for member in await asyncio.gather(*look_ups) if member}


def _sent_names(data: Mapping[str, Any]) -> dict[int, str]:
    """The names of the people, roles and channels that Discord sends beside an interaction."""
    sent: Mapping[str, Mapping[str, Any]] = data.get("resolved") or {}
    names = {}
    for kind in ("users", "members", "roles", "channels"):
        for one, facts in sent.get(kind, {}).items():
            told = (facts.get(key) for key in ("nick", "global_name", "name", "username"))
            if name := next(filter(None, told), None):
                names[int(one)] = str(name)
    return names


def _name_in(guild: discord.Guild, kind: str, found: int) -> str | None:
    """The name of a member, role or channel, as far as it is known."""
    look_ups: dict[str, Callable[[int], Any]] = {"#": guild.get_channel_or_thread, "@&": guild.get_role}
    named = look_ups.get(kind, guild.get_member)(found)
    return getattr(named, "display_name", None) or getattr(named, "name", None)


def fitting(question: str) -> str:
    """A question that is not too long. Raises `QuestionTooLong`: half a question may ask something else."""
    if len(question) > LONGEST_QUESTION:
        raise QuestionTooLong(length=len(question), longest=LONGEST_QUESTION)
    return question
