"""A chat model that answers from a script, whole or as a stream, and remembers what it was sent."""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from pydantic import Field

from rag.library.language.words import content_words
from rag.nodes.citations import canonical

CHARACTERS_A_PIECE = 40
BEGINNING = 40
"""Characters by which a line is known again, though a request shows a part of it."""
SCHEMA_TITLE = re.compile(r'"title": "(\w+)", "type": "object"')
STATEMENT = re.compile(r"^\[(s\d+)\] (.*)$", re.MULTILINE)

Reply = Mapping[str, Any]
Answerer = Callable[[str, int], Reply]
"""Makes a reply of a prompt and of how often the schema was asked for before."""
Script = dict[str, Answerer]
"""By the name of a schema what is replied."""


class ScriptedModel(BaseChatModel):
    """Replies by the name of the schema asked for; `cut` ends every draft after so many statements."""

    script: Script = Field(default_factory=dict)
    cut: int | None = None
    calls: list[tuple[str, str]] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=AIMessage(self._text(messages, kwargs)))])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        text = self._text(messages, kwargs)
        for start in range(0, len(text), CHARACTERS_A_PIECE):
            piece = text[start : start + CHARACTERS_A_PIECE]
            yield ChatGenerationChunk(message=AIMessageChunk(content=piece))

    def prompts_of(self, *schemas: str) -> list[str]:
        """The prompts that asked for one of these schemas, in order."""
        return [prompt for schema, prompt in self.calls if schema in schemas]

    def _text(self, messages: Sequence[BaseMessage], arguments: Mapping[str, Any]) -> str:
        prompt = "\n".join(message.text for message in messages)
        schema = _schema_of(prompt, arguments)
        asked_before = len(self.prompts_of(schema))
        self.calls.append((schema, prompt))
        text = json.dumps(self.script[schema](prompt, asked_before), ensure_ascii=False)
        if schema == "Draft" and self.cut is not None:
            ends = [match.end() for match in re.finditer(r'"\}', text)]
            text = text[: ends[min(self.cut, len(ends)) - 1] + 1] if ends else text
        return text


def _schema_of(prompt: str, arguments: Mapping[str, Any]) -> str:
    native = arguments.get("response_format", {}).get("json_schema")
    return str(native["name"] if native else SCHEMA_TITLE.findall(prompt)[-1])


POOR = ["rules of the game", "the character", "what the dice say", "a player's turn", "equipment list"]
SINGLE_WORDS = (["weapon", "spell", "damage", "level"], ["armor", "cost", "attack", "skill"])
ENOUGH = {"sufficient": True, "new_queries": []}

GATHERINGS = (
    "judge content",
    "sensible sub-questions",
    "poor sub-questions",
    "over-eager judge",
    "never content, one query",
    "never content, four words",
)
"""How a model gathers: what its sub-questions and its judge are like. The over-eager judge is content with
anything, and its sub-questions repeat the question."""


def gathering(name: str, question: str, standalone: str) -> Script:
    """What a model of this manner replies while pages are gathered for a question."""
    words = content_words(standalone, "en") or ["rule"]
    sensible = [" ".join(words), f"rules for {' '.join(words[:4])}", f"table of {' '.join(words[-3:])}"]
    sub_questions = {
        "sensible sub-questions": sensible,
        "never content, one query": sensible,
        "poor sub-questions": POOR,
        "over-eager judge": [question] * 5,
    }.get(name, [])
    wanted = {
        "never content, one query": ([f"more about {words[0]}"], [f"exceptions for {words[-1]}"]),
        "never content, four words": SINGLE_WORDS,
    }.get(name, ())

    def verdict(prompt: str, before: int) -> Reply:
        return {"sufficient": False, "new_queries": wanted[min(before, 1)]} if wanted else ENOUGH

    return {
        "Rewrite": lambda prompt, before: {"standalone": False, "question": standalone},
        "SubQuestions": lambda prompt, before: {"sub_questions": sub_questions},
        "Sufficiency": verdict,
    }


def honest_support(false: Collection[str], proving: Mapping[str, Collection[str]] | None = None) -> Answerer:
    """Verdicts of a model that knows which statements are false, and of others the lines that prove them."""
    known = {canonical(text).characters for text in false}
    beginnings = {
        canonical(text).characters: [canonical(line).characters[:BEGINNING] for line in lines]
        for text, lines in (proving or {}).items()
    }

    def is_supported(statement: str, prompt: str) -> bool:
        lines = beginnings.get(statement)
        return statement not in known and (lines is None or any(line in prompt for line in lines))

    def reply(prompt: str, before: int) -> Reply:
        shown = canonical(prompt).characters
        return {
            "supports": [
                {"id": name, "verdict": "yes" if is_supported(canonical(text).characters, shown) else "no"}
                for name, text in STATEMENT.findall(prompt)
            ]
        }

    return reply
