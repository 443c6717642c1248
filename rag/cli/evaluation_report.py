"""`evaluate`: questions scored against the index, as a table of measures, and the misses one by one."""

import argparse
from functools import partial

from rag.cli.console import out, print_json, print_records, say, tracked
from rag.cli.services import open_library_and_graph
from rag.config import Settings
from rag.evaluation.check import doubts, prepared
from rag.evaluation.questions import read_questions
from rag.evaluation.run import LANGUAGES
from rag.evaluation.run import evaluate as evaluation_of
from rag.texts import Texts


async def evaluate(options: argparse.Namespace, settings: Settings, texts: Texts) -> None:
    """Score question files against the index; of a question that several have the last one counts."""
    read = {one.id: one for file in options.questions for one in read_questions(file)}
    questions = list(read.values())
    library, rules_graph = await open_library_and_graph(settings)
    for doubt in doubts(questions, library, options.reader, texts):
        say(doubt)
    evaluation = await evaluation_of(
        prepared(questions, library, options.reader),
        library,
        rules_graph,
        languages=LANGUAGES if options.language == "all" else (options.language,),
        strategy=options.strategy or settings.retrieval_strategy,
        reader=options.reader,
        track=partial(tracked, description=texts("evaluation-progress")),
    )
    if options.json:
        print_json(evaluation.to_json())
        return
    # A row a measure, a column a language and type of question; then what was missed.
    groups = {f"{language} {kind}": row for language, kind, row in evaluation.rows()}
    names = next(iter(groups.values()), {})
    print_records([{"": name, **{group: row[name] for group, row in groups.items()}} for name in names])
    misses = evaluation.misses()
    out.print()
    out.print(texts("evaluation-misses", count=len(misses)), style="bold")
    print_records([result.to_json() for result in misses])
