"""The real process, as players meet it."""

import asyncio
import itertools

import pytest

from bot.texts import texts_in
from tests.bot.discord_server import Channel, DiscordServer, Message, Person, Refusal
from tests.bot.real_process.conftest import PATIENCE, PRICE, VERDICT
from tests.bot.specification.components import walk
from tests.model_server import ModelServer

pytestmark = pytest.mark.asyncio(loop_scope="module")

ACKNOWLEDGED_WITHIN = 1.0
BETWEEN_EDITS = 1.5
ASKERS = 25


def is_answer(message: Message) -> bool:
    """Whether a message is the answer: what is proven stands in the working message already."""
    return VERDICT in message.text and bool(message.buttons)


def is_working(message: Message) -> bool:
    return "🔎" in message.text


async def asked(person: Person, channel: Channel) -> Message:
    """The answer to a question in a channel, with its thread open."""
    answer = await (await person.slash("rules", channel, question=PRICE)).answer(PATIENCE, where=is_answer)
    await person.world.changes.until(lambda: answer.thread, PATIENCE, "thread")
    return answer


async def test_the_page_of_a_source_is_shown_as_a_picture_to_whoever_asks(
    ana: Person, table: Channel
) -> None:
    question = await ana.slash("rules", table, question=PRICE)
    answer = await question.answer(PATIENCE, where=lambda message: "Sources" in message.buttons)
    pressed = await ana.clicks(answer, "Show page")
    shown = await pressed.answer(PATIENCE, where=lambda message: bool(message.attachments))
    [file] = shown.attachments
    assert shown.ephemeral
    assert shown.embeds[0]["image"]["url"] == f"attachment://{file['filename']}"
    assert file["size"] > 1000


async def test_a_question_is_acknowledged_in_a_second_while_the_model_takes_six(
    ana: Person, model: ModelServer, table: Channel
) -> None:
    model.delays["Draft"] = 6.0
    try:
        interaction = await ana.slash("rules", table, question=PRICE)
        assert (await interaction.acknowledged()).seconds < ACKNOWLEDGED_WITHIN
        working = await interaction.answer(
            PATIENCE, where=lambda message: "Writing the answer" in message.text
        )
        answer = await interaction.answer(PATIENCE, where=is_answer)
    finally:
        model.delays.clear()
    steps = answer.revisions[1:-1]
    gaps = [after - before for before, after in itertools.pairwise(steps)]
    assert working is answer
    assert all(gap >= BETWEEN_EDITS - 0.05 for gap in gaps)


async def test_twenty_five_askers_at_once_are_all_acknowledged_and_answered(discord: DiscordServer) -> None:
    channel = discord.channel("crowd")
    people = [discord.member(f"Player {number}") for number in range(ASKERS)]
    interactions = [await person.slash("rules", channel, question=PRICE) for person in people]
    acknowledgements = await asyncio.gather(*(one.acknowledged() for one in interactions))
    assert max(one.seconds for one in acknowledgements) < 3.0
    answers = await asyncio.gather(*(one.answer(PATIENCE, where=is_answer) for one in interactions))
    assert len({answer.id for answer in answers}) == ASKERS


async def test_two_follow_ups_within_a_second_are_answered_in_order_each_knowing_the_one_before(
    discord: DiscordServer, ana: Person, model: ModelServer, table: Channel
) -> None:
    thread = (await asked(ana, table)).thread
    assert thread is not None
    model.prompts.clear()
    model.delays["Rewrite"] = 1.0
    try:
        await ana.says("@bot And the first?", thread)
        await ana.says("@bot And the second?", thread)
        await discord.until(lambda: len(_answers(discord, thread)) == 2 or None, PATIENCE, "two answers")
    finally:
        model.delays.clear()
    first, second = _answers(discord, thread)
    rewrites = model.prompts_for("Rewrite")
    assert [
        first.reply_to and first.reply_to.content[-10:],
        second.reply_to and second.reply_to.content[-11:],
    ] == ["the first?", "the second?"]
    assert "And the first?" in rewrites[1].rsplit("<exchange>", 1)[1]


