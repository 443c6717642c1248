"""Which of several games a question means."""

from collections.abc import Mapping

import numpy as np

from rag.library.index.nearest import NONE_NEAR, NearestChunks
from rag.library.search.ranking.games import OWN_LANGUAGE, SPOKEN_OF, evidence, meant_games

GAMES = np.array([0, 0, 1, 2, -1], np.int32)
"""The game of each of five chunks; the last one is hidden."""


def told(
    words: list[float], similarity: Mapping[int, float], speaks: tuple[bool, ...] = (True, True, True)
) -> tuple[str, ...]:
    near = NearestChunks(np.array([*similarity], np.int32), np.array([*similarity.values()], np.float64))
    found = evidence(np.array(words, np.float32), near, GAMES, np.array(speaks, np.float32) * OWN_LANGUAGE)
    meant = meant_games(found, ["elves", "robots", "trains"])
    return meant.taken if meant else ()


def test_of_two_alike_the_one_in_the_language_of_the_question_comes_first() -> None:
    assert told([4, 0, 0, 4, 0], {}, (False, True, True)) == ("trains", "elves")


def test_of_two_alike_the_one_that_was_spoken_of_is_meant_alone() -> None:
    found = evidence(
        np.array([4, 0, 0, 4, 0], np.float32), NONE_NEAR, GAMES, np.array([0, 0, SPOKEN_OF], np.float32)
    )
    meant = meant_games(found, ["elves", "robots", "trains"])
    assert meant is not None
    assert meant.taken == ("trains",)


def test_each_game_that_could_answer_too_is_told_of_and_not_taken() -> None:
    near = [f"near {number}" for number in range(9)]
    meant = meant_games(np.array([0.5, *[1.4] * 9, 2.0], np.float32), ["far", *near, "best"])
    assert meant is not None
    assert (meant.taken, meant.others) == (("best",), tuple(near))
