"""A language as its data file describes it: everything the program knows of one stands in `languages/`.

To speak one more, write its file there, the sentences in `rag/texts` and `bot/texts`, and a glossary. A file
with tables alone is enough to read the references of books in a language that is not told apart.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from rag.library.language.grammar_words import TABLES, WordTable

UNKNOWN = "unknown"
"""In place of a code, where the language of a book is not certain."""

_SUFFIX = ".toml"


@dataclass(frozen=True, slots=True)
class Language:
    """What is known of one language, by its code (ISO 639-1).

    `stemmer` is Snowball's name of it, `tesseract` Tesseract's. `is_spoken` where our own sentences are
    written in it, too. `function_words` say how a sentence is built, not what it is about; in chats also as
    they are spelt there. `asking_words` are those people ask about rules with; they are searched. `letters`
    hardly any other language has. `plurals` are endings of plurals that the stemmer leaves apart from their
    singulars, each with that of its singular. `irregular` are forms of a word that the stemmer parts from
    it, each with the word; in the file the other way round, after simplemma's list (MIT).
    `dictionary_endings` make the form of a stem that the dictionary has, where it has few inflected ones.
    `name_joints` are small words within a capitalised name, `abbreviations` plain words whose full stop
    ends no sentence, `abbreviations_before_numbers` those whose does not before a number. `short_forms`
    are what players shorten ("hp"), and what books may print for it, the commonest first. `negations` are
    plain words that refuse. `speaker` is a pattern of the words by which somebody tells of himself.
    `spellings` are patterns, each with what is read for it: "1/2" for "half".
    `units` and `bounds` are patterns of units of measure, and of "at least", "at most", "before" and
    "after", by names that are the same in every language. `numbers` are patterns of number words, each of
    which may hold those before it in braces; the one that
    counts is `spelled`. The `tables` are told in `word_tables.toml`.
    """

    code: str
    stemmer: str = ""
    function_words: frozenset[str] = frozenset()
    tesseract: str = ""
    is_spoken: bool = False
    asking_words: frozenset[str] = frozenset()
    letters: str = ""
    plurals: Mapping[str, str] = field(default_factory=dict)
    irregular: Mapping[str, str] = field(default_factory=dict)
    dictionary_endings: tuple[str, ...] = ()
    name_joints: tuple[str, ...] = ()
    abbreviations: tuple[str, ...] = ()
    abbreviations_before_numbers: tuple[str, ...] = ()
    short_forms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    numbers: Mapping[str, str] = field(default_factory=dict)
    negations: tuple[str, ...] = ()
    speaker: str = ""
    spellings: Mapping[str, str] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    bounds: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, WordTable] = field(default_factory=dict)


def read_languages(folder: Traversable) -> dict[str, Language]:
    """The languages of a folder of data files, in order of their codes."""
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(_SUFFIX))
    return {name.removesuffix(_SUFFIX): _language(folder.joinpath(name)) for name in names}


def _language(file: Traversable) -> Language:
    told: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
    tables = {name: WordTable(name, told.pop(name, {})) for name in TABLES}
    for words in told.keys() & {"function_words", "asking_words"}:
        told[words] = frozenset(told[words].split())
    forms = told.pop("irregular", {}).items()
    told["irregular"] = {form: word for word, of_it in forms for form in of_it.split()}
    if short := told.get("short_forms"):
        told["short_forms"] = {form: tuple(phrases) for form, phrases in short.items()}
    return Language(file.name.removesuffix(_SUFFIX), tables=tables, **told)


DESCRIBED = read_languages(files("rag.library.language").joinpath("languages"))
"""Every language with a data file, by its code."""
LANGUAGES: Mapping[str, Language] = {
    code: language for code, language in DESCRIBED.items() if language.function_words
}
"""Every language with function words, by its code: these are told apart in questions.

More only makes short texts harder to place. Books may be in others (see `rag.library.language.identify`).
"""
_FALLBACK = "en"
OUR_LANGUAGES = tuple(sorted((code for code in LANGUAGES if LANGUAGES[code].is_spoken), key=_FALLBACK.__ne__))
"""The languages our own sentences are written in: likelier than others until the words say otherwise. The
first is taken where nothing tells.
"""

_ALL = DESCRIBED.values()


def _of_all(name: str) -> WordTable:
    return WordTable.of_all(name, [language.tables[name] for language in _ALL])


AMOUNTS = _of_all("amounts")
PAGES = _of_all("pages")
NAMES = _of_all("names")
CHAPTERS = _of_all("chapters")
HEADINGS = _of_all("headings")
CODES = _of_all("codes")
CORRECTIONS = _of_all("corrections")
LAYOUT = _of_all("layout")
TITLES = _of_all("titles")
QUESTIONS = _of_all("questions")
TALK = _of_all("talk")

_PAGE_WORDS = files("rag.library.language").joinpath("page_words.toml").read_text(encoding="utf-8")
PAGE_WORDS: tuple[str, ...] = tuple(word for words in tomllib.loads(_PAGE_WORDS).values() for word in words)
"""What stands beside printed page numbers in languages of which nothing else is known."""

GRAMMAR_FUNCTION_WORDS = frozenset().union(
    *(one.function_words for one in _ALL if one.tables["pages"].singular)
)
"""The function words of the languages whose references are read."""
