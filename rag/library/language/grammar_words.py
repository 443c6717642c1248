"""The words by which references, headings, margins and amounts are recognised, table by table. Pure.

`word_tables.toml` tells which tables a language's data file may have, with which keys, and what they mean.
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Self

Words = tuple[str, ...]

TABLES: Mapping[str, Sequence[str]] = tomllib.loads(
    files("rag.library.language").joinpath("word_tables.toml").read_text(encoding="utf-8")
)
"""The keys of each table."""


def one_of(words: Iterable[str]) -> str:
    """A pattern of alternatives, in their order, with any white space between words; "" is none of them."""
    alternatives = "|".join(word.replace(" ", r"\s+") for word in words)
    return f"(?:{alternatives or '(?!)'})"


class WordTable:
    """A table of words, whose keys are attributes; a key that a language leaves out has no words."""

    if TYPE_CHECKING:

        def __getattr__(self, key: str) -> Words: ...

    def __init__(self, name: str, words: Mapping[str, Iterable[str]]) -> None:
        """Take a table as a data file has it. Raises `TypeError` for a key that there is none of."""
        if unknown := words.keys() - set(TABLES[name]):
            raise TypeError(f"the table {name} has no key {', '.join(sorted(unknown))}")
        vars(self).update({key: tuple(words.get(key, ())) for key in TABLES[name]})

    @classmethod
    def of_all(cls, name: str, tables: Sequence[Self]) -> Self:
        """One table with the words of all."""
        return cls(name, {key: [word for one in tables for word in vars(one)[key]] for key in TABLES[name]})
