"""Which of several games a question means: told by its own words, its meaning and its language. Pure.

First the game, then the page, as search over several collections does it (Callan 2000, "Distributed
Information Retrieval"): within its game a page is ranked by the game's own statistics, and the rankings are
merged by the score of each game.
"""

from collections.abc import Sequence

import numpy as np

from rag.library.index.bm25 import Ids, Weights
from rag.library.index.nearest import NearestChunks
from rag.rules import rule
from rag.state import MeantGames

OWN_LANGUAGE = 0.1
"""What speaking the question's language is worth, beside at most 1 for words and for meaning."""

SPOKEN_OF = 0.3
"""What it is worth that a conversation was about a game before, or that a query may name it."""

EXPONENT = 0.25
"""The power to which the score of a game is raised. The result multiplies the scores of its pages.

It is small, because ranks differ little: a tenth less puts four pages of the better game first.
"""

ALIKE, MOST_TAKEN = 0.8, 2
"""The score from which on a second game is answered from as well, as a share of the best game's.

Of 73 questions on 25 games the right one is the first for 60 and one of these, 1.4 a question, for 65.
"""

NEAR = 0.6
"""The score from which on further games are named to the user, as a share of the best."""


def evidence(words: Weights, nearest: NearestChunks, games: Ids, beforehand: Weights) -> Weights:
    """The score of each game, from 0 up. A game that holds nothing of the question has 0.

    It adds two numbers: the game's best word score divided by the best game's, and its best cosine among the
    `nearest` chunks. `words` scores chunks by the question's words and their sure translations; rarer words
    count more. `games[chunk]` is the game of a chunk, -1 where it does not count. `beforehand[game]` is added
    to every score above 0.
    """
    telling = np.flatnonzero(words > 0).astype(np.int32)
    said = _most_of_games(telling, words[telling], games, len(beforehand))
    meant = _most_of_games(nearest.chunks, nearest.cosines.astype(np.float32), games, len(beforehand))
    found = said / max(float(said.max(initial=0.0)), 1e-9) + meant
    return np.where(found > 0, found + beforehand, 0).astype(np.float32)


def _most_of_games(chunks: Ids, strengths: Weights, games: Ids, count: int) -> Weights:
    """The greatest strength of the given chunks of each game, 0 where there are none."""
    most = np.zeros(count, np.float32)
    counted = games[chunks] >= 0
    np.maximum.at(most, games[chunks[counted]], strengths[counted])
    return most


@rule(without=lambda evident: np.ones(len(evident), np.float32))
def game_factors(evident: Weights) -> Weights:
    """The factor for the pages of each game: 1 for the best, less for others; all 1 if none has a score."""
    most = float(evident.max(initial=0.0))
    if not most:
        return np.ones(len(evident), np.float32)
    return ((evident / most) ** EXPONENT).astype(np.float32)


def meant_games(evident: Weights, names: Sequence[str]) -> MeantGames | None:
    """The games to answer from, and others that could answer. None where no game has a score."""
    most = float(evident.max(initial=0.0))
    if not most:
        return None
    order = np.argsort(-evident, kind="stable")
    alike = [int(game) for game in order[:MOST_TAKEN] if evident[game] >= ALIKE * most]
    others = [int(game) for game in order if evident[game] >= NEAR * most and game not in alike]
    return MeantGames(
        taken=tuple(names[game] for game in alike), others=tuple(names[game] for game in others)
    )
