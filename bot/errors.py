"""Failures that only Discord's users meet; each carries the key of the sentence that says what to do."""

from rag.errors import RulesError


class Refused(RulesError):
    """A question that is not taken, for a reason the asker can understand."""

    key = RulesError.key


class NotHere(Refused):
    """A server, or a direct message of somebody, for whom this bot is not meant."""


class MembershipUnknown(Refused):
    """Discord does not tell which servers somebody is in who writes to the bot directly."""


class Restarting(Refused):
    """The bot is being stopped."""


class Interrupted(Refused):
    """The process was killed while it was at work on a question."""


class InterruptedInPrivate(Refused):
    """The same of a private question, of which its asker is told in a direct message."""


class StillReading(Refused):
    """No book can be asked yet: ingestion is reading them."""


class TooSoon(Refused):
    """This user has asked a lot within a minute."""


class TooBusy(Refused):
    """So many questions are being answered that another one would wait too long."""


class AlreadyAsked(Refused):
    """The same question of this user is being answered: a button was pressed twice."""


class NotGm(Refused):
    """Only for GMs."""


class GmBooksClosed(Refused):
    """Several servers are served, and nothing says which of them a GM's books are for."""


class NoGamesHere(Refused):
    """The library's games are given to servers, and none of them to this one."""


class NotYours(Refused):
    """Only the asker and moderators may do this to an answer."""


class OtherGame(Refused):
    """The channel is bound to another game than the book that was asked for."""


class GameGone(Refused):
    """The game that the channel is bound to has left the library."""


class GameClosed(Refused):
    """The game that the channel is bound to is not one that its server sees."""


class OtherGameGone(Refused):
    """The game of a button has left the library."""


class AnswerGone(Refused):
    """What a button refers to is no longer kept."""


class WhyNotKept(Refused):
    """How an answer was found is not kept: an earlier release gave it."""


class PassageGone(Refused):
    """The book of a source is no longer in the library."""


class PageGone(Refused):
    """The page of a button is no longer in the library."""


class PagesNotShown(Refused):
    """The host lets no pages be shown as pictures."""


class MayNotAttachFiles(Refused):
    """Discord lets the bot attach no files here, and a picture is one."""


class GameUnnamed(Refused):
    """A ruling belongs to a game, several are played, and none is named."""


class NothingRuled(Refused):
    """No ruling is kept for a game."""


class ButtonOutdated(Refused):
    """A button that an earlier release sent, which is no longer known."""


class RulingGone(Refused):
    """No ruling of that name holds, or several that begin so: `nearest` are these, quoted."""


class UploadNotBook(Refused):
    """A file that is of no kind that is taken, or not what its name says."""


class UploadTooLarge(Refused):
    """A file that is larger than one may be, or than there is room for."""


class UploadUnread(Refused):
    """An upload that could not be read; raised with the key of the sentence that says why, if one does."""


class UnknownGame(Refused):
    """No game of that name is in the library."""


class QuestionTooLong(Refused):
    """A message of more characters than a question may have."""


class NoText(Refused):
    """A message without text was to be the question."""


class MayNotWriteHere(Refused):
    """Somebody wants the bot to write where they may not write themselves."""


class CannotWriteHere(RulesError):
    """Discord lets the bot send no message in this place."""


class DiscordFailed(RulesError):
    """Discord did not take what the bot wanted to say or do."""


class DiscordUnreachable(RulesError):
    """The bot could not log in: no network, or Discord is down."""


class MessageGone(Exception):
    """The message that an answer was shown on was deleted; there is nobody to tell."""
