"""What players shorten, written out: books print *hit points* where a question says "hp". Pure."""

import re
from collections.abc import Callable

from rag.library.language.language import LANGUAGES
from rag.library.language.words import content_words

_WORD = re.compile(r"[^\W_]+")


def written_out(word: str, language: str) -> tuple[str, ...]:
    """What a short form may stand for in a language, the commonest first; nothing for other words."""
    known = LANGUAGES.get(language)
    return known.short_forms.get(word.lower(), ()) if known else ()


def with_short_forms_written_out(text: str, language: str, is_printed: Callable[[str], bool]) -> str:
    """A text with what its short forms stand for beside them, as far as books print every word of it."""

    def beside(found: re.Match[str]) -> str:
        meant = [
            phrase
            for phrase in written_out(found[0], language)
            if all(map(is_printed, content_words(phrase, language)))
        ]
        return f"{found[0]} ({', '.join(meant)})" if meant else found[0]

    return _WORD.sub(beside, text)
