"""The glossary of the trade: every entry says something, in both directions."""

from importlib.resources import files

import pytest

from rag.library.language.glossary import WRITTEN, commonest_translations, meanings
from rag.library.language.likeness import asked_share, shared_words
from rag.library.language.words import FUNCTION_WORDS, content_words


def test_a_text_is_glossed_by_the_commonest_word_for_each() -> None:
    assert commonest_translations("Quanto custa uma tocha acesa?", "pt", "en") == ["cost", "torch"]


def test_a_name_of_two_words_stands_for_one_and_neither_of_its_words_does_alone() -> None:
    question = "quanto de vida tem o ogro"
    assert [bool(asked_share(question, name, "en")) for name in ("Hit Points", "Hit")] == [True, False]
    hit, points = shared_words(question, ["Hit: 13 damage", "Hit Points 59"], ["en", "en"])
    assert hit == 0 < points


def test_a_word_of_the_other_language_in_a_question_means_what_it_means_there() -> None:
    assert "wizard" in meanings("mago", "en", "en")
    assert meanings("sombra", "en", "en")
    assert not meanings("light", "en", "en")


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
