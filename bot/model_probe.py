"""Whether the chat model answers: one short call, when a GM asks for it."""

import asyncio
import logging
from typing import Protocol

from bot.checks import ModelState

log = logging.getLogger(__name__)

PROBE_SECONDS = 15.0
STATES = {401: ModelState.REFUSES_KEY, 403: ModelState.REFUSES_KEY, 404: ModelState.UNKNOWN_MODEL}


class ChatModel(Protocol):
    """The part of a chat model that is needed to try it."""

    async def ainvoke(self, input: str) -> object: ...


async def probe(model: ChatModel) -> ModelState:
    """What the model server says to a greeting."""
    try:
        await asyncio.wait_for(model.ainvoke("Answer with the word: ready"), PROBE_SECONDS)
    except Exception as error:
        # Whatever a provider's client raises, its HTTP status tells what to correct.
        log.info("the chat model does not answer: %s", type(error).__name__)
        return STATES.get(getattr(error, "status_code", 0), ModelState.UNREACHABLE)
    return ModelState.WORKS
