"""Whether the chat model answers: one short call, at the start and when a GM asks for it."""

from typing import Protocol

from bot.checks import Finding
from rag.errors import ModelError


class ChatModel(Protocol):
    """The part of a chat model that is needed to try it."""

    async def trial(self) -> None:
        """Make one short call. Raises `ModelError`."""


async def probe(model: ChatModel | None) -> Finding:
    """What the model server says to one short call; the host's sentence where it fails."""
    if model is None:
        return Finding(True, "check-model-none")
    try:
        await model.trial()
    except ModelError as error:
        return Finding(False, error.key)
    return Finding(True, "check-model-works")
