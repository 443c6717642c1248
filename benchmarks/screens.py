"""Measures what a player reads: each players' question as the message that Discord would show.

`python -m benchmarks.screens [--set NAME …] [--sealed] [--unbound] [--cases] [--json]` asks the players'
questions of every library, follow-ups in their conversation. It counts, for all and by kind:
the proving words are shown, the first passage holds them, what is marked holds them, unanswerable questions
said to be so, answerable ones said to be none, and lines on a phone. No chat model is used.
"""

import argparse
import asyncio
import json
import re
import statistics
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import discord
from rich.console import Console
from rich.table import Table

from benchmarks.question_sets import QuestionSet, question_sets
from bot.render.embeds import answer_embed
from rag.config import load_settings
from rag.evaluation.questions import GoldPage, GoldQuestion
from rag.graph import RulesGraph
from rag.library.ingest.ingest import ingest
from rag.library.library import Library
from rag.models.embeddings import embedding_model
from rag.nodes.citations import canonical, quote_parts
from rag.state import Exchange, Reply, Source
from rag.texts import texts_for
from rag.texts.blocks import blocks

PHONE = 40
"""Characters of a line of an embed on a phone."""
_MARKED = re.compile(r"\*\*(.+?)\*\*|^▸ (.+)$", re.MULTILINE | re.DOTALL)
_WORD = re.compile(r"[^\s|;:“”*`]+")

Passages = Sequence[tuple[Source, str]]
"""Sources, each with its text on the screen."""


@dataclass(frozen=True, slots=True)
class Screen:
    """What one question was answered with, and which of it is right; None where it does not apply."""

    question: GoldQuestion
    text: str
    lines: int
    proven: bool | None
    first_proves: bool | None
    marked_proves: bool | None
    said_absent: bool

    @property
    def told(self) -> bool | None:
        """Whether an unanswerable question is said to be one."""
        return None if self.question.gold else self.said_absent

    @property
    def false_alarm(self) -> bool | None:
        """Whether an answerable question is said to be none."""
        return self.said_absent if self.question.gold else None


def main() -> None:
    """Ask every set and print its figures."""
    arguments = _arguments()
    console = Console(width=130)
    with TemporaryDirectory() as folder:
        every = question_sets(Path(folder), "sealed" if arguments.sealed else "open")
        wanted = [one for one in every if "players" in one.name]
        screens: list[Screen] = []
        for one in wanted:
            if not arguments.set or one.name in arguments.set:
                found = asyncio.run(_screens(one, Path(folder) / "index" / one.library, arguments.unbound))
                _report(one.name, found, console, arguments)
                screens += found
        _report("all", screens, console, arguments)


def _report(name: str, screens: Sequence[Screen], console: Console, arguments: argparse.Namespace) -> None:
    if arguments.cases and name != "all":
        for one in screens:
            console.rule(f"{one.question.id} {one.question.type} {one.question.question}")
            print(one.text)
            print(f"-- proven {one.proven}, first {one.first_proves}, marked {one.marked_proves}")
    rows = figures(screens)
    if arguments.json:
        print(json.dumps({"set": name, "figures": rows}), flush=True)
        return
    table = Table(name, *rows["all"], box=None, pad_edge=False)
    for kind, row in rows.items():
        table.add_row(kind, *row.values())
    console.print(table)


def figures(screens: Sequence[Screen]) -> dict[str, dict[str, str]]:
    """By kind, "all" first: for how many of how many questions each measure holds, and median lines."""
    kinds = ["all", *dict.fromkeys(one.question.type for one in screens)]
    of_kind = {kind: [one for one in screens if kind in ("all", one.question.type)] for kind in kinds}
    return {kind: _figures(of_kind[kind]) for kind in kinds if of_kind[kind]}


def _figures(screens: Sequence[Screen]) -> dict[str, str]:
    measures = ("proven", "first_proves", "marked_proves", "told", "false_alarm")
    row = {}
    for name in measures:
        values = [getattr(one, name) for one in screens if getattr(one, name) is not None]
        row[name] = f"{sum(values)} of {len(values)}"
    return row | {"lines": f"{statistics.median(one.lines for one in screens):.0f}"}


