"""What a text points to, as printed."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reference:
    """One page, range of pages, chapter or heading that a text points to.

    `text` is as printed, `start` and `end` its place in the text searched. `book` is a title, a code or
    the name of a book unknown here, as printed; None means the same book. `first` and `last` are printed
    labels, equal for a single page. A page with a `heading` but no `book` had that name beside it: a
    heading there, or else a book that is not in the library. `is_part` tells that it is called a chapter
    or section, so it is one of this book; `is_topic` that the page stands behind it as in "Riposte (p. 5)"
    or "for Riposte, see p. 5", so it is this book's unless another goes by that name. `is_pdf_page` means
    that `first` and `last` count the pages of the file. `whole` is the label of one page, where the book has
    it: "2-3" of chapter 2, or "A-3" of appendix A. `step` is 1 for the page behind the one that prints it, -1
    for the one before.
    """

    text: str
    start: int
    end: int
    book: str | None = None
    first: str | None = None
    last: str | None = None
    chapter: str | None = None
    heading: str | None = None
    is_part: bool = False
    is_topic: bool = False
    is_pdf_page: bool = False
    whole: str | None = None
    step: int = 0
