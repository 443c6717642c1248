"""OpenAI's decisions in place of a chat completion: a choice a statement, with how likely each one is."""

import json
import re
from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatResult
from openai import AsyncOpenAI
from openai.types.decision import AnswerAnswerResourceChoice

DECISIONS = "decisions:"
"""Stands before the name of a model that decides; nothing else of it is a chat model."""
NOT_STATED = "not stated"
CHOICES = {
    "yes": "The lines say all of it.",
    "partly": "They say some of it, or have a condition, exception or limit that changes it.",
    "no": "They say the opposite, or it answers another question.",
    NOT_STATED: "They do not speak of it.",
}
"""A model that decides chooses always: so it is offered that nothing is said."""
_STATEMENT = re.compile(r"^\[(s\d+)\] ", re.MULTILINE)
"""Where a statement stands in a request, with its id."""


async def decided(client: AsyncOpenAI, model: str, messages: Sequence[BaseMessage]) -> ChatResult:
    """The verdicts on all statements of a request, as the reply of a chat model tells them.

    Its metadata tell as `likely_yes` how likely "yes" was for each. Raises what the client raises.
    """
    asked = "\n\n".join(message.text for message in messages)
    decision = await client.decisions.create(
        model=model,
        input=asked,
        questions=[
            {
                "type": "choice",
                "name": name,
                "instructions": f"The verdict on statement {name}",
                "choices": [{"value": value, "description": told} for value, told in CHOICES.items()],
            }
            for name in dict.fromkeys(_STATEMENT.findall(messages[-1].text))
        ],
    )
    answers = [one for one in decision.answers if isinstance(one, AnswerAnswerResourceChoice) and one.name]
    supports = [
        {"id": one.name, "verdict": "no" if one.choice == NOT_STATED else one.choice} for one in answers
    ]
    likely = {
        str(one.name): sum(each.probability for each in one.probabilities if each.value == "yes")
        for one in answers
    }
    read, written = decision.usage.input_tokens, decision.usage.output_tokens
    message = AIMessage(
        json.dumps({"supports": supports}),
        response_metadata={"likely_yes": likely},
        usage_metadata=UsageMetadata(input_tokens=read, output_tokens=written, total_tokens=read + written),
    )
    return ChatResult(generations=[ChatGeneration(message=message)])
