"""Whether a question of a conversation says what it asks, or leans on what was said before. Pure."""

import re

from rag.library.language.grammar_words import one_of
from rag.library.language.identify import OUR_LANGUAGES, told_language
from rag.library.language.language import QUESTIONS
from rag.library.language.words import content_words

ENOUGH_WORDS = 2
"""Words of content with which a question says what it is about."""

_GOES_ON = re.compile(rf"\W*{one_of(QUESTIONS.going_on)}(?!\w)", re.IGNORECASE)
_POINTS_BACK = re.compile(rf"\b{one_of(QUESTIONS.pointing_back)}(?!\w)", re.IGNORECASE)


def stands_alone(question: str) -> bool:
    """Whether a question says what it is about: it does not go on from another one ("And with a shield?"),
    and before the first word that points back ("they") it names its subject.
    """
    return not _GOES_ON.match(question) and len(_named(question)) >= ENOUGH_WORDS


def says_what_is_asked(question: str) -> bool:
    """Whether the words of a question that goes on from another one say all that is asked.

    One or two words ("and level 3?", "and with a heavy shield?") say of what is asked on, and numbers say
    nothing.
    """
    return sum(not word.isdecimal() for word in _named(question)) > ENOUGH_WORDS


def _named(question: str) -> list[str]:
    """The words of content before the first word that points back."""
    points_back = _POINTS_BACK.search(question)
    named = question[: points_back.start()] if points_back else question
    return content_words(named, told_language(question) or OUR_LANGUAGES[0])
