"""What the models' benchmark changes in true statements, and how it counts a common beginning."""

import pytest

from benchmarks.models.drafts import limit_dropped, negation_dropped, number_changed
from benchmarks.models.measure import shared_beginning


@pytest.mark.parametrize(
    ("text", "changed"),
    [("It costs 5 points.", "It costs 6 points."), ("It deals 1d6 damage.", None), ("It burns.", None)],
)
def test_one_number_is_changed_by_one(text: str, changed: str | None) -> None:
    assert number_changed(text) == changed


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("A first level character cannot hire retainers.", "A first level character can hire retainers."),
        ("Anões não podem usar armas grandes.", "Anões podem usar armas grandes."),
        ("A first level character can hire retainers.", None),
    ],
)
def test_a_refusal_is_taken_out(text: str, changed: str | None) -> None:
    assert negation_dropped(text) == changed


def test_a_limit_is_taken_out() -> None:
    assert limit_dropped("They may use any weapon, unless it is large.") == "They may use any weapon."


def test_the_longest_common_beginning_counts() -> None:
    assert shared_beginning(["abcd"]) == 0
    assert shared_beginning(["abcd", "xyzw", "abxx"]) == pytest.approx(2 / 12)
