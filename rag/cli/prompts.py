"""`prompts` and `prompts test`: where each prompt comes from, and what one says to its cases."""

import argparse
import json
from collections.abc import Iterable, Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table

from rag.cli.console import out
from rag.config import Settings
from rag.errors import NoChatModel
from rag.evaluation.sufficiency import SufficiencyResult, read_cases, run_cases
from rag.models.chat import chat_model
from rag.prompts import Prompt
from rag.prompts.hub import chosen_prompts
from rag.state import Sufficiency
from rag.texts import Texts


async def prompts(options: argparse.Namespace, settings: Settings, texts: Texts) -> None:
    """List the prompts with version and origin."""
    chosen = (await chosen_prompts(settings)).values()
    if options.json:
        print(json.dumps([prompt_json(prompt, texts) for prompt in chosen], ensure_ascii=False))
    else:
        print_prompts(chosen, texts)


async def test_prompt(options: argparse.Namespace, settings: Settings, texts: Texts) -> int:
    """Run one prompt alone on a file of cases; 1 where a case is not as it should be."""
    cases = read_cases(options.cases)
    model = chat_model(settings)
    if model is None:
        raise NoChatModel
    results = await run_cases(model, cases, await chosen_prompts(settings))
    if options.json:
        print(json.dumps([result.to_json() for result in results], ensure_ascii=False))
    else:
        print_results(results, texts)
    return 0 if all(result.is_as_expected for result in results) else 1


def print_prompts(listed: Iterable[Prompt], texts: Texts) -> None:
    """A row a prompt: name, version, origin."""
    table = _table("column-prompt", "column-version", "column-origin", texts=texts)
    for prompt in listed:
        table.add_row(prompt.name, escape(prompt.version), escape(origin(prompt, texts)))
    out.print(table)


def origin(prompt: Prompt, texts: Texts) -> str:
    """Where a prompt comes from, and where it should have come from if it did not."""
    if prompt.hub:
        return texts("prompt-from-hub", hub=prompt.hub)
    if prompt.refusal:
        return texts("prompt-from-file-because", reason=texts(prompt.refusal.key, **prompt.refusal.values))
    return texts("prompt-from-file")


def prompt_json(prompt: Prompt, texts: Texts) -> dict[str, Any]:
    """A prompt's row for programs; `hub` is null where the file is used."""
    return {
        "name": prompt.name,
        "version": prompt.version,
        "hub": prompt.hub,
        "origin": origin(prompt, texts),
    }


def print_results(results: Sequence[SufficiencyResult], texts: Texts) -> None:
    """A row a case, and how many are as they should be."""
    columns = ("column-case", "column-expected", "column-verdict", "column-queries", "column-not-asked-for")
    table = _table(*columns, texts=texts)
    for result in results:
        row = [escape(cell) for cell in _row(result, texts)]
        table.add_row(*row, style="" if result.is_as_expected else "red")
    out.print(table)
    agreeing = sum(result.is_as_expected for result in results)
    out.print(texts("cases-summary", agreeing=agreeing, total=len(results)), style="bold")


def _row(result: SufficiencyResult, texts: Texts) -> Sequence[str]:
    return (
        result.case.id,
        texts(_verdict_key(Sufficiency(sufficient=result.case.sufficient))),
        texts(_verdict_key(result.reply)),
        " · ".join(result.reply.new_queries if result.reply else []),
        " · ".join(result.not_asked_for),
    )


def _verdict_key(verdict: Sufficiency | None) -> str:
    if verdict is None:
        return "verdict-none"
    return "verdict-sufficient" if verdict.sufficient else "verdict-insufficient"


def _table(*columns: str, texts: Texts) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        table.add_column(texts(column))
    return table
