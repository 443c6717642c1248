"""Whether a question of a conversation says what it asks, or leans on the one before."""

import pytest

from rag.library.language.follow_ups import says_what_is_asked, stands_alone


@pytest.mark.parametrize(
    ("question", "is_said"),
    [
        ("And how much does plate mail cost in a city?", True),
        ("E quanto custa uma cota de malha na cidade?", True),
        ("And what does a harpoon cost and what Bite does it have?", True),
        ("and to raise it to 4?", False),
        ("e pra subir pra 4?", False),
        ("And with a heavy shield?", False),
        ("Why?", False),
        ("And does it help against large burning targets?", False),
    ],
)
def test_what_goes_on_from_another_question_may_say_all_that_is_asked(question: str, is_said: bool) -> None:
    assert not stands_alone(question)
    assert says_what_is_asked(question) is is_said
