"""Tells what each rule brings: every set of questions is asked again with one rule off.

`python -m benchmarks.ablation` prints, for each rule, by how many questions each measure of each set changes
where the rule is off. `--together` turns several rules off at once, for they may stand in for each other. No
chat model is used.
"""

import argparse
import asyncio
import json
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.context import SpawnProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.question_sets import QuestionSet, question_sets
from rag.config import Settings, load_settings
from rag.evaluation.run import Evaluation, evaluate
from rag.graph import RulesGraph
from rag.library.ingest import read_books
from rag.library.ingest.ingest import ingest
from rag.library.library import Library
from rag.models.embeddings import EmbeddingModel, embedding_model
from rag.rules import RULES, Rule, turned_off

# A rule is known once its module is loaded, also in a process that reads; ingestion loads this one late.
import_module("rag.library.ingest.build")

AT_INGESTION = ("rag.library.readers", "rag.library.references", "rag.library.ingest")
"""Packages whose rules act while books are read: without one of these, the index is made anew."""
MEASURES = {
    "first": "hit@1",
    "five": "hit@5",
    "ten": "full@10",
    "context": "context",
    "prompt": "prompted",
    "proof": "proof_full",
    "rows": "proof_full",
    "told": "refused",
}
"""Our columns, and the measures of an evaluation that they add up; "rows" those of table questions."""

err = Console(stderr=True)

Counts = dict[str, int]
"""Questions by measure: a right page first, among five, all needed among ten, all in the context, the proving
words in the lines that a model would be shown, among the quotations, the same of table questions alone, said
to be unanswerable where it is."""


@dataclass(frozen=True, slots=True)
class Ablation:
    """What a set of questions scores with rules off: all its questions, those asked, their counts."""

    rules: tuple[str, ...]
    set_name: str
    counts: Counts


def main() -> None:
    """Measure every rule and print a table, or JSON."""
    arguments = _arguments()
    rules = sorted(RULES, key=lambda each: not _acts_at_ingestion(each))
    if arguments.list:
        for each in rules:
            print(f"{each.module}: {each.name}: {each.does}")
        return
    if arguments.rule:
        rules = [each for each in rules if each.name in arguments.rule]
    groups = [[each] for each in rules]
    if arguments.together:
        groups = [[each for each in rules if each.name in arguments.together]]
    with TemporaryDirectory() as folder:
        every = question_sets(Path(folder), "sealed" if arguments.sealed else "open")
        sets = [one for one in every if not arguments.set or one.name in arguments.set]
        found = []
        for one in _measured(sets, groups, Path(folder)):
            found.append(one)
            if arguments.json:
                print(json.dumps({"rules": one.rules, "set": one.set_name, **one.counts}), flush=True)
    if not arguments.json:
        Console(width=110).print(table(found))


def _acts_at_ingestion(each: Rule) -> bool:
    return each.module.startswith(AT_INGESTION)


def counted(evaluation: Evaluation) -> Counts:
    """How many questions of an evaluation each measure holds for."""
    return {
        name: sum(
            bool(one.scores[measure])
            for one in evaluation.results
            if name != "rows" or one.question.type == "table"
        )
        for name, measure in MEASURES.items()
    }


def table(found: Sequence[Ablation]) -> Table:
    """A row a rule and set: of the first row, with all rules, the counts; of each other what changes."""
    whole = {one.set_name: one.counts for one in found if not one.rules}
    shown = Table("off", "set", *MEASURES, box=None, header_style="bold", pad_edge=False)
    for one in found:
        values = [
            f"{one.counts[name]}" if not one.rules else f"{one.counts[name] - whole[one.set_name][name]:+d}"
            for name in MEASURES
        ]
        shown.add_row(", ".join(one.rules) or "none", one.set_name, *(v.replace("+0", "·") for v in values))
    return shown


def _measured(sets: Sequence[QuestionSet], groups: Sequence[list[Rule]], folder: Path) -> Iterator[Ablation]:
    """Every set with all rules, then with those of each group off."""
    settings = load_settings()
    model = embedding_model(settings)
    for one in sets:
        kept = _indexed(settings, model, one, folder / "index" / one.library)
        yield Ablation((), one.name, asyncio.run(_asked(kept, model, one)))
        for number, rules in enumerate(track(groups, one.name, console=err, transient=True)):
            is_made_anew = any(map(_acts_at_ingestion, rules))
            names = tuple(each.name for each in rules)
            with turned_off(rules), _read_without(names):
                index = folder / "index" / f"{one.library} {number}"
                used = _indexed(settings, model, one, index) if is_made_anew else kept
                yield Ablation(names, one.name, asyncio.run(_asked(used, model, one)))


@contextmanager
def _read_without(names: Sequence[str]) -> Iterator[None]:
    """Have the processes that read books turn these rules off, too."""
    as_it_is = read_books.PROCESSES
    read_books.PROCESSES = _WithoutRules(names)  # type: ignore[assignment]
    try:
        yield
    finally:
        read_books.PROCESSES = as_it_is


class _WithoutRules:
    """A context of processes whose rules are off by name; they share no memory with this one."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        self._processes = multiprocessing.get_context("spawn")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._processes, name)

    def Process(self, target: Callable[..., None], args: tuple[Any, ...], daemon: bool) -> SpawnProcess:  # noqa: N802
        return self._processes.Process(target=_without, args=(self._names, target, args), daemon=daemon)


def _without(names: Sequence[str], target: Callable[..., None], args: tuple[Any, ...]) -> None:
    with turned_off([each for each in RULES if each.name in names]):
        target(*args)


def _indexed(settings: Settings, model: EmbeddingModel, one: QuestionSet, index: Path) -> Settings:
    """The settings for the books of a set, which are indexed where that was not done yet."""
    used = settings.model_copy(update={"library_dir": one.books, "index_dir": index})
    ingest(used, model)
    return used


async def _asked(settings: Settings, model: EmbeddingModel, one: QuestionSet) -> Counts:
    library = Library.open(settings, model)
    graph = RulesGraph(library, None, model)
    return counted(await evaluate(one.questions, library, graph, languages=one.languages))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ablation", description=__doc__)
    parser.add_argument("--set", nargs="*", help="the sets to ask; without it all")
    parser.add_argument("--rule", nargs="*", help="the rules to turn off one at a time; without it all")
    parser.add_argument("--together", nargs="*", help="rules to turn off at once")
    parser.add_argument("--sealed", action="store_true", help="ask the half that was kept aside")
    parser.add_argument("--list", action="store_true", help="print the rules and end")
    parser.add_argument("--json", action="store_true", help="one JSON object a row, as it is measured")
    return parser.parse_args()


if __name__ == "__main__":
    main()
