"""A rule that is off leaves its neutral result."""

from rag.rules import RULES, rule, turned_off


@rule(without=lambda words: words)
def _in_capitals(words: str) -> str:
    """Write words in capitals.

    A second paragraph.
    """
    return words.upper()


def test_a_rule_that_is_off_leaves_its_neutral_result_until_it_is_on_again() -> None:
    (own,) = (one for one in RULES if one.module == __name__)
    assert (own.name, own.does) == ("in capitals", "Write words in capitals.")
    with turned_off([own]):
        assert _in_capitals("dodge") == "dodge"
    assert _in_capitals("dodge") == "DODGE"
