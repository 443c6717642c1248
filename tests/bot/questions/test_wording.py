"""The words of a message as they are asked."""

from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.errors import QuestionTooLong
from bot.questions.followups import LONGEST_QUESTION
from bot.questions.wording import fitting, named, question_in, said_in, without_ids

BOT, ROLE = 700000000000000000, 700000000000000001


def message(content: str = "", **facts: Any) -> discord.Message:
    """A message of a server in which the bot has a role of its own."""
    guild = SimpleNamespace(self_role=SimpleNamespace(id=ROLE))
    told = {"content": content, "embeds": [], "message_snapshots": [], "mentions": [], "guild": guild}
    return cast(discord.Message, SimpleNamespace(**(told | facts)))


@pytest.mark.parametrize("mention", [f"<@{BOT}>", f"<@!{BOT}>", f"<@&{ROLE}>"])
def test_a_mention_of_the_bot_or_of_its_role_is_no_part_of_the_question(mention: str) -> None:
    assert question_in(message(f"{mention} And in fog?"), BOT) == "And in fog?"


def test_a_forwarded_message_says_what_it_forwards() -> None:
    snapshot = SimpleNamespace(content="How far?", embeds=[])
    assert said_in(message(message_snapshots=[snapshot])) == "How far?"


def test_a_message_of_embeds_says_what_they_show() -> None:
    embed = discord.Embed(title="House rule", description="**A lamp** lights six paces.")
    embed.add_field(name="Since", value="> May")
    assert said_in(message(embeds=[embed])) == "House rule\nA lamp lights six paces.\nSince\nMay"


def test_a_link_to_a_message_says_nothing_of_where_it_leads() -> None:
    text = "Is https://discord.com/channels/123456789012345678/1/2 right?"
    assert without_ids(text, None) == "Is #… right?"


async def test_who_is_mentioned_in_a_command_is_named_as_discord_sends_it() -> None:
    user = SimpleNamespace(id=1, display_name="Ana")
    sent = {
        "users": {f"{BOT}": {"username": "bia2", "global_name": "Bia"}, "7": {"username": "gil"}},
        "members": {f"{BOT}": {"nick": "Bia the Bold"}},
    }
    command = SimpleNamespace(user=user, guild=None, data={"resolved": sent})
    asked = await named(f"May <@{BOT}> ask?", cast(discord.Interaction, command))
    assert asked == "May @Bia\u00a0the\u00a0Bold ask?"


def test_a_question_is_taken_whole_or_not_at_all() -> None:
    assert fitting("x" * LONGEST_QUESTION)
    with pytest.raises(QuestionTooLong):
        fitting("x" * (LONGEST_QUESTION + 1))
