"""How strongly chunks explain what a question names: on arrays alone."""

import numpy as np

from rag.library.index.topics import TopicArrays
from rag.library.search.ranking.named_topics import named_topics

FALLING, NUMBER = ("en", "falling"), ("en", "30")


def test_a_number_beside_a_name_takes_nothing_from_the_topic_of_that_name() -> None:
    topics = TopicArrays(np.array([4], np.int32), np.array([1]), np.array([1], np.int32))
    postings = {FALLING: np.array([0], np.int32)}
    rarity = np.array([1.0, 9.0], np.float32)
    strengths = named_topics([{FALLING: 1.0}, {NUMBER: 1.0}], rarity, postings, topics, np.ones(6, bool))
    assert np.flatnonzero(strengths > 0.99).tolist() == [4]
