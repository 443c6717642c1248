"""BM25 over chunks and pages, by words as their language inflects them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rag.library.index.bm25 import (
    Texts,
    bm25,
    invert,
    occurrences,
)
from rag.library.language.words import content_words, fold, words

terms = st.lists(st.sampled_from(["torch", "fall", "die", "river"]), min_size=1, max_size=12)


def scores(documents: list[list[str]], asked: list[str], hidden: frozenset[int] = frozenset()) -> list[float]:
    postings = invert((number, text, []) for number, text in enumerate(documents) if number not in hidden)
    parts = np.array([-1 if number in hidden else 0 for number in range(len(documents))], np.int32)
    lengths = np.array([len(text) for text in documents], np.float32)
    counts = occurrences([{term: 1.0} for term in dict.fromkeys(asked)], postings, len(documents))
    return [float(score) for score in bm25(counts, Texts.of(lengths, parts))]


def test_a_rarer_word_counts_more() -> None:
    found = scores([["fall"], ["torch"], ["torch"]], ["fall", "torch"])
    assert found[0] > found[1] == found[2] > 0


def test_a_shorter_text_counts_more() -> None:
    found = scores([["fall"], ["fall", "die", "die", "die"]], ["fall"])
    assert found[0] > found[1]


def test_a_heading_counts_more_than_text() -> None:
    postings = invert([(0, ["fall"], []), (1, ["die"], ["fall"])])
    counts = occurrences([{"fall": 1.0}], postings, 2)
    found = bm25(counts, Texts.of(np.ones(2, np.float32), np.zeros(2, np.int32)))
    assert found[1] > found[0]


@given(st.lists(terms, min_size=2, max_size=8), terms)
def test_a_hidden_text_moves_no_score(documents: list[list[str]], query: list[str]) -> None:
    with_hidden = scores(documents, query, hidden=frozenset({len(documents) - 1}))
    assert with_hidden == [*scores(documents[:-1], query), 0.0]


@given(st.lists(terms, min_size=1, max_size=8), st.sampled_from(["torch", "fall"]))
def test_synonyms_are_counted_as_one_word(documents: list[list[str]], other: str) -> None:
    postings = invert((number, text, []) for number, text in enumerate(documents))
    renamed = [["die" if term == other else term for term in text] for text in documents]
    lengths = np.array([len(text) for text in documents], np.float32)
    counts = occurrences([{other: 1.0, "die": 1.0}], postings, len(documents))
    as_one = bm25(counts, Texts.of(lengths, np.zeros(len(documents), np.int32)))
    assert [float(score) for score in as_one] == scores(renamed, ["die"])


def test_a_part_of_the_library_has_statistics_of_its_own() -> None:
    documents = [["fall"], ["fall"], ["fall"], ["torch"], ["die"]]
    postings = invert((number, text, []) for number, text in enumerate(documents))
    counts, lengths = occurrences([{"fall": 1.0}], postings, 5), np.ones(5, np.float32)
    found = bm25(counts, Texts.of(lengths, np.array([0, 0, 1, 1, 1], np.int32)))
    assert found[2] > found[0] == found[1] > 0


def test_in_a_small_part_a_word_is_as_rare_as_in_its_whole() -> None:
    documents = [["fall"], ["die"], *[["torch"]] * 20, *[["river"]] * 200]
    postings = invert((number, text, []) for number, text in enumerate(documents))
    counts = occurrences([{"fall": 1.0}, {"torch": 1.0}], postings, 222)
    parts = np.array([0, 0, *[1] * 220], np.int32)
    alone, together = (
        bm25(counts, Texts.of(np.ones(222, np.float32), parts, np.array(wholes, np.int32)))
        for wholes in ([0, 1], [0, 0])
    )
    assert alone[0] < alone[2]
    assert together[0] > together[2]


def test_words_keep_numbers_and_dice_and_drop_punctuation() -> None:
    assert words("Roll 2d6+3 — the dragon’s breath (p. B102)!") == [
        "roll", "2d6", "3", "the", "dragon", "s", "breath", "p", "b102",
    ]  # fmt: skip


def test_content_words_are_what_a_sentence_is_about() -> None:
    assert content_words("How much does a torch cost?", "en") == ["torch", "cost"]
    assert content_words("Quanto custa uma tocha?", "pt") == ["custa", "tocha"]


def test_folding_ignores_case_and_accents() -> None:
    assert fold("Ação É") == "acao e"
