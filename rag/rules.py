"""A rule is a step that can be turned off by name, so that a benchmark tells what it brings."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec, TypeVar

Args = ParamSpec("Args")
Result = TypeVar("Result")


@dataclass(eq=False)
class Rule:
    """What is known of a rule: its name, the first line of its docstring, the module that it is in."""

    name: str
    does: str
    module: str
    on: bool = True


RULES: list[Rule] = []
"""The rules of all modules that are loaded."""


def rule(without: Callable[..., Any]) -> Callable[[Callable[Args, Result]], Callable[Args, Result]]:
    """Make a rule of the function below, which is named by it.

    While the rule is off, `without` is called in its place: with the same arguments, for the neutral result.
    """

    def decorated(step: Callable[Args, Result]) -> Callable[Args, Result]:
        made = Rule(
            step.__name__.strip("_").replace("_", " "),
            (step.__doc__ or "").partition("\n")[0],
            step.__module__,
        )
        RULES.append(made)

        @wraps(step)
        def chosen(*args: Args.args, **kwargs: Args.kwargs) -> Result:
            called: Callable[Args, Result] = step if made.on else without
            return called(*args, **kwargs)

        return chosen

    return decorated


@contextmanager
def turned_off(rules: Sequence[Rule]) -> Iterator[None]:
    """Turn rules off for a while. What was computed and kept before is not computed anew."""
    for each in rules:
        each.on = False
    try:
        yield
    finally:
        for each in rules:
            each.on = True