async def _screens(one: QuestionSet, index: Path, unbound: bool) -> list[Screen]:
    settings = load_settings()
    model = embedding_model(settings)
    used = settings.model_copy(update={"library_dir": one.books, "index_dir": index})
    ingest(used, model)
    graph = RulesGraph(Library.open(used, model), None, model)
    return [await _screen(graph, question, unbound) for question in one.questions]


async def _screen(graph: RulesGraph, question: GoldQuestion, unbound: bool) -> Screen:
    """The last message of a conversation that asks what stands before the question, then the question."""
    book = None if unbound else question.book
    reply = await _reply(graph, question.question, f"screen {question.id}", book, question.history)
    told = texts_for(reply.locale)
    embed = answer_embed(blocks(reply, told), reply.answer.outcome, told)
    fields = zip(reply.answer.sources, embed.fields, strict=False)
    # Its heading stands above it.
    passages = [(source, f"{source.heading}\n{field.value}") for source, field in fields]
    marked = [(source, mark) for source, text in passages for mark in _marks(text)]
    return Screen(
        question=question,
        text=(text := _screen_text(embed)),
        lines=sum(len(textwrap.wrap(line, PHONE)) or 1 for line in text.splitlines() if line.strip()),
        proven=_answers(passages, question) if question.gold else None,
        first_proves=_proves_any(passages[:1], question) if question.gold else None,
        marked_proves=_proves_any(marked, question) if question.gold and marked else None,
        said_absent=not reply.answer.found,
    )


async def _reply(
    graph: RulesGraph, question: str, thread: str, book: str | None, before: Sequence[Exchange]
) -> Reply:
    replies = []
    for asked in (*(pair["question"] for pair in before), question):
        async for event in graph.ask(asked, thread, book=book):
            if isinstance(event, Reply):
                replies.append(event)
    return replies[-1]


def _screen_text(embed: discord.Embed) -> str:
    fields = [f"{field.name}\n{field.value}" for field in embed.fields]
    return "\n".join(filter(None, (embed.description, *fields, embed.footer.text)))


def _marks(text: str) -> Iterator[str]:
    for found in _MARKED.finditer(text):
        yield found[1] or found[2]


def _answers(passages: Passages, question: GoldQuestion) -> bool:
    """Whether all proving words that are needed are shown, or those of another page that answers as well."""
    needed = all(_proves(passages, gold) for gold in question.gold)
    return needed or any(_proves(passages, gold) for gold in question.also_ok)


def _proves_any(passages: Passages, question: GoldQuestion) -> bool:
    return any(_proves(passages, gold) for gold in (*question.gold, *question.also_ok))


def _proves(passages: Passages, gold: GoldPage) -> bool:
    of_page = "\n".join(text for source, text in passages if source.page_id == gold.id)
    return all(_holds(of_page, part) for part in quote_parts(gold.quote))


def _holds(text: str, part: str) -> bool:
    """Whether a text has the words of a part: one after another, or in this order on one line of a table."""
    plain = text.replace("**", "").replace("\\", "")
    if canonical(part).characters.strip() in canonical(plain).characters:
        return True
    return any(_in_order(_WORD.findall(part), _WORD.findall(line)) for line in plain.splitlines())


def _in_order(words: Sequence[str], line: Sequence[str]) -> bool:
    """Whether words stand on a line in their order."""
    rest = iter(canonical(word).characters for word in line)
    return all(canonical(word).characters in rest for word in words)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.screens", description=__doc__)
    parser.add_argument("--set", nargs="*", help="the sets to ask; without it all players' sets")
    parser.add_argument("--sealed", action="store_true", help="ask the half that was kept aside")
    parser.add_argument("--unbound", action="store_true", help="name no game")
    parser.add_argument("--cases", action="store_true", help="print each screen")
    parser.add_argument("--json", action="store_true", help="one JSON object a set")
    return parser.parse_args()


if __name__ == "__main__":
    main()
