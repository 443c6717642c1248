"""Lexical ranking: BM25 over the chunks' stems, scored for chunks and for their pages at once.

Of our own because what the ranking needs is in no library: words with weighted synonyms that count as
one (structured queries), and statistics over the books this reader may know, so that a hidden book
moves no score.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Key = TypeVar("Key", bound=Hashable)
"""What a posting is kept by."""

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

    def among(self, allowed: npt.NDArray[np.bool_]) -> "Posting":
        """What of it stands in chunks that are `allowed`."""
        counted = allowed[self.chunks]
        return self if counted.all() else Posting(self.chunks[counted], self.counts[counted])


def joined_postings(postings: Sequence[Posting]) -> Posting:
    """The postings of a term in several parts of a library, in ascending order."""
    chunks = np.concatenate([one.chunks for one in postings])
    counts = np.concatenate([one.counts for one in postings])
    order = np.argsort(chunks, kind="stable")
    return Posting(chunks[order], counts[order])


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
        one: Posting(np.array(chunks[one], np.int32), np.array(counts[one], np.float32)) for one in chunks
    }


@dataclass(frozen=True, slots=True)
class Occurrences:
    """In which texts, chunks or pages, a concept occurs, each once, and how often."""

    texts: Ids
    counts: Weights


@dataclass(frozen=True, slots=True)
class Texts:
    """Chunks or pages with what BM25 must know of all of them, computed once for many queries.

    `parts[text]` is the part of the library whose statistics count for it, how rare a word and how long a
    text is there; -1 where the text must not count: no hidden book moves a score. `totals[part]` are its
    texts, `wholes[part]` is the whole that it belongs to, `whole_totals[part]` are the texts of that;
    `norms[text]` is how much its length is held against it.
    """

    parts: Ids
    wholes: Ids
    totals: "np.ndarray[Any, Any]"
    whole_totals: "np.ndarray[Any, Any]"
    norms: "npt.NDArray[np.float64]"

    @classmethod
    def of(cls, lengths: Weights, parts: Ids, wholes: Ids | None = None) -> "Texts":
        """Texts of so many words in parts; each part is a whole by itself where none are given."""
        counted = parts >= 0
        totals = np.bincount(parts[counted], minlength=1)
        means = np.bincount(parts[counted], lengths[counted], minlength=1) / np.maximum(totals, 1)
        of_whole = (np.arange(len(totals)) if wholes is None else wholes[: len(totals)]).astype(np.int32)
        relative = lengths / np.maximum(means, 1.0)[parts]
        norms = SATURATION * (1 - LENGTH_NORMALISATION + LENGTH_NORMALISATION * relative)
        whole_totals = np.maximum(np.bincount(of_whole, totals)[of_whole], 1)
        return cls(parts, of_whole, totals, whole_totals, norms)


def occurrences(
    concepts: Sequence[Mapping[Key, float]], postings: Mapping[Key, Posting], total: int
) -> list[Occurrences]:
    """In which of all chunks, `total`, each concept occurs, and how often.

    A concept is one word of the question with the terms that may stand for it, each weighted: they are
    counted as one word, so that a word with many synonyms weighs no more than another (Pirkola 1998,
    structured queries). Equal concepts are counted once.
    """
    found: dict[tuple[tuple[Key, float], ...], Occurrences] = {}
    for concept in concepts:
        key = tuple(concept.items())
        if key not in found:
            weighted = [(postings[term], weight) for term, weight in key if term in postings]
            found[key] = _occurrences(weighted, total)
    return [found[tuple(concept.items())] for concept in concepts]


def _occurrences(weighted: Sequence[tuple[Posting, float]], total: int) -> Occurrences:
    """Where terms occur that stand for one word, each so often as it is worth."""
    worth = [(posting, weight) for posting, weight in weighted if weight > 0]
    if len(worth) == 1:
        ((posting, weight),) = worth
        return Occurrences(posting.chunks, posting.counts * np.float32(weight))
    counts = np.zeros(total, np.float32)
    for posting, weight in worth:
        counts[posting.chunks] += weight * posting.counts
    chunks: Ids = np.flatnonzero(counts > 0).astype(np.int32)
    return Occurrences(chunks, counts[chunks])


def bm25(concepts: Iterable[Occurrences], texts: Texts) -> Weights:
    """BM25 of each text from the occurrences of concepts in texts that count.

    Where a part is small, the whole that it belongs to tells how rare a word is.
    """
    scores = np.zeros(len(texts.parts))
    for one in concepts:
        score = one.counts * (_rarity(one.texts, texts) * (SATURATION + 1))
        score /= one.counts + texts.norms[one.texts]
        scores[one.texts] += score
    return scores.astype(np.float32)


def _rarity(held: Ids, texts: Texts) -> "npt.NDArray[np.float64]":
    """How rare a concept is for each of the texts that hold it: from those of its part and of the whole."""
    is_one_part = len(texts.totals) == 1
    parts = np.zeros(1, np.int32) if is_one_part else texts.parts[held]
    holders = np.array([len(held)]) if is_one_part else np.bincount(parts, minlength=len(texts.totals))
    share_of_whole = np.bincount(texts.wholes, holders)[texts.wholes] / texts.whole_totals
    share = (holders + FEW_TEXTS * share_of_whole) / (texts.totals + FEW_TEXTS)
    expected = share * texts.whole_totals
    rarity: npt.NDArray[np.float64] = np.log1p((texts.whole_totals - expected + 0.5) / (expected + 0.5))
    return rarity[parts]


def in_common(parts: Sequence[Occurrences]) -> Posting:
    """Where all the parts of a phrase occur, as often as the rarest there."""
    texts = reduce(np.intersect1d, [one.texts for one in parts])
    counts = [one.counts[np.searchsorted(one.texts, texts)] for one in parts]
    return Posting(texts, np.minimum.reduce(counts))


def in_groups(concepts: Iterable[Occurrences], groups: Ids, count: int) -> list[Occurrences]:
    """The occurrences of concepts in `count` groups of chunks; `groups[chunk]` is the one of a chunk."""
    sums = [np.bincount(groups[one.texts], one.counts, minlength=count) for one in concepts]
    found = [(np.flatnonzero(counts > 0).astype(np.int32), counts) for counts in sums]
    return [Occurrences(held, counts[held].astype(np.float32)) for held, counts in found]
