"""Errors that a user may meet: each carries the key of the sentence that says what to do next."""

from typing import Any


class RulesError(Exception):
    """A failure with a sentence for the user.

    `key` names the sentence in `rag/texts`, `values` fill its places. The text of the exception
    itself is for the log and never reaches a reader.
    """

    key = "error-unexpected"

    def __init__(self, **values: Any) -> None:
        self.values = values
        super().__init__(f"{self.key} {values}" if values else self.key)


class ConfigurationError(RulesError):
    """A setting that cannot work; the message names the variable."""

    key = "error-configuration"


class LibraryError(RulesError):
    """Something about the books or their index."""


class EmptyLibrary(LibraryError):
    """No readable page is indexed for this reader."""

    key = "error-empty-library"


class UnknownBook(LibraryError):
    """No book, code, file or game of that name, as far as this reader may know."""

    key = "error-unknown-book"


class UnknownPage(LibraryError):
    """The book has no page printed with that number."""

    key = "error-unknown-page"


class BookError(LibraryError):
    """One PDF that could not be read; the other books are indexed all the same."""

    key = "book-unreadable"


class BookNeedsPassword(BookError):
    key = "book-needs-password"


class BookTruncated(BookError):
    key = "book-truncated"


class BookEmpty(BookError):
    key = "book-empty"


class BookNotPdf(BookError):
    key = "book-not-pdf"


class BookWithoutText(BookError):
    key = "book-without-text"


class IndexUnwritable(LibraryError):
    """The index directory cannot be written: full disk, or missing rights."""

    key = "error-index-unwritable"


class IndexUnreachable(LibraryError):
    """The Chroma server does not answer."""

    key = "error-index-unreachable"


class ModelError(RulesError):
    """The chat or embedding model gave no usable answer."""

    key = "error-model"


class QuestionBudgetSpent(ModelError):
    """A call that would go beyond what one question may cost; it was not made."""

    key = "notice-question-spent"


class QuestionFileError(RulesError):
    """A question file that cannot be read; names the line and what is wrong there."""

    key = "error-question-file"
