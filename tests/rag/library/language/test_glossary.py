"""The glossary of the trade: every entry says something, in both directions."""

from importlib.resources import files

import pytest

from rag.library.language.glossary import WRITTEN, commonest_translations
from rag.library.language.words import FUNCTION_WORDS, content_words


def test_a_text_is_glossed_by_the_commonest_word_for_each() -> None:
    assert commonest_translations("Quanto custa uma tocha acesa?", "pt", "en") == ["cost", "torch"]


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
