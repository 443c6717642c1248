"""Rankings of several groups side by side: the passages or pages of each game by themselves. Pure."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rag.library.index.bm25 import Ids, Weights
from rag.library.search.fusion import RANK_CONSTANT

Scores = npt.NDArray[np.float64]


class RankedGroups(NamedTuple):
    """Chunks or pages, those of a group together, best first.

    `ranks` count from 1 in each group; `shares` are the scores as shares of the best of the group.
    """

    items: Ids
    groups: Ids
    ranks: Ids
    shares: Scores


def best_by_group(scores: Weights, groups: Ids, limit: int) -> RankedGroups:
    """Of each group the numbers of its scores above zero, equal ones by number; `limit` of them at most."""
    found = np.flatnonzero(scores > 0)
    by_group = found[np.argsort(groups[found], kind="stable")]
    bounds = np.append(np.flatnonzero(np.diff(groups[by_group], prepend=-2)), len(by_group)).tolist()
    own = scores[by_group]
    is_good = np.ones(len(own), bool)
    for start, end in pairwise(bounds):
        if end - start > limit:
            # What is as good as the last within the limit: few need to be sorted.
            is_good[start:end] = own[start:end] >= np.partition(own[start:end], -limit)[-limit]
    among = by_group[is_good]
    order = np.lexsort((-scores[among], groups[among]))
    return _ranked(among[order], groups, scores[among[order]].astype(np.float64), limit)


def by_group(ranked: Ids, groups: Ids, limit: int) -> RankedGroups:
    """One ranking, best first, as one for each group."""
    items = ranked[np.argsort(groups[ranked], kind="stable")]
    return _ranked(items, groups, np.ones(len(items)), limit)


def pages_of(chunks: RankedGroups, page_of: Ids) -> RankedGroups:
    """The pages of ranked chunks, each in the place of its best chunk; a page is of one group."""
    pages = page_of[chunks.items]
    firsts = np.sort(np.unique(pages, return_index=True)[1])
    groups = chunks.groups[firsts]
    return RankedGroups(pages[firsts], groups, _ranks(groups), chunks.shares[firsts])


def by_rank(weight: float, ranked: RankedGroups, count: int) -> Scores:
    """What a ranking adds to each of `count` numbers: weight / (60 + rank), 0 to those that it has not."""
    added = np.zeros(count)
    added[ranked.items] = weight / (RANK_CONSTANT + ranked.ranks)
    return added


def by_score(weight: float, ranked: RankedGroups, count: int) -> Scores:
    """What a ranking adds by shares of the best score; the best adds what the first of a ranking does.

    Scores tell how far one stands above the next, which ranks forget (Bruch, Gai & Ingber 2023, "An Analysis
    of Fusion Functions for Hybrid Retrieval").
    """
    added = np.zeros(count)
    added[ranked.items] = weight / (RANK_CONSTANT + 1) * ranked.shares
    return added


def _ranked(items: "npt.NDArray[np.signedinteger]", groups: Ids, scores: Scores, limit: int) -> RankedGroups:
    """Items that stand group by group, best first, with their ranks."""
    ranks = _ranks(groups[items])
    bests = np.repeat(scores[ranks == 1], np.diff(np.flatnonzero(ranks == 1), append=len(ranks)))
    kept = ranks <= limit
    own = items[kept].astype(np.int32)
    return RankedGroups(own, groups[own], ranks[kept], scores[kept] / bests[kept])


def _ranks(groups: Ids) -> Ids:
    """The place of each among those of its group, which stand together, from 1."""
    starts = np.flatnonzero(np.diff(groups, prepend=-2))
    first = np.repeat(starts, np.diff(starts, append=len(groups)))
    return (np.arange(len(groups)) - first + 1).astype(np.int32)
