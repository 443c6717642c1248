"""Remembers what a function makes of an object, by the object itself and not by what it equals.

Pages are large: hashing and comparing all of one costs more than what is remembered of it saves.
"""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Generic, TypeVar

Item = TypeVar("Item")
Made = TypeVar("Made")


def cached_by_identity(size: int) -> Callable[[Callable[[Item], Made]], Callable[[Item], Made]]:
    """Remember what a function of one object made of the `size` objects asked for last.

    They must not be changed. What is remembered keeps its object alive, so no other takes its identity.
    """

    def decorate(function: Callable[[Item], Made]) -> Callable[[Item], Made]:

        @lru_cache(size)
        def remembered(same: Same[Item]) -> Made:
            return function(same.item)

        @wraps(function)
        def cached(item: Item) -> Made:
            return remembered(Same(item))

        return cached

    return decorate


class Same(Generic[Item]):
    """An object as a key: equal to itself alone."""

    __slots__ = ("item",)

    def __init__(self, item: Item) -> None:
        self.item = item

    def __hash__(self) -> int:
        return id(self.item)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.item is self.item
