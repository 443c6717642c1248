"""What players call a thing in one language, and what rulebooks call it in another.

An embedding of few words hardly knows the words of the trade: a *tocha* lies nowhere near a torch.
"""

import functools
from collections.abc import Iterable, Mapping
from importlib.resources import files
from itertools import permutations, takewhile
from operator import eq

from rag.library.language.language import LANGUAGES, OUR_LANGUAGES
from rag.library.language.spelling import is_spelt_right
from rag.library.language.words import content_words, fold, stem, words
from rag.rules import rule

_FOLDER = files("rag.library.language").joinpath("glossaries")
_SUFFIX = ".txt"


def _written() -> dict[tuple[str, str], str]:
    names = [file.name for file in _FOLDER.iterdir() if file.name.endswith(_SUFFIX)]
    pairs = [name.removesuffix(_SUFFIX).partition("-") for name in names]
    return {(asked, printed): name for (asked, _, printed), name in zip(pairs, names, strict=True)}


WRITTEN = _written()
"""The glossaries there are ("pt-en.txt"), by the languages of asker and book; each is read in both
directions.
"""


def read_glossaries(languages: Iterable[str]) -> None:
    """Read the glossaries between some languages, which takes a quarter of a second."""
    for asked, printed in permutations(languages, 2):
        glossary(asked, printed)


@functools.cache
def glossary(asked: str, printed: str) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """For stems of the language `asked`, the entries that have it, each with what another language calls it.

    That is a word or a name of several ("hit points"), the commonest first. Empty where there is no glossary
    of the two.
    """
    by_stem: dict[str, dict[str, tuple[str, ...]]] = {}
    for name, theirs in _entries(asked, printed):
        forms = by_stem.setdefault(stem(name, asked), {})
        forms[name] = tuple(dict.fromkeys([*forms.get(name, ()), *theirs]))
    return by_stem


@rule(without=lambda word, asked, printed: ())
def meanings(word: str, asked: str, printed: str) -> tuple[str, ...]:
    """The words or names that stand for a word of the language `asked` in books printed in another.

    Of the entries with its stem that one counts which begins most as it does: a bridge ("pontes") is no
    point ("ponto"), though Snowball has one stem for both. What `asked` has no word for may be one of
    another language that people ask in: a follow-up brings it into a question, "how much xp for a mago".
    """

    def likeness(form: str) -> tuple[int, int]:
        return sum(takewhile(bool, map(eq, fold(word), fold(form)))), -len(form)

    forms = glossary(asked, printed).get(stem(word, asked), {})
    if not forms and asked in OUR_LANGUAGES and not is_spelt_right(word, asked):
        others = (other for other in OUR_LANGUAGES if is_spelt_right(word, other))
        forms = next((glossary(other, printed).get(stem(word, other), {}) for other in others), {})
    return forms[max(forms, key=likeness)] if forms else ()


@rule(without=lambda text, asked, printed: [])
def is_translated(word: str, language: str) -> bool:
    """Whether a glossary has a word of a language, in any form."""
    return any(stem(word, language) in glossary(language, printed) for printed in LANGUAGES)


def commonest_translations(text: str, asked: str, printed: str) -> list[str]:
    """The commonest word or name of another language for each word of a text that the glossary knows."""
    found = [meanings(word, asked, printed) for word in content_words(text, asked)]
    return [theirs[0] for theirs in found if theirs]


def _entries(asked: str, printed: str) -> list[tuple[str, list[str]]]:
    if name := WRITTEN.get((asked, printed)):
        return _read(name)
    if name := WRITTEN.get((printed, asked)):
        return [(word, [entry]) for entry, meanings in _read(name) for one in meanings for word in words(one)]
    return []


def _read(name: str) -> list[tuple[str, list[str]]]:
    lines = _FOLDER.joinpath(name).read_text(encoding="utf-8").splitlines()
    parts = [line.partition(":") for line in lines if line.strip() and not line.startswith("#")]
    return [
        (entry.strip(), [" ".join(words(one)) for one in meanings.split(",")]) for entry, _, meanings in parts
    ]
