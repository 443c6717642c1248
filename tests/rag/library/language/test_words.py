"""Words and their stems, whoever asks for them at the same time."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest

from rag.library.language.words import names_in, stem, stems

WORDS = [
    "".join(parts) for parts in product("bcdfgl", ["ati", "ever", "in"], ["ing", "ations", "ously", "ed"])
]


@pytest.fixture
def eager_threads() -> Iterator[None]:
    """Threads that take turns after every few instructions."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("eager_threads")
def test_words_stemmed_in_several_threads_have_the_stems_they_have_alone() -> None:
    alone = [stem(word, "en") for word in WORDS]
    with ThreadPoolExecutor(4) as threads:
        for _ in range(10):
            stem.cache_clear()
            together = [
                list(stems) for stems in threads.map(lambda _: [stem(word, "en") for word in WORDS], range(4))
            ]
            assert together == [alone] * 4


def test_words_of_a_language_that_nobody_stems_stay_whole() -> None:
    assert (stem("dragons", "unknown"), stem("Élan", "xx")) == ("dragons", "elan")


def test_another_name_in_brackets_is_one_and_what_else_stands_there_is_none() -> None:
    assert "Red Dragon" in names_in("Dragon, Mountain (Red Dragon)")
    assert {*names_in("Plate trigger (per plate)"), *names_in("Plate trigger (Craft)")} == {"Plate trigger"}


def test_irregular_forms_have_the_stem_of_their_word_and_the_mark_of_a_note_adds_nothing() -> None:
    for language, forms, word in (
        ("en", "fought", "fight"),
        ("pt", "caiu caem", "cair"),
        ("en", "axe⁶", "axes"),
    ):
        assert {*stems(forms, language)} == {stem(word, language)}
