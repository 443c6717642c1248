"""A rule that is off leaves its neutral result."""

from rag.rules import rule, turned_off


@rule(without=lambda words: words)
def _in_capitals(words: str) -> str:
    """Write words in capitals.

    A second paragraph.
    """
    return words.upper()


class Reader:
    def __init__(self, mark: str) -> None:
        self.mark = mark

    @rule(without=lambda self, words: words)
    def marked(self, words: str) -> str:
        """Put the mark behind words."""
        return words + self.mark


def test_a_rule_is_named_by_its_function_and_tells_what_it_does() -> None:
    assert (_in_capitals.name, _in_capitals.does) == ("in capitals", "Write words in capitals.")


def test_a_rule_that_is_off_leaves_its_neutral_result_until_it_is_on_again() -> None:
    with turned_off([_in_capitals]):
        assert _in_capitals("dodge") == "dodge"
    assert _in_capitals("dodge") == "DODGE"
