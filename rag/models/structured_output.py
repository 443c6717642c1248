"""Structured output from any server: one way to ask, one to fall back on, a tolerant reader of replies."""

import asyncio
import json
import logging
import re
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing, suppress
from functools import cache
from itertools import islice
from typing import Any, Protocol, TypeVar, cast

from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel, ValidationError

from rag.errors import ModelError, ReplyCutOff, ReplyFiltered, RequestRefused, UnusableReply
from rag.models.server import Server
from rag.prompts import Prompt
from rag.texts import texts_for

log = logging.getLogger(__name__)

Filled = TypeVar("Filled", bound=BaseModel)

OBJECTS_TRIED = 100
"""Opening brackets of a reply at which an object is looked for; what is hidden deeper is no reply."""
REPEATED_CHARACTERS, LONGEST_REPEATED = 600, 150
"""A reply whose last so many characters are one piece again and again, no longer than this, finds no end."""
BLANKS = " \t\r\n,"
"""What may stand between the items of a list."""
_THINKS = r"(?:think(?:ing)?|thoughts?|reasoning)>"
THOUGHTS = re.compile(rf"\A.*</{_THINKS}|<{_THINKS}.*", re.DOTALL)
"""What a reasoning model writes before its reply; some servers leave out where it begins."""
OBJECT = re.compile(r"\{|\A[^{\[]*\[(?=\s*\{)")
"""Up to where an object begins, or a list of some that stands before all else."""
INSTRUCTION = """

Reply with one JSON object and nothing else: no introduction, no code fence. It fits this JSON schema:
{schema}"""


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
    heard: Callable[[AIMessage], None] | None = None,
    **values: str,
) -> Filled:
    """Ask a chat model a prompt and read its reply as `schema`.

    The server is asked to keep the reply to the schema; where that brings nothing, once
    more in a plain request with the schema in its words. A server that replied twice in a row to plain
    requests alone is sent no others. A reply that was cut off is not asked for again.
    `hop` is for the trace. For a watcher the first request is streamed. `heard` is called with the reply as
    it came. Raises `ModelError` where the
    provider fails or no reply fits.
    """
    messages = prompt.messages(**values)
    server: Server = getattr(model, "server", None) or Server()
    ways = (False, True) if server.keeps_to_schemas else (True,)
    for is_plain in ways:
        asked = _plainly(messages, schema) if is_plain else messages
        asking = model if is_plain else model.bind(response_format=response_format(schema))
        watching = watcher if is_plain is ways[0] else None
        try:
            reply = await _replied(asking, asked, watching, prompt.run(hop))
            filled = filled_from(reply, schema)
        except (RequestRefused, UnusableReply) as error:
            has_told = watcher is not None and watcher.has_told
            is_last = is_plain or has_told or isinstance(error, ReplyCutOff)
            level = logging.WARNING if is_last else logging.INFO
            log.log(level, "%s: %s", prompt.name, texts_for("en")(error.key))
            if is_last:
                raise
        else:
            server.replied(is_plain=is_plain)
            if heard:
                heard(reply)
            return filled
    raise UnusableReply


def _plainly(messages: Sequence[BaseMessage], schema: type[BaseModel]) -> Sequence[BaseMessage]:
    """A prompt's messages with the schema in their words.

    It stands behind the rest: what prompts have in common stays their beginning, which servers read once.
    """
    *before, last = messages
    instruction = INSTRUCTION.format(schema=json.dumps(schema.model_json_schema(), ensure_ascii=False))
    return [*before, last.model_copy(update={"content": f"{last.text}{instruction}"})]


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


Asking = Runnable[LanguageModelInput, AIMessage]


