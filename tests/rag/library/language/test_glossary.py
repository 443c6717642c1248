"""The glossary of the trade: every entry says something, in both directions."""

from importlib.resources import files

import pytest

from rag.library.language.glossary import WRITTEN, commonest_translations, glossary, meanings
from rag.library.language.words import FUNCTION_WORDS, content_words, stem


@pytest.mark.parametrize(
    ("asked", "word", "printed", "meaning"),
    [
        ("pt", "tochas", "en", "torch"),
        ("pt", "queda", "en", "falling"),
        ("pt", "maldições", "en", "curse"),
        ("pt", "lendárias", "en", "legendary"),
        ("en", "swords", "pt", "espada"),
    ],
)
def test_a_word_is_known_by_any_inflection_in_both_directions(
    asked: str, word: str, printed: str, meaning: str
) -> None:
    assert meaning in glossary(asked, printed)[stem(word, asked)]


def test_a_text_is_glossed_by_the_commonest_word_for_each() -> None:
    assert commonest_translations("Quanto custa uma tocha acesa?", "pt", "en") == ["cost", "torch"]


@pytest.mark.parametrize(
    ("word", "meant"),
    [("ponte", "bridge"), ("pontes", "bridge"), ("sal", "salt"), ("cobra", "snake"), ("sede", "thirst")],
)
def test_a_word_means_what_its_own_entry_says_not_what_another_of_its_stem_does(
    word: str, meant: str
) -> None:
    assert meanings(word, "pt", "en") == (meant,)


def test_a_form_that_no_entry_lists_means_what_its_stem_does() -> None:
    assert meanings("tochinhas", "pt", "en") == ()
    assert "throw" in meanings("lançaríamos", "pt", "en")


def test_languages_without_a_glossary_have_none() -> None:
    assert glossary("pt", "pt") == glossary("pt", "fi") == {}


@pytest.mark.parametrize(("languages", "name"), WRITTEN.items())
def test_every_entry_is_one_word_with_meanings_and_stands_once(languages: tuple[str, str], name: str) -> None:
    asked, printed = languages
    lines = (
        files("rag.library.language").joinpath("glossaries", name).read_text(encoding="utf-8").splitlines()
    )
    entries = [line.split(": ") for line in lines if line and not line.startswith("#")]
    assert len({entry for entry, _ in entries}) == len(entries)
    for entry, written in entries:
        assert content_words(entry, asked) == [entry]
        assert set(written.split(", ")) - FUNCTION_WORDS[printed]
