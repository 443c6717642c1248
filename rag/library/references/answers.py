"""What the references of a book are resolved by: what is asked of the library, with the answers. Pure.

Where all that was asked for a book has the same answer again, its references lead where they led, and need
not be resolved again (verifying traces: Mokhov, Mitchell and Peyton Jones, *Build Systems à la Carte*, 2018).
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

Asked: TypeAlias = "tuple[str, str, str]"
"""A question: who reads, what is asked, and of which name."""
Given: TypeAlias = "dict[Asked, tuple[str, ...]]"
"""Each question with its answer: mostly files of books, in order."""


class Answers:
    """Asks `find_out` once for each thing that is asked for a book, and keeps what was `given`."""

    def __init__(self, find_out: Callable[..., Sequence[str]]) -> None:
        self._find_out = find_out
        self.given: Given = {}

    def ask(self, reader: str, what: str, name: str) -> tuple[str, ...]:
        """The answer to a question."""
        asked = reader, what, name
        if asked not in self.given:
            self.given[asked] = tuple(self._find_out(*asked))
        return self.given[asked]
