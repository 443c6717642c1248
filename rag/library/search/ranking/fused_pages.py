"""The pages that the rankings of a query name, fused: their scores, and what matched on each. Pure."""

from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from rag.library.index.bm25 import Ids, Weights
from rag.library.search.fusion import RANK_CONSTANT
from rag.library.search.ranking.named_topics import NAMED
from rag.library.search.ranking.ranked_groups import Scores


class FusedPages:
    """Pages by score: `of_pages` adds up what the rankings of their games say, `of_chunks` that of passages.

    `named` tells how strongly chunks explain what is named; `factors[game]` is the factor of a game's pages.
    """

    def __init__(
        self,
        of_chunks: Scores,
        of_pages: Scores,
        named: Weights,
        page_of: Ids,
        factors: Weights,
        game_of_page: Ids,
    ) -> None:
        explaining = np.flatnonzero(named > 0)
        topics = np.zeros(len(of_pages), np.float32)
        np.maximum.at(topics, page_of[explaining], named[explaining])
        fused = raised(of_pages, topics)
        self._found = fused > 0
        self._scores: Scores = np.zeros(len(of_pages))
        found = np.flatnonzero(self._found)
        self._scores[found] = factors[game_of_page[found]] * fused[found]
        self._chunk_scores = raised(of_chunks, named)
        self._chunks = np.flatnonzero(self._chunk_scores > 0)
        self._page_of = page_of

    def score(self, page: int) -> float:
        """The score of a page, 0 where no ranking names it."""
        return float(self._scores[page])

    def ordered(self) -> "npt.NDArray[np.intp]":
        """The pages, best first; equal ones by number."""
        found = np.flatnonzero(self._found)
        return found[np.argsort(-self._scores[found], kind="stable")]

    def passages(self, pages: Collection[int]) -> dict[int, list[int]]:
        """The chunks that matched on each of some pages, best first; not the pages without any."""
        own = self._chunks[np.isin(self._page_of[self._chunks], list(pages))]
        matching: dict[int, list[int]] = {}
        for chunk in own[np.argsort(-self._chunk_scores[own], kind="stable")]:
            matching.setdefault(int(self._page_of[chunk]), []).append(int(chunk))
        return matching

    def raise_to(self, page: int, score: float) -> None:
        """Let a page have at least a score."""
        self._scores[page] = max(self._scores[page], score)
        self._found[page] = True


def raised(scores: Scores, strengths: Weights) -> Scores:
    """Fused scores, those of what the question names raised."""
    named = np.flatnonzero(strengths)
    added = scores.copy()
    added[named] += NAMED * strengths[named].astype(np.float64) / (RANK_CONSTANT + 1)
    return added
