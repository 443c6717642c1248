"""Which books hold a table's own rules: told by the names of their files. Pure."""

import functools
from pathlib import PurePosixPath

from rag.library.books.catalog import plain
from rag.library.books.files import KINDS
from rag.library.language.language import TITLES

_NAMES = tuple(f" {name} " for name in TITLES.house_rules)
_WRITTEN = frozenset({"markdown", "text", "docx", "html"})
"""The kinds of files that a group writes itself; what is published as a PDF is a book."""


@functools.lru_cache(maxsize=10_000)
def are_house_rules(file: str) -> bool:
    """Whether a file holds a table's own rules: `house-rules.md` and `Regras da Casa (2026).docx` do."""
    path = PurePosixPath(file)
    called = f" {plain(path.stem)} "
    is_named = any(name in called for name in _NAMES)
    return is_named and KINDS.get(path.suffix.lower()) in _WRITTEN
