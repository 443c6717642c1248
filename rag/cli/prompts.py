"""`prompts` and `prompts test`: where each prompt comes from, and what one says to its cases."""

import argparse

from rag.cli.console import print_records
from rag.config import Settings
from rag.errors import RulesError
from rag.evaluation.questions import read_json_lines
from rag.evaluation.sufficiency import SufficiencyCase, verdict_on
from rag.models.chat import chat_model
from rag.prompts import Prompt
from rag.prompts.hub import chosen_prompts
from rag.texts import Texts


async def prompts(options: argparse.Namespace, settings: Settings, texts: Texts) -> None:
    """List the prompts with version and origin; `hub` is empty where the file is used."""
    chosen = await chosen_prompts(settings)
    listed = [
        {"name": one.name, "version": one.version, "hub": one.hub, "origin": origin(one, texts)}
        for one in chosen.values()
    ]
    print_records(listed, as_json=options.json)


def origin(prompt: Prompt, texts: Texts) -> str:
    """Where a prompt comes from, and where it should have come from if it did not."""
    if prompt.hub:
        return texts("prompt-from-hub", hub=prompt.hub)
    if prompt.refusal:
        return texts("prompt-from-file-because", reason=texts(prompt.refusal.key, **prompt.refusal.values))
    return texts("prompt-from-file")


async def test_prompt(options: argparse.Namespace, settings: Settings, texts: Texts) -> int:
    """Run the sufficiency prompt alone on a file of cases; 1 where a verdict is not the case's own."""
    cases = read_json_lines(options.cases, SufficiencyCase)
    model = chat_model(settings)
    if model is None:
        raise RulesError("error-no-chat-model")
    chosen = await chosen_prompts(settings)
    results = [await verdict_on(case, model, chosen) for case in cases]
    print_records(results, as_json=options.json)
    return 0 if all(result["as_expected"] for result in results) else 1
