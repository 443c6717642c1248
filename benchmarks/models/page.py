"""A page of a real model: questions over the invented games, and all that it made of them.

`python -m benchmarks.models --page FILE` asks the configured model the questions below and adds a line to
the file for each; what stands there already is not asked again, so a slow run may be ended and go on. A
person judges each claim then, by `"true"` beside its text.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console

from benchmarks.question_sets import QuestionSet, question_sets
from rag.config import Settings
from rag.evaluation.questions import GoldQuestion
from rag.evaluation.scores import mean
from rag.graph import RulesGraph
from rag.library.ingest.ingest import ingest
from rag.library.library import Library
from rag.models.chat import chat_model
from rag.models.embeddings import embedding_model
from rag.state import Reply

Rows = list[dict[str, Any]]

ASKED: Mapping[str, Sequence[str]] = {
    "sample game": (
        "low-001",
        "low-007",
        "low-011",
        "low-014",
        "low-029",
        "low-004 pt",
        "low-010 pt",
        "low-015 pt",
    ),
    "invented": ("invented-08", "invented-55", "invented-07 pt", "invented-61 pt"),
    "players: sample": ("p064", "p065", "p072", "p089"),
    "players: invented": ("p095", "p102", "p114", "p118"),
}
"""By set the questions asked: in a book's words, and as players write. Three of them no page answers."""
KEPT = (
    "question",
    "standalone_question",
    "outcome",
    "answer",
    "statements",
    "dropped",
    "missing",
    "notice",
    "judgements",
    "model_calls",
    "tokens",
    "seconds",
)
KEPT_OF_A_SOURCE = ("book", "page", "quote")
"""Of what `ask --json` prints: which pages were looked at along the way is no matter of the model."""
UNANSWERABLE = ("low-029", "p089", "p118")

err = Console(stderr=True)


async def write_page(settings: Settings, file: Path) -> None:
    """Ask what does not stand in the file yet, and add what the model made of it."""
    done = {row["id"] for row in rows_of(file)}
    with TemporaryDirectory() as folder:
        graphs: dict[str, RulesGraph] = {}
        for asked_set in question_sets(Path(folder)):
            for name, question, wording in _asked(asked_set):
                if name in done:
                    continue
                library = asked_set.library
                graphs[library] = graphs.get(library) or _graph(settings, asked_set, Path(folder) / library)
                events = graphs[library].ask(wording, reader="gm", history=question.history or None)
                (reply,) = [event async for event in events if isinstance(event, Reply)]
                told = reply.to_json()
                row = {"id": name} | {key: told[key] for key in KEPT}
                row["sources"] = [{key: one[key] for key in KEPT_OF_A_SOURCE} for one in told["sources"]]
                with file.open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps(row, ensure_ascii=False) + "\n")
                err.print(name, told["outcome"], round(reply.seconds), soft_wrap=True)


def rows_of(file: Path) -> Rows:
    """What stands in the file of a page."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.is_file() else []


def page_row(rows: Rows, model: str) -> dict[str, Any]:
    """The counts of a page; claims that nobody judged are neither true nor false."""
    claims = [claim for row in rows for claim in row["statements"]]
    return {
        "model": model,
        "questions": len(rows),
        "outcomes": dict(Counter(row["outcome"] for row in rows)),
        "claims": len(claims),
        "true": sum(claim.get("true") is True for claim in claims),
        "false": sum(claim.get("true") is False for claim in claims),
        "dropped": dict(Counter(drop["reason"] for row in rows for drop in row["dropped"])),
        "claimed without an answer": sum(
            bool(row["statements"]) for row in rows if row["id"] in UNANSWERABLE
        ),
        "calls": mean(row["model_calls"] for row in rows),
        "input": mean(row["tokens"]["input"] for row in rows),
        "output": mean(row["tokens"]["output"] for row in rows),
        "seconds": mean(row["seconds"] for row in rows),
    }


def _asked(asked_set: QuestionSet) -> Iterator[tuple[str, GoldQuestion, str]]:
    """The name, question and wording of what is asked of a set."""
    by_id = {question.id: question for question in asked_set.questions}
    for name in ASKED.get(asked_set.name, ()):
        question = by_id[name.removesuffix(" pt")]
        wording = question.wording("pt") if name.endswith(" pt") else question.question
        yield name, question, wording or question.question


def _graph(settings: Settings, asked_set: QuestionSet, index: Path) -> RulesGraph:
    own = settings.model_copy(update={"library_dir": asked_set.books, "index_dir": index})
    embedding = embedding_model(own)
    ingest(own, embedding)
    return RulesGraph(
        Library.open(own, embedding),
        chat_model(own),
        embedding,
        prompt_tokens=own.prompt_tokens,
        support_model=own.support_model,
    )
