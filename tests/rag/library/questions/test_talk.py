"""What is a question, and what is talk, among people at a table."""

import tomllib
from pathlib import Path

import pytest

from rag.library.questions.talk import Sound, language_of_chatter, sound_of

MESSAGES = tomllib.loads(Path(__file__).with_name("thread_messages.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("text", MESSAGES["questions"])
def test_a_question_is_heard(text: str) -> None:
    assert sound_of(text) is Sound.QUESTION


@pytest.mark.parametrize("text", MESSAGES["talk"])
def test_talk_is_left_alone(text: str) -> None:
    assert sound_of(text) in (Sound.TALK, Sound.CHATTER)


def test_of_messages_that_chose_no_word_nearly_all_are_heard_right() -> None:
    unseen = MESSAGES["held_out"]
    missed = [text for text in unseen["questions"] if sound_of(text) in (Sound.TALK, Sound.CHATTER)]
    asked = [text for text in unseen["talk"] if sound_of(text) is Sound.QUESTION]
    assert (missed, asked) == ([], [])


@pytest.mark.parametrize("said", ["haha ", "ok, ", "oh no\n"])
def test_any_amount_of_laughter_is_heard(said: str) -> None:
    assert sound_of(60 * said + "dragon") is Sound.EITHER


@pytest.mark.parametrize("text", ["Und im Nebel?", "¿Y en la niebla?"])
def test_a_question_mark_asks_in_every_language(text: str) -> None:
    assert sound_of(text) is Sound.QUESTION


@pytest.mark.parametrize(("text", "language"), [("<@1> valeu!", "pt"), ("thanks!", "en"), ("ok", None)])
def test_chatter_tells_its_language_where_it_is_no_word_of_several(text: str, language: str | None) -> None:
    assert language_of_chatter(text) == language
