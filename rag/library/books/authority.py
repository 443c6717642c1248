"""Whose rules a book holds, apart from `house_rules`, as ingestion imports nothing of the graph. Pure."""

from rag.library.books.house_rules import are_house_rules
from rag.state import Authority


def authority_of(file: str) -> Authority:
    """Whose rules the book of a file holds: a table's own come before those in print."""
    return Authority.HOUSE_RULES if are_house_rules(file) else Authority.BOOK
