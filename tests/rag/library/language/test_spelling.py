"""Words that a dictionary knows, and slips of the fingers."""

import codecs

import pytest

from rag.library.language.spelling import known_share, log_share, one_slip_away

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


def test_a_word_with_another_first_letter_is_no_slip() -> None:
    assert "player" not in one_slip_away("flayer")


def test_a_word_of_no_dictionary_has_less_than_any_other() -> None:
    assert log_share("qwobble", "en") < log_share("zürich", "en")
    assert log_share("qwobble", "hu") == log_share("qwobble", "en")
