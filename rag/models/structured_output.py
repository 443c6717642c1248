"""Structured output from any server: several methods of asking for it, and a tolerant reader of replies."""

import asyncio
import json
import logging
import re
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from itertools import islice
from typing import Any, Protocol, TypeVar, runtime_checkable

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel, ValidationError

from rag.errors import (
    ModelDeclined,
    ModelError,
    ReplyBrokenOff,
    ReplyCutOff,
    ReplyFiltered,
    RequestRefused,
    UnusableReply,
)
from rag.models.usage import REPLY_TOKENS
from rag.prompts import Prompt
from rag.texts import texts_for

log = logging.getLogger(__name__)

Filled = TypeVar("Filled", bound=BaseModel)

OBJECTS_TRIED = 100
"""Opening braces of a reply at which an object is looked for; what is hidden deeper is no reply."""
FAILURES_BEFORE_CHANGE = 2
"""Calls in a row that only a later method saved, after which a server is asked by that one from the first."""
LONGEST_REPLY = 20_000
"""Characters of a reply without its thoughts; no schema of ours holds more."""
REPEATED_CHARACTERS, LONGEST_REPEATED = 600, 150
"""A reply whose last so many characters are one piece again and again, no longer than this, finds no end."""
CHARACTERS_BETWEEN_LOOKS = 100
"""How much of a reply is written between two looks whether it finds an end."""
TOKENS_OF_THOUGHTS = 4_000
"""Room for what a model thinks before its reply, where its server does not let it be turned off."""
FEWEST_CHARACTERS_A_TOKEN = 2
"""The fewest that a token of a reply holds on average: languages other than English take more tokens."""
CHARACTERS_OF_A_FIELD, ITEMS_OF_A_LIST = 100, 10
"""What is reckoned for fields and lists without a bound of their own."""
BETWEEN_ITEMS = re.compile(r"[\s,]*")
_THINKS = r"(?:think(?:ing)?|thoughts?|reasoning)>"
THOUGHTS = re.compile(rf"<{_THINKS}.*?</{_THINKS}|\A(?:(?!<{_THINKS}).)*?</{_THINKS}|<{_THINKS}.*", re.DOTALL)
"""What a reasoning model writes before its reply; some servers leave out where it begins."""
_END_OF_TAG = re.compile(_THINKS)
_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")
_PYTHON_CONSTANT = re.compile(r"(?<=[\[:,\s])(True|False|None)(?=\s*[,}\]])")
_JSON_CONSTANTS = {"True": "true", "False": "false", "None": "null"}
INSTRUCTION = """

Reply with one JSON object and nothing else: no introduction, no code fence. It fits this JSON schema:
{schema}"""


class Method(IntEnum):
    """The methods of asking, the one that binds the model most first."""

    SCHEMA = 0
    """The server holds the model to the schema."""
    JSON = 1
    """The server holds the model to JSON; the schema stands in the prompt."""
    PLAIN = 2
    """The schema stands in the prompt, and that is all."""


class MethodOrder:
    """Which methods of asking are tried on one server, in which order, learnt from its replies.

    A method that the server refuses, or replies to badly, is given up after two such calls in a row of
    which a later one saved each: one may be chance. So is streaming, where a reply in one piece saved them.
    """

    def __init__(self) -> None:
        self.first = Method.SCHEMA
        self.streams = True
        self._failures = 0
        self._broken_streams = 0

    @property
    def methods(self) -> Sequence[Method]:
        """The methods to try, in order."""
        return tuple(Method)[self.first :]

    def worked(self, method: Method) -> None:
        """Take note of the method that brought a usable reply."""
        self._failures = self._failures + 1 if method > self.first else 0
        if self._failures >= FAILURES_BEFORE_CHANGE:
            log.info("the chat model's server is asked in the form %s from now on", method.name.lower())
            self.first, self._failures = method, 0

    def streamed(self, well: bool) -> None:
        """Take note of a reply that came as a stream, or in one piece after a stream that did not."""
        self._broken_streams = 0 if well else self._broken_streams + 1
        if self._broken_streams >= FAILURES_BEFORE_CHANGE:
            log.info("the chat model's server is asked for replies in one piece from now on")
            self.streams = False


