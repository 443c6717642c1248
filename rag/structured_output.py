"""Structured output from any server: a ladder of forms to ask in, and a tolerant reader of replies."""

import json
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import islice
from typing import Any, Protocol, TypeVar, runtime_checkable

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel, ValidationError

from rag.errors import ModelDeclined, ModelError, ReplyFiltered, RequestRefused, UnusableReply
from rag.prompts import Prompt

log = logging.getLogger(__name__)

Filled = TypeVar("Filled", bound=BaseModel)

OBJECTS_TRIED = 100
"""Opening braces of a reply at which an object is looked for; what is hidden deeper is no reply."""
SLIPS_BEFORE_DEMOTION = 2
"""Calls in a row that only a lower form saved, after which a server is asked in that form from the first."""
INSTRUCTION = """

Reply with one JSON object and nothing else: no introduction, no code fence. It fits this JSON schema:
{schema}"""


class Rung(IntEnum):
    """The forms of asking, the one that binds the model most first."""

    SCHEMA = 0
    """The server holds the model to the schema."""
    JSON = 1
    """The server holds the model to JSON; the schema stands in the prompt."""
    PLAIN = 2
    """The schema stands in the prompt, and that is all."""


class Ladder:
    """Which form of asking works on one server, learnt from its replies.

    A form that the server refuses, or replies to badly, is given up after two such calls in a row of
    which a lower form saved each: one may be chance.
    """

    def __init__(self) -> None:
        self.start = Rung.SCHEMA
        self._slips = 0

    @property
    def rungs(self) -> Sequence[Rung]:
        """The forms to try, in order."""
        return tuple(Rung)[self.start :]

    def worked(self, rung: Rung) -> None:
        """Take note of the form in which a usable reply came."""
        self._slips = self._slips + 1 if rung > self.start else 0
        if self._slips >= SLIPS_BEFORE_DEMOTION:
            log.info("the chat model's server is asked in the form %s from now on", rung.name.lower())
            self.start, self._slips = rung, 0


@runtime_checkable
class Remembering(Protocol):
    """A chat model that remembers which form its server takes."""

    @property
    def ladder(self) -> Ladder: ...


def ladder_of(model: BaseChatModel) -> Ladder:
    """The ladder that a chat model remembers; for others one to begin anew with."""
    return model.ladder if isinstance(model, Remembering) else Ladder()


async def fill(
    model: BaseChatModel, prompt: Prompt, schema: type[Filled], *, hop: int | None = None, **values: str
) -> Filled:
    """Ask a chat model a prompt and read its reply as `schema`, each form of asking at most once.

    `hop` is for the trace. Raises `ModelError` where the provider fails or no reply fits.
    """
    ladder = ladder_of(model)
    messages = prompt.messages(**values)
    failure: ModelError = UnusableReply()
    for rung in ladder.rungs:
        request = request_for(rung, messages, schema)
        try:
            filled = read(text_of(await answered(model, request, prompt.run(hop))), schema)
        except (RequestRefused, UnusableReply) as error:
            failure = error
            log.info("%s: no reply in the form %s: %s", prompt.name, rung.name.lower(), type(error).__name__)
        else:
            ladder.worked(rung)
            return filled
    log.warning("%s: the model gave no usable reply in any form: %s", prompt.name, type(failure).__name__)
    raise failure


@dataclass(frozen=True, slots=True)
class Request:
    """What one form of asking sends: the messages and the further arguments of the call."""

    messages: Sequence[BaseMessage]
    arguments: dict[str, Any]


def request_for(rung: Rung, messages: Sequence[BaseMessage], schema: type[BaseModel]) -> Request:
    """A prompt's messages in one form of asking for `schema`; pure."""
    if rung is Rung.SCHEMA:
        return Request(messages, {"response_format": response_format(schema)})
    instruction = INSTRUCTION.format(schema=json.dumps(schema.model_json_schema(), ensure_ascii=False))
    first, *further = messages
    instructed = [first.model_copy(update={"content": f"{first.text}{instruction}"}), *further]
    return Request(instructed, {"response_format": {"type": "json_object"}} if rung is Rung.JSON else {})


def response_format(schema: type[BaseModel]) -> dict[str, Any]:
    """A schema in the form of chat completions' native structured output.

    Source: OpenAI, "Structured outputs": every field required, no additional properties.
    """
    function = convert_to_openai_tool(schema, strict=True)["function"]
    return {
        "type": "json_schema",
        "json_schema": {"name": schema.__name__, "strict": True, "schema": function["parameters"]},
    }


async def answered(model: BaseChatModel, request: Request, run: RunnableConfig | None = None) -> BaseMessage:
    """The model's reply to a request, traced as `run`.

    Raises `ModelError`, whatever the model's client raised.
    """
    try:
        reply: BaseMessage = await model.bind(**request.arguments).ainvoke(list(request.messages), run)
    except ModelError:
        raise
    except Exception as error:
        # A chat model that is not ours raises what it likes; the question goes on without this reply.
        log.warning("the chat model failed: %s", type(error).__name__)
        raise ModelError from error
    return reply


def text_of(reply: BaseMessage) -> str:
    """The text of a reply.

    Raises `ModelDeclined`, `ReplyFiltered`, or `UnusableReply` where it is empty or was cut off.
    """
    finish = reply.response_metadata.get("finish_reason")
    if reply.additional_kwargs.get("refusal"):
        raise ModelDeclined
    if finish == "content_filter":
        raise ReplyFiltered
    if finish == "length" or not reply.text.strip():
        raise UnusableReply
    return str(reply.text)


def read(text: str, schema: type[Filled]) -> Filled:
    """The first JSON object in a text that fits `schema`, through fences and prose; pure.

    Raises `UnusableReply` where there is none.
    """
    for value in islice(_objects(text), OBJECTS_TRIED):
        try:
            return schema.model_validate(value)
        except ValidationError:
            continue
    raise UnusableReply


def _objects(text: str) -> Iterator[Any]:
    """What can be read at each opening brace of a text; None where nothing can."""
    decoder = json.JSONDecoder()
    start = text.find("{")
    while start >= 0:
        try:
            yield decoder.raw_decode(text, start)[0]
        except (ValueError, RecursionError):
            yield None
        start = text.find("{", start + 1)