def _answers(discord: DiscordServer, channel: Channel) -> list[Message]:
    return [message for message in discord.said_in(channel) if is_answer(message)]


async def test_whoever_has_no_commands_does_all_by_mention_in_the_language_of_the_question(
    discord: DiscordServer,
) -> None:
    guild = discord.guild("Mesa", locale="pt-BR")
    channel = discord.channel("mesa", guild=guild)
    bia = discord.member("Bia", guild=guild)
    await bia.says(f"@bot {PRICE}", channel)
    thread = await discord.until(lambda: next(iter(_threads(discord, channel)), None), 10, "thread")
    answer = await discord.message_in(thread, is_answer, PATIENCE)
    assert answer.buttons == ["Sources", "Show page", "Follow up", "More"]
    await bia.says("@bot help", channel)
    told = await discord.message_in(channel, lambda one: "Outra coisa" in str(one.components), PATIENCE)
    asked: list[tuple[str, list[str], str]] = [
        ("command-rules", [PRICE, ""], VERDICT),
        ("command-library-page", ["Wading Orders", "9"], "So Tidesense 3 costs 21 stamps"),
        ("command-library-search", ["Tidesense", ""], "Wading Orders"),
        ("command-library-books", [], "Wading Orders"),
        ("command-status", [], "Chat model"),
        ("command-help", [], "No slash commands?"),
        ("command-privacy-show", [], PRICE),
        ("command-privacy-forget", [], "Deleted"),
    ]
    labels = {texts_in("pt-BR")(key)[:100]: (typed, says) for key, typed, says in asked}
    assert {one["label"] for menu in walk(told.components) for one in menu.get("options", ())} == {*labels}
    for label, (typed, says) in labels.items():
        chosen = await bia.chooses(told, label)
        used = await bia.submits(chosen, *typed) if typed else chosen
        assert says in (await used.answer(PATIENCE, lambda message: not is_working(message))).text


def _threads(discord: DiscordServer, channel: Channel) -> list[Channel]:
    guild = channel.guild
    assert guild is not None
    return [one for one in guild.channels if getattr(one, "parent", None) is channel]


# --- when Discord fails ---------------------------------------------------------------------------

EDIT = ("PATCH", "/webhooks/*/messages/@original")


CALLBACK = ("POST", "/interactions/*/callback")


@pytest.mark.parametrize(
    ("request_line", "why"),
    [
        (EDIT, Refusal.UNAVAILABLE),
        (EDIT, Refusal.INTERNAL_ERROR),
        (EDIT, Refusal.BAD_GATEWAY),
        (CALLBACK, Refusal.UNAVAILABLE),
    ],
)
async def test_an_edit_or_an_acknowledgement_that_discord_cannot_serve_is_tried_again(
    discord: DiscordServer, ana: Person, request_line: tuple[str, str], why: Refusal, table: Channel
) -> None:
    discord.fail(*request_line, why, times=2 if request_line is EDIT else 1)
    assert is_answer(await asked(ana, table))


async def test_a_rate_limit_is_waited_for(discord: DiscordServer, ana: Person, table: Channel) -> None:
    discord.rate_limit(*EDIT, retry_after=1.0, times=1)
    assert is_answer(await asked(ana, table))


async def test_a_message_whose_confirmation_was_lost_is_sent_once(
    discord: DiscordServer, ana: Person, table: Channel
) -> None:
    discord.fail("POST", "/channels/*/messages", Refusal.UNAVAILABLE, applied=True)
    await ana.says(f"@bot {PRICE}", table)
    thread = await discord.until(lambda: next(iter(_threads(discord, table)), None), PATIENCE, "thread")
    await discord.message_in(thread, is_answer, PATIENCE)
    assert len(discord.said_in(thread)) == 1


