"""Which books hold a table's own rules, told by the names of their files; and their lines, as meant. Pure."""

import functools
import re
from pathlib import PurePosixPath

from rag.library.books.catalog import plain
from rag.library.books.files import KINDS
from rag.library.language.grammar_words import one_of
from rag.library.language.language import PAGES, TITLES

_NAMES = tuple(f" {name} " for name in TITLES.house_rules)
_WRITTEN = frozenset({"markdown", "text", "docx", "html"})
"""The kinds of files that a group writes itself; what is published as a PDF is a book."""
_PAGE_WORD = rf"(?:(?i:{one_of([*PAGES.singular, *PAGES.plural])})|pp?\.?)\s*"
_PAGE = rf"(?:(?:{_PAGE_WORD})?[A-Z]{{1,5}}[:-]?|{_PAGE_WORD})\d{{1,4}}\b"
_BEGINS_ENTRY = re.compile(
    rf"(?<=\S)\n(?=(?:[*_]{{1,3}})?[A-ZÀ-Þ][^\n.!?]{{1,60}}?[^\S\n]?[–—(,:-][^\S\n]?[^\n.!?]{{0,30}}{_PAGE})"
)
"""Before a line like "Bleeding – B420", right below another."""


@functools.lru_cache(maxsize=10_000)
def are_house_rules(file: str) -> bool:
    """Whether a file holds a table's own rules: `house-rules.md` and `Regras da Casa (2026).docx` do."""
    path = PurePosixPath(file)
    called = f" {plain(path.stem)} "
    is_named = any(name in called for name in _NAMES)
    return is_named and KINDS.get(path.suffix.lower()) in _WRITTEN


def with_entries_apart(text: str) -> str:
    """A text in which each line that names a rule and its page begins a paragraph.

    Groups write one rule a line; readers join lines, as a margin may have broken them.
    """
    return _BEGINS_ENTRY.sub(r"\n\n", text)
