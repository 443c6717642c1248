"""`evaluate`: questions scored against the index, as tables, and the misses one by one."""

import argparse
from collections.abc import Mapping
from functools import partial

from rich.progress import track

from rag.cli.console import err, out, print_json, print_table, say
from rag.cli.services import open_library_and_graph
from rag.config import Settings
from rag.evaluation.check import doubts, prepared
from rag.evaluation.questions import read_questions
from rag.evaluation.run import ALL, LANGUAGES, Evaluation, QuestionResult
from rag.evaluation.run import evaluate as evaluation_of
from rag.evaluation.scores import CONTEXT_MEASURES, RANKING_MEASURES
from rag.nodes.verification import Fault
from rag.texts import Texts

ANSWER_MEASURES = {
    "prompted": "evaluation-prompted",
    "gold_cited": "evaluation-gold-cited",
    "proof": "evaluation-proof",
    "proof_full": "evaluation-proof-full",
    "noise": "evaluation-noise",
    "pages_exact": "evaluation-pages-exact",
    "quotes_verified": "evaluation-quotes-verified",
    "refused": "evaluation-refused",
    "model_failed": "evaluation-model-failed",
    "hops": "evaluation-hops",
    "model_calls": "evaluation-model-calls",
    "seconds_median": "evaluation-seconds-median",
    "seconds_p95": "evaluation-seconds-slow",
}
STATEMENT_COUNTS: dict[str, str] = {
    "drafted": "evaluation-statements-drafted",
    "claimed": "evaluation-statements-claimed",
    "calculated": "evaluation-statements-calculated",
    Fault.NO_LINE: "evaluation-statements-no-line",
    Fault.NUMBERS: "evaluation-statements-numbers",
    Fault.PAGE_NUMBER: "evaluation-statements-page-number",
    Fault.UNSUPPORTED: "evaluation-statements-unsupported",
    Fault.UNSHOWABLE: "evaluation-statements-unshowable",
}
LOST = {
    "missing_in_search": "evaluation-missing-search",
    "missing_in_context": "evaluation-missing-context",
}


async def evaluate(options: argparse.Namespace, settings: Settings, texts: Texts) -> None:
    """Score a question file against the index."""
    questions = read_questions(options.questions)
    library, rules_graph = await open_library_and_graph(settings)
    for doubt in doubts(questions, library, options.reader):
        say(texts(doubt.key, **doubt.values))
    evaluation = await evaluation_of(
        prepared(questions, library, options.reader),
        library,
        rules_graph,
        languages=LANGUAGES if options.language == "all" else (options.language,),
        strategy=options.strategy or settings.retrieval_strategy,
        reader=options.reader,
        track=partial(
            track,
            description=texts("evaluation-progress"),
            console=err,
            transient=True,
            disable=not err.is_terminal,
        ),
    )
    if options.json:
        print_json(evaluation.to_json())
    else:
        print_evaluation(evaluation, texts)


def print_evaluation(evaluation: Evaluation, texts: Texts) -> None:
    """Search by language and type, answers by language, then what was missed."""
    rows = evaluation.rows()
    measures = ["questions", *RANKING_MEASURES, *CONTEXT_MEASURES]
    named = {
        "questions": texts("evaluation-questions"),
        "context": texts("evaluation-context"),
        "context_pages": texts("evaluation-context-pages"),
    }
    names = [named.get(measure, measure) for measure in measures]
    ranked = [
        (
            language,
            texts("evaluation-all") if kind == ALL else kind,
            *(_shown(row[name]) for name in measures),
        )
        for language, kind, row in rows
        if row["mrr"] is not None
    ]
    print_table(["", texts("evaluation-type"), *names], ranked, numbers=names)
    overall = {str(language): row for language, kind, row in rows if kind == ALL}
    _print_by_language("evaluation-answers", ANSWER_MEASURES, overall, texts)
    if evaluation.mode == "model":
        counts = {str(language): counted for language, counted in evaluation.statements().items()}
        _print_by_language("evaluation-statements", STATEMENT_COUNTS, counts, texts)
    misses = evaluation.misses()
    out.print()
    out.print(texts("evaluation-misses", count=len(misses)), style="bold")
    for result in misses:
        _print_miss(result, texts)


def _print_by_language(
    title: str,
    measures: Mapping[str, str],
    columns: Mapping[str, Mapping[str, float | None]],
    texts: Texts,
) -> None:
    """A row a measure, a column a language."""
    out.print()
    rows = [
        (texts(key), *(_shown(column[measure]) for column in columns.values()))
        for measure, key in measures.items()
    ]
    print_table([texts(title), *columns], rows, numbers=columns)


def _shown(value: float | None) -> str:
    if value is None:
        return "–"
    return str(value) if isinstance(value, int) else f"{value:.2f}"


def _print_miss(result: QuestionResult, texts: Texts) -> None:
    question = result.question
    out.print(f"{question.id} · {question.type} · {result.language} · {result.reply.question}")
    labels = {page.id: page.section or f"p. {page.page or f'PDF {page.pdf_page}'}" for page in question.gold}
    for key, pages in result.lost().items():
        if pages:
            places = ", ".join(f"{page.file} {labels[page]}" for page in pages)
            out.print(f"   {texts(LOST[key], pages=places)}", style="dim")
    if not question.gold:
        out.print("   " + texts("evaluation-not-refused"), style="dim")
