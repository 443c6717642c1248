"""Where books print page references with letters, and what they say of the letters. Pure."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise

from rag.library.books.catalog import plain
from rag.library.references.codes import find_codes
from rag.library.references.names import Names
from rag.library.references.page_numbers import BEFORE_NUMBER, PageNumbers, Pages
from rag.library.references.patterns import CAPITAL, NAME, any_of

FEWEST_NUMBERS = 2
"""Different pages that letters without a page word are printed with, where they are a code."""
_LETTERS = re.compile(r"(?<![\w.#$/+-])([A-Z]{1,5})(\d{1,3})(?!\w)")
_LETTER_BEFORE_NUMBER = re.compile(r"[A-Z]-?\d")
_LETTERS_ALONE = re.compile(r"(?<![\w'’])[A-Z]{1,5}(?![\w'’])")
_PARAGRAPH = re.compile(r"[^\n]+(?:\n(?!\n)[^\n]+)*")
_NAME = re.compile(NAME)
_CAPITALISED = re.compile(rf"(?<!\w){CAPITAL}")
_WITHOUT_CODES = PageNumbers((), is_question=False)
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


def lettered_numbers(text: str) -> Iterator[tuple[str, str]]:
    """Letters that stand before a number; the number is "" where a page word is before them."""
    yield from dict.fromkeys((letters[1], letters[2]) for letters in _LETTERS.finditer(text))
    for pages in _WITHOUT_CODES.lists(text) if _LETTER_BEFORE_NUMBER.search(text) else ():
        yield from ((one.code, "") for one in pages.numbers if one.code)


def likely_codes(lettered: Iterable[tuple[str, str]]) -> frozenset[str]:
    """Of `lettered_numbers` what may well be codes: letters after a page word, or with several numbers."""
    numbers: defaultdict[str, set[str]] = defaultdict(set)
    for letters, number in lettered:
        numbers[letters].add(number)
    return frozenset(code for code, found in numbers.items() if "" in found or len(found) >= FEWEST_NUMBERS)


def code_uses(text: str, codes: Collection[str], titles: Collection[str]) -> Iterator[CodeUse]:
    """The references with one of `codes` in a text, of books with these titles.

    On most pages none of the codes stands before a number, which is told far sooner.
    """
    if not _before_number(frozenset(codes)).search(text):
        return
    numbers, names = _grammar(frozenset(codes), frozenset(titles))
    for pages in numbers.lists(text):
        yield from _list(text, pages.start, pages.numbers, names)
    for one in find_codes(text, numbers, is_question=False):
        yield from _list(text, one.start, [one], names)


@lru_cache(maxsize=2)
def _before_number(codes: frozenset[str]) -> re.Pattern[str]:
    return re.compile(any_of(codes) + BEFORE_NUMBER)


@lru_cache(maxsize=2)
def _grammar(codes: frozenset[str], titles: frozenset[str]) -> tuple[PageNumbers, Names]:
    return PageNumbers(codes, is_question=False), Names(titles, is_question=False)


def _list(text: str, start: int, pages: Sequence[Pages], names: Names) -> Iterator[CodeUse]:
    """The codes of a list of pages; what is named beside it belongs to the first."""
    for position, one in enumerate(pages):
        if one.code and one.first.isdecimal():
            mention = names.beside(text, start, one.end) if position == 0 else None
            title = mention.name if mention and mention.is_book else None
            topic = plain(mention.name) if mention and not mention.is_book else ""
            yield CodeUse(one.code, int(one.first), topic, title)


def letters_alone(text: str) -> set[str]:
    """The letters in a text that may stand for a book, beside its title."""
    return set(_LETTERS_ALONE.findall(text))


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
        titles = list(_titles(rest, books_called))
        row = sorted([*letters, *titles], key=lambda one: one.start())
        close = [
            (one, other) for one, other in pairwise(row) if 0 <= other.start() - one.end() <= _LONGEST_GAP
        ]
        before = [(one, other) for one, other in close if one in letters and other in titles]
        behind = [(other, one) for one, other in close if one in titles and other in letters]
        for code, title in max(before, behind, key=lambda pairs: (len(pairs), -_gap(pairs))):
            yield code[0], title[0]


def _titles(text: str, books_called: Callable[[str], Collection[str]]) -> Iterator[re.Match[str]]:
    """The titles of books in a text, also behind other words with a capital: "Pages of the Bestiary"."""
    for name in _NAME.finditer(text):
        starts = [name.start() + word.start() for word in _CAPITALISED.finditer(name[0])]
        endings = (_NAME.match(text, start, name.end()) for start in starts)
        yield from islice((one for one in endings if one and books_called(one[0])), 1)


def _gap(pairs: Sequence[tuple[re.Match[str], re.Match[str]]]) -> int:
    return sum(max(title.start() - code.end(), code.start() - title.end()) for code, title in pairs)
