"""Headings that stand in the midst of a list: one of a stat block is no chapter of what follows. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from rag.library.books.catalog import plain
from rag.library.readers.blocks import DocumentBlock

_LOOKED_AT = 4  # headings of a list on either side of one that interrupts it
_FEWEST, _FEWEST_OF_NAME = 6, 3  # of them that tell that a list goes on; where a name is repeated


def with_lists_whole(blocks: Sequence[DocumentBlock]) -> list[DocumentBlock]:
    """The blocks, with the headings that interrupt a list put below the entry that they stand in.

    Headings of one level in alphabetical order are a list. What interrupts it repeats the name of its entry,
    or has another level than the heading above the list.
    """
    whole = list(blocks)
    headings = [number for number, block in enumerate(blocks) if block.level]
    for level in {blocks[number].level for number in headings}:
        entries = [place for place, number in enumerate(headings) if blocks[number].level == level]
        for at, (entry, following) in enumerate(pairwise(entries), start=1):
            between = [number for number in headings[entry + 1 : following] if blocks[number].level < level]
            around = [headings[place] for place in entries[max(0, at - _LOOKED_AT) : at + _LOOKED_AT]]
            if between and _goes_on(blocks, around, headings[entry], between[0]):
                highest = min(blocks[number].level for number in between)
                for number in between:
                    below = level + 1 + blocks[number].level - highest
                    whole[number] = replace(blocks[number], level=below)
    return whole


def _goes_on(blocks: Sequence[DocumentBlock], around: Sequence[int], entry: int, stray: int) -> bool:
    """Whether a list with these headings goes on behind the first heading that interrupts it."""
    names = [plain(blocks[number].text) for number in around]
    is_repeated = plain(blocks[stray].text) == plain(blocks[entry].text)
    if names != sorted(names) or len(names) < (_FEWEST_OF_NAME if is_repeated else _FEWEST):
        return False
    above = (one.level for one in reversed(blocks[: around[0]]) if 0 < one.level < blocks[entry].level)
    return is_repeated or next(above, 0) < blocks[stray].level
