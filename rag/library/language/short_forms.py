"""What players shorten, as books print it: *hit points* for "hp".

Pure.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache

from rag.library.language.language import LANGUAGES
from rag.library.language.words import content_words, stem, words
from rag.rules import rule

_WORD = re.compile(r"[^\W_]+")


def written_out(word: str, language: str) -> tuple[str, ...]:
    """What a short form may stand for in a language, the commonest first; nothing for other words."""
    known = LANGUAGES.get(language)
    return known.short_forms.get(word.lower(), ()) if known else ()


def short_forms_of(written: Iterable[str], language: str) -> tuple[str, ...]:
    """What may be printed for words in a language: "xp" and "exp" for *experience* and *points*."""
    return _short_forms_by_stems(language).get(tuple(stem(word, language) for word in written), ())


@cache
def _short_forms_by_stems(language: str) -> Mapping[tuple[str, ...], tuple[str, ...]]:
    """The short forms of each phrase, by the stems of its words of content."""
    known = LANGUAGES.get(language)
    forms: defaultdict[tuple[str, ...], tuple[str, ...]] = defaultdict(tuple)
    for short, phrases in known.short_forms.items() if known else ():
        for phrase in phrases:
            forms[tuple(stem(word, language) for word in content_words(phrase, language))] += (short,)
    return dict(forms)


@rule(without=lambda text, language, is_printed: {})
def written_out_in(text: str, language: str, is_printed: Callable[[str], bool]) -> dict[str, tuple[str, ...]]:
    """What the short forms of a text may stand for, as far as books print every word of that."""

    def is_meant(phrase: str) -> bool:
        return all(map(is_printed, content_words(phrase, language)))

    told = {word: tuple(filter(is_meant, written_out(word, language))) for word in words(text)}
    return {word: phrases for word, phrases in told.items() if phrases}


def beside_short_forms(text: str, shortened: Mapping[str, Sequence[str]]) -> str:
    """A text with what its short forms stand for beside them."""

    def beside(found: re.Match[str]) -> str:
        meant = ", ".join(shortened.get(found[0].lower(), ()))
        return f"{found[0]} ({meant})" if meant else found[0]

    return _WORD.sub(beside, text)