@runtime_checkable
class Remembering(Protocol):
    """A chat model that remembers which methods its server takes."""

    @property
    def method_order(self) -> MethodOrder: ...


def method_order_of(model: BaseChatModel) -> MethodOrder:
    """The order of methods that a chat model remembers; for others one to begin anew with."""
    return model.method_order if isinstance(model, Remembering) else MethodOrder()


class Watcher(Protocol):
    """Reads a reply while it is being written."""

    @property
    def has_told(self) -> bool:
        """Whether readers know something of the reply: no other may take its place then."""

    def see(self, text: str) -> None:
        """Take the reply so far; called in a thread, whenever an object in it may have become whole."""


async def fill(
    model: BaseChatModel,
    prompt: Prompt,
    schema: type[Filled],
    *,
    hop: int | None = None,
    watcher: Watcher | None = None,
    is_needed: bool = True,
    **values: str,
) -> Filled:
    """Ask a chat model a prompt and read its reply as `schema`, by each method at most once.

    A reply that is not needed is asked for by one method alone: nobody waits for a second try.

    A reply that was cut off is not asked for again: another method makes it no shorter.
    `hop` is for the trace. For a watcher the first method is asked for as a stream. Raises `ModelError`
    where the provider fails or no reply fits.
    """
    order = method_order_of(model)
    messages = prompt.messages(**values)
    failure: ModelError = UnusableReply()
    for method in order.methods if is_needed else order.methods[:1]:
        request = request_for(method, messages, schema)
        watching = watcher if method is order.first else None
        try:
            filled = filled_from(await watched(model, request, watching, prompt.run(hop)), schema)
        except (RequestRefused, UnusableReply) as error:
            if watcher and watcher.has_told:
                raise
            failure = error
            form, reason = method.name.lower(), type(error).__name__
            log.info("%s: no reply in the form %s: %s", prompt.name, form, reason)
        except ReplyCutOff as error:
            log.warning("%s: %s", prompt.name, texts_for("en")(error.key))
            raise
        else:
            order.worked(method)
            return filled
    log.warning("%s: the model gave no usable reply in any form: %s", prompt.name, type(failure).__name__)
    raise failure


@dataclass(frozen=True, slots=True)
class Request:
    """What one form of asking sends: the messages and the further arguments of the call."""

    messages: Sequence[BaseMessage]
    arguments: dict[str, Any]


def request_for(method: Method, messages: Sequence[BaseMessage], schema: type[BaseModel]) -> Request:
    """A prompt's messages in one method of asking for `schema`; pure."""
    bound = {"max_tokens": reply_tokens(schema)}
    if method is Method.SCHEMA:
        return Request(messages, {"response_format": response_format(schema), **bound})
    instruction = INSTRUCTION.format(schema=json.dumps(schema.model_json_schema(), ensure_ascii=False))
    # Behind the rest: what prompts have in common stays their beginning, which servers read once.
    *before, last = messages
    instructed = [*before, last.model_copy(update={"content": f"{last.text}{instruction}"})]
    form = {"response_format": {"type": "json_object"}} if method is Method.JSON else {}
    return Request(instructed, {**form, **bound})


