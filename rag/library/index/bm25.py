"""Lexical ranking: BM25 over the chunks' stems, scored for chunks and for their pages at once.

Of our own because what the ranking needs is in no library: words with weighted synonyms that count as
one (structured queries), and statistics over the books this reader may know, so that a hidden book
moves no score.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Ids = npt.NDArray[np.int32]
Weights = npt.NDArray[np.float32]

SATURATION = 1.2
"""k1: how soon a repeated word stops counting (Robertson & Zaragoza 2009, usual value)."""

LENGTH_NORMALISATION = 0.75
"""b: how much a long text is held against itself (same source, usual value)."""

FEW_TEXTS = 100
"""So many texts of the whole stand beside those of a part, to tell how rare a word is there.

Of ten passages two hold a word by chance (additive smoothing: Zhai & Lafferty 2004).
"""

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


def occurrences(
    concepts: Sequence[Mapping[str, float]], postings: Mapping[str, Posting], allowed: npt.NDArray[np.bool_]
) -> Weights:
    """How often each concept occurs in each chunk that is `allowed`, a row a concept.

    A concept is one word of the question with the terms that may stand for it, each weighted: they are
    counted as one word, so that a word with many synonyms weighs no more than another (Pirkola 1998,
    structured queries).
    """
    counts = np.zeros((len(concepts), len(allowed)), np.float32)
    for row, concept in zip(counts, concepts, strict=True):
        for term, weight in concept.items():
            if posting := postings.get(term):
                row[posting.chunks] += weight * posting.counts
    counts[:, ~allowed] = 0
    return counts


def bm25(counts: Weights, lengths: Weights, parts: Ids, wholes: Ids | None = None) -> Weights:
    """BM25 of each text, a chunk or a page, from the occurrences of concepts in it; `lengths` are in words.

    `parts[text]` is the part of the library whose statistics count for it, how rare a word and how long a
    text is there; -1 where the text must not count: no hidden book moves a score. Where a part is small, the
    whole that it belongs to, `wholes[part]`, tells how rare a word is; else it is a whole by itself.
    """
    counted = parts >= 0
    if not counted.any():
        return np.zeros(len(lengths), np.float32)
    texts = np.bincount(parts[counted])
    mean = np.maximum(np.bincount(parts[counted], lengths[counted]) / np.maximum(texts, 1), 1.0)
    norm = 1 - LENGTH_NORMALISATION + LENGTH_NORMALISATION * lengths / mean[parts]
    scores = np.zeros(len(lengths))
    of_whole = (np.arange(len(texts)) if wholes is None else wholes[: len(texts)]).astype(np.int32)
    for count in counts:
        holders = np.bincount(parts[counted & (count > 0)], minlength=len(texts))
        rarity = _rarity(holders, texts, of_whole)
        scores += rarity[parts] * count * (SATURATION + 1) / (count + SATURATION * norm)
    return np.where(counted, scores, 0).astype(np.float32)


def _rarity(
    holders: "np.ndarray[Any, Any]", texts: "np.ndarray[Any, Any]", wholes: Ids
) -> "npt.NDArray[np.float64]":
    """How rare a concept is in each part, from the texts that hold it there and in the whole."""
    texts_of_whole = np.maximum(np.bincount(wholes, texts)[wholes], 1)
    share_of_whole = np.bincount(wholes, holders)[wholes] / texts_of_whole
    share = (holders + FEW_TEXTS * share_of_whole) / (texts + FEW_TEXTS)
    expected = share * texts_of_whole
    rarity: npt.NDArray[np.float64] = np.log1p((texts_of_whole - expected + 0.5) / (expected + 0.5))
    return rarity


def by_group(counts: Weights, groups: Ids, count: int) -> Weights:
    """The occurrences of concepts in each of `count` groups of chunks."""
    sums = [np.bincount(groups, row, minlength=count) for row in counts]
    return np.array(sums, np.float32).reshape(-1, count)


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


def best(scores: Weights) -> list[int]:
    """The numbers of the scores above zero, best first, ties in ascending order."""
    found = np.flatnonzero(scores)
    order = found[np.argsort(-scores[found], kind="stable")]
    return [int(number) for number in order]
