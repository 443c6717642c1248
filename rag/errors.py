"""Errors that a user may meet: each carries the key of the sentence that says what to do next."""

import errno
import re
import sqlite3
from collections.abc import Sequence
from typing import Any

_CAPITAL = re.compile("([A-Z])")
_EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN})
_SQLITE_EXHAUSTED = frozenset({sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR_NOMEM})
_SAID = ("too many open files", "unable to open database file")
"""What Chroma, whose errors have no number, says then of files that are there."""


def quoted(names: Sequence[str]) -> str:
    """Names in quotation marks, as a list for a sentence of any language."""
    return ", ".join(f"“{name}”" for name in names)


class RulesError(Exception):
    """A failure with a sentence for the user.

    `key` names the sentence in `rag/texts`: that of `UnknownBook` is "error-unknown-book", where it says no
    other; `kind` is what it begins with. One failure of a kind may be raised with a key of its own. `values`
    fill its places. The text of the exception itself is for the log and never reaches a reader. `usage` is
    what a question had used of the chat model before it failed, as `rag.state.Usage`; None where none was
    begun.
    """

    key = "error-unexpected"
    kind = "error"
    usage: Any = None

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "key" not in vars(cls):
            words = _CAPITAL.sub(r"-\1", cls.__name__.removesuffix("Error")).lower()
            cls.key = f"{cls.kind}{words}".removeprefix("-")

    def __init__(self, key: str = "", **values: Any) -> None:
        self.key = key or self.key
        self.values = values
        super().__init__(f"{self.key} {values}" if values else self.key)


class ConfigurationError(RulesError):
    """A setting that cannot work; the message names the variable.

    `reason` is one that the sentence has words for (`rag/config.py`), or words.
    """


class LibraryTomlError(ConfigurationError):
    """A mistake in `library.toml`; `key` says which, the values where."""

    key = ConfigurationError.key


class NothingAsked(RulesError):
    """A question without a single letter or digit: nothing is searched for it."""


class UnknownWord(NothingAsked):
    """A question of nothing but words that no book and no dictionary has; `word` is one of them."""


class Thanked(NothingAsked):
    """Somebody thanks, and asks nothing."""

    key = "thanks-answered"


class LibraryError(RulesError):
    """Something about the books or their index."""

    key = RulesError.key


class EmptyLibrary(LibraryError):
    """No readable page is indexed for this reader."""


class LibraryAbsent(LibraryError):
    """`LIBRARY_DIR` was set to a folder that is not there, and nothing was indexed before."""


class IndexDamaged(EmptyLibrary):
    """What is published is damaged or missing in part, and there is no whole one; `parts` names what."""


class IndexOutdated(EmptyLibrary):
    """What is published was made by another release and cannot be read by this one."""


class UnknownBook(LibraryError):
    """No book, code, file or game of that name, as far as this reader may know.

    `nearest` are names that the reader may have meant.
    """

    def __init__(self, book: str, nearest: Sequence[str] = ()) -> None:
        super().__init__(book=book, nearest=quoted(nearest) or "none")


class UnknownPage(LibraryError):
    """The book has no page printed with that number."""


class UnknownSection(UnknownPage):
    """The book has no pages and no section of that name; `nearest` are some it has, quoted."""


class UnnumberedPage(UnknownPage):
    """A page asked for by its number, of a book whose pages have none that could be read.

    `numbering` tells why, `exists` ("yes" or "no") whether the file has as many pages.
    """


class AmbiguousPage(LibraryError):
    """Several books of that name have a page of that number.

    `books` names each, quoted, so that it is found alone.
    """


class PictureError(LibraryError):
    """A page that cannot be shown as a picture."""

    key = RulesError.key


class PageNotDrawn(PictureError):
    """The page is damaged, or so large that drawing it takes too long."""


class BookFileAbsent(PictureError):
    """The book's file is not on this machine: only the index is."""


class BookFileChanged(PictureError):
    """The book's file is another than the one that was indexed."""


class QuotationNotLocated(PictureError):
    """It is not sure where on its page a quotation stands, so that nothing is marked."""


class BookError(LibraryError):
    """One book that could not be read; the other books are indexed all the same."""

    key, kind = "book-unreadable", ""


class BookNeedsPassword(BookError):
    """A book that opens with a password alone."""


class BookTruncated(BookError):
    """A book whose file ends too early."""


