"""Which books hold a table's own rules: told by the names of their files. Pure."""

from pathlib import PurePosixPath

from rag.library.books.catalog import plain
from rag.library.books.files import KINDS
from rag.library.language.language import TITLES
from rag.state import Authority

_NAMES = tuple(f" {name} " for name in TITLES.house_rules)
_WRITTEN = frozenset({"markdown", "text", "docx", "html"})
"""The kinds of files that a group writes itself; what is published as a PDF is a book."""


def authority_of(file: str) -> Authority:
    """Whose rules a book holds: `house-rules.md` and `Regras da Casa (2026).docx` are a table's own."""
    path = PurePosixPath(file)
    is_named = any(name in f" {plain(path.stem)} " for name in _NAMES)
    return (
        Authority.HOUSE_RULES if is_named and KINDS.get(path.suffix.lower()) in _WRITTEN else Authority.BOOK
    )
