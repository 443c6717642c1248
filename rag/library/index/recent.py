"""What was asked for last, kept by its key."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

ENTRY_BYTES = 500
"""What an entry takes besides its value, with its key, where values are weighed in bytes."""


class Recent(Generic[Key, Value]):
    """Keeps values of about `size` in all, those that were asked for last. Safe to use from several threads.

    Each counts as one, or as `weigh` tells.
    """

    def __init__(self, size: int, weigh: Callable[[Value], int] = lambda value: 1) -> None:
        self._size = size
        self._weigh = weigh
        self._weight = 0
        self._lock = Lock()
        self._values: dict[Key, Value] = {}

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """The value of a key, made where it is not kept; two threads may make it at once."""
        return self.get_all([key], lambda keys: dict.fromkeys(keys, make()))[key]

    def get_all(
        self, keys: Iterable[Key], make: Callable[[list[Key]], Mapping[Key, Value]]
    ) -> dict[Key, Value]:
        """The values of keys, those that are not kept made together."""
        wanted = list(dict.fromkeys(keys))
        with self._lock:
            found = {key: self._values.pop(key) for key in wanted if key in self._values}
            # What was asked for last stands last, and is dropped last.
            self._values.update(found)
        if missing := [key for key in wanted if key not in found]:
            made = make(missing)
            found.update(made)
            with self._lock:
                for key, value in made.items():
                    self._drop(key)
                    self._values[key] = value
                    self._weight += self._weigh(value)
                while self._weight > self._size:
                    self._drop(next(iter(self._values)))
        return found

    def _drop(self, key: Key) -> None:
        if key in self._values:
            self._weight -= self._weigh(self._values.pop(key))
