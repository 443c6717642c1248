"""Which language a text or a question is written in."""

import functools
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier
from rag.library.language.words import FUNCTION_WORDS, content_words, words

LANGUAGES = ("de", "en", "es", "fr", "it", "pt")
"""The languages told apart (ISO 639-1); more only makes short texts harder to place."""

ASKING_WORDS: dict[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "en": "book chapter cost costs damage explain find happens list long mean means page pages rule "
        "rules say says show tell work works",
        "pt": "acontece capítulo custa custam custo dano diz dizem existe existem explica explique fala "
        "falam funciona funcionam livro livros lista mostra mostre pag pagina paginas pág págs página "
        "páginas regra regras serve significa",
    }.items()
}
"""Words of our own languages that people ask about rules with; unlike function words they are searched."""

OUR_LANGUAGES = ("en", "pt")
"""The languages our own sentences are written in: likelier than others until the words say otherwise."""
_CAPITALISED = r"[A-ZÀ-Þ][\w'’-]*"
_GOING_ON = rf"(?: (?:of|the|and|d[aeo]s?|e))* {_CAPITALISED}"
_NAME = re.compile(rf"^{_CAPITALISED}(?:{_GOING_ON})+|(?<=[^\W\d_] ){_CAPITALISED}(?:{_GOING_ON})*")
"""Capitalised words with the small words between them; a question begins with a capital in any case."""
_LETTERS = {"pt": frozenset("ãõ"), "es": frozenset("ñ¿¡"), "de": frozenset("äöüß")}
_MOSTLY = 0.7


@functools.cache
def _identifier() -> "LanguageIdentifier":
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    full = LanguageIdentifier.from_model_file(MODEL_FILE)
    full.set_languages(list(LANGUAGES))
    # Made anew: `full` would hold on to the tables of a hundred languages more, 27 MB.
    return LanguageIdentifier(
        full.nb_ptc, full.nb_pc, full.nb_classes, full.tk_nextmove, full.tk_output, tk_row=full.tk_row
    )


def language_of(text: str, among: Collection[str] = LANGUAGES) -> str:
    """The language a longer text is written in, one of `among`."""
    return next(str(language) for language, _ in _identifier().rank(text) if language in among)


def told_language(question: str, library_languages: Iterable[str] = ()) -> str | None:
    """The language that a question's own words tell, one of `LANGUAGES`; None where they do not.

    Function words, words of asking and letters are counted; names ("Wall of Fire") say nothing about
    who asks. A language that is neither ours nor one of the books' needs a word more.
    """
    likely = {*OUR_LANGUAGES, *library_languages}
    counts = {
        language: _telling(question, language) - (language not in likely) for language in sorted(LANGUAGES)
    }
    most = max(counts.values())
    best = [language for language in counts if counts[language] == most]
    best = [language for language in best if language in OUR_LANGUAGES] or best
    return best[0] if most > 0 and len(best) == 1 else None


def _telling(question: str, language: str) -> int:
    """How many different words and letters of a question are signs of a language."""
    telling = FUNCTION_WORDS[language] | ASKING_WORDS.get(language, frozenset())
    asked = set(words(_NAME.sub(" ", question))) or set(words(question))
    letters = set(unicodedata.normalize("NFC", question.lower())) & _LETTERS.get(language, frozenset())
    return len(asked & telling) + len(letters)


def language_of_question(
    question: str, library_languages: Collection[str], is_known: Callable[[str, str], bool]
) -> str:
    """The language a question is asked in, one of `LANGUAGES`.

    Where its words do not tell (see `told_language`), it is in the language of the books that hold most
    of its content words. `is_known(word, language)` looks a word up there. Else a classifier chooses
    between our languages; one word alone ("Magery") is little to go by.
    """
    if told := told_language(question, library_languages):
        return told
    for language in sorted(library_languages):
        content = set(content_words(question, language))
        if content and sum(is_known(word, language) for word in content) >= _MOSTLY * len(content):
            return language
    return language_of(question, OUR_LANGUAGES)
