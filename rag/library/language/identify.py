"""Which language a text or a question is written in."""

import functools
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier
from rag.library.language.glossary import is_translated
from rag.library.language.grammar_words import one_of
from rag.library.language.language import DESCRIBED, LANGUAGES, OUR_LANGUAGES, UNKNOWN
from rag.library.language.spelling import log_share
from rag.library.language.words import content_words, has_stemmer, words

_CAPITALISED = r"[A-ZÀ-Þ][\w'’-]*"
_JOINTS = one_of(joint for language in LANGUAGES.values() for joint in language.name_joints)
_GOING_ON = rf"(?: {_JOINTS})* {_CAPITALISED}"
_NAME = re.compile(rf"^{_CAPITALISED}(?:{_GOING_ON})+|(?<=[^\W\d_] ){_CAPITALISED}(?:{_GOING_ON})*")
"""Capitalised words with the small words between them; a question begins with a capital in any case."""
_MOSTLY = 0.7
_SHORTEST_HELD = 3
"""Letters of words that tell a language without a data file: short ones stand in any book."""
_PIECE = 1000  # characters
_FEWEST_LETTERS = 60
"""A shorter piece says too little."""
_MOST_PIECES = 60
_AGREED, _AGREED_AS_TOLD = 2 / 3, 0.4


@functools.cache
def _identifier_of_all() -> "LanguageIdentifier":
    """The classifier of a hundred languages and of text that is none.

    It takes 0.3 s to unpack and 45 MB, which a process that reads books pays once and no other pays.
    """
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE)


def language_of(text: str, told: str = "") -> str:
    """The language a longer text is written in (ISO 639-1), `UNKNOWN` where that is not certain.

    Its pieces are classified one by one; two of three must agree on a language that we know words or stems
    of; one piece alone tells none without a data file, which a text in two languages is taken for. Lists of
    names and numbers, text in a broken encoding and invented languages do not agree. `told` is what the file
    itself says ("pt-BR"), which is evidence: fewer need agree on it.
    """
    pieces = [text[start : start + _PIECE] for start in range(0, len(text), _PIECE)]
    pieces = [piece for piece in pieces if sum(map(str.isalpha, piece)) >= _FEWEST_LETTERS]
    named = told.strip().lower().replace("_", "-").partition("-")[0]
    if not pieces:
        return told_language(text) or (named if _is_known(named) else UNKNOWN)
    identifier = _identifier_of_all()
    votes = Counter(identifier.classify(piece)[0] for piece in pieces[:: 1 + len(pieces) // _MOST_PIECES])
    language, agreeing = votes.most_common(1)[0]
    needed = _AGREED_AS_TOLD if language == named else _AGREED
    is_certain = agreeing >= needed * votes.total() and (agreeing > 1 or language in {*DESCRIBED, named})
    return str(language) if is_certain and _is_known(language) else UNKNOWN


def _is_known(language: str) -> bool:
    """Whether we know words or stems of a language."""
    return language in LANGUAGES or has_stemmer(language)


def likeliest_language(text: str, others: Collection[str] = ()) -> str:
    """Which of our languages, or of `others` that are in `LANGUAGES`, a few words are likeliest written in.

    By how common each word is in each of them (naive Bayes): of a word or two a classifier of letters tells
    less, and it takes half a second to read and 45 MB. Then by the words that a glossary has ("elfo"). The
    first of ours where neither tells.
    """
    asked = words(text)
    languages = (*OUR_LANGUAGES, *(code for code in LANGUAGES if code in others))

    def likelihood(language: str) -> tuple[float, int]:
        shares = sum(log_share(word, language) for word in asked)
        return shares, sum(is_translated(word, language) for word in asked)

    return max(languages, key=likelihood)


def told_language(question: str, library_languages: Iterable[str] = ()) -> str | None:
    """The language that a question's own words tell, one of `LANGUAGES`; None where they do not.

    Function words, words of asking and letters are counted; names ("Wall of Fire") say nothing about
    who asks. A language that is neither ours nor one of the books' needs a word more.
    """
    likely = {*OUR_LANGUAGES, *library_languages}
    counts = {language: signs_of(question, language) - (language not in likely) for language in LANGUAGES}
    most = max(counts.values())
    best = [language for language in counts if counts[language] == most]
    best = [language for language in best if language in OUR_LANGUAGES] or best
    return best[0] if most > 0 and len(best) == 1 else None


def signs_of(question: str, language: str) -> int:
    """How many different words and letters of a question are signs of a language."""
    known = LANGUAGES[language]
    asked = set(words(_NAME.sub(" ", question))) or set(words(question))
    letters = set(unicodedata.normalize("NFC", question.lower())) & set(known.letters)
    return len(asked & _telling_words(language)) + len(letters)


@functools.cache
def _telling_words(language: str) -> frozenset[str]:
    """The words that a language is told by."""
    known = LANGUAGES[language]
    return known.function_words | known.asking_words | known.short_forms.keys()


def language_of_question(
    question: str, library_languages: Collection[str], is_known: Callable[[str, str], bool]
) -> str:
    """The language a question is asked in: one of `LANGUAGES` or of the library's.

    Where its words do not tell (see `told_language`), it is in the language of the books that hold most of
    its words; `is_known(word, language)` looks a word up there. So it is, whatever they tell, where the only
    such books are in a language without a data file. Else it is that of ours in which its words are commoner;
    one word alone ("Magery") is little to go by.
    """

    def is_held(language: str) -> bool:
        asked = set(content_words(question, language))
        if language not in LANGUAGES:
            asked = {word for word in asked if word.isalpha() and len(word) >= _SHORTEST_HELD}
        return bool(asked) and sum(is_known(word, language) for word in asked) >= _MOSTLY * len(asked)

    told = told_language(question, library_languages)
    with_data_first = sorted(library_languages, key=lambda code: (code not in LANGUAGES, code))
    held = next(filter(is_held, with_data_first), None)
    if held and (not told or held not in LANGUAGES):
        return held
    return told or likeliest_language(question)
