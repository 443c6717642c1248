"""A topic that the question names, against topics that it only touches."""

from collections.abc import Sequence

import numpy as np

from rag.library.index.topics import Topic, by_stem, numbered
from rag.library.search.ranking.named_topics import named_topics, rarities

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
    postings = {term: found for term, found in by_stem(topics).items() if term in asked}
    return [float(one) for one in named_topics(concepts, rarity, postings, numbered(topics), allowed)]


def test_a_topic_that_is_all_that_is_asked_is_named_fully() -> None:
    assert strengths([Topic(("dash",), 0)], {"dash": RARE}) == [1.0]


def test_words_that_no_book_holds_take_nothing_from_it() -> None:
    assert strengths([Topic(("dash",), 0)], {"dash": RARE, "hullo": 0.0}) == [1.0]


def test_a_common_word_that_is_a_heading_is_not_what_a_long_question_asks() -> None:
    assert strengths([Topic(("combat",), 0)], {"combat": COMMON, "grappl": RARE, "swim": RARE}) == [0.0]


def test_a_whole_name_is_stronger_than_a_part_of_a_longer_one() -> None:
    whole, part = strengths([Topic(("familiar",), 0), Topic(("familiar", "steal"), 1)], {"familiar": RARE})
    assert whole > part


def test_a_name_that_many_places_have_is_weaker() -> None:
    once, many, _ = strengths(
        [Topic(("dash",), 0), Topic(("bite",), 1), Topic(("bite",), 2)], {"dash": RARE, "bite": RARE}
    )
    assert once > many > 0


def test_a_word_that_only_may_be_meant_is_weaker() -> None:
    (meant,) = strengths([Topic(("dash",), 0)], {"dash": RARE}, weight=0.8)
    assert 0 < meant < 1


def test_a_topic_of_a_hidden_book_moves_no_strength() -> None:
    topics = [Topic(("dash",), 0), Topic(("dash",), 1)]
    assert strengths(topics, {"dash": RARE}, hidden=frozenset([1])) == [1.0, 0.0]


def test_nothing_is_named_where_no_topic_has_a_word_that_is_asked() -> None:
    assert strengths([Topic(("dash",), 0)], {"swim": RARE}) == [0.0]


def test_a_word_that_no_page_holds_has_no_rarity() -> None:
    holders = np.array([[False, False, False], [True, False, False], [True, True, False]])
    none, one, two = rarities(["hullo", "dash", "swim"], (), holders, 3)
    assert none == 0 < two < one


def test_words_that_people_ask_with_have_no_rarity() -> None:
    happens, dash = rarities(["happens", "dash"], {"happens"}, np.array([[True, False]] * 2), 2)
    assert happens == 0 < dash


def test_words_that_people_ask_with_count_where_nothing_else_is_asked() -> None:
    (damage,) = rarities(["damage"], {"damage"}, np.array([[True, False]]), 2)
    assert damage > 0
