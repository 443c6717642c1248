"""Items that follow one another, in runs of those that go together. Pure."""

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