class BookEmpty(BookError):
    """A book of no page, or a file of no byte."""


class BookNotPdf(BookError):
    """A file that is called a PDF and is none."""


class BookWithoutText(BookError):
    """A book in which no text stands."""


class BookScanned(BookWithoutText):
    """A book of pictures, which OCR can read where it is installed."""


class BookNotText(BookError):
    """A file that is called text holds none."""


class BookWithoutWords(BookError):
    """A document in which no letter stands."""


class BookTooLarge(BookError):
    """A file that would take more memory than any book needs; `limit` is in megabytes."""


class BookNotItsFormat(BookError):
    """A file whose content is not what its name says; `format` is what it should be."""


class BookProtected(BookError):
    """A file whose text is locked by its seller."""


class BookTooSlow(BookError):
    """A book that takes too long to read."""


class NotInLibrary(LibraryError):
    """A path that was to be indexed lies outside of the library."""


class NoSuchPath(LibraryError):
    """A path that was to be indexed is nowhere."""


class IndexUnwritable(LibraryError):
    """The index directory cannot be written: full disk, or missing rights."""


class SystemExhausted(LibraryError):
    """The system has no more open files or memory to give: nothing is wrong with what was to be read."""

    @classmethod
    def check(cls, error: BaseException) -> None:
        """Raise this in place of an error of opening a file that is there, where it tells nothing of that."""
        if (
            getattr(error, "errno", None) in _EXHAUSTED
            or getattr(error, "sqlite_errorcode", None) in _SQLITE_EXHAUSTED
            or any(words in str(error).lower() for words in _SAID)
        ):
            raise cls(reason=str(error)) from error


class IndexUnreachable(LibraryError):
    """The Chroma server does not answer."""


class IndexLost(LibraryError):
    """The Chroma server answers, but does not hold the index: it was emptied, or is another one."""


class ModelError(RulesError):
    """The chat or embedding model gave no usable answer.

    `key` names what the host reads, `notice` what a player reads above the closest passages. `status` is
    the HTTP status that the server answered with, `retry_after` the seconds it asks to wait, where it did.
    """

    notice = "notice-model-failed"

    def __init__(self, *, status: int | None = None, retry_after: float | None = None, **values: Any) -> None:
        self.status, self.retry_after = status, retry_after
        super().__init__(**values)


class KeyRefused(ModelError):
    """The server does not accept the key (401, 403)."""

    notice = "notice-model-misconfigured"


class UnknownModel(ModelError):
    """The server knows no model of that name, or has no such service (404)."""

    notice = "notice-model-misconfigured"


class BalanceSpent(ModelError):
    """The account at the provider has no balance (402)."""

    notice = "notice-model-balance"


class ModelBusy(ModelError):
    """The server asks to come back later (429), or the account's quota is used up."""

    notice = "notice-model-busy"


class ModelUnreachable(ModelError):
    """Nobody answers: connection refused or lost, a server error (5xx), silence."""

    notice = "notice-model-unreachable"


class RequestRefused(ModelError):
    """The server does not take the request in this form (400, 422, or one that names the form)."""


class ReplyFiltered(ModelError):
    """The provider's content filter stopped the question or the reply."""

    notice = "notice-model-filtered"


class UnusableReply(ModelError):
    """The reply is empty, cut off, or not of the form it was asked for."""

    notice = "notice-model-reply"


class UnusableVectors(ModelError):
    """What the embedding's server sent are not the vectors of the texts: too few, no numbers, or zeros."""


class OtherEmbedding(UnusableVectors):
    """Vectors of another dimension than the index's: behind its name is another embedding model by now."""


class ReplyCutOff(UnusableReply):
    """The reply is longer than a reply may be."""


class ReplyBrokenOff(UnusableReply):
    """A reply that was being written stopped in the middle: connection lost, or silence."""


class QuestionTimedOut(ModelError):
    """The time that one question may spend on model calls is over."""

    notice = "notice-model-slow"


class CallTimedOut(QuestionTimedOut):
    """One call took longer than a call may."""


class QuestionBudgetSpent(ModelError):
    """A call that would go beyond what one question may cost; it was not made."""

    notice = "error-question-budget-spent"


class QuestionFileError(RulesError):
    """A question file that cannot be read; names the line and what is wrong there."""


class PromptRefused(RulesError):
    """A prompt of LangSmith's hub that is not used; the prompt file is."""

    key = RulesError.key
