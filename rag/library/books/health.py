"""How well a book could be read: what share of it has text, known words, printed numbers. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rag.library.books.page import Page

WELL = 0.8
"""Share from which on nothing is said of what a book lacks."""
FEWEST_READ = 0.8
"""Share of pages with text below which a book is not whole."""
MOSTLY_EMPTY = 0.5
"""Share of pages with text below which a book is told that has no pictures of text either."""
FEWEST_KNOWN = 0.75
"""Share of known words below which letters were read wrongly; rulebooks with invented names have .95."""
MOST_HIDDEN = 0.2
"""Share of pages whose text is an OCR layer of the file's own, above which it is told."""


@dataclass(frozen=True, slots=True)
class BookHealth:
    """Shares from 0 to 1, and counts of pages.

    `text`: pages with text; `words`: words that a dictionary of the book's language knows, None where there
    is none; `labels`: pages whose printed number is known, None in a format without pages; `references`:
    printed references whose page is there, None where it prints none. `ocr`, `hidden` and `missing` count the
    pages that our OCR read, those with the text layer of a scan, and pictures of text that nobody has read.
    """

    text: float = 1.0
    words: float | None = None
    labels: float | None = None
    references: float | None = None
    ocr: int = 0
    hidden: int = 0
    missing: int = 0

    def low(self, pages: int) -> dict[str, float]:
        """What is worth a word about a book of so many pages: keys of sentences, and shares.

        References lead out of most books: their share alone says nothing of how a book was read.
        """
        shares = {"health-text": self.text, "health-words": self.words, "health-labels": self.labels}
        low = {key: share for key, share in shares.items() if share is not None and share < WELL}
        recognised = self.ocr + self.hidden
        return low | ({"health-ocr": recognised / max(1, pages)} if recognised else {})

    def problems(self, pages: int) -> list[str]:
        """The keys of the sentences that say what is wrong with a book of so many pages."""
        found = {
            "book-pages-missing": self.missing > 0 and self.text < FEWEST_READ,
            "book-pages-empty": self.missing == 0 and self.text < MOSTLY_EMPTY,
            "book-text-hidden": self.hidden > MOST_HIDDEN * pages,
            "book-words-unknown": self.words is not None and self.words < FEWEST_KNOWN,
        }
        return [key for key, is_so in found.items() if is_so]


def health_of(pages: Sequence[Page], known_words: float | None) -> BookHealth:
    """How well a book with these pages could be read."""
    total = max(1, len(pages))
    layers = Counter(page.layer for page in pages)
    has_sections = any(page.section_starts for page in pages)
    return BookHealth(
        text=round(sum(bool(page.text.strip()) for page in pages) / total, 3),
        words=known_words,
        labels=None if has_sections else round(sum(page.label is not None for page in pages) / total, 3),
        ocr=layers["ocr"],
        hidden=layers["hidden"],
        missing=layers["missing"],
    )
