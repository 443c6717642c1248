"""Which of the nearest words of a book stand for one that is asked."""

from rag.library.search.near_words import near_terms


def test_a_stem_is_as_near_as_its_nearest_word() -> None:
    assert near_terms({"torches": 0.8, "torch": 0.9, "lamp": 0.4}, 0.5, "en") == {"torch": 0.9}


def test_what_has_the_stem_of_a_function_word_stands_for_nothing() -> None:
    assert near_terms({"having": 0.9, "lamp": 0.8}, 0.0, "en") == {"lamp": 0.8}
