"""What a question costs at the provider, in calls, tokens and money, and the bounds that it cannot pass."""

import logging
from collections.abc import Iterable
from typing import Any, NamedTuple
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, Generation, LLMResult

from rag.config import Settings
from rag.errors import ModelError, QuestionBudgetSpent
from rag.state import Usage

CHARACTERS_A_TOKEN = 4
"""About what a token of English holds (OpenAI, "What are tokens?"), for servers that report no usage."""
REPLY_TOKENS = 8_000
"""What a reply may be long, so that a model that finds no end is not billed without one. An answer takes
some hundreds; the rest is room for what reasoning models think."""
SMALLEST_CONTEXT = 1_024
"""Tokens; contexts are multiples of it."""
LEAST_READ = CHARACTERS_A_TOKEN / 6
"""Share of a prompt's estimated tokens below which a count is no other language's, but a part's: no
tokeniser holds six characters a token."""
TOKENS_PRICED = 1_000_000

# Of a call that a question's bound forbids, LangChain warns in the log; here the answer says it.
logging.getLogger("langchain_core.callbacks.manager").setLevel(logging.ERROR)


class PromptCut(NamedTuple):
    """A prompt that the server cut in silence: the tokens it read, and about how many were sent.

    Ollama does so where a prompt is longer than the model's context. Below the smallest context the figure
    is no count at all.
    """

    read: int
    sent: int

    @property
    def is_sure(self) -> bool:
        """Whether the figures tell so: the whole context was read, or far too few tokens."""
        is_full_context = self.read % SMALLEST_CONTEXT == 0 and self.read < self.sent
        return self.read >= SMALLEST_CONTEXT and (is_full_context or self.read < self.sent * LEAST_READ)


class Meter(BaseCallbackHandler):
    """Counts the chat model's calls and tokens during one question, and lets none pass beyond the bounds.

    A call counts as it begins, whatever becomes of it. Until its reply tells the tokens, and for good
    where none comes, it counts what was sent, by characters: a call that was given up may be billed.
    Only what the provider turned away with an HTTP status is free.
    """

    raise_error = True
    """LangChain swallows what a handler raises unless told not to; a call beyond a bound must not be made."""
    run_inline = True
    """One call after the other, not in threads: calls that begin together cannot pass a bound together."""

    def __init__(self, settings: Settings | None = None) -> None:
        """Take the settings with the bounds and the prices; without them the defaults hold."""
        self._settings = settings or Settings.model_construct()
        self._calls = 0
        self._told = Usage()
        self._unanswered: dict[UUID, int] = {}
        self.prompt_cut: PromptCut | None = None
        """The last prompt of which the server read but a part, if there was one."""

    @property
    def usage(self) -> Usage:
        """What was used so far."""
        sent = self._told.input_tokens + sum(self._unanswered.values())
        received = self._told.output_tokens
        estimated = self._told.estimated or bool(self._unanswered)
        price_input, price_output = self._settings.price_input, self._settings.price_output
        money = None
        if price_input is not None and price_output is not None:
            money = (price_input * sent + price_output * received) / TOKENS_PRICED
        return Usage(self._calls, sent, received, estimated, money)

    def on_chat_model_start(
        self, serialized: dict[str, Any], messages: list[list[BaseMessage]], *, run_id: UUID, **kwargs: Any
    ) -> None:
        """Count a call as it begins. Raises `QuestionBudgetSpent` instead of letting it pass a bound."""
        sent = _estimated(message.text for batch in messages for message in batch)
        bounds = self._settings
        if self._calls >= bounds.question_calls or self.usage.tokens + sent > bounds.question_tokens:
            raise QuestionBudgetSpent(calls=self._calls, tokens=self.usage.tokens)
        self._calls += 1
        self._unanswered[run_id] = sent

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **kwargs: Any) -> None:
        """Add the tokens of a reply, also of a streamed one; an empty one is no reply."""
        replies = [reply for generations in response.generations for reply in generations]
        if replies:
            sent = self._unanswered.pop(run_id, 0)
            told = _told(replies[0], sent)
            self._told += told
            cut = PromptCut(told.input_tokens, sent)
            if not told.estimated and cut.is_sure:
                self.prompt_cut = cut

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        """Take back what was sent where the provider would not have it."""
        if isinstance(error, ModelError) and error.status:
            self._unanswered.pop(run_id, None)


def _told(generation: Generation, sent: int) -> Usage:
    """The tokens of a reply: as the server counted them, else by characters."""
    message = generation.message if isinstance(generation, ChatGeneration) else None
    took = message.usage_metadata if isinstance(message, AIMessage) else None
    if took and took["total_tokens"] > 0:
        return Usage(input_tokens=max(0, took["input_tokens"]), output_tokens=max(0, took["output_tokens"]))
    return Usage(input_tokens=sent, output_tokens=_estimated([generation.text]), estimated=True)


def _estimated(texts: Iterable[str]) -> int:
    """About how many tokens texts are, rounded up."""
    return -(-sum(map(len, texts)) // CHARACTERS_A_TOKEN)
