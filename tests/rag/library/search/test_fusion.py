"""Fusion of rankings by scores."""

from rag.library.search.fusion import by_score, fused, summed


def test_the_best_by_score_counts_as_the_first_of_a_ranking() -> None:
    assert by_score(1.0, {7: 3.5})[7] == fused([(1.0, [7])])[7]


def test_others_count_by_their_share_of_the_best_score() -> None:
    shares = by_score(1.0, {7: 4.0, 8: 1.0})
    assert shares[8] == shares[7] / 4


def test_scores_that_are_all_nothing_add_nothing() -> None:
    assert by_score(1.0, {7: 0.0}) == {}


def test_parts_are_summed_for_what_is_in_any() -> None:
    assert summed([{1: 2.0, 2: 1.0}, {2: 3.0}]) == {1: 2.0, 2: 4.0}
