"""What the pages of books print, looked for again only where something else may be found. Pure.

What a page points to depends on the names and codes of other books only where one of them stands in its
text: where none of those that came or went since does, what was found before is found again.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeAlias

from rag.library.references.page_numbers import BEFORE_NUMBER
from rag.library.references.patterns import any_of

Finds: TypeAlias = "tuple[Any, ...]"
"""What is found on one page."""


@dataclass(frozen=True, slots=True)
class FoundPages:
    """What was found on the pages of a book, and the names and codes of the library by then."""

    names: frozenset[str]
    codes: frozenset[str]
    pages: tuple[Finds, ...]


FoundBefore: TypeAlias = Mapping[tuple[str, str], FoundPages]
"""What was found in each book, by its file and what was looked for."""


class PageFinds:
    """Looks for references and the like on the pages of books, from what was found `before` of equal pages.

    `found` is what was looked for so far, `weights` what the words of each book's pages were found to weigh,
    1 or 0 for what is so or not.
    """

    def __init__(
        self,
        before: FoundBefore = MappingProxyType({}),
        weights: Mapping[str, dict[str, float]] = MappingProxyType({}),
    ) -> None:
        self._before = before
        self._weights_before = weights
        self.found: dict[tuple[str, str], FoundPages] = {}
        self.weights: dict[str, dict[str, float]] = {}

    def find(
        self,
        file: str,
        what: str,
        texts: Sequence[str],
        look: Callable[[str], Iterable[Any]],
        names: Collection[str] = (),
        codes: Collection[str] = (),
    ) -> tuple[Finds, ...]:
        """Where `what` stands in a book's `texts`, one a page; `look` finds it by these names and codes."""
        before = self.found.get((file, what)) or self._before.get((file, what))
        names, codes = frozenset(names), frozenset(codes)
        if before is None or len(before.pages) != len(texts):
            pages = tuple(tuple(look(text)) for text in texts)
        else:
            stands = _standing(names, before.names, codes, before.codes)
            pages = tuple(
                tuple(look(text)) if stands.in_text(text) else found
                for text, found in zip(texts, before.pages, strict=True)
            )
        self.found[file, what] = FoundPages(names, codes, pages)
        self.weights.setdefault(file, {})
        return pages

    def weight(self, file: str, words: str, weigh: Callable[[], float]) -> float:
        """What the words weigh in a book, which no other book has a part in."""
        weights = self.weights.setdefault(file, {})
        if words not in weights:
            before = self._weights_before.get(file, {}).get(words)
            weights[words] = weigh() if before is None else before
        return weights[words]

    def is_told(self, file: str, what: str, find_out: Callable[[], bool]) -> bool:
        """Whether something is so in a book, which no other book has a part in."""
        return bool(self.weight(file, what, find_out))


@lru_cache(maxsize=64)
def _standing(
    names: frozenset[str], names_before: frozenset[str], codes: frozenset[str], codes_before: frozenset[str]
) -> "_Standing":
    """Tells where a name or code stands that came or went: the same for most books."""
    return _Standing(names ^ names_before, codes ^ codes_before)


class _Standing:
    """Tells whether any of some names, or of some codes before a number, stands in a text."""

    def __init__(self, names: Iterable[str], codes: Iterable[str]) -> None:
        patterns = {name: any_of([name]) for name in names}
        patterns |= {code: any_of([code]) + BEFORE_NUMBER for code in codes}
        # To find a word is far faster than to match a pattern.
        self._patterns = [
            (words[0], re.compile(one)) for key, one in patterns.items() if (words := key.split())
        ]

    def in_text(self, text: str) -> bool:
        return any(word in text and pattern.search(text) for word, pattern in self._patterns)
