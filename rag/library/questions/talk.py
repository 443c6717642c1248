"""Whether a message that nobody addressed to the bot asks something, by its words alone; pure.

No model is asked here: table talk comes all evening long, and what is meant as a question mostly says so.
"""

import re
from enum import StrEnum

from rag.library.language.chatter import CHATTER, any_of, as_said, is_chatter
from rag.library.language.identify import told_language
from rag.library.language.language import LANGUAGES, OUR_LANGUAGES, QUESTIONS, TALK
from rag.library.language.words import fold, words

_LINK_OR_EMOJI = re.compile(r"<a?:\w+:\d+>|https?://\S+")
_CLAUSE = re.compile(r"[.,;:!()\n–-]\s")

_GOES_ON = re.compile(rf"(?:{any_of(QUESTIONS.going_on)}\W*)+")
_ASKS = re.compile(any_of(TALK.asks))
_TELLS = re.compile(any_of(TALK.tells))
_WONDERS = re.compile(rf"\b{any_of(TALK.wonders)}.*?\b{any_of(TALK.asks)}")


def has_words(text: str) -> bool:
    """Whether a message says anything besides links, emoji and punctuation."""
    return bool(words(_LINK_OR_EMOJI.sub(" ", text)))


def language_of_chatter(text: str) -> str | None:
    """The language of ours that a message is in, also where it only thanks; None where that is not sure."""
    said = fold(text)
    spoken = [
        code
        for code in OUR_LANGUAGES
        if re.search(rf"\b{any_of(LANGUAGES[code].tables['talk'].chatter)}", said)
    ]
    return told_language(text) or (spoken[0] if len(spoken) == 1 else None)


class Sound(StrEnum):
    """What a message sounds like."""

    QUESTION = "question"
    EITHER = "either"
    TALK = "talk"
    """What somebody does or thinks."""
    CHATTER = "chatter"
    """Thanks, laughter, an emoji: nothing to answer, whomever it is said to."""


def sound_of(text: str) -> Sound:
    """What a message sounds like; one without a word is chatter.

    A question mark says most, then how each clause begins, what is mere chatter before it left out.
    """
    said = as_said(_LINK_OR_EMOJI.sub(" ", text))
    if not has_words(text) or is_chatter(said):
        return Sound.CHATTER
    if "?" in said or _WONDERS.search(said):
        return Sound.QUESTION
    sounds = [_clause(clause) for clause in _CLAUSE.split(said) if words(clause)]
    if Sound.QUESTION in sounds:
        return Sound.QUESTION
    return sounds[0]


def _clause(clause: str) -> Sound:
    """What a clause sounds like by its first words."""
    chatter = CHATTER.match(clause)
    if chatter and chatter.end() == len(clause):
        return Sound.EITHER
    rest = clause[chatter.end() :] if chatter else clause
    goes_on = _GOES_ON.match(rest)
    begins = rest[goes_on.end() :] if goes_on else rest
    if _TELLS.match(begins):
        return Sound.TALK
    if goes_on or _ASKS.match(begins):
        return Sound.QUESTION
    return Sound.EITHER
