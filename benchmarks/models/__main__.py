"""Chat models of many manners, and what becomes of what they say.

`python -m benchmarks.models` takes the books and questions of `CORPUS_DIR`, else of the sample game, and
keeps the index in `INDEX_DIR`, else in a folder that is gone afterwards. The models are scripts in this
process; with `OPENAI_BASE_URL` or `OPENAI_API_KEY` the configured model is asked instead. `--page` and
`--calibrate` are for such a model alone; what their files hold already is not asked again.
"""

import argparse
import asyncio
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.models.calibrate import (
    best_threshold,
    calibration_rows,
    look_at_statements,
    looks_of,
    set_threshold,
)
from benchmarks.models.measure import SECTIONS, ModelBench, ModelQuestion
from benchmarks.models.page import page_row, rows_of, write_page
from rag.cli.console import IngestBars
from rag.config import SAMPLE_LIBRARY, Settings, load_settings
from rag.evaluation.questions import QuestionLanguage, read_questions
from rag.evaluation.run import ALL, LANGUAGES
from rag.library.ingest.ingest import ingest
from rag.library.library import Library
from rag.models.chat import chat_model
from rag.models.embeddings import embedding_model
from rag.texts import texts_for

TABLE_WIDTH = 160
LARGE = 100
"""Above this a figure is shown without decimals."""

Rows = list[dict[str, Any]]


def main() -> None:
    """Measure every scripted model, or the configured one, and print tables, or JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.models", description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object, with what fared ill")
    parser.add_argument("--language", choices=(*LANGUAGES, ALL), default=ALL)
    parser.add_argument(
        "--questions", type=int, metavar="N", help="ask so many questions a language, spread over the file"
    )
    parser.add_argument(
        "--page",
        type=Path,
        metavar="FILE",
        help="20 questions of the configured model, raw answers into FILE",
    )
    parser.add_argument(
        "--calibrate", type=Path, metavar="FILE", help="its second looks at labelled statements into FILE"
    )
    parser.add_argument(
        "section", nargs="*", metavar="SECTION", help=" ".join(SECTIONS) + "; by default both"
    )
    options = parser.parse_args()
    if unknown := set(options.section).difference(SECTIONS):
        parser.error(f"no section {min(unknown)}: there are {', '.join(SECTIONS)}")
    if options.page or options.calibrate:
        tables = {"of the model": asyncio.run(_written(options.page, options.calibrate, options.questions))}
    else:
        languages = LANGUAGES if options.language == ALL else (options.language,)
        with _settings() as (settings, questions):
            asked = [spread(asked_in(questions, language), options.questions) for language in languages]
            tables = asyncio.run(measured(settings, asked, options.section or SECTIONS))
    if options.json:
        print(json.dumps(tables, ensure_ascii=False))
    else:
        for rows in tables.values():
            Console(width=TABLE_WIDTH).print(table(rows), "")


async def _written(page: Path | None, looks: Path | None, most: int | None) -> Rows:
    """The counts of a page or a calibration; what its file holds already is not asked again."""
    settings = load_settings()
    if not settings.has_chat_model:
        raise SystemExit("no chat model is configured: set OPENAI_BASE_URL or OPENAI_API_KEY")
    if page:
        await write_page(settings, page)
        return [page_row(rows_of(page), settings.chat_model)]
    assert looks
    await look_at_statements(settings, looks, most)
    set_threshold(settings.support_model or settings.chat_model, best_threshold(looks_of(looks)))
    return calibration_rows(looks_of(looks))


async def measured(
    settings: Settings, questions: Sequence[Sequence[ModelQuestion]], sections: Sequence[str]
) -> dict[str, Rows]:
    """The rows of each table, over the questions of each language."""
    embedding = embedding_model(settings)
    with IngestBars(texts_for("en")) as progress:
        ingest(settings, embedding, progress)
    bench = ModelBench(Library.open(settings, embedding), embedding, settings.prompt_tokens)
    model = chat_model(settings)
    tables: dict[str, Rows] = {}
    for asked in questions:
        if model:
            tables.setdefault("models", []).append(await bench.served(model, settings.chat_model, asked))
        else:
            for name, rows in (await bench.scripted(asked, sections)).items():
                tables.setdefault(name, []).extend(rows)
    return tables


def asked_in(questions: Path, language: QuestionLanguage) -> list[ModelQuestion]:
    """The questions of a file that the books answer, in one language."""
    read = [question for question in read_questions(questions) if question.gold]
    return [
        ModelQuestion(question, language, wording)
        for question in read
        if (wording := question.wording(language))
    ]


def spread(asked: Sequence[ModelQuestion], most: int | None) -> Sequence[ModelQuestion]:
    """At most so many of the questions, evenly spread; all of them where no number is given."""
    if not most or most >= len(asked):
        return asked
    return [asked[place * len(asked) // most] for place in range(most)]


def table(rows: Rows) -> Table:
    """Rows as they are, the cases left to programs."""
    shown = Table(box=None, header_style="bold", pad_edge=False, collapse_padding=True)
    names = [name for name in rows[0] if name != "cases"]
    for name in names:
        is_text = isinstance(rows[0][name], str | list | dict)
        shown.add_column(name, justify="left" if is_text else "right", overflow="fold")
    for row in rows:
        shown.add_row(*(_shown(row[name]) for name in names))
    return shown


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {count}" for name, count in value.items())
    if isinstance(value, list):
        return " ".join(map(str, value))
    if isinstance(value, float):
        return f"{value:.3f}" if value <= 1 else f"{value:.1f}" if value < LARGE else f"{value:.0f}"
    return str(value)


@contextmanager
def _settings() -> Iterator[tuple[Settings, Path]]:
    """The settings for the books to measure on, and their questions."""
    corpus = os.environ.get("CORPUS_DIR")
    home = Path(corpus) if corpus else SAMPLE_LIBRARY.parent
    with TemporaryDirectory() as folder:
        books = {"library_dir": home / "books", "index_dir": Path(os.environ.get("INDEX_DIR") or folder)}
        yield load_settings().model_copy(update=books), home / "questions.jsonl"


if __name__ == "__main__":
    main()
