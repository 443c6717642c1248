"""Topics that a query names: a page that explains under a heading what is asked for by that name. Pure."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from rag.library.index.bm25 import Ids, Occurrences, Weights
from rag.library.index.topics import OF_ROW, TopicArrays
from rag.rules import rule

Term = tuple[str, str]
"""A stem, or the words of a phrase, behind the language of the books that it is looked for in."""

NAMED = 2.0
"""The weight of a topic that is all the question asks for, beside those of the rankings: as their first.

Measured flat from 1.5 to 3 on an unseen reference of 376 pages and on the development books.
"""

LEAST_SHARE = 0.4
"""The least share of the question's rarity that a name must cover.

Below, common words that happen to be headings ("Combat", "Levels") took first places from pages that answer;
from 0.35 to 0.5 the results stay within a question or two.
"""

PARTIAL = 4
"""How soon a name counts for nothing that is named in part only: its covered part to this power."""


def rarities(
    asked: Sequence[str], asking: Collection[str], on_pages: Sequence[Occurrences], total: int
) -> Weights:
    """How rare each word asked is, by the pages of `total` that hold it.

    Words that people ask with ("what happens when …") count for nothing, unless they are all there is.
    """
    holders = np.array([len(one.texts) for one in on_pages], np.float32)
    rare: Weights = np.log((total + 1) / (holders + 0.5)).astype(np.float32)
    subject = rare * np.array([word not in asking for word in asked], bool)
    return subject if subject.any() else rare


FEWEST_COVERED = 1.9
"""How many words of the question a table row stands under at least, near words counted in part."""
ROW_PARTIAL = 3
"""How soon a row counts for nothing that stands under a part of the question only: that share to this power.

Measured flat from 2 to 4.
"""


@rule(without=lambda concepts, rarity, postings, topics, allowed: np.zeros(len(allowed), np.float32))
def named_topics(
    concepts: Sequence[Mapping[Term, float]],
    rarity: Weights,
    postings: Mapping[Term, Ids],
    topics: TopicArrays,
    allowed: "npt.NDArray[np.bool_]",
) -> Weights:
    """How strongly each chunk explains a topic that the question names, 0 to 1.

    That is the share of the question that the name covers, by the rarity of its words: a common word that
    happens to be a heading weighs little in a long question. It is less where the question holds the name in
    part, and where many places have the name: then the rest of the question decides among them. `allowed`
    are the chunks that may be found; no other moves a strength.
    """
    strengths = np.zeros(len(allowed), np.float32)
    if not postings or not rarity.any():
        return strengths
    covered, share = np.zeros((2, len(topics.chunks)), np.float32)
    parts = rarity / rarity.sum()
    # A number stands in a range ("8-10"), or in any row: it is no part of what a question names.
    numbers = sum(part for concept, part in zip(concepts, parts, strict=True) if _is_number(concept))
    for concept, part in zip(concepts, parts, strict=True):
        matched, width = np.zeros((2, len(topics.chunks)), np.float32)
        for term in sorted(concept.keys() & postings.keys(), key=concept.__getitem__):
            matched[postings[term]] = concept[term]
            width[postings[term]] = len(term[1].split())
        covered += matched * width
        share += matched * part
    share = np.minimum(share / max(1 - numbers, 1e-9), 1.0)
    found = np.flatnonzero(share >= LEAST_SHARE)
    found = found[allowed[topics.chunks[found]]]
    cover = np.clip(covered[found] / topics.lengths[found], 0.0, 1.0)
    _, own, repeats = np.unique(topics.names[found], return_inverse=True, return_counts=True)
    strength = cover**PARTIAL * share[found] / repeats[own]
    strength[cover * share[found] < LEAST_SHARE] = 0
    is_row = topics.lengths[found] == OF_ROW
    strength[is_row] = row_strengths(share[found], covered[found])[is_row]
    np.maximum.at(strengths, topics.chunks[found], strength.astype(np.float32))
    return strengths


def _is_number(concept: Mapping[Term, float]) -> bool:
    """Whether a word of the question is a number."""
    return any(term.isdecimal() for _, term in concept)


@rule(without=lambda share, covered: np.zeros_like(share))
def row_strengths(share: Weights, covered: Weights) -> Weights:
    """How strongly rows are asked for that stand under a share of the question, at least two words of it.

    One word alone may be a part of anything's name.
    """
    strengths: Weights = np.where(covered >= FEWEST_COVERED, share**ROW_PARTIAL, 0)
    return strengths
