"""What a statement says of a table row: its value under which column, and of which row; pure.

A row's cells stand under the names of their columns ("Item: Torch; Price: 1 sp; Weight: 1"), so what a
sentence puts together can be held against what the table does.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from rag.library.language.language import LANGUAGES
from rag.nodes.clauses import clause_words, keys, language_of
from rag.nodes.numbers.amounts import PrintedAmounts, amounts_in
from rag.nodes.numbers.spelling import WEAK, normalized, plain_text
from rag.strategies.lines import cells_of

_WORD = re.compile(r"[^\W\d_]{2,}")
SHORTEST_TOLD = 4
"""Letters of a small word that may tell rows apart: "very easy" from "easy"."""
_CELLS = "; "
_UNDER = ": "


class Telling(Enum):
    """What a row tells of a statement."""

    SAYS = auto()
    """Each value of the statement stands in the row it names, under the column it names."""
    DENIES = auto()
    """It names another row of the table, or gives a column the value of another."""
    OPEN = auto()


@dataclass(frozen=True, slots=True)
class Cell:
    """A value under the name of its column; "" where there is none."""

    column: str
    value: str


@dataclass(frozen=True, slots=True)
class Wording:
    """The language of a text, and the languages among which its words are found again."""

    language: str
    among: tuple[str, ...]

    def keys(self, text: str) -> list[frozenset[str]]:
        """The keys of each word of content, in order."""
        return [keys for _, keys in self.placed(text)]

    def placed(self, text: str) -> Iterator[tuple[int, frozenset[str]]]:
        """The keys of each word of content, with its place in the text."""
        known = LANGUAGES.get(self.language)
        for found in _WORD.finditer(text):
            word = found[0].lower()
            if len(word) >= SHORTEST_TOLD or not (known and word in known.function_words):
                yield found.start(), keys(word, self.language, self.among)


def cells(reading: str) -> list[Cell]:
    """The cells of a row as it reads under its column names; the first is what the row is of."""
    read = []
    for piece in cells_of(reading).split(_CELLS):
        column, under, value = piece.partition(_UNDER)
        read.append(Cell(column, value) if under else Cell("", piece.rstrip(":")))
    return read


def telling(statement: str, row: str, others: Sequence[str], languages: Sequence[str]) -> Telling:
    """What a row tells of a statement; `others` are rows of its table.

    `languages` are the asker's first, then those of the books.
    """
    said, printed = (
        language_of(statement, languages[0], languages),
        language_of(row, languages[-1], languages),
    )
    if not clause_words().keys() >= {said, printed}:
        return Telling.OPEN
    among = tuple(dict.fromkeys([said, printed]))
    said_in, printed_in = Wording(said, among), Wording(printed, among)
    text = normalized(plain_text(statement), WEAK)
    name, *rest = cells(row)
    stated, called = said_in.keys(text), printed_in.keys(name.value)
    if _names_another(stated, row, others, printed_in) or _numbers_another(
        text, stated, row, others, printed_in
    ):
        return Telling.DENIES
    if not _stand_in(called, stated):
        return Telling.OPEN
    columns = _columns(text, said_in, rest, printed_in)
    values = _values(text, name)
    if not columns or len(columns) != len(values):
        return Telling.OPEN
    is_under = [_holds(cell, value) for cell, value in zip(columns, values, strict=True)]
    if all(is_under):
        return Telling.SAYS
    is_elsewhere = any(_holds(cell, values[0]) for cell in rest)
    return Telling.DENIES if len(values) == 1 and is_elsewhere else Telling.OPEN


def is_named(statement: str, row: str, others: Sequence[str], languages: Sequence[str]) -> bool:
    """Whether a statement has the words of what a row is of, but for those that many others have as well."""
    said, printed = (
        language_of(statement, languages[0], languages),
        language_of(row, languages[-1], languages),
    )
    if not clause_words().keys() >= {said, printed}:
        return False
    among = tuple(dict.fromkeys([said, printed]))
    printed_in = Wording(printed, among)
    called, *theirs = map(printed_in.keys, _names([row, *others]))
    common = [word for word in called if sum(_stands_in(word, name) for name in theirs) * 4 > len(theirs)]
    own = [word for word in called if word not in common] or called
    return bool(own) and _stand_in(own, Wording(said, among).keys(statement))


def _names(rows: Sequence[str]) -> list[str]:
    """What rows are of: their first cells."""
    return [cells(row)[0].value for row in rows]


def _names_another(
    stated: Sequence[frozenset[str]], row: str, others: Sequence[str], printed_in: Wording
) -> bool:
    """Whether a statement has all words of another row's name, and none that is this row's name alone."""
    own = printed_in.keys(row)
    told = [word for name in _names([row]) for word in printed_in.keys(name) if _stands_in(word, stated)]
    return any(
        _stand_in(name, stated) and not _stand_in(name, own) and _stand_in(told, name)
        for name in map(printed_in.keys, _names(others))
    )


def _numbers_another(
    text: str, stated: Sequence[frozenset[str]], row: str, others: Sequence[str], printed_in: Wording
) -> bool:
    """Whether a statement has the number of another row, and does not tell this one by number or words."""
    if printed_in.keys(cells(row)[0].value) or _is_told_by_words(text, stated, cells(row), printed_in):
        return False
    amounts = amounts_in(text)
    own, theirs = PrintedAmounts(_names([row])), PrintedAmounts(_names(others))
    held = PrintedAmounts([row])
    return not any(own.prove(one, amounts) for one in amounts) and any(
        theirs.prove(one, amounts) and not held.prove(one, amounts) for one in amounts
    )


def _is_told_by_words(
    text: str, stated: Sequence[frozenset[str]], row: Sequence[Cell], printed_in: Wording
) -> bool:
    """Whether a statement has the words of one cell of a row, and an amount of another."""
    amounts = amounts_in(text)
    worded = [cell for cell in row if (said := printed_in.keys(cell.value)) and _stand_in(said, stated)]
    counted = [
        cell for cell in row if any(PrintedAmounts([cell.value]).prove(amount, amounts) for amount in amounts)
    ]
    return any(one != other for one in worded for other in counted)


def _stand_in(some: Sequence[frozenset[str]], others: Sequence[frozenset[str]]) -> bool:
    return all(_stands_in(word, others) for word in some)


def _stands_in(word: frozenset[str], others: Sequence[frozenset[str]]) -> bool:
    return any(not word.isdisjoint(other) for other in others)


def _columns(text: str, said_in: Wording, rest: Sequence[Cell], printed_in: Wording) -> list[Cell]:
    """The cells whose columns a statement names, in the order in which it does."""
    named = {cell: printed_in.keys(cell.column) for cell in rest if cell.column}
    places: dict[Cell, int] = {}
    for cell, own in named.items():
        others = [word for other, theirs in named.items() if other.column != cell.column for word in theirs]
        distinct = [word for word in own if not _stands_in(word, others)]
        if not distinct:
            continue
        found = [place for place, word in said_in.placed(text) if _stands_in(word, distinct)]
        if found and _stand_in(distinct, said_in.keys(text)):
            places[cell] = found[0]
    return sorted(places, key=lambda cell: places[cell])


def _values(text: str, name: Cell) -> list[str]:
    """The amounts of a statement in order, without those that the row is of."""
    of_row = PrintedAmounts([name.value])
    amounts = amounts_in(text)
    return [text[one.start : one.end] for one in amounts if not of_row.prove(one, amounts)]


def _holds(cell: Cell, value: str) -> bool:
    claims = amounts_in(value)
    printed = PrintedAmounts([cell.value])
    return bool(claims) and all(printed.prove(claim, claims) for claim in claims)
