"""What was asked for last, kept by its key."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """Keeps the `size` values that were asked for last. Safe to use from several threads."""

    def __init__(self, size: int) -> None:
        self._size = size
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
            found = {key: self._values[key] for key in wanted if key in self._values}
        if missing := [key for key in wanted if key not in found]:
            found.update(make(missing))
        with self._lock:
            for key, value in found.items():
                # What was asked for last stands last, and is dropped last.
                self._values.pop(key, None)
                self._values[key] = value
            while len(self._values) > self._size:
                del self._values[next(iter(self._values))]
        return found
