"""Which word of a query no book has, and whether pages hold what it asks for."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from rag.library.index.bm25 import Occurrences
from rag.library.search.ranking.held_words import HeldWords, held_words

PAGES = 20


def held(query: str, pages: Mapping[str, Sequence[int]], language: str = "en", new: str = "") -> HeldWords:
    asked = query.split()
    found = [pages.get(word, []) for word in asked]
    occurrences = [Occurrences(np.array(on, np.int32), np.ones(len(on), np.float32)) for on in found]
    return held_words(asked, language, ["en"], occurrences, np.ones(PAGES, bool), new.split())


@pytest.mark.parametrize(
    ("query", "language", "missing"),
    [
        ("play tiefling", "en", "tiefling"),
        ("cannons galleon", "en", "galleon"),
        ("play ac", "en", "ac"),
        ("custa espada", "pt", "espada"),
        ("custa lightsaber", "pt", "lightsaber"),
        ("custa polvora", "pt", "polvora"),
    ],
)
def test_the_word_that_no_book_has_is_the_thing_asked_for(query: str, language: str, missing: str) -> None:
    on = {"play": [1], "cannons": [*range(9)], "custa": [1]}
    found = held(query, on, language)
    assert (found.missing, any(found.on_pages)) == (missing, False)


@pytest.mark.parametrize(
    ("query", "on"),
    [
        ("hurt someone shoot bow", {"shoot": [3], "bow": [3]}),
        ("harpoon dmg", {"harpoon": [3]}),
        ("damage 7 harpoon", {"harpoon": [3]}),
        ("thirteen steps", {"steps": [3]}),
        ("harpoon pls", {"harpoon": [3]}),
    ],
)
def test_common_words_short_forms_numbers_and_courtesies_are_not_missed(
    query: str, on: dict[str, list[int]]
) -> None:
    found = held(query, on)
    assert found.missing is None
    assert np.flatnonzero(found.on_pages).tolist() == [3]


def test_of_a_question_that_goes_on_what_is_new_is_the_thing_asked_for() -> None:
    query, on = "armor goblin raid tiefling", {"armor": [3], "goblin": [3], "raid": [3]}
    assert any(held(query, on).on_pages)
    found = held(query, on, new="tiefling")
    assert (found.missing, any(found.on_pages)) == ("tiefling", False)


@pytest.mark.parametrize("word", ["telejornal", "tirei"])
def test_books_of_another_language_may_call_it_otherwise(word: str) -> None:
    found = held(word, {}, "pt")
    assert (found.missing, all(found.on_pages)) == (None, True)
