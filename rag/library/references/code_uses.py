"""Where books print page references with letters, and what they say of the letters. Pure."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rag.library.books.catalog import plain
from rag.library.references.codes import find_codes
from rag.library.references.names import Names
from rag.library.references.page_numbers import PageNumbers, Pages
from rag.library.references.patterns import NAME

FEWEST_NUMBERS = 2
"""Different pages that letters without a page word are printed with, where they are a code."""
_LETTERS = re.compile(r"(?<![\w.#$/+-])([A-Z]{1,5})(\d{1,3})(?!\w)")
_LETTERS_ALONE = re.compile(r"(?<![\w'’])[A-Z]{1,5}(?![\w'’])")
_PARAGRAPH = re.compile(r"[^\n]+(?:\n(?!\n)[^\n]+)*")
_NAME = re.compile(NAME)
_LONGEST_GAP = 40
"""Characters between a code and the title that is said to be its."""


@dataclass(frozen=True, slots=True)
class CodeUse:
    """A code printed with a page number, and what is named beside it: a `topic` in plain letters, else "",
    or the title of a book.
    """

    code: str
    number: int
    topic: str = ""
    title: str | None = None


def likely_codes(texts: Collection[str]) -> frozenset[str]:
    """The letters that stand before page numbers, perhaps in earnest: after a page word, or with several."""
    without_codes = PageNumbers((), is_question=False)
    numbers: defaultdict[str, set[str]] = defaultdict(set)
    for text in texts:
        for letters in _LETTERS.finditer(text):
            numbers[letters[1]].add(letters[2])
    named = {
        one.code for text in texts for pages in without_codes.lists(text) for one in pages.numbers if one.code
    }
    return frozenset(named.union(code for code in numbers if len(numbers[code]) >= FEWEST_NUMBERS))


def code_uses(texts: Sequence[str], codes: Collection[str], titles: Collection[str]) -> set[CodeUse]:
    """The references with one of `codes` in the texts of a book."""
    numbers, names = PageNumbers(codes, is_question=False), Names(titles, is_question=False)
    return {use for text in texts for use in _uses(text, numbers, names)}


def _uses(text: str, numbers: PageNumbers, names: Names) -> Iterator[CodeUse]:
    for pages in numbers.lists(text):
        yield from _list(text, pages.start, pages.numbers, names)
    for one in find_codes(text, numbers, is_question=False):
        yield from _list(text, one.start, [one], names)


def _list(text: str, start: int, pages: Sequence[Pages], names: Names) -> Iterator[CodeUse]:
    """The codes of a list of pages; what is named beside it belongs to the first."""
    for position, one in enumerate(pages):
        if one.code and one.first.isdecimal():
            mention = names.beside(text, start, one.end) if position == 0 else None
            title = mention.name if mention and mention.is_book else None
            topic = plain(mention.name) if mention and not mention.is_book else ""
            yield CodeUse(one.code, int(one.first), topic, title)


def stated_codes(
    text: str, codes: Collection[str], books_called: Callable[[str], Collection[str]]
) -> Iterator[tuple[str, str]]:
    """Codes that stand beside the title of a book, in whatever words: "P for Powers", "Duelling (D)".

    In a list the codes all come before their titles, or all behind: the order with more pairs counts, of
    equals the one where they stand closer.
    """
    for paragraph in _PARAGRAPH.finditer(text):
        letters = [one for one in _LETTERS_ALONE.finditer(paragraph[0]) if one[0] in codes]
        if not letters:
            continue
        rest = _LETTERS_ALONE.sub(lambda one: "\0" * len(one[0]) if one[0] in codes else one[0], paragraph[0])
        titles = [one for one in _NAME.finditer(rest) if books_called(one[0])]
        row = sorted([*letters, *titles], key=lambda one: one.start())
        close = [
            (one, other) for one, other in pairwise(row) if 0 <= other.start() - one.end() <= _LONGEST_GAP
        ]
        before = [(one, other) for one, other in close if one in letters and other in titles]
        behind = [(other, one) for one, other in close if one in titles and other in letters]
        for code, title in max(before, behind, key=lambda pairs: (len(pairs), -_gap(pairs))):
            yield code[0], title[0]


def _gap(pairs: Sequence[tuple[re.Match[str], re.Match[str]]]) -> int:
    return sum(abs(title.start() - code.end()) for code, title in pairs)
