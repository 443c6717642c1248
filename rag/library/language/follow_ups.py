"""Whether a question of a conversation says what it asks, or leans on what was said before. Pure."""

import re

from rag.library.language.grammar_words import one_of
from rag.library.language.identify import told_language
from rag.library.language.language import AMOUNTS, LANGUAGES, OUR_LANGUAGES, QUESTIONS
from rag.library.language.words import content_words

ENOUGH_WORDS = 2
"""Words of content with which a question says what it is about."""

_GOES_ON = re.compile(rf"\W*{one_of(QUESTIONS.going_on)}(?!\w)", re.IGNORECASE)
_IS_PHRASE = re.compile(rf"\W*{one_of(QUESTIONS.prepositions)}\s[^,;:]*", re.IGNORECASE)
_ASKS = re.compile(
    rf"\b{one_of([*AMOUNTS.asks_what, *AMOUNTS.asks_whether, *AMOUNTS.asks_why])}(?!\w)", re.IGNORECASE
)
_ASKS_WHETHER = {
    code: re.compile(rf"\W*{one_of(one.tables['amounts'].asks_whether)}(?!\w)", re.IGNORECASE)
    for code, one in LANGUAGES.items()
}
"""Of each language by itself: "do" is no verb in Portuguese."""
_POINTS_BACK = re.compile(
    rf"\b(?:(?P<own>{one_of(QUESTIONS.possessives)})|{one_of(QUESTIONS.pointing_back)})(?!\w)"
    rf"(?!\s{one_of(QUESTIONS.book)}\b)",
    re.IGNORECASE,
)
_ASKS_OF_ONE_WORD = re.compile(
    rf"\W*{one_of([*QUESTIONS.defining, *QUESTIONS.pricing])}\W*".replace("…", r"(?!\d)[^\W_]+(?:-[^\W_]+)*"),
    re.IGNORECASE,
)
_DEFINES = re.compile(rf"\W*{one_of(QUESTIONS.defining)}\W*".replace("…", "(.+?)"), re.IGNORECASE)
_JOINT = re.compile(rf"[,;:]|\b{one_of(QUESTIONS.joints)}(?!\w)", re.IGNORECASE)


def stands_alone(question: str) -> bool:
    """Whether a question says what it is about.

    It does not go on from another one ("And with a shield?"), nor is it a mere phrase ("from 30 feet?"), and
    before the first word that points back ("they") it names its subject, in one word where it asks what that
    is or does: "what does fireball do?", not "what is the range?". A number is a part of a name only where
    pages and the like are asked for: "level 3?" asks on. Words to ask with alone name nothing ("quanto tempo
    dura?"), nor do they before a word that points back ("what happens if I burn it?").
    """
    if begins_by_going_on(question) or (_IS_PHRASE.fullmatch(question) and not _ASKS.search(question)):
        return False
    named = _named(question)
    if named and _ASKS_OF_ONE_WORD.fullmatch(question.replace("’", "'")):
        return True
    asking = [any(word in LANGUAGES[code].asking_words for code in OUR_LANGUAGES) for word in named]
    asks_by_number = any(asking)
    idle = sum(asking) * points_back(question)
    told = sum(asks_by_number or not word.isdecimal() for word in named) - idle
    return not all(asking) and told >= ENOUGH_WORDS


def thing_defined(question: str) -> str:
    """What a question asks to be explained, "grappling" of "how does grappling work?"; else the question."""
    found = _DEFINES.fullmatch(question.replace("’", "'"))
    return next(filter(None, found.groups())) if found else question


def begins_by_going_on(question: str) -> bool:
    """Whether a question begins as one that goes on from another: "and …", "what about …"."""
    return bool(_GOES_ON.match(question))


def begins_by_asking(question: str) -> bool:
    """Whether a text begins as a question: "how much …", "can …"."""
    return bool(_ASKS.match(question))


def begins_by_asking_whether(text: str, language: str) -> bool:
    """Whether a text of a language begins with what asks if something is so or may be done: "can", "may"."""
    return bool(_ASKS_WHETHER[language].match(text))


def points_back(question: str) -> bool:
    """Whether a question has a word for what was named before: "how long does it keep?"."""
    return bool(_POINTS_BACK.search(question))


def says_what_is_asked(question: str) -> bool:
    """Whether the words of a question that goes on from another one say all that is asked.

    One or two words ("and level 3?", "and with a heavy shield?") say of what is asked on, and numbers say
    nothing.
    """
    return sum(not word.isdecimal() for word in _named(question)) > ENOUGH_WORDS


def _named(question: str) -> list[str]:
    """The words of content before the first word that points back.

    None where that stands in their own clause, in which it cannot mean them (principle B of Chomsky's binding
    theory): "Can thieves wear it?" is about something else; "does a wizard lose his spells?" is not.
    """
    points_back = _POINTS_BACK.search(question)
    named = question[: points_back.start()] if points_back else question
    if points_back and not points_back["own"] and not _JOINT.search(named):
        return []
    return content_words(named, told_language(question) or OUR_LANGUAGES[0])
