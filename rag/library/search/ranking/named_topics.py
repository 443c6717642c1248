"""Topics that a query names: a page that explains under a heading what is asked for by that name. Pure."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from rag.library.index.bm25 import Ids, Key, Occurrences, Weights
from rag.library.index.topics import TopicArrays
from rag.rules import rule

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


@rule(without=lambda concepts, rarity, postings, topics, allowed: np.zeros(len(allowed), np.float32))
def named_topics(
    concepts: Sequence[Mapping[Key, float]],
    rarity: Weights,
    postings: Mapping[Key, Ids],
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
    for concept, part in zip(concepts, rarity / rarity.sum(), strict=True):
        matched = np.zeros(len(topics.chunks), np.float32)
        for term in sorted(concept.keys() & postings.keys(), key=concept.__getitem__):
            matched[postings[term]] = concept[term]
        covered += matched
        share += matched * part
    found = np.flatnonzero(share >= LEAST_SHARE)
    found = found[allowed[topics.chunks[found]]]
    cover = np.minimum(covered[found] / topics.lengths[found], 1.0)
    _, own, repeats = np.unique(topics.names[found], return_inverse=True, return_counts=True)
    strength = cover**PARTIAL * share[found] / repeats[own]
    strength[cover * share[found] < LEAST_SHARE] = 0
    np.maximum.at(strengths, topics.chunks[found], strength.astype(np.float32))
    return strengths
