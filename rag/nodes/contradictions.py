"""How a statement may contradict its lines, as far as code can tell. Pure.

It repeats a line and changes it; it is of another row or column of a table; it counts in a unit that no line
prints; it turns a bound round.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate

from rag.library.language.grammar_words import one_of
from rag.library.language.language import AMOUNTS, LANGUAGES
from rag.library.language.likeness import shared_words
from rag.nodes.numbers import Numbers, in_digits, numbers_in, plain_text
from rag.strategies.lines import cells

FEWEST_REPEATED = 4
"""Words of a line that a statement repeats at the least."""
_WORD = re.compile(r"[^\W_](?:[\w.,/]*[^\W_])?")


ALL_WORDS = 0.99
"""From this share on a text holds all words of a name."""
_LEADING_ANSWER = re.compile(r"\A\W*[^\W\d_]+\s*[,.;:!—-]\s")
"""The word before a statement's first mark: "No, …" answers the question and refuses nothing of the line."""
_COUNTED = rf"(?:\d\S*|\b{one_of(AMOUNTS.per)})[\s-]"
_OPPOSITES = (("at_least", "at_most"), ("before", "after"))


def _by_name(tables: Iterable[Mapping[str, str]]) -> dict[str, re.Pattern[str]]:
    """The patterns of all languages under their common names."""
    named: dict[str, list[str]] = {}
    for table in tables:
        for name, pattern in table.items():
            named.setdefault(name, []).append(pattern)
    return {name: re.compile(rf"\b(?:{'|'.join(those)})\b", re.IGNORECASE) for name, those in named.items()}


_UNITS = _by_name(language.units for language in LANGUAGES.values())
_BOUNDS = _by_name(language.bounds for language in LANGUAGES.values())


def changes_a_line(statement: str, lines: Sequence[tuple[str, str]]) -> bool:
    """Whether a statement has the words of a line, or of a part of it, but other numbers or refusals.

    Each line comes with its language. A statement that repeats another of them as it is changes none.
    """
    repeated = [is_same for line, language in lines for is_same in _repeated(statement, line, language)]
    return bool(repeated) and not any(repeated)


def _repeated(statement: str, line: str, language: str) -> Iterator[bool]:
    """Find each place where a line has the words of a statement: whether numbers and refusals agree there."""
    own = _Words(_LEADING_ANSWER.sub("", in_digits(statement, language)), language)
    theirs = _Words(in_digits(line, language), language)
    if len(own.said) >= FEWEST_REPEATED:
        for at in range(len(theirs.said) - len(own.said) + 1):
            if theirs.repeats(own, at):
                yield _is_same(own, theirs, at, language)


class _Words:
    """The words of a text, numbers as "#", without its refusals: these are counted as far as each word."""

    def __init__(self, text: str, language: str) -> None:
        negations = LANGUAGES[language].negations if language in LANGUAGES else ()
        found = list(_WORD.finditer(text.lower()))
        refused = list(accumulate(one[0] in negations for one in found))
        kept = [place for place, one in enumerate(found) if one[0] not in negations]
        self.text = text
        self.spans = [found[place].span() for place in kept]
        self.said = ["#" if any(map(str.isdigit, found[place][0])) else found[place][0] for place in kept]
        self.refused = [refused[place] for place in kept]

    def repeats(self, other: "_Words", at: int) -> bool:
        return self.said[at : at + len(other.said)] == other.said

    def part(self, at: int, length: int) -> tuple[str, int]:
        """So many words from a place on, and how many refusals stand before and among them."""
        last = at + length - 1
        text = self.text[self.spans[at][0] : self.spans[last][1]]
        return text, self.refused[last] - (self.refused[at - 1] if at else 0)


def _is_same(own: _Words, theirs: _Words, at: int, language: str) -> bool:
    """Whether the words of both have the same numbers and refusals."""
    (stated, refused), (printed, refuses) = own.part(0, len(own.said)), theirs.part(at, len(own.said))
    ours, others = numbers_in(stated, language), numbers_in(printed, language)
    is_counted = len(ours) == len(others) and all(
        one.is_equal(other) for one, other in zip(ours, others, strict=True)
    )
    return is_counted and refused == refuses


def is_of_another_row(said: str, cited: Sequence[str], others: Sequence[str], language: str) -> bool:
    """Whether statement or question names a row that is not cited, and no row that is.

    `said` are both, in this `language`.
    """
    own, theirs = ([cells(row)[0].value for row in rows] for rows in (cited, others))
    if any(_is_named(name, said, language) for name in own):
        return False
    return any(
        _is_named(name, said, language) and not any(_is_named(name, one, language) for one in own)
        for name in theirs
        if any(map(str.isalpha, name)) or not any(map(str.isalpha, "".join(own)))
    )


def is_of_another_column(statement: str, row: str, language: str, printed: str) -> bool:
    """Whether a statement names a column of a row, and has a number of another column alone.

    `printed` is the language of the row.
    """
    _, *rest = cells(row)
    numbers = numbers_in(statement, language)
    named = [cell for cell in rest if cell.column and _is_named(cell.column, statement, language)]
    if not named or not numbers:
        return False
    held = [cell for cell in rest if any(map(Numbers([(cell.value, printed)]).hold, numbers))]
    return bool(held) and not any(cell in named for cell in held)


def _is_named(name: str, text: str, language: str) -> bool:
    """Whether a text has all words of a name, or a number that its range holds."""
    if not any(map(str.isalpha, name)):
        numbers = Numbers([(name, language)], with_ranges=True)
        return any(map(numbers.hold, numbers_in(text, language)))
    (share,) = shared_words(name, [in_digits(text, language)], [language])
    return share >= ALL_WORDS


def counts_otherwise(statement: str, language: str, said: str) -> bool:
    """Whether a statement counts in a unit of measure that is nowhere in what was `said`."""
    text = in_digits(statement, language)
    counted = {
        name
        for name, unit in _UNITS.items()
        if any(re.search(rf"{_COUNTED}\Z", text[: one.start()]) for one in unit.finditer(text))
    }
    return any(not _UNITS[name].search(plain_text(said)) for name in counted)


def turns_a_bound(statement: str, said: str) -> bool:
    """Whether a statement says "at least" where the lines say only "at most", or the other way round.

    So with "before" and "after".
    """
    stated, printed = (
        {name for name, bound in _BOUNDS.items() if bound.search(text)} for text in (statement, said)
    )
    return any(
        stated & {*pair} and printed & {*pair} and not stated & printed & {*pair} for pair in _OPPOSITES
    )
