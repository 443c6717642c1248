"""A snapshot as somebody sees it who may see some of its books, or wants to, and nothing of the others."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rag.library.books.book import BookSummary
from rag.library.index.store import AmendmentRow, ReferenceRow, Store

if TYPE_CHECKING:
    from rag.config import Audience
    from rag.library.index.vocabulary import Vocabulary


class LimitedStore(Store):
    """A store in which other books do not exist: they are not found, named, linked or counted.

    It shares files and arrays with the whole one, which numbers books, pages and chunks for both.
    """

    def __init__(self, whole: Store, is_seen: Callable[[BookSummary], bool]) -> None:
        # The arrays are large, and the whole one closes the files when nobody holds it.
        self.__dict__.update(vars(whole))
        self._whole = whole
        self._set_books(
            {reader: tuple(book for book in books if is_seen(book)) for reader, books in whole.books.items()}
        )
        self._is_seen = np.isin(self.page_columns, self.columns(self.files["gm"]))

    @property
    def dimension(self) -> int:
        """How many numbers a vector of this index has."""
        return self._whole.dimension

    @property
    def vocabularies(self) -> "dict[str, Vocabulary]":
        """The words of all books; a search takes those of the books in its scope."""
        return self._whole.vocabularies

    def references(self, pages: Iterable[int], reader: "Audience") -> dict[int, list[ReferenceRow]]:
        """The references printed on the given pages; one to any other book leads nowhere."""
        return {
            page: [
                replace(row, pages=row.pages if all(self._is_seen[target] for target in row.pages) else ())
                for row in rows
            ]
            for page, rows in super().references(pages, reader).items()
        }

    def referring(self, pages: Iterable[int], reader: "Audience") -> dict[int, list[tuple[int, int]]]:
        """The pages of these books that refer to each of some pages, each with where it does."""
        return {
            page: [(other, at) for other, at in places if self._is_seen[other]]
            for page, places in super().referring(pages, reader).items()
        }

    def amending(self, pages: Iterable[int], reader: "Audience") -> dict[int, list[AmendmentRow]]:
        """What corrects each of some pages, in these books."""
        return {
            page: [row for row in rows if self._is_seen[row.amending]]
            for page, rows in super().amending(pages, reader).items()
        }

    def amended(self, pages: Iterable[int], reader: "Audience") -> dict[int, list[AmendmentRow]]:
        """What each of some pages corrects, in these books."""
        return {
            page: [row for row in rows if self._is_seen[row.page]]
            for page, rows in super().amended(pages, reader).items()
        }

    def amending_files(self, files: Collection[str], reader: "Audience") -> set[str]:
        """Those of these files that correct any of the given ones."""
        return super().amending_files(files, reader) & self.files["gm"]
