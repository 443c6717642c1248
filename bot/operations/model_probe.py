"""Whether the models answer: one short call each, at the start and when a GM asks for it."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from bot.operations.health import Finding
from rag.errors import ModelError


class ChatModel(Protocol):
    """The part of a chat model that is needed to try it."""

    async def trial(self) -> None:
        """Make one short call. Raises `ModelError`."""


Embed = Callable[[str], object]


async def probe_models(model: ChatModel | None, embed: Embed | None) -> list[Finding]:
    """What is found of the chat model, and of the embedding model where that is a provider's."""
    findings = [await probe(model)]
    return [*findings, await probe_embedding(embed)] if embed else findings


async def probe_embedding(embed: Embed) -> Finding:
    """What the provider's embedding says to one word; the host's sentence where it fails."""
    try:
        await asyncio.to_thread(embed, "ready")
    except ModelError as error:
        return Finding(False, error.key)
    return Finding(True, "check-embedding-works")


async def probe(model: ChatModel | None) -> Finding:
    """What the model server says to one short call; the host's sentence where it fails."""
    if model is None:
        return Finding(True, "check-model-none")
    try:
        await model.trial()
    except ModelError as error:
        return Finding(False, error.key)
    return Finding(True, "check-model-works")
