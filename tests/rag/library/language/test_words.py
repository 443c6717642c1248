"""Words and their stems, whoever asks for them at the same time."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest

from rag.library.language.words import LONGEST_WORD, stem, words

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


def test_a_language_without_a_data_file_is_stemmed_where_snowball_knows_it() -> None:
    assert stem("sárkányok", "hu") == stem("sárkány", "hu")


def test_words_of_a_language_that_nobody_stems_stay_whole() -> None:
    assert (stem("dragons", "unknown"), stem("Élan", "xx")) == ("dragons", "elan")


@pytest.mark.parametrize(
    ("language", "singular", "plural"),
    [
        ("en", "dwarf", "dwarves"), ("en", "werewolf", "werewolves"), ("en", "swordsman", "swordsmen"),
        ("pt", "arma", "armas"), ("pt", "ação", "ações"), ("pt", "nível", "niveis"),
        ("pt", "fácil", "fáceis"), ("pt", "herói", "heróis"), ("pt", "viagem", "viagens"),
        ("es", "luz", "luces"),
    ],
)  # fmt: skip
def test_a_plural_has_the_stem_of_its_singular(language: str, singular: str, plural: str) -> None:
    assert stem(plural, language) == stem(singular, language)


def test_of_a_word_without_end_the_first_letters_count() -> None:
    assert words(f"A {'b' * 500_000} c") == ["a", "b" * LONGEST_WORD, "c"]
