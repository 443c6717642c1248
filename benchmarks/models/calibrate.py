"""Calibrates the second look of a model: how sure of a "yes" it must be for a statement to be claimed.

`python -m benchmarks.models --calibrate FILE` asks the configured model (`SUPPORT_MODEL`, else `CHAT_MODEL`)
about the labelled statements of `benchmarks/proof`, each over its real pages, and adds a line to the file
for each; what stands there already is not asked again. It prints what plain words and each threshold show
and lose. A threshold that beats the words is written into `rag/models/calibrated.json`: the lowest that shows
at most half of their false ones and nine of ten of their true ones, in both halves of the statements.
"""

import json
from collections import Counter
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, LLMResult
from pydantic import BaseModel
from rich.console import Console

from benchmarks.proof.__main__ import StatedCase, answered, drafted, pages_by_book, prompt_of
from rag.config import Settings
from rag.evaluation.questions import read_json_lines
from rag.models.chat import chat_model, under_name
from rag.nodes.support import CALIBRATED, TELLING, sureness

THRESHOLDS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)
TABLE = Path(str(files("rag.models").joinpath("calibrated.json")))
STATEMENTS = Path(__file__).parent.parent / "proof" / "open.jsonl"

err = Console(stderr=True)


class Look(BaseModel):
    """What the second look of a model made of a statement: its word, and how sure of a "yes" it was."""

    id: str
    true: bool
    word: bool
    sure: float | None


class _Hearing(BaseCallbackHandler):
    """Keeps how sure the last reply was."""

    run_inline = True

    def __init__(self) -> None:
        self.sure: float | None = None

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **kwargs: Any) -> None:
        (reply,) = response.generations[0]
        assert isinstance(reply, ChatGeneration)
        assert isinstance(reply.message, AIMessage)
        self.sure = sureness(reply.message).get("s1")


async def look_at_statements(settings: Settings, file: Path, most: int | None) -> None:
    """Ask about what does not stand in the file yet; what code refuses is not asked about."""
    configured = chat_model(settings)
    assert configured is not None
    hearing = _Hearing()
    named = under_name(configured, settings.support_model)
    model = named.model_copy(update={**TELLING, "callbacks": [hearing]})
    cases = read_json_lines(STATEMENTS, StatedCase)
    cases = [cases[place * len(cases) // most] for place in range(most)] if most else cases
    done = {look.id for look in looks_of(file)}
    with TemporaryDirectory() as folder:
        books = pages_by_book(Path(folder), cases)
        for case in cases:
            if case.id not in done:
                hearing.sure, shown = None, prompt_of(case, books[case.book])
                answer = await answered(case, shown, drafted(case, shown), None, model)
                look = Look(id=case.id, true=case.true, word=bool(answer.statements), sure=hearing.sure)
                with file.open("a", encoding="utf-8") as lines:
                    lines.write(look.model_dump_json() + "\n")
                err.print(look)


def looks_of(file: Path) -> list[Look]:
    """What stands in the file of a calibration."""
    return read_json_lines(file, Look) if file.is_file() else []


def calibration_rows(looks: Sequence[Look]) -> list[dict[str, Any]]:
    """What plain words and each threshold show and lose of the statements that were asked about."""
    asked = [look for look in looks if look.sure is not None]
    return [_row(asked, least) for least in (None, *THRESHOLDS)]


def best_threshold(looks: Sequence[Look]) -> float | None:
    """The lowest threshold that beats plain words in both halves of the statements; None where none does."""
    asked = [look for look in looks if look.sure is not None]
    halves = [asked[::2], asked[1::2]]
    return next((least for least in THRESHOLDS if all(_beats(half, least) for half in halves)), None)


def set_threshold(name: str, least: float | None) -> None:
    """Write the threshold of a model into the table; without one it has no place there."""
    table = {model: each for model, each in CALIBRATED.items() if model != name}
    table |= {name: least} if least else {}
    TABLE.write_text(json.dumps(table, indent=2, sort_keys=True) + "\n", "utf-8")


def _beats(asked: Sequence[Look], least: float) -> bool:
    words, surely = (Counter(look.true for look in asked if _is_shown(look, each)) for each in (None, least))
    return 10 * surely[True] >= 9 * words[True] and 2 * surely[False] <= words[False] > 0


def _row(asked: Sequence[Look], least: float | None) -> dict[str, Any]:
    shown = Counter(look.true for look in asked if _is_shown(look, least))
    return {
        "least sure": least or "plain words",
        "true shown": shown[True],
        "true lost": sum(look.true for look in asked) - shown[True],
        "false shown": shown[False],
        "false": sum(not look.true for look in asked),
    }


def _is_shown(look: Look, least: float | None) -> bool:
    return look.word if least is None else (look.sure or 0.0) >= least
