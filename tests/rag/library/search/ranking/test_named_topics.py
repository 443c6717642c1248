"""A topic that the question names, against topics that it only touches."""

from collections.abc import Sequence

import numpy as np

from rag.library.index.topics import Topic, TopicArrays, number_of
from rag.library.search.ranking.named_topics import named_topics

RARE, COMMON = 5.0, 0.5


def strengths(
    topics: Sequence[Topic],
    asked: dict[str, float],
    hidden: frozenset[int] = frozenset(),
    weight: float = 1.0,
) -> list[float]:
    """How strongly each chunk explains what is asked: stems with their rarity."""
    chunks = 1 + max(topic.chunk for topic in topics)
    allowed = np.array([chunk not in hidden for chunk in range(chunks)])
    concepts = [{term: weight} for term in asked]
    rarity = np.array(list(asked.values()), np.float32)
    holding = {term: [n for n, topic in enumerate(topics) if term in topic.name] for term in asked}
    postings = {term: np.array(numbers, np.int32) for term, numbers in holding.items() if numbers}
    arrays = TopicArrays(
        np.array([topic.chunk for topic in topics], np.int32),
        np.array([number_of(topic.name) for topic in topics], np.int64),
        np.array([len(topic.name) for topic in topics], np.int32),
    )
    return [float(one) for one in named_topics(concepts, rarity, postings, arrays, allowed)]


def test_a_topic_that_is_all_that_is_asked_is_named_fully() -> None:
    assert strengths([Topic(("dash",), 0)], {"dash": RARE}) == [1.0]


def test_a_whole_name_is_stronger_than_a_part_of_a_longer_one() -> None:
    whole, part = strengths([Topic(("familiar",), 0), Topic(("familiar", "steal"), 1)], {"familiar": RARE})
    assert whole > part


def test_a_topic_of_a_hidden_book_moves_no_strength() -> None:
    topics = [Topic(("dash",), 0), Topic(("dash",), 1)]
    assert strengths(topics, {"dash": RARE}, hidden=frozenset([1])) == [1.0, 0.0]
