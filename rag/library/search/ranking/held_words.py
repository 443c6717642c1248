"""Whether pages hold the thing that a query asks for, or which word of it no book has. Pure."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rag.library.index.bm25 import Occurrences
from rag.library.language.glossary import glossary
from rag.library.language.language import LANGUAGES, OUR_LANGUAGES
from rag.library.language.numerals import number_of
from rag.library.language.spelling import SHORTEST_MISSPELT, is_spelt_right, log_share
from rag.library.language.words import fold, singular, stem, without_courtesies

NEAR = 0.74
"""How near a word of the books is to one asked that counts as it."""

COMMONEST, UNKNOWN = -8.0, -19.0
"""The logarithm of a word's share of texts from which on it names no thing ("start", "hurt"), and up to which
no dictionary has it."""

LONG = 7
"""Letters of a word that is a name where no dictionary has it; a shorter one may be slang."""

RARITY = 1.5
"""The power by which it counts how rare a word is on the pages: the rarest almost decides."""

MOST_HELD = 0.1
"""Which share of what is asked a page holds at least. Otherwise nothing counts as found.

Of 30 unanswerable questions 16 are told, of 450 answerable ones 1 is called so; with 0.14 it was 3, and as
many of the 30 were told. By the rarities alone 22 of 142 were.
"""


@dataclass(frozen=True, slots=True)
class HeldWords:
    """Which pages hold most of what is asked, and the word that is most of it and stands in no book."""

    on_pages: npt.NDArray[np.bool_]
    missing: str | None


def held_words(
    asked: Sequence[str],
    language: str,
    printed: Collection[str],
    found: Sequence[Occurrences],
    allowed: npt.NDArray[np.bool_],
    new: Collection[str] = (),
) -> HeldWords:
    """Which of the pages `allowed` hold most of what the words of a query in a language ask for.

    Each word is `found` on some pages in the languages `printed`. It counts by how rare it is in texts of the
    languages people ask in, and on these pages. One that may be called otherwise there counts as held. Where
    no book has what is `new` in a question that goes on, nothing is held: "and the tiefling?"
    """
    shares = [max(log_share(word, code) for code in {language, *OUR_LANGUAGES}) for word in asked]
    holders = np.array([len(one.texts) for one in found])
    worth = np.log((allowed.sum() + 1) / (holders + 0.5)) ** RARITY
    worth *= [_tells(*told, language) for told in zip(asked, shares, holders, strict=True)]
    held = np.zeros(len(allowed))
    missing: dict[str, float] = {}
    for word, share, one, its in zip(asked, shares, found, worth, strict=True):
        if len(one.texts):
            held[one.texts] += its
        elif (share < UNKNOWN and len(word) >= LONG) or _is_one_of(word, language, printed):
            missing[word] = its
        else:
            held += its
    worths = dict(zip(asked, worth, strict=True))

    def most_of(said: Collection[str]) -> str | None:
        most = max((word for word in missing if word in said), key=missing.__getitem__, default="")
        return most if 0 < sum(map(worths.__getitem__, said)) <= 2 * missing.get(most, 0) else None

    lacking = most_of(worths.keys() & new)
    return HeldWords((held >= MOST_HELD * worth.sum()) & (not lacking), lacking or most_of(worths))


def _tells(word: str, share: float, holders: int, language: str) -> float:
    """How much a word tells of a thing: not what people ask with, numbers and slang.

    A short form tells only where no page holds what it stands for.
    """
    known = LANGUAGES.get(language)
    is_idle = known and (word in known.asking_words or (word in known.short_forms and holders))
    is_idle = is_idle or not without_courtesies(word).strip()
    is_slang = share < UNKNOWN and len(word) < SHORTEST_MISSPELT
    is_number = number_of(word) is not None or not word.isalpha()
    return 0.0 if is_idle or is_slang or is_number else max(COMMONEST - share, 0.0)


def _is_one_of(word: str, language: str, printed: Collection[str]) -> bool:
    """Whether books in some languages would print a word as it is asked, or as a glossary has it.

    A verb may have the stem of a thing: *tirei* is no shot (*tiro*).
    """
    return language in printed or any(
        _plain(word, language)
        in (_plain(entry, language) for entry in glossary(language, one).get(stem(word, language), ()))
        or is_spelt_right(word, one)
        for one in printed
    )


def _plain(word: str, language: str) -> str:
    """A word without its plural and accents, which people leave out."""
    return fold(singular(word, language))
