"""Headings, titles of books and labels that a question asks for by their words. Pure."""

from collections.abc import Sequence

from rag.library.books.found_page import FoundPage
from rag.library.language.likeness import asked_share, shared_words
from rag.library.language.words import without_number
from rag.strategies.lines import Line, cells, label_of

FIRST_COLUMNS = 2
"""Columns of a row by which tables are of one kind."""


def named_headings(line: Line, question: str, language: str) -> list[str]:
    """Those of the headings over a line that a question names: a part of a section is of what that names."""
    return [heading for heading in line.headings if asked_share(question, heading, language)]


def titles_over(line: Line, page: FoundPage, question: str) -> list[str]:
    """The headings over a line, and the title of its book where a question names that: "the bless spell"."""
    named = [page.book] * bool(asked_share(question, page.book, page.language))
    return [*named, *line.headings]


def say_all(titles: Sequence[str], question: str, language: str) -> bool:
    """Whether titles say all that is asked: "Spells › Bless" do of "the bless spell"."""
    return 1.0 in shared_words(question, [" ".join(map(without_number, titles))], [language])


def is_labelled(line: Line, question: str, language: str) -> bool:
    """Whether a line is a value under a label that a question asks for."""
    label = [] if line.is_row else names_beside(line)
    return any(shared_words(question, label, [language] * len(label)))


def names_beside(line: Line) -> list[str]:
    """The first columns of a row, or the label of a value; none of a sentence."""
    if line.is_row:
        return [cell.column for cell in cells(line.text)[:FIRST_COLUMNS]]
    label = label_of(line.text)
    return [label] if label else []
