"""Which rows of a table a question asks for: by a number under a column, and by the row's own name. Pure."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from rag.library.language.likeness import asked_share, asking_language, shared_words
from rag.library.language.words import content_words
from rag.nodes.numbers import Number, Numbers, in_digits, numbers_in
from rag.strategies.lines import Line, cells

_OPEN_END = re.compile(r"(\d+)\s?\+(?!\s?\d)")
"""A range without an end: "18+"."""
_COUNT = re.compile(r"\s?[,(]\s?\d.*")
"""How many a row stands for, and of what size, behind its name: "Torches, 6"."""


def asked_rows(question: str, rows: Sequence[Line], language: str) -> tuple[list[Line], bool]:
    """The rows of one table that a question asks for, and whether by a number.

    A number counts under the column that the word beside it names alone, or under the first one where that
    word names the table ("cleric 4"), or the column a die and the question the table; where no row holds it
    there, none is asked for. Else a row is asked for by all words of its name, and the longest name counts.
    """
    # A row lacks the columns in which it has no cell.
    columns = list(dict.fromkeys(cell.column for row in rows for cell in cells(row.text)))
    is_numbered = any(map(str.isdecimal, "".join(cells(row.text)[0].value for row in rows)))
    heading = rows[0].heading if is_numbered else ""
    by_number: list[set[int]] = []
    for number, beside in _numbers_asked(question, asking_language(question, frozenset([language]))):
        if named := _columns_named(beside, question, columns, heading, language):
            by_number.append({at for at, row in enumerate(rows) if _holds(row, named, number, language)})
    named_rows = _named_rows(question, rows, language)
    held = set().union(*by_number)
    return [rows[at] for at in sorted(held & named_rows or held or named_rows)], bool(by_number)


@lru_cache(maxsize=200)
def _numbers_asked(question: str, language: str) -> tuple[tuple[Number, tuple[str, ...]], ...]:
    """The numbers of a question, each with the words of content before and behind it."""
    found, digits = [], in_digits(question, language)
    for number in numbers_in(question, language):
        if number.is_small_word or number.sides is not None:
            continue
        before = content_words(digits[: number.start], language)[-1:]
        behind = content_words(digits[number.end :], language)[:1]
        found.append((number, tuple(behind + before if number.is_order else before + behind)))
    return tuple(found)


def _columns_named(
    beside: Iterable[str], question: str, columns: Sequence[str], heading: str, language: str
) -> Sequence[str]:
    """The columns that a word beside a number names; of several those that share most with the question."""
    languages = [language] * len(columns)
    is_table_asked = bool(asked_share(question, heading, language))
    for word in beside:
        told = shared_words(word, columns, languages)
        named = [column for column, share in zip(columns, told, strict=True) if share]
        if named:
            shares = shared_words(question, named, languages[: len(named)])
            return [column for column, share in zip(named, shares, strict=True) if share == max(shares)]
        if is_table_asked and any(shared_words(word, [heading], [language])):
            return columns[:1]
    is_rolled = any(number.sides for column in columns[:1] for number in numbers_in(column, language))
    return columns[:1] if is_rolled and any(shared_words(question, [heading], [language])) else []


def _holds(row: Line, columns: Sequence[str], number: Number, language: str) -> bool:
    """Whether a row has a number, or a range that holds it, under one of some columns."""
    return any(cell.column in columns and _is_in(number, cell.value, language) for cell in cells(row.text))


@lru_cache(maxsize=4_000)
def _is_in(number: Number, value: str, language: str) -> bool:
    """Whether a cell holds a number: as it is, within "8-10", or above "18+"."""
    least = [int(found[1]) for found in _OPEN_END.finditer(value)]
    return Numbers([(value, language)], with_ranges=True).hold(number) or any(
        value >= one for one in least for value in number.values
    )


def _named_rows(question: str, rows: Sequence[Line], language: str) -> set[int]:
    """The rows of whose names a question has every word, but for those within longer ones.

    How many a row stands for need not be asked. A row that is a name alone is over those below it: of them
    the rows count that share most with the question.
    """
    names = [cells(row.text)[0].value for row in rows]
    asked = {
        at: words
        for at, name in enumerate(names)
        if (words := max((asked_share(question, one, language) for one in _forms(name)), key=len))
    }
    found = {at for at, words in asked.items() if not any(words < other for other in asked.values())}
    lone = [at for at, row in enumerate(rows) if len(cells(row.text)) == 1]
    for at in sorted(found.intersection(lone)):
        below = [row.text for row in rows[at + 1 : min((one for one in lone if one > at), default=None)]]
        shares = shared_words(question, below, [language] * len(below))
        found -= {at} if below else set()
        found |= {number for number, share in enumerate(shares, at + 1) if share == max(shares)}
    return found


def _forms(name: str) -> list[str]:
    """The names of a row, each of which may be asked for: "Sword, broad/long" has two."""
    head, comma, rest = name.rpartition(", ")
    each = [f"{head}{comma}{one}" for one in rest.split("/")]
    return [form for one in each for form in (one, _COUNT.sub("", one))]
