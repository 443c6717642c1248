"""The page before or behind the one that prints it: "the table on the next page". Pure."""

import re
from collections.abc import Iterator

from rag.library.language.grammar_words import one_of
from rag.library.language.language import PAGES
from rag.library.references.reference import Reference

_NEIGHBOUR = re.compile(rf"(?<!\w)(?i:(?P<next>{one_of(PAGES.next)})|{one_of(PAGES.previous)})(?!\w)")


def find_neighbours(text: str) -> Iterator[Reference]:
    """Every place that points to the next or the previous page."""
    for match in _NEIGHBOUR.finditer(text):
        yield Reference(match[0], match.start(), match.end(), step=1 if match["next"] else -1)
