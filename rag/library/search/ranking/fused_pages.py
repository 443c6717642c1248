"""The pages that a query finds, by score, and what matched on each. Pure."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rag.library.index.bm25 import Ids
from rag.library.search.ranking.shares import Scores


@dataclass(frozen=True, slots=True)
class FusedPages:
    """The score of each page and of each chunk, 0 where nothing found it; `page_of` tells a chunk's page."""

    pages: Scores
    chunks: Scores
    page_of: Ids

    def ordered(self) -> "npt.NDArray[np.intp]":
        """The pages, best first; equal ones by number."""
        return _best_first(np.flatnonzero(self.pages), self.pages)

    def passages(self, pages: Collection[int]) -> dict[int, list[int]]:
        """The chunks that matched on each of some pages, best first; not the pages without any."""
        found = np.flatnonzero(self.chunks)
        own = found[np.isin(self.page_of[found], list(pages))]
        matching: dict[int, list[int]] = {}
        for chunk in _best_first(own, self.chunks):
            matching.setdefault(int(self.page_of[chunk]), []).append(int(chunk))
        return matching


def _best_first(found: "npt.NDArray[np.intp]", scores: Scores) -> "npt.NDArray[np.intp]":
    return found[np.argsort(-scores[found], kind="stable")]
