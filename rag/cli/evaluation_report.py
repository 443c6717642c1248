"""`evaluate`: questions scored against the index, as tables, and the misses one by one."""

import argparse
import json
from collections.abc import Mapping, Sequence

from rich.markup import escape
from rich.table import Table

from rag.cli.console import out, question_bar, say
from rag.cli.services import open_library_and_graph
from rag.config import Settings
from rag.evaluation.check import doubts, in_known_books, with_positions
from rag.evaluation.questions import GoldQuestion, QuestionLanguage, read_questions
from rag.evaluation.run import ALL, LANGUAGES, Evaluation, QuestionResult
from rag.evaluation.run import evaluate as evaluation_of
from rag.evaluation.scores import RANKING_MEASURES, Scores, missing
from rag.nodes.verification import Fault
from rag.state import PageId
from rag.texts import Texts

ANSWER_MEASURES = {
    "prompted": "evaluation-prompted",
    "gold_cited": "evaluation-gold-cited",
    "proof": "evaluation-proof",
    "proof_full": "evaluation-proof-full",
    "noise": "evaluation-noise",
    "quotations": "evaluation-quotations",
    "quoted_characters": "evaluation-quoted-characters",
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


async def evaluate(options: argparse.Namespace, settings: Settings, texts: Texts) -> None:
    """Score a question file against the index."""
    written = read_questions(options.questions)
    library, rules_graph = await open_library_and_graph(settings)
    questions = with_positions(written, library)
    for doubt in doubts(questions, library, options.reader):
        say(texts(doubt.key, **doubt.values))
    with question_bar(texts) as on_done:
        evaluation = await evaluation_of(
            in_known_books(questions, library, options.reader),
            library,
            rules_graph,
            languages=LANGUAGES if options.language == "all" else (options.language,),
            strategy=options.strategy or settings.retrieval_strategy,
            reader=options.reader,
            on_done=on_done,
        )
    if options.json:
        print(json.dumps(evaluation.to_json(), ensure_ascii=False))
    else:
        print_evaluation(evaluation, texts)


def print_evaluation(evaluation: Evaluation, texts: Texts) -> None:
    """Search by language and type, answers by language, then what was missed."""
    rows = evaluation.rows()
    out.print(_search_table(rows, texts))
    out.print()
    out.print(_answer_table(rows, texts))
    if evaluation.mode == "model":
        out.print()
        out.print(_statement_table(evaluation.statements(), texts))
    misses = evaluation.misses()
    out.print()
    out.print(escape(texts("evaluation-misses", count=len(misses))), style="bold")
    for result in misses:
        _print_miss(result, texts)


def _search_table(rows: Sequence[tuple[str, str, Scores]], texts: Texts) -> Table:
    """A row a language and type of question that the books answer."""
    table = _table(
        ["", texts("evaluation-type")],
        [
            texts("evaluation-questions"),
            *RANKING_MEASURES,
            texts("evaluation-context"),
            texts("evaluation-context-pages"),
        ],
    )
    measures = ("questions", *RANKING_MEASURES, "context", "context_pages")
    for language, kind, row in rows:
        if row["mrr"] is not None:
            name = texts("evaluation-all") if kind == ALL else kind
            style = "bold" if kind == ALL else ""
            table.add_row(language, escape(name), *(_shown(row[key]) for key in measures), style=style)
    return table


def _answer_table(rows: Sequence[tuple[str, str, Scores]], texts: Texts) -> Table:
    """A row a measure, a column a language."""
    overall = {language: row for language, kind, row in rows if kind == ALL}
    table = _table([texts("evaluation-answers")], list(overall))
    for measure, key in ANSWER_MEASURES.items():
        table.add_row(texts(key), *(_shown(row[measure]) for row in overall.values()))
    return table


def _statement_table(counts: Mapping[QuestionLanguage, Mapping[str, int]], texts: Texts) -> Table:
    """A row a fate of statements, a column a language; what is no claim is shown as its lines."""
    table = _table([texts("evaluation-statements")], list(counts))
    for name, key in STATEMENT_COUNTS.items():
        table.add_row(texts(key), *(_shown(counted[name]) for counted in counts.values()))
    return table


def _table(names: Sequence[str], numbers: Sequence[str]) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False, collapse_padding=True)
    for name in names:
        table.add_column(name, no_wrap=True)
    for name in numbers:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def _shown(value: float | None) -> str:
    if value is None:
        return "–"
    return str(value) if isinstance(value, int) else f"{value:.2f}"


def _print_miss(result: QuestionResult, texts: Texts) -> None:
    question = result.question
    out.print(escape(f"{question.id} · {question.type} · {result.language} · {result.reply.question}"))
    lines = {
        "evaluation-missing-search": missing(result.searched, question),
        "evaluation-missing-context": missing(result.context, question),
    }
    for key, pages in lines.items():
        if pages:
            out.print(escape(f"   {texts(key, pages=_places(pages, question))}"), style="dim")
    if not question.gold:
        out.print(escape("   " + texts("evaluation-not-refused")), style="dim")


def _places(pages: Sequence[PageId], question: GoldQuestion) -> str:
    labels = {page.id: page.section or f"p. {page.page or f'PDF {page.pdf_page}'}" for page in question.gold}
    return ", ".join(f"{page.file} {labels[page]}" for page in pages)
