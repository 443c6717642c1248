"""Which of the nearest words of a book stand for one that is asked."""

from rag.library.search.ranking.near_words import near_terms


def test_beside_what_a_word_means_stands_only_what_is_certain_and_no_function_word() -> None:
    assert near_terms({"torch": 0.9, "having": 0.9, "lamp": 0.4}, "en", is_known=True) == {"torch": 0.9}
