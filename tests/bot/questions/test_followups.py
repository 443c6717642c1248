"""Which messages are meant for the bot: a pure decision."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.messages.places import PlaceKind
from bot.questions.followups import LONGEST_QUESTION, Decision, Heard, decision, question_of

TALK = Heard(
    by_bot=False,
    is_talk=True,
    place=PlaceKind.THREAD,
    in_own_thread=True,
    mentions_bot=False,
    mentions_others=False,
    answers_bot=False,
    answers_other=False,
    text="And in fog?",
)
anything_heard = st.builds(
    Heard,
    by_bot=st.booleans(),
    is_talk=st.booleans(),
    place=st.sampled_from(PlaceKind),
    in_own_thread=st.booleans(),
    mentions_bot=st.booleans(),
    mentions_others=st.booleans(),
    answers_bot=st.booleans(),
    answers_other=st.booleans(),
    text=st.sampled_from(["", "And in fog?", "👍", "lol thanks", "flanking too"]),
)
wordless = st.sampled_from(["", "👍", "…", "<:d20:123456789012345678>"])


@pytest.mark.parametrize("place", [PlaceKind.THREAD, PlaceKind.SPOKEN, PlaceKind.CHANNEL])
def test_a_reply_whose_text_is_withheld_gets_a_hint(place: PlaceKind) -> None:
    heard = replace(TALK, place=place, answers_bot=True, text="", is_empty=True)
    assert decision(heard, reads_everything=False) is Decision.HINT


def test_a_reply_that_is_a_picture_or_a_sticker_alone_is_left_alone_where_words_are_not_withheld() -> None:
    heard = replace(TALK, answers_bot=True, text="", is_empty=True)
    assert decision(heard, reads_everything=True) is Decision.IGNORE


@pytest.mark.parametrize(
    "heard",
    [
        replace(TALK, in_own_thread=False),
        replace(TALK, place=PlaceKind.CHANNEL, in_own_thread=False),
        replace(TALK, mentions_others=True),
        replace(TALK, answers_other=True),
        replace(TALK, text=""),
    ],
    ids=["other people's thread", "plain channel", "to somebody else", "reply to somebody", "a picture"],
)
def test_talk_not_meant_for_the_bot_is_left_alone(heard: Heard) -> None:
    assert decision(heard, reads_everything=True) is Decision.IGNORE


@given(heard=anything_heard, intent=st.booleans())
def test_bots_and_notices_are_never_answered(heard: Heard, intent: bool) -> None:
    for silent in (replace(heard, by_bot=True), replace(heard, is_talk=False)):
        assert decision(silent, reads_everything=intent) is Decision.IGNORE


@given(heard=anything_heard, intent=st.booleans(), text=wordless)
def test_nothing_wordless_is_ever_asked(heard: Heard, intent: bool, text: str) -> None:
    decided = decision(replace(heard, text=text), reads_everything=intent)
    assert decided in (Decision.IGNORE, Decision.HINT, Decision.HELP)


@pytest.mark.parametrize("text", ["lol thanks", "valeu!", "haha"])
@pytest.mark.parametrize("reached", [{}, {"answers_bot": True}])
def test_thanks_and_laughter_are_left_alone(text: str, reached: dict[str, Any]) -> None:
    assert decision(replace(TALK, text=text, **reached), reads_everything=True) is Decision.IGNORE


@pytest.mark.parametrize("text", ["lol thanks", "valeu!", "hi"])
@pytest.mark.parametrize("reached", [{"mentions_bot": True}, {"place": PlaceKind.DIRECT}])
def test_thanks_to_the_bot_itself_are_returned(text: str, reached: dict[str, Any]) -> None:
    assert decision(replace(TALK, text=text, **reached), reads_everything=False) is Decision.SMALL_TALK


@pytest.mark.parametrize("text", ["really?", "I attack the ogre"])
def test_what_mentions_the_bot_is_asked_whatever_it_sounds_like(text: str) -> None:
    heard = replace(TALK, text=text, mentions_bot=True)
    assert decision(heard, reads_everything=True) is Decision.FOLLOW_UP


@pytest.mark.parametrize(
    ("text", "quotes", "asked"),
    [
        ("is that right?", "A lamp lights ten paces.", "A lamp lights ten paces.\nis that right?"),
        ("How far does a storm lamp light?", "A lamp lights ten paces.", "How far does a storm lamp light?"),
        ("is that right?", "", "is that right?"),
        ("is that right?", "x" * LONGEST_QUESTION, "is that right?"),
    ],
)
def test_a_mention_that_says_nothing_alone_is_asked_with_the_message_it_replies_to(
    text: str, quotes: str, asked: str
) -> None:
    heard = replace(TALK, text=text, quotes=quotes, mentions_bot=True, answers_other=True)
    assert question_of(heard) == asked
    assert question_of(replace(heard, mentions_bot=False)) == text