async def test_a_dropped_connection_is_resumed_and_no_question_lost(
    discord: DiscordServer, ana: Person, table: Channel
) -> None:
    session = await discord.connected()
    resumed = session.resumed
    discord.gateway.drop()
    interaction = await ana.slash("rules", table, question=PRICE)
    assert is_answer(await interaction.answer(PATIENCE, where=is_answer))
    assert session.resumed == resumed + 1


async def test_an_invalidated_session_is_begun_anew(
    discord: DiscordServer, ana: Person, table: Channel
) -> None:
    before = await discord.connected()
    await discord.gateway.invalidate()
    await discord.until(
        lambda: discord.gateway.session not in (None, before) or None, PATIENCE, "another session"
    )
    assert is_answer(await asked(ana, table))


async def test_after_fifteen_minutes_the_answer_becomes_an_ordinary_message(
    discord: DiscordServer, ana: Person, model: ModelServer, table: Channel
) -> None:
    model.delays["Draft"] = 1.0
    interaction = await ana.slash("rules", table, question=PRICE)
    await interaction.answer(PATIENCE, where=is_working)
    discord.clock.advance(16 * 60)
    answer = await interaction.answer(PATIENCE, where=is_answer)
    model.delays.clear()
    assert answer.buttons == ["Sources", "Show page", "Follow up", "More"]


async def test_a_private_answer_never_becomes_public_also_after_fifteen_minutes(
    discord: DiscordServer, ana: Person, table: Channel, model: ModelServer
) -> None:
    model.delays["Draft"] = 1.0
    interaction = await ana.slash("rules", table, question=PRICE, private=True)
    await interaction.answer(PATIENCE, where=is_working)
    discord.clock.advance(16 * 60)
    await discord.message_in(ana.dm, lambda message: VERDICT in message.text, PATIENCE)
    model.delays.clear()
    assert not [message for message in _answers(discord, table) if not message.ephemeral]


async def test_an_archived_thread_is_opened_again_for_a_follow_up(
    discord: DiscordServer, ana: Person, table: Channel
) -> None:
    answer = await asked(ana, table)
    assert answer.thread is not None
    answer.thread.archived = True
    modal = await ana.clicks(answer, "Follow up")
    await ana.submits(modal, "And then?")
    assert is_answer(await discord.message_in(answer.thread, is_answer, PATIENCE))


async def test_a_window_that_is_sent_twice_asks_once(
    discord: DiscordServer, ana: Person, model: ModelServer, table: Channel
) -> None:
    answer = await asked(ana, table)
    assert answer.thread is not None
    modal = await ana.clicks(answer, "Follow up")
    model.delays["Draft"] = 5.0
    await ana.submits(modal, "And then?")
    again = await ana.submits(modal, "And then?")
    await again.answer(PATIENCE, lambda message: "already" in message.text)
    model.delays.clear()
    await discord.message_in(answer.thread, is_answer, PATIENCE)
    assert len(_answers(discord, answer.thread)) == 1


async def test_a_question_to_a_locked_thread_is_answered_privately(
    discord: DiscordServer, ana: Person, table: Channel
) -> None:
    answer = await asked(ana, table)
    assert answer.thread is not None
    answer.thread.archived = answer.thread.locked = True
    modal = await ana.clicks(answer, "Follow up")
    asking_on = await ana.submits(modal, "And then?")
    told = await asking_on.answer(PATIENCE, lambda message: "Looking into" not in message.text)
    assert told.ephemeral


async def test_a_message_deleted_meanwhile_leaves_the_bot_well(
    discord: DiscordServer, ana: Person, model: ModelServer, table: Channel
) -> None:
    model.delays["Draft"] = 1.0
    interaction = await ana.slash("rules", table, question=PRICE)
    working = await interaction.answer(PATIENCE, where=is_working)
    await ana.deletes(working)
    model.delays.clear()
    assert is_answer(await asked(ana, table))
