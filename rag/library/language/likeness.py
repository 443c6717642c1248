"""How much of a question a text speaks of, by words, also across languages. Pure."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise, permutations, product

from rag.library.language.glossary import meanings
from rag.library.language.identify import likeliest_language, told_language
from rag.library.language.short_forms import short_forms_of, written_out
from rag.library.language.words import content_words, names_in, stem, stems

_ENDING = re.compile(r"(\d+)[^\W\d_]{1,2}")
"""A number with an ending, as of an ordinal ("5th", "5º"): tables print it plain."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """The stems of a question, and how each may stand in a text: in another form, or as all stems of a name.

    `of_form` are the stems that a form stands for, `named` those that have names.
    """

    stems: tuple[str, ...]
    of_form: Mapping[str, Sequence[str]]
    named: Mapping[str, Sequence[Sequence[frozenset[str]]]]

    def held(self, said: frozenset[str]) -> tuple[str, ...]:
        """Those that a text of these stems holds."""
        found = {one for form in said.intersection(self.of_form) for one in self.of_form[form]}
        for one, names in self.named.items():
            if any(not any(part.isdisjoint(said) for part in name) for name in names):
                found.add(one)
        return tuple(one for one in self.stems if one in found)

    def asks_for(self, name: Sequence[str]) -> bool:
        """Whether each of a name's stems is asked; of what a short form stands for no part alone is."""
        every = chain.from_iterable(self.named.values())
        said = [one for one in every if not any(part.isdisjoint(name) for part in one)]
        return set(name).issubset(chain(self.of_form, *chain(*said)))


def shared_words(question: str, texts: Sequence[str], languages: Sequence[str]) -> list[float]:
    """The share of a question's words that each text holds, from 0 to 1; what few texts hold counts more.

    In a text of another language a word may stand as the glossary has it.
    """
    language = asking_language(question, frozenset(languages))
    held = [_held(question, language, text, other) for text, other in zip(texts, languages, strict=True)]
    holders = Counter(word for words in held for word in words)
    asked = _asked(question, language, language).stems
    worth = {word: math.log(1 + len(texts) / (1 + holders[word])) for word in asked}
    total = sum(worth.values()) or 1.0
    return [sum(worth[word] for word in words) / total for words in held]


def asked_share(question: str, name: str, printed: str) -> frozenset[str]:
    """The stems of a name where a question has each of them, in its own language or that of the name.

    A heading may be asked for by each of its names.
    """
    language = asking_language(question, frozenset([printed]))
    asked = _asked(question, language, printed)
    for one in dict.fromkeys((name, *names_in(name))):
        words_of_name = content_words(one, printed)
        named = [stem(word, printed) for word in words_of_name]
        joined = [stem("".join(words_of_name), printed)]
        forms = (named, [stem(word, language) for word in words_of_name], joined)
        if any(map(asked.asks_for, forms)) and any(map(str.isalpha, named)):
            return frozenset(named)
    return frozenset()


@lru_cache(maxsize=1_000)
def asking_language(question: str, languages: frozenset[str]) -> str:
    """The language of a question about texts in these."""
    return told_language(question, languages) or likeliest_language(question, languages)


def _stems_of(text: str, language: str) -> frozenset[str]:
    """The stems of a text."""
    return frozenset().union(*(_stems_of_line(line, language) for line in text.split("\n")))


@lru_cache(maxsize=4_000)
def _stems_of_line(line: str, language: str) -> frozenset[str]:
    """The stems of a line: passages of a page share lines, and are compared with all that leads to them."""
    return frozenset(stems(line, language))


@lru_cache(maxsize=2_000)
def _held(question: str, language: str, text: str, printed: str) -> tuple[str, ...]:
    """Which of a question's stems a text holds: as they are, as its language has them, or by other names.

    Remembered, for each round of a search compares the question with all that was found before.
    """
    said = _stems_of(text, printed)
    if printed != language:
        said |= _stems_of(text, language)
    return _asked(question, language, printed).held(said)


# Few: the garbage collector looks through all that is remembered, and nobody is answered meanwhile.
@lru_cache(maxsize=100)
def _asked(question: str, language: str, printed: str) -> _Asked:
    """The stems of a question, and how each may stand in a text that is `printed` in some language."""
    asked = content_words(question, language)
    asked += [ending[1] for ending in map(_ENDING.fullmatch, asked) if ending]

    def forms(word: str) -> list[str]:
        called = meanings(word, language, printed)
        return [stem(word, language), *(stem(one, printed) for one in called if " " not in one)]

    def parts(name: str) -> list[frozenset[str]]:
        return [frozenset(forms(part)) for part in content_words(name, language)]

    def names_of(word: str) -> list[list[frozenset[str]]]:
        called = [one for one in meanings(word, language, printed) if " " in one]
        translated = [[frozenset([stem(part, printed)]) for part in one.split()] for one in called]
        return [*map(parts, _names_of(word, language)), *translated]

    own = ((form, word) for word in asked for form in forms(word))
    of_form: dict[str, list[str]] = {}
    for form, word in chain(own, _shortened(asked, language), _in_one_word(asked, forms)):
        of_form.setdefault(form, []).append(stem(word, language))
    names = {stem(word, language): names_of(word) for word in asked}
    return _Asked(tuple(names), of_form, {word: known for word, known in names.items() if known})


def _shortened(asked: Sequence[str], language: str) -> Iterator[tuple[str, str]]:
    """What tables print for words and pairs that are asked: its stem, and each that it stands for."""
    for phrase in chain(zip(asked), pairwise(asked)):
        for short in short_forms_of(phrase, language):
            yield from ((stem(short, language), word) for word in phrase)


def _in_one_word(asked: Sequence[str], forms: Callable[[str], list[str]]) -> Iterator[tuple[str, str]]:
    """What books print in one word for two that are asked ("longsword"), and each that it stands for.

    In another language they may stand in the other order.
    """
    for pair in pairwise(asked):
        for first, second in permutations(pair):
            for whole in product(forms(first), forms(second)):
                yield from (("".join(whole), word) for word in pair)


@lru_cache(maxsize=10_000)
def _names_of(word: str, language: str) -> tuple[str, ...]:
    """What else a word of a question may be called: written out, or shortened otherwise."""
    whole = written_out(word, language)
    phrases = (content_words(phrase, language) for phrase in whole)
    return (*whole, *chain.from_iterable(short_forms_of(phrase, language) for phrase in phrases))
