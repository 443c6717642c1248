"""Items in runs of those that go together; and what most of a text has. Pure."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def in_runs(items: Iterable[T], goes_on: Callable[[list[T], T], bool]) -> Iterator[list[T]]:
    """The items in runs: one belongs to the run before it where `goes_on(run, item)`."""
    run: list[T] = []
    for item in items:
        if run and not goes_on(run, item):
            yield run
            run = []
        run.append(item)
    if run:
        yield run


def of_most_letters(texts: Iterable[tuple[T, str]], default: T) -> T:
    """What most letters have, of texts with what each has; `default` where there are none."""
    letters: Counter[T] = Counter()
    for own, text in texts:
        letters[own] += len(text)
    return max(letters, key=letters.__getitem__, default=default)
