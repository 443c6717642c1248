"""Failures that only Discord's users meet; each carries the key of the sentence that says what to do."""

from rag.errors import RulesError


class Refused(RulesError):
    """A question that is not taken, for a reason the asker can understand."""


class NotHere(Refused):
    """A server, or a direct message of somebody, for whom this bot is not meant."""

    key = "error-not-here"


class MembershipUnknown(Refused):
    """Discord does not tell which servers somebody is in who writes to the bot directly."""

    key = "error-membership-unknown"


class Restarting(Refused):
    """The bot is being stopped."""

    key = "error-restarting"


class Interrupted(Refused):
    """The process was killed while it was at work on a question."""

    key = "error-interrupted"


class InterruptedInPrivate(Refused):
    """The same of a private question, of which its asker is told in a direct message."""

    key = "error-interrupted-private"


class StillReading(Refused):
    """No book can be asked yet: ingestion is reading them."""

    key = "error-still-reading"


class TooSoon(Refused):
    """This user has asked a lot within a minute."""

    key = "error-too-soon"


class TooBusy(Refused):
    """So many questions are being answered that another one would wait too long."""

    key = "error-too-busy"


class AlreadyAsked(Refused):
    """The same question of this user is being answered: a button was pressed twice."""

    key = "error-already-asked"


class NotGm(Refused):
    """Only for GMs."""

    key = "error-not-gm"


class GmBooksClosed(Refused):
    """Several servers are served, and nothing says which of them a GM's books are for."""

    key = "error-gm-books-closed"


class NoGamesHere(Refused):
    """The library's games are given to servers, and none of them to this one."""

    key = "error-no-games-here"


class NotYours(Refused):
    """Only the asker and moderators may do this to an answer."""

    key = "error-not-yours"


class OtherGame(Refused):
    """The channel is bound to another game than the book that was asked for."""

    key = "error-other-game"


class GameGone(Refused):
    """The game that the channel is bound to has left the library."""

    key = "error-game-gone"


class GameClosed(Refused):
    """The game that the channel is bound to is not one that its server sees."""

    key = "error-game-closed"


class OtherGameGone(Refused):
    """The game of a button has left the library."""

    key = "error-other-game-gone"


class AnswerGone(Refused):
    """What a button refers to is no longer kept."""

    key = "error-answer-gone"


class WhyNotKept(Refused):
    """How an answer was found is not kept: an earlier release gave it."""

    key = "error-why-not-kept"


class PassageGone(Refused):
    """The book of a source is no longer in the library."""

    key = "error-passage-gone"


class PageGone(Refused):
    """The page of a button is no longer in the library."""

    key = "error-page-gone"


class PagesNotShown(Refused):
    """The host lets no pages be shown as pictures."""

    key = "error-pages-not-shown"


class MayNotAttachFiles(Refused):
    """Discord lets the bot attach no files here, and a picture is one."""

    key = "error-may-not-attach"


class GameUnnamed(Refused):
    """A ruling belongs to a game, several are played, and none is named."""

    key = "error-game-unnamed"


class NothingRuled(Refused):
    """No ruling is kept for a game."""

    key = "error-nothing-ruled"


class RulingGone(Refused):
    """No ruling of that name holds."""

    key = "error-ruling-gone"


class UnknownGame(Refused):
    """No game of that name is in the library."""

    key = "error-unknown-game"


class QuestionTooLong(Refused):
    """A message of more characters than a question may have."""

    key = "error-question-too-long"


class NoText(Refused):
    """A message without text was to be the question."""

    key = "error-no-text"


class MayNotWriteHere(Refused):
    """Somebody wants the bot to write where they may not write themselves."""

    key = "error-may-not-write"


class CannotWriteHere(RulesError):
    """Discord lets the bot send no message in this place."""

    key = "error-cannot-write"


class DiscordFailed(RulesError):
    """Discord did not take what the bot wanted to say or do."""

    key = "error-discord-failed"


class DiscordUnreachable(RulesError):
    """The bot could not log in: no network, or Discord is down."""

    key = "error-discord-unreachable"


class MayNotOpenThread(Exception):
    """Discord lets the bot open no thread in a channel, or write in none; said beside the answer."""


class MessageGone(Exception):
    """The message that an answer was shown on was deleted; there is nobody to tell."""