async def _replied(
    asking: Asking, messages: Sequence[BaseMessage], watcher: Watcher | None, run: RunnableConfig
) -> AIMessage:
    """The model's reply, streamed where there is a watcher. Raises `ModelError`, whatever a client raised."""
    try:
        if watcher:
            return await _streamed(asking, messages, watcher, run)
        return await asking.ainvoke(list(messages), run)
    except ModelError:
        raise
    except Exception as error:
        # The words of a client that is not ours may hold the key or the prompt.
        log.warning("the chat model failed: %s", type(error).__name__)
        raise ModelError from None


async def _streamed(
    asking: Asking, messages: Sequence[BaseMessage], watcher: Watcher, run: RunnableConfig
) -> AIMessage:
    """The model's reply, seen by a watcher while it is being written.

    One that finds no end is ended, as one that was cut off.
    """
    pieces: list[AIMessage] = []
    text = ""
    stream = cast(AsyncGenerator[AIMessage], asking.astream(list(messages), run))
    async with aclosing(stream) as written:
        async for piece in written:
            pieces.append(piece)
            text += piece.text
            if "}" in piece.text:
                # Beside the event loop: what a watcher proves of a degenerate reply takes its time.
                await asyncio.to_thread(watcher.see, text)
            if isinstance(piece, AIMessageChunk) and finds_no_end(text):
                pieces.append(AIMessageChunk(content="", response_metadata={"finish_reason": "length"}))
                break
    if not pieces:
        raise RequestRefused
    first, *further = pieces
    return cast(AIMessage, first + further) if isinstance(first, AIMessageChunk) else first


def finds_no_end(text: str) -> bool:
    """Whether a reply that is being written repeats itself endlessly; pure."""
    tail, shifts = text[-REPEATED_CHARACTERS:], range(1, LONGEST_REPEATED + 1)
    return len(tail) == REPEATED_CHARACTERS and any(tail.startswith(tail[shift:]) for shift in shifts)


def filled_from(reply: AIMessage, schema: type[Filled]) -> Filled:
    """A reply read as `schema`; of one that was cut off, a whole object before the cut.

    Some models always call a tool: what the reply hands to one of its own invention is read as well.
    Raises `ReplyFiltered`, `ReplyCutOff`, or what `read` raises.
    """
    finish = reply.response_metadata.get("finish_reason")
    if finish == "content_filter":
        raise ReplyFiltered
    calls = reply.tool_calls
    text = json.dumps(calls[0]["args"]) if calls and not reply.text.strip() else reply.text
    try:
        return read(text, schema)
    except UnusableReply:
        if finish == "length":
            raise ReplyCutOff from None
        raise


def read(text: str, schema: type[Filled]) -> Filled:
    """The first JSON object in a text that fits `schema`, through fences, prose and thoughts; pure.

    Raises `UnusableReply` where there is none.
    """
    for value in islice(_objects(without_thoughts(text)), OBJECTS_TRIED):
        # What is nested too deeply is no reply either.
        with suppress(ValidationError, RecursionError):
            return schema.model_validate(value)
    raise UnusableReply


def without_thoughts(text: str) -> str:
    """A reply, also one that is being written, without what the model thinks before it; pure."""
    return THOUGHTS.sub("", text) if ">" in text else text


def whole_items(text: str, start: int, limit: int) -> list[Any]:
    """The objects of a JSON list that are whole, while the rest is being written, at most `limit`; pure.

    `start` is the place in the text right behind the list's opening bracket.
    """
    decoder = json.JSONDecoder(strict=False)
    items: list[Any] = []
    rest = text[start:].lstrip(BLANKS)
    while len(items) < limit and rest.startswith("{"):
        try:
            item, end = decoder.raw_decode(rest)
        except (ValueError, RecursionError):
            break
        items.append(item)
        rest = rest[end:].lstrip(BLANKS)
    return items


def _objects(text: str) -> Iterator[Any]:
    """What can be read wherever an object begins in a text; None where nothing can."""
    decoder = json.JSONDecoder(strict=False)
    for begin in OBJECT.finditer(text):
        try:
            yield decoder.raw_decode(text, begin.end() - 1)[0]
        except (ValueError, RecursionError):
            yield None
