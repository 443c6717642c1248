"""How a request finds its route."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from .faults import Answer
from .gateway import Gateway
from .messages import Message
from .places import Json
from .world import World

NO_CONTENT = Answer(204)
CREATED = 201


@dataclass
class Call:
    """A request on its way to a route: `ids` are the numbers in its path."""

    world: World
    gateway: Gateway
    ids: list[int]
    token: str
    body: Json | list[Json]
    query: dict[str, str] = field(default_factory=dict)
    files: list[Json] = field(default_factory=list)

    @property
    def form(self) -> Json:
        """The body of a route that takes an object."""
        return self.body if isinstance(self.body, dict) else {}

    def shown(self, message: Message) -> Answer:
        """Answer with a message as the bot may see it."""
        return Answer(200, message.payload())


Handler = Callable[[Call], Answer]


class Routes:
    """A table of routes, filled by decoration.

    In a template `{id}` stands for a snowflake, `{token}` for the token of an interaction.
    """

    def __init__(self) -> None:
        self._handlers: list[tuple[str, re.Pattern[str], Handler]] = []

    def __call__(self, method: str, template: str) -> Callable[[Handler], Handler]:
        pattern = template.replace("{id}", r"(\d+)").replace("{token}", r"(?P<token>[^/]+)")

        def register(handler: Handler) -> Handler:
            self._handlers.append((method, re.compile(pattern), handler))
            return handler

        return register

    def find(self, method: str, path: str) -> Iterator[tuple[Handler, list[int], str]]:
        """The handlers of a request, with the numbers and the token in its path."""
        for expected, pattern, handler in self._handlers:
            found = pattern.fullmatch(path) if expected == method else None
            if found is not None:
                token = found.groupdict().get("token") or ""
                yield handler, [int(group) for group in found.groups() if group != token], token
