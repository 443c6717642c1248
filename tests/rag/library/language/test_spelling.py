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


def test_words_that_differ_in_accents_alone_are_as_common_together() -> None:
    common = "número significa até história música polícia várias"
    assert min(log_share(word, "pt") for word in common.split()) > -10


@pytest.mark.parametrize("typed", ["latern", "lanntern", "lanterm", "latnern", "lantern"])
def test_one_letter_too_few_too_many_other_or_exchanged_is_a_slip(typed: str) -> None:
    assert "lantern" in one_slip_away(typed)
