"""Numbers are read in every way they may be meant, and held by the texts that print them."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.nodes.numbers import LONGEST_LINE, WIDEST_RANGE, Number, Numbers, in_digits, numbers_in, readings


def held(said: str, line: str, language: str = "en", printed: str = "en") -> bool:
    """Whether a line prints every number of what is said, and there is one."""
    numbers = numbers_in(said, language)
    return bool(numbers) and all(map(Numbers([(line, printed)]).hold, numbers))


@pytest.mark.parametrize(
    ("digits", "meant"),
    [("1.500", [{1500, 1.5}]), ("1.5", [{1.5}]), ("2,75", [{2.75}]), ("0.500", [{0.5}]),
     ("1,000,000", [{1_000_000}]), ("1,000.5", [{1000.5}]), ("5,10,15", [{5}, {10}, {15}])],
)  # fmt: skip
def test_points_and_commas_part_thousands_or_decimals(digits: str, meant: list[set[float]]) -> None:
    assert readings(digits) == [frozenset(map(Fraction, one)) for one in meant]


@pytest.mark.parametrize(
    ("text", "language", "digits"),
    [
        ("twenty-five", "en", "25"),
        ("half of it", "en", "1/2 of it"),
        ("a quarter, three quarters", "en", "a 1/4, 3/4"),
        ("20 thousand, tenfold", "en", "20000, 10 fold"),
        ("vinte e cinco", "pt", "25"),
        ("metade", "pt", "1/2"),
        ("um quarto do dano", "pt", "1/4 do dano"),
        ("2 mil moedas", "pt", "2000 moedas"),
        ("2½ lb", "en", "2 1/2 lb"),
        ("30' wide", "en", "30 ft wide"),
        ("a −2 penalty", "en", "a -2 penalty"),
        ("dez por cento", "pt", "10%"),
        ("10 000 po", "pt", "10000 po"),
        ("٣ torches", "en", "3 torches"),
        ("twenty", "xx", "twenty"),
    ],
)
def test_words_and_odd_print_are_read_as_digits(text: str, language: str, digits: str) -> None:
    assert in_digits(text, language) == digits


@pytest.mark.parametrize(
    ("said", "line"),
    [("It deals 3d6.", "deals 3 D6, or 3d6 damage"), ("Roll d100.", "roll d%"), ("3 times", "3/Day"),
     ("Roll 1d4 and add 4.", "1d4+4"), ("It adds +2.", "3d6+2"), ("An average of 14.", "0/14"), ("+7", "7"),
     ("10 or more", "5,10,15"), ("Half damage", "takes 50% of the damage"), ("the 5th level", "level 5"),
     ("ST 13", "ST13 needed, or ST 13")],
)  # fmt: skip
def test_a_number_is_held_however_it_is_printed(said: str, line: str) -> None:
    assert held(said, line)


@pytest.mark.parametrize(
    ("said", "line"),
    [("350 points", "35 points"), ("2d6", "1d6"), ("1d4-1", "1d4+1"), ("1d6+1", "1d6"), ("3d6", "3D"),
     ("+2", "a -2"), ("10", "6–8 friendly"), ("7 points", "0/14"), ("2.5 lb", "25 lb"), ("8/2", "4"),
     ("2/4", "1/2"), ("50", f"1-{2 * WIDEST_RANGE + 60}"), ("+2", "both hands"), ("3 hands", "both hands")],
)  # fmt: skip
def test_another_number_is_not_held(said: str, line: str) -> None:
    assert not held(said, line)


@pytest.mark.parametrize(
    ("said", "language", "line", "printed", "is_held"),
    [
        ("Custa 1.000 po.", "pt", "costs 1,000 gp", "en", True),
        ("Metade do dano.", "pt", "half damage", "en", True),
        ("It costs 120.", "en", "custa cento e vinte", "pt", True),
        ("Entre 2 e 6.", "pt", "de 2 a 6 turnos", "pt", True),
        ("Custa trinta e seis.", "pt", "costs 35", "en", False),
        ("Duas vezes 4d6.", "pt", "4d8", "en", False),
        ("As duas mãos.", "pt", "both hands", "en", True),
        ("Two hands.", "en", "ambas as mãos", "pt", True),
    ],
)
def test_a_number_is_the_same_in_another_language(
    said: str, language: str, line: str, printed: str, is_held: bool
) -> None:
    assert held(said, line, language, printed) is is_held


@pytest.mark.parametrize(
    ("text", "is_small"),
    [("one", True), ("none, 0", False), ("1", False), ("2nd", False), ("first", True), ("second", True),
     ("two", False), ("1d6", False), ("+1", False), ("third", False)],
)  # fmt: skip
def test_what_may_be_an_article_or_a_pronoun_is_told(text: str, is_small: bool) -> None:
    assert [one.is_small_word for one in numbers_in(text, "en")[-1:]] == [is_small]


PRINTED = st.text(st.sampled_from("0123456789dD+-–/.,%'x×=() ½²einsto"), max_size=60)


@given(text=PRINTED, language=st.sampled_from(["en", "pt", "de", "xx"]))
def test_a_text_holds_every_number_it_names(text: str, language: str) -> None:
    numbers = numbers_in(text, language)
    holding = Numbers([(text, language)])
    assert all(holding.hold(one) for one in numbers if one.values)


@given(text=PRINTED)
def test_no_digit_goes_unread(text: str) -> None:
    alone = Numbers([("", "en")])
    numbers = numbers_in(text, "en")
    assert bool(numbers) or not any(character in "123456789" for character in text)
    assert not any(map(alone.hold, numbers))


@given(number=st.integers(0, 10**9))
def test_thousands_are_read_in_both_manners(number: int) -> None:
    for written in (f"{number:,}", f"{number:,}".replace(",", "."), str(number)):
        assert any(number in values for values in readings(written))


@given(low=st.integers(0, 500), width=st.integers(1, WIDEST_RANGE), within=st.integers(0, WIDEST_RANGE))
def test_a_range_holds_what_lies_in_it(low: int, width: int, within: int) -> None:
    number = Number("", frozenset({Fraction(low + within)}))
    assert Numbers([(f"{low}-{low + width}", "en")], with_ranges=True).hold(number) is (within <= width)


@pytest.mark.parametrize("part", ["9", "one ", "um e ", "1+", "1.", "1,", "1/", "1d6+", "half a ", "3-", " "])
def test_hostile_text_is_read_before_the_test_runs_out_of_time(part: str) -> None:
    text = (part * LONGEST_LINE)[: 2 * LONGEST_LINE]
    assert len(numbers_in(text, "en")) <= LONGEST_LINE
