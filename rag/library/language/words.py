"""What the words of a text are: folded, without function words, stemmed."""

import functools
import re
import unicodedata

from Stemmer import Stemmer, algorithms

from rag.library.language.grammar_words import one_of
from rag.library.language.language import HEADINGS, LANGUAGES, QUESTIONS

FUNCTION_WORDS = {code: language.function_words for code, language in LANGUAGES.items()}
_IRREGULAR = {code: language.irregular for code, language in LANGUAGES.items()}

LONGEST_WORD = 100
"""Letters of a word that count: beyond is no word, but what a program wrote."""
_WORD = re.compile(rf"([^\W_]{{1,{LONGEST_WORD}}})[^\W_]*")
_PERHAPS_MARK = re.compile(r"[^\w\x00-\u02ff]")
"""A character that may combine with the one before: the first that does is U+0300, and no letter does."""
_MARKS = dict.fromkeys(map(ord, "⁰¹²³⁴⁵⁶⁷⁸⁹"), " ")
_BRACKETED = re.compile(r"\s*[(\[]([^)\]]*)[)\]]")
_NUMBERED = re.compile(r"^(?:\d+\.)*\d+\.?\s+(?=\D)")
_TABLE = re.compile(rf"(?<=\w)\s+{one_of(HEADINGS.tables)}s?\b.*$", re.IGNORECASE)
"""The word for a table in a title, with what it is arranged by."""
_THANKS = re.compile(rf"\b{one_of(QUESTIONS.thanks)}(?!\w)", re.IGNORECASE)
_COURTESY = re.compile(rf"\b{one_of((*QUESTIONS.courtesies, *QUESTIONS.thanks))}(?!\w)", re.IGNORECASE)


def fold(text: str) -> str:
    """`text` without case and accents, for comparing what people type with what books print."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return _PERHAPS_MARK.sub(lambda one: "" if unicodedata.combining(one[0]) else one[0], decomposed)


def words(text: str) -> list[str]:
    """The words and numbers of `text` in order, lower case, accents kept; `dragon's` is two.

    Of a word without end the first letters count; the mark of a note behind one ("axe⁶") does not.
    """
    return _WORD.findall(unicodedata.normalize("NFKC", text.translate(_MARKS)).lower())


def content_words(text: str, language: str) -> list[str]:
    """The words of `text` that carry its subject: no function words of `language`, no lone letters."""
    function_words = FUNCTION_WORDS.get(language, frozenset())
    return [word for word in words(text) if word not in function_words and (len(word) > 1 or word.isdigit())]


def names_in(heading: str) -> tuple[str, ...]:
    """What a heading may be called by: all of it, what stands behind a colon, or before "table by class".

    The number of a chapter aside, and what stands in brackets: "13.28 Lockpicking (Coordination)". But what
    has a word of the heading and others is another name of it: "Dragon, Mountain (Red Dragon)".
    """
    plain = without_number(_BRACKETED.sub("", heading))
    behind = plain.rpartition(":")[2]
    said = {*words(plain)}
    titles = filter(str.istitle, _BRACKETED.findall(heading))
    others = (one for one in titles if {*words(one)} & said and {*words(one)} - said)
    return plain, behind, _TABLE.sub("", behind), *others


def without_number(heading: str) -> str:
    """A heading without the number of its chapter: "7.1.1 Wild Die"."""
    return _NUMBERED.sub("", heading)


def says_thanks(text: str) -> bool:
    """Whether somebody thanks, with whatever else."""
    return bool(_THANKS.search(text))


def without_courtesies(text: str) -> str:
    """`text` without greetings, thanks and goodbyes."""
    return _COURTESY.sub(" ", text)


@functools.cache
def _stemmer(language: str) -> Stemmer | None:
    """Snowball's stemmer of a language, by its data file or else by its English name."""
    from babel import Locale, UnknownLocaleError

    if language in LANGUAGES:
        return Stemmer(LANGUAGES[language].stemmer)
    try:
        name = (Locale.parse(language).get_language_name("en") or "").lower()
    except (UnknownLocaleError, ValueError):
        return None
    return Stemmer(name) if name in algorithms() else None


def has_stemmer(language: str) -> bool:
    """Whether words of a language (ISO 639-1) can be stemmed."""
    return _stemmer(language) is not None


@functools.lru_cache(maxsize=100_000)
def stem(word: str, language: str) -> str:
    """The stem of a lower-case word (Snowball), without accents; the word, where there is no stemmer.

    Of an irregular form ("fought", *caiu*) the stem of the word that it is a form of.
    """
    stemmer = _stemmer(language)
    if stemmer is None:
        return fold(word)
    regular = _IRREGULAR.get(language, {}).get(word, word)
    return fold(stemmer.stemWord(singular(regular, language)))


def singular(word: str, language: str) -> str:
    """A word with the ending of its singular, where the stemmer leaves its plural apart; the longest counts.

    Snowball keeps *ação* and *ações*, *elfo* and *elfos* apart, in English *dwarf* and *dwarves*.
    """
    plurals = LANGUAGES[language].plurals if language in LANGUAGES else {}
    ending = max(filter(word.endswith, plurals), key=len, default="")
    return word.removesuffix(ending) + plurals.get(ending, "")


def stems(text: str, language: str) -> list[str]:
    """The stems of all words of `text`, in order."""
    return [stem(word, language) for word in words(text)]