@cache
def reply_tokens(schema: type[BaseModel]) -> int:
    """How many tokens a reply may take: what the schema holds within its bounds, and thoughts; pure."""
    form = schema.model_json_schema()
    characters = _most_characters(form, form.get("$defs", {}))
    return min(REPLY_TOKENS, characters // FEWEST_CHARACTERS_A_TOKEN + TOKENS_OF_THOUGHTS)


def _most_characters(form: Mapping[str, Any], named: Mapping[str, Any]) -> int:
    """About how long what fits a part of a JSON schema may be."""
    match form:
        case {"$ref": str(reference)}:
            return _most_characters(named[reference.rpartition("/")[2]], named)
        case {"anyOf": list(forms)}:
            return max(_most_characters(one, named) for one in forms)
        case {"type": "object"}:
            fields = form.get("properties", {})
            return sum(len(name) + _most_characters(one, named) for name, one in fields.items())
        case {"type": "array"}:
            items = int(form.get("maxItems", ITEMS_OF_A_LIST))
            return items * _most_characters(form.get("items", {}), named)
        case _:
            return int(form.get("maxLength", CHARACTERS_OF_A_FIELD))


@cache
def response_format(schema: type[BaseModel]) -> dict[str, Any]:
    """A schema in the form of chat completions' native structured output.

    Source: OpenAI, "Structured outputs": every field required, no additional properties.
    """
    function = convert_to_openai_tool(schema, strict=True)["function"]
    return {
        "type": "json_schema",
        "json_schema": {"name": schema.__name__, "strict": True, "schema": function["parameters"]},
    }


async def watched(
    model: BaseChatModel, request: Request, watcher: Watcher | None, run: RunnableConfig | None = None
) -> BaseMessage:
    """The model's reply to a request, streamed to a watcher where the server streams, else in one piece.

    Raises `ModelError`.
    """
    order = method_order_of(model)
    if watcher is None or not order.streams:
        return await answered(model, request, run)
    try:
        reply = await streamed(model, request, watcher, run)
    except (RequestRefused, ReplyBrokenOff) as error:
        if watcher.has_told:
            raise
        log.info("no reply as a stream: %s", type(error).__name__)
    else:
        order.streamed(well=True)
        return reply
    reply = await answered(model, request, run)
    order.streamed(well=False)
    return reply


async def streamed(
    model: BaseChatModel, request: Request, watcher: Watcher, run: RunnableConfig | None = None
) -> BaseMessage:
    """The model's reply to a request, seen by a watcher while it is being written.

    One that finds no end is ended, as one that was cut off. Raises `ModelError`, whatever the model's
    client raised.
    """
    pieces: list[AIMessage] = []
    text, looked_at = "", 0
    async with aclosing(_pieces(model, request, run)) as written:
        async for piece in written:
            pieces.append(piece)
            text += piece.text
            if "}" in piece.text:
                # Beside the event loop: what a watcher proves of a degenerate reply takes its time.
                await asyncio.to_thread(watcher.see, text)
            if len(text) - looked_at >= CHARACTERS_BETWEEN_LOOKS:
                looked_at = len(text)
                if isinstance(piece, AIMessageChunk) and finds_no_end(text):
                    pieces.append(AIMessageChunk(content="", response_metadata={"finish_reason": "length"}))
                    break
    if not pieces:
        raise RequestRefused
    first, *further = pieces
    return first + further if isinstance(first, AIMessageChunk) else first


def finds_no_end(text: str) -> bool:
    """Whether a reply that is being written is longer than any may be, or repeats itself endlessly; pure."""
    if len(text) > LONGEST_REPLY and len(without_thoughts(text)) > LONGEST_REPLY:
        return True
    tail = text[-REPEATED_CHARACTERS:]
    if len(tail) < REPEATED_CHARACTERS:
        return False
    return any(tail.startswith(tail[shift:]) for shift in range(1, LONGEST_REPEATED + 1))


async def _pieces(
    model: BaseChatModel, request: Request, run: RunnableConfig | None
) -> AsyncGenerator[AIMessage]:
    """The pieces of a reply; of a model that does not stream the whole as one."""
    try:
        async for piece in model.bind(**request.arguments).astream(list(request.messages), run):
            yield piece
    except ModelError:
        raise
    except Exception as error:
        raise _failure(error) from None


async def answered(model: BaseChatModel, request: Request, run: RunnableConfig | None = None) -> BaseMessage:
    """The model's reply to a request, traced as `run`.

    Raises `ModelError`, whatever the model's client raised.
    """
    try:
        reply: BaseMessage = await model.bind(**request.arguments).ainvoke(list(request.messages), run)
    except ModelError:
        raise
    except Exception as error:
        raise _failure(error) from None
    return reply


def _failure(error: Exception) -> ModelError:
    """What a chat model that is not ours raised as an error of ours, without its words."""
    log.warning("the chat model failed: %s", type(error).__name__)
    return ModelError()


def text_of(reply: BaseMessage) -> str:
    """The text of a reply, or what it hands to a tool of its own invention: some models always call one.

    Raises `ModelDeclined`, `ReplyFiltered`, `ReplyCutOff`, or `UnusableReply` where it is empty.
    """
    finish = reply.response_metadata.get("finish_reason")
    if reply.additional_kwargs.get("refusal"):
        raise ModelDeclined
    if finish == "content_filter":
        raise ReplyFiltered
    if finish == "length":
        raise ReplyCutOff
    if reply.text.strip():
        return str(reply.text)
    if isinstance(reply, AIMessage) and reply.tool_calls:
        return json.dumps(reply.tool_calls[0]["args"])
    raise UnusableReply


def filled_from(reply: BaseMessage, schema: type[Filled]) -> Filled:
    """A reply read as `schema`; of one that was cut off, a whole object before the cut.

    Raises what `text_of` and `read` raise.
    """
    try:
        return read(text_of(reply), schema)
    except ReplyCutOff:
        with suppress(UnusableReply):
            return read(reply.text, schema)
        raise


def read(text: str, schema: type[Filled]) -> Filled:
    """The first JSON object in a text that fits `schema`, through fences, prose and thoughts; pure.

    Where none does, the first that fits with its keys in small letters, or once what is nearly JSON is JSON.
    Raises `UnusableReply` where there is none.
    """
    reply = without_thoughts(text)
    for written in dict.fromkeys((reply, _as_json(reply))):
        for value in islice(_objects(written), OBJECTS_TRIED):
            for form in (value, _in_small_letters(value)):
                # What is nested too deeply is no reply either.
                with suppress(ValidationError, RecursionError):
                    return schema.model_validate(form)
    raise UnusableReply


def _as_json(text: str) -> str:
    """A reply without commas behind the last item, and with Python's constants as JSON's."""
    return _PYTHON_CONSTANT.sub(lambda one: _JSON_CONSTANTS[one[0]], _TRAILING_COMMA.sub("", text))


def _in_small_letters(value: Any) -> Any:
    """An object, and those in its lists, with keys in small letters."""
    if isinstance(value, dict):
        return {
            key.lower(): [_in_small_letters(item) for item in one] if isinstance(one, list) else one
            for key, one in value.items()
        }
    return value


def without_thoughts(text: str) -> str:
    """A reply, also one that is being written, without what the model thinks before it; pure."""
    return THOUGHTS.sub("", text) if _END_OF_TAG.search(text) else text


def whole_items(text: str, start: int, limit: int) -> list[Any]:
    """The objects of a JSON list that are whole, while the rest is being written, at most `limit`; pure.

    `start` is the place in the text right behind the list's opening bracket.
    """
    decoder = json.JSONDecoder(strict=False)
    items: list[Any] = []
    while len(items) < limit and text.startswith("{", start := _item_start(text, start)):
        try:
            item, start = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            break
        items.append(item)
    return items


def _item_start(text: str, start: int) -> int:
    gap = BETWEEN_ITEMS.match(text, start)
    return gap.end() if gap else start


def _objects(text: str) -> Iterator[Any]:
    """What can be read at each opening brace of a text; None where nothing can.

    A list that stands before the first brace is read as well.
    """
    decoder = json.JSONDecoder(strict=False)
    start = text.find("{")
    if (bracket := text.find("[")) >= 0 and bracket < start:
        with suppress(ValueError, RecursionError):
            yield decoder.raw_decode(text, bracket)[0]
    while start >= 0:
        try:
            yield decoder.raw_decode(text, start)[0]
        except (ValueError, RecursionError):
            yield None
        start = text.find("{", start + 1)
