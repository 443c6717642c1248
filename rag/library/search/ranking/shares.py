"""What is found by meaning and by words, as shares of the best of each game: these can be added up. Pure."""

import numpy as np
import numpy.typing as npt

from rag.library.index.bm25 import Ids, Weights
from rag.library.search.fusion import RANK_CONSTANT

Scores = npt.NDArray[np.float64]


def by_rank(ranked: Ids, groups: Ids, limit: int) -> Scores:
    """For each number its share by its rank in its group: 1 for the first, then 61 / 62, 61 / 63 and so on.

    It is 0 behind the first `limit` of a group.
    """
    shares = np.zeros(len(groups))
    for own in _of_each_group(ranked, groups):
        first = own[:limit]
        shares[first] = (RANK_CONSTANT + 1) / (RANK_CONSTANT + 1 + np.arange(len(first)))
    return shares


def by_score(scores: Weights, groups: Ids, limit: int) -> Scores:
    """For each number its score as a share of the best of its group, 0 where `limit` others have more.

    Scores tell how far one stands above the next, which ranks forget (Bruch, Gai & Ingber 2023, "An Analysis
    of Fusion Functions for Hybrid Retrieval").
    """
    shares = np.zeros(len(groups))
    for own in _of_each_group(np.flatnonzero(scores > 0), groups):
        told = scores[own]
        least = np.partition(told, -limit)[-limit] if len(own) > limit else 0
        best = own[told >= least]
        shares[best] = scores[best] / told.max(initial=0)
    return shares


def best_of_pages(chunks: npt.NDArray[np.floating], page_of: Ids, pages: int) -> Scores:
    """For each page the most that one of its chunks has."""
    most = np.zeros(pages)
    found = np.flatnonzero(chunks)
    np.maximum.at(most, page_of[found], chunks[found])
    return most


def _of_each_group(
    items: "npt.NDArray[np.signedinteger]", groups: Ids
) -> "list[npt.NDArray[np.signedinteger]]":
    """The items of each group, in their order."""
    together = items[np.argsort(groups[items], kind="stable")]
    return np.split(together, np.flatnonzero(np.diff(groups[together])) + 1)
