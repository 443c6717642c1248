"""A rule is a step that can be turned off by name, so that a benchmark tells what it brings."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import update_wrapper
from types import MethodType
from typing import Any, Generic, ParamSpec, TypeVar, cast

Args = ParamSpec("Args")
Result = TypeVar("Result")


class Rule(Generic[Args, Result]):
    """A function with a second one, which is called in its place while the rule is off.

    Each package lists its rules in a module `rules.py`, as `RULES`.
    """

    def __init__(self, step: Callable[Args, Result], without: Callable[Args, Result]) -> None:
        """Make a rule of a function; its name and the first line of its docstring tell what it is."""
        self.step = step
        self.without = without
        self.on = True
        self.name = step.__name__.strip("_").replace("_", " ")
        self.does = (step.__doc__ or "").partition("\n")[0]
        update_wrapper(self, step)

    def __call__(self, *args: Args.args, **kwargs: Args.kwargs) -> Result:
        """Do what the function does, or while the rule is off what is done without it."""
        return (self.step if self.on else self.without)(*args, **kwargs)

    def __get__(self, owner: object, of: type | None = None) -> Callable[..., Result]:
        """Be a method where the function is one."""
        return cast(Callable[..., Result], self if owner is None else MethodType(self, owner))


def rule(without: Callable[..., Any]) -> Callable[[Callable[Args, Result]], Rule[Args, Result]]:
    """Make a rule of the function below; `without` takes the same arguments and gives the neutral result."""
    return lambda step: Rule(step, without)


@contextmanager
def turned_off(rules: Sequence[Rule[..., Any]]) -> Iterator[None]:
    """Turn rules off for a while. What was computed and kept before is not computed anew."""
    for each in rules:
        each.on = False
    try:
        yield
    finally:
        for each in rules:
            each.on = True
