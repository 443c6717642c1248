"""Words that a dictionary knows, and slips of the fingers."""

import codecs

import pytest

from rag.library.language.spelling import is_spelt_right, known_share, log_share, one_slip_away

RULES = "the swimmer may carry three stones and must return before the water has come back again " * 15


def test_a_text_of_plain_words_is_known() -> None:
    assert known_share([RULES], "en") == 1.0


def test_a_text_whose_letters_have_wrong_codes_is_not() -> None:
    share = known_share([codecs.encode(RULES, "rot13")], "en")
    assert share is not None
    assert share < 0.3


def test_inflected_words_are_known_where_the_dictionary_has_few() -> None:
    """The Spanish one has a card ("carta") and no cards."""
    share = known_share(["cada uno recibe seis cartas, tres monedas y dos velas apagadas " * 20], "es")
    assert share is not None
    assert share > 0.9


def test_a_small_dictionary_tells_nothing_of_a_book() -> None:
    assert known_share(["каждый игрок бросает два кубика и складывает значения " * 40], "ru") is None


def test_names_do_not_count() -> None:
    assert known_share([RULES + "Xyrrthan Qwobble " * 50], "en") == 1.0


def test_too_few_words_tell_nothing() -> None:
    assert known_share(["the tide turns"], "en") is None


def test_a_language_without_a_dictionary_tells_nothing() -> None:
    assert known_share([RULES], "hu") is None


@pytest.mark.parametrize(
    ("word", "language"), [("lantern", "en"), ("concentração", "pt"), ("concentracao", "pt")]
)
def test_a_word_is_spelt_right_whether_with_accents_or_without(word: str, language: str) -> None:
    assert is_spelt_right(word, language)


def test_a_word_of_no_dictionary_is_not_spelt_right() -> None:
    assert not is_spelt_right("latern", "en")


@pytest.mark.parametrize("typed", ["latern", "lanntern", "lanterm", "latnern", "lantern"])
def test_one_letter_too_few_too_many_other_or_exchanged_is_a_slip(typed: str) -> None:
    assert "lantern" in one_slip_away(typed)


def test_a_word_with_another_first_letter_is_no_slip() -> None:
    assert "player" not in one_slip_away("flayer")


def test_a_word_has_a_larger_share_of_the_language_it_is_commoner_in() -> None:
    assert log_share("total", "en") > log_share("tocha", "en")
    assert log_share("tocha", "pt") > log_share("tocha", "en")


def test_a_plural_that_the_dictionary_lacks_has_the_share_of_its_singular() -> None:
    assert not is_spelt_right("magias", "pt")
    assert log_share("magias", "pt") == log_share("magia", "pt")


def test_a_word_of_no_dictionary_has_less_than_any_other() -> None:
    assert log_share("qwobble", "en") < log_share("zürich", "en")
    assert log_share("qwobble", "hu") == log_share("qwobble", "en")
