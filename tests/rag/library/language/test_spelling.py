"""Words that a dictionary knows, and slips of the fingers."""

import codecs

import pytest

from rag.library.language.spelling import known_share, one_slip_away

RULES = "the swimmer may carry three stones and must return before the water has come back again " * 15


def test_a_text_of_plain_words_is_known() -> None:
    assert known_share([RULES], "en") == 1.0


def test_a_text_whose_letters_have_wrong_codes_is_not() -> None:
    share = known_share([codecs.encode(RULES, "rot13")], "en")
    assert share is not None
    assert share < 0.3


@pytest.mark.parametrize("typed", ["latern", "lanntern", "lanterm", "latnern", "lantern"])
def test_one_letter_too_few_too_many_other_or_exchanged_is_a_slip(typed: str) -> None:
    assert "lantern" in one_slip_away(typed)
