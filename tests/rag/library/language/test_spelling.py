"""The share of words that a dictionary knows."""

import codecs

from rag.library.language.spelling import known_share

RULES = "the swimmer may carry three stones and must return before the water has come back again " * 15


def test_a_text_of_plain_words_is_known() -> None:
    assert known_share([RULES], "en") == 1.0


def test_a_text_whose_letters_have_wrong_codes_is_not() -> None:
    share = known_share([codecs.encode(RULES, "rot13")], "en")
    assert share is not None
    assert share < 0.3


def test_names_do_not_count() -> None:
    assert known_share([RULES + "Xyrrthan Qwobble " * 50], "en") == 1.0


def test_too_few_words_tell_nothing() -> None:
    assert known_share(["the tide turns"], "en") is None


def test_a_language_without_a_dictionary_tells_nothing() -> None:
    assert known_share([RULES], "hu") is None
