"""`prompts` and `prompts test`: where each prompt comes from, and what one says to its cases."""

import argparse

from rag.cli.console import out, print_json, print_table
from rag.config import Settings
from rag.errors import NoChatModel
from rag.evaluation.sufficiency import read_cases, run_cases
from rag.models.chat import chat_model
from rag.prompts import Prompt
from rag.prompts.hub import chosen_prompts
from rag.state import Sufficiency
from rag.texts import Texts


async def prompts(options: argparse.Namespace, settings: Settings, texts: Texts) -> None:
    """List the prompts with version and origin; as JSON `hub` is null where the file is used."""
    chosen = (await chosen_prompts(settings)).values()
    if options.json:
        print_json(
            [
                {"name": one.name, "version": one.version, "hub": one.hub, "origin": origin(one, texts)}
                for one in chosen
            ]
        )
    else:
        columns = [texts(key) for key in ("column-prompt", "column-version", "column-origin")]
        print_table(columns, [(one.name, one.version, origin(one, texts)) for one in chosen])


def origin(prompt: Prompt, texts: Texts) -> str:
    """Where a prompt comes from, and where it should have come from if it did not."""
    if prompt.hub:
        return texts("prompt-from-hub", hub=prompt.hub)
    if prompt.refusal:
        return texts("prompt-from-file-because", reason=texts(prompt.refusal.key, **prompt.refusal.values))
    return texts("prompt-from-file")


async def test_prompt(options: argparse.Namespace, settings: Settings, texts: Texts) -> int:
    """Run the sufficiency prompt alone on a file of cases; 1 where a case is not as it should be."""
    cases = read_cases(options.cases)
    model = chat_model(settings)
    if model is None:
        raise NoChatModel
    results = await run_cases(model, cases, await chosen_prompts(settings))
    agreeing = sum(result.is_as_expected for result in results)
    if options.json:
        print_json([result.to_json() for result in results])
    else:
        columns = (
            "column-case",
            "column-expected",
            "column-verdict",
            "column-queries",
            "column-not-asked-for",
        )
        rows = [
            (
                result.case.id,
                _verdict(Sufficiency(sufficient=result.case.sufficient), texts),
                _verdict(result.reply, texts),
                " · ".join(result.new_queries),
                " · ".join(result.not_asked_for),
            )
            for result in results
        ]
        print_table([texts(key) for key in columns], rows)
        out.print(texts("cases-summary", agreeing=agreeing, total=len(results)), style="bold")
    return 0 if agreeing == len(results) else 1


def _verdict(verdict: Sufficiency | None, texts: Texts) -> str:
    if verdict is None:
        return texts("verdict-none")
    return texts("verdict-sufficient" if verdict.sufficient else "verdict-insufficient")
