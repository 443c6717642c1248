"""Which messages are meant for the bot, and what it does about them; pure."""

from dataclasses import dataclass
from enum import StrEnum

from bot.messages.places import PlaceKind
from rag.library.language.follow_ups import stands_alone
from rag.library.questions.talk import Sound, has_words, sound_of

LONGEST_QUESTION = 1000


class Decision(StrEnum):
    """What a message asks of the bot."""

    IGNORE = "ignore"
    PERHAPS = "perhaps"
    """A follow-up if its author asked last, nobody spoke since the bot answered, and no model denies it."""
    QUESTION = "question"
    """A question in a plain channel: a thread opens on the message."""
    FOLLOW_UP = "follow-up"
    """A question that goes on with the conversation of its place."""
    SMALL_TALK = "small-talk"
    """Thanks, laughter or a greeting to the bot itself."""
    IN_REPLY = "in-reply"
    """A question in reply to a message whose text was withheld: asked if it names what a book explains."""
    HELP = "help"
    """A mention that asks nothing, or about a message whose text was withheld: say how to ask."""
    HINT = "hint"
    """Meant for the bot, but its text was withheld: say how to ask instead."""


OVERHEARD = {
    Sound.QUESTION: Decision.FOLLOW_UP,
    Sound.EITHER: Decision.PERHAPS,
    Sound.TALK: Decision.IGNORE,
    Sound.CHATTER: Decision.IGNORE,
}
"""What is done about a plain message in a thread of the bot's, by what it sounds like."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What is known of a message.

    `text` is what it says besides the mention, `is_empty` that nothing came of its words, as where Discord
    withholds them, `names_command` that they name a command alone. `answers_bot` is a reply to a message
    of the bot, `answers_other` a reply to somebody else's, and `quotes` what that says. `in_own_thread` means
    a thread that the bot opened.
    """

    by_bot: bool
    is_talk: bool
    place: PlaceKind
    in_own_thread: bool
    mentions_bot: bool
    mentions_others: bool
    answers_bot: bool
    answers_other: bool
    text: str
    quotes: str = ""
    is_empty: bool = False
    names_command: bool = False


def decision(heard: Heard, *, reads_everything: bool) -> Decision:
    """What to do about a message.

    `reads_everything` says whether the privileged intent is there, so that plain messages in the
    bot's own threads that ask something are follow-ups. Never answered: bots, notices, other people's
    threads, talk among others. What mentions the bot is asked, if it has words and is no small talk.
    """
    if heard.by_bot or not heard.is_talk:
        return Decision.IGNORE
    if heard.names_command and (heard.place is PlaceKind.DIRECT or heard.mentions_bot or heard.answers_bot):
        return Decision.HELP
    if heard.place is PlaceKind.DIRECT:
        return _small_talk(heard) or (Decision.FOLLOW_UP if has_words(heard.text) else Decision.IGNORE)
    if heard.mentions_bot or heard.answers_bot:
        return _addressed(heard, reads_everything=reads_everything)
    if reads_everything and heard.in_own_thread and not (heard.mentions_others or heard.answers_other):
        return _overheard(heard.text)
    return Decision.IGNORE


def _overheard(text: str) -> Decision:
    """What to do about a plain message; one too long to be asked that may be talk is taken for talk."""
    decided = OVERHEARD[sound_of(text)]
    is_too_long = decided is Decision.PERHAPS and len(text) > LONGEST_QUESTION
    return Decision.IGNORE if is_too_long else decided


def question_of(heard: Heard) -> str:
    """What a message asks: its words, behind those it replies to where they say nothing without them.

    A mention alone asks what the message it replies to says.
    """
    if not has_words(heard.text):
        return heard.quotes
    if heard.mentions_bot and heard.quotes and not stands_alone(heard.text):
        both = f"{heard.quotes}\n{heard.text}"
        return both if len(both) <= LONGEST_QUESTION else heard.text
    return heard.text


def _addressed(heard: Heard, *, reads_everything: bool) -> Decision:
    if not has_words(heard.text) and (heard.is_empty and not reads_everything):
        return Decision.HINT
    if not has_words(heard.text) and not (heard.mentions_bot and heard.quotes):
        return Decision.HELP if heard.mentions_bot else Decision.IGNORE
    if small_talk := _small_talk(heard):
        return small_talk if heard.mentions_bot else Decision.IGNORE
    is_withheld = heard.answers_other and not (heard.quotes or reads_everything)
    if is_withheld:
        return Decision.IN_REPLY if stands_alone(heard.text) else Decision.HELP
    if heard.place is PlaceKind.CHANNEL and not heard.answers_bot:
        return Decision.QUESTION
    return Decision.FOLLOW_UP


def _small_talk(heard: Heard) -> Decision | None:
    is_chatter = has_words(heard.text) and "?" not in heard.text and sound_of(heard.text) is Sound.CHATTER
    return Decision.SMALL_TALK if is_chatter else None
