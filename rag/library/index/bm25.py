"""Lexical ranking: BM25 over the chunks' stems, scored for chunks and for their pages at once.

Of our own because what the ranking needs is in no library: words with weighted synonyms that count as
one (structured queries), and statistics over the books this reader may know, so that a hidden book
moves no score.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ids = npt.NDArray[np.int32]
Weights = npt.NDArray[np.float32]

SATURATION = 1.2
"""k1: how soon a repeated word stops counting (Robertson & Zaragoza 2009, usual value)."""

LENGTH_NORMALISATION = 0.75
"""b: how much a long text is held against itself (same source, usual value)."""

HEADING_WEIGHT = 2.0
"""A word in a heading counts as that many in the text (BM25F, same source)."""


@dataclass(frozen=True, slots=True)
class Posting:
    """Where a term stands: chunk numbers in ascending order, and how often (headings weighted)."""

    chunks: Ids
    counts: Weights


def invert(documents: Iterable[tuple[int, list[str], list[str]]]) -> dict[str, Posting]:
    """The postings of `(chunk number, stems of its text, stems of its headings)`, in ascending order."""
    chunks: defaultdict[str, list[int]] = defaultdict(list)
    counts: defaultdict[str, list[float]] = defaultdict(list)
    for chunk, text, headings in documents:
        weights = Counter[str](dict.fromkeys(headings, HEADING_WEIGHT))
        for term in text:
            weights[term] += 1
        for term, weight in weights.items():
            chunks[term].append(chunk)
            counts[term].append(weight)
    return {
        term: Posting(np.array(chunks[term], np.int32), np.array(counts[term], np.float32)) for term in chunks
    }


def bm25(
    concepts: Iterable[Mapping[str, float]], postings: Mapping[str, Posting], groups: Ids, lengths: Weights
) -> Weights:
    """BM25 of each group of chunks: a chunk alone, or the page it is on.

    A concept is one word of the question with the terms that may stand for it, each weighted: they are
    counted as one word, so that a word with many synonyms weighs no more than another (Pirkola 1998,
    structured queries). `groups[chunk]` is the group of a chunk, -1 where it must not count;
    `lengths[group]` is in words. Only groups that count enter the statistics: no hidden book moves a score.
    """
    scores = np.zeros(len(lengths), np.float32)
    counted = np.zeros(len(lengths), bool)
    counted[groups[groups >= 0]] = True
    total = int(counted.sum())
    if not total:
        return scores
    norm = (
        1 - LENGTH_NORMALISATION + LENGTH_NORMALISATION * lengths / max(float(lengths[counted].mean()), 1.0)
    )
    for concept in concepts:
        count = np.zeros(len(lengths))
        for term, weight in concept.items():
            if posting := postings.get(term):
                of_chunk = groups[posting.chunks]
                allowed = of_chunk >= 0
                found = np.bincount(of_chunk[allowed], posting.counts[allowed], minlength=len(lengths))
                count += weight * found
        holders = int((count > 0).sum())
        rarity = np.log1p((total - holders + 0.5) / (holders + 0.5))
        scores += (rarity * count * (SATURATION + 1) / (count + SATURATION * norm)).astype(np.float32)
    return scores


def holding(
    concepts: Iterable[Mapping[str, float]], postings: Mapping[str, Posting], groups: Ids, count: int
) -> npt.NDArray[np.bool_]:
    """For each concept, which of `count` groups hold a term that may stand for it."""
    rows = []
    for concept in concepts:
        row = np.zeros(count + 1, bool)
        for posting in filter(None, map(postings.get, concept)):
            # Chunks that must not count have the group -1, the row's last place.
            row[groups[posting.chunks]] = True
        rows.append(row[:-1])
    return np.array(rows, bool).reshape(-1, count)


def best(scores: Weights, limit: int) -> list[int]:
    """The numbers of the `limit` highest scores above zero, best first, ties in ascending order."""
    found = np.flatnonzero(scores)
    order = found[np.argsort(-scores[found], kind="stable")[:limit]]
    return [int(number) for number in order]
