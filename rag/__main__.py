"""The terminal: `python -m rag ingest | books | search | ask | chat | page | prompts | evaluate`.

Standard output holds the result alone. Exit status: 0 done, 1 failed with one line that says what to
do, 2 wrong usage. Heavy modules are imported by the command that needs them.
"""

import argparse
import asyncio
import io
import json
import logging
import os
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag.config import SAMPLE_LIBRARY, Settings, StrategyName, load_settings, misspelt_settings
from rag.errors import IndexUnreachable, NoChatModel, NothingAsked, RulesError
from rag.library.index.open import library_settings
from rag.models.usage import leave_out_bounds
from rag.texts import Texts, texts_for

if TYPE_CHECKING:
    from rag.graph import RulesGraph
    from rag.library.library import Library
    from rag.state import Reply

SAMPLE_QUESTIONS = SAMPLE_LIBRARY.parent / "questions.jsonl"
SAMPLES_SHOWN = 3
EXIT_WORDS = frozenset({"exit", "quit", "sair"})
HELP_WORDS = frozenset({"help", "ajuda"})


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    options = _parser().parse_args(arguments)
    texts = _terminal_texts()
    _let_no_character_fail()
    try:
        settings = _settings(options, texts)
        with _tracing(options, settings):
            status = asyncio.run(options.command(options, settings, texts)) or 0
        sys.stdout.flush()
        return status
    except RulesError as error:
        print(texts(error.key, **error.values), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _let_go_of_standard_output()
        return 141


def _let_no_character_fail() -> None:
    """Put a sign in place of what cannot be read as text, or is not in the terminal's alphabet."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _let_go_of_standard_output() -> None:
    """Whoever read our output has gone; Python would complain once more when it flushes at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _settings(options: argparse.Namespace, texts: Texts) -> Settings:
    settings = load_settings()
    logging.basicConfig(
        level=settings.log_level if options.verbose else "WARNING",
        format="%(levelname)s %(name)s: %(message)s",
    )
    leave_out_bounds()
    for name, nearest in misspelt_settings().items():
        print(texts("notice-setting-unknown", name=name, nearest=nearest), file=sys.stderr)
    reading = library_settings(settings)
    if reading is not settings:
        notice = "notice-sample-game" if settings.library_dir.is_dir() else "notice-no-library"
        print(texts(notice, folder=str(settings.library_dir)), file=sys.stderr)
    return reading


def _tracing(options: argparse.Namespace, settings: Settings) -> AbstractContextManager[None]:
    """Traces of a command that runs LangChain's parts; the others need not load what traces."""
    if not options.traced:
        return nullcontext()
    from rag.models.tracing import tracing

    return tracing(settings)


def _terminal_texts() -> Texts:
    return texts_for(os.environ.get("LC_ALL") or os.environ.get("LANG"))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m rag", description="Rules answered from your own books.")
    parser.add_argument("--verbose", action="store_true", help="show the log on standard error")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Any, help: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=help, description=help)
        added.set_defaults(command=run, traced=False)
        return added

    ingest = command("ingest", _ingest, "index what is new or changed, drop what is gone")
    ingest.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="only these files or folders")
    ingest.add_argument("--progress", choices=["bar", "json"], default="bar", help="how progress is told")
    books = command("books", _books, "list what is indexed")
    search = command("search", _search, "the ranked pages for a query, without a chat model")
    search.add_argument("query", type=_text, metavar="QUERY", help="the query; - reads one a line")
    search.add_argument("-k", type=_positive, default=10, help="how many pages")
    ask = command("ask", _ask, "answer one question")
    ask.add_argument("question", type=_text, metavar="QUESTION", help="the question; - reads one a line")
    ask.add_argument(
        "--thread", type=_text, metavar="NAME", help="the conversation it belongs to, while this process runs"
    )
    chat = command("chat", _chat, "a conversation in the terminal")
    chat.set_defaults(json=False)
    page = command("page", _page, "the text of a printed page")
    page.add_argument("book", type=_text, metavar="BOOK")
    page.add_argument(
        "page", type=_text, metavar="PAGE", help='the printed number, or as it is cited: "PDF p. 2"'
    )
    prompts = command("prompts", _prompts, "list the prompts with version and origin, or test one")
    tests = prompts.add_subparsers(metavar="")
    test = tests.add_parser("test", help="run one prompt alone on a file of cases")
    test.set_defaults(command=_test_prompt, traced=True)
    test.add_argument("prompt", choices=["sufficiency"], help="which prompt")
    test.add_argument("cases", type=Path, metavar="CASES.jsonl", help="one case a line")
    evaluate = command("evaluate", _evaluate, "score a question file against the index")
    evaluate.add_argument("questions", type=Path, metavar="QUESTIONS.jsonl", help="one question a line")
    evaluate.add_argument("--language", choices=["en", "pt", "all"], default="all", help="which wording")
    for reading in (search, ask, chat):
        reading.add_argument("--book", type=_text, metavar="BOOK", help="a title, a code, a file or a game")
    for answering in (ask, chat, evaluate):
        answering.add_argument("--strategy", choices=list(StrategyName), type=StrategyName)
    for reading in (search, ask, chat, page, evaluate):
        reading.add_argument("--as", dest="reader", choices=["player", "gm"], default="player")
    for traced in (search, ask, chat, evaluate):
        traced.set_defaults(traced=True)
    for listing in (books, search, ask, evaluate, prompts, test):
        listing.add_argument("--json", action="store_true", help="JSON, one value a line")
    return parser


def _text(argument: str) -> str:
    """An argument with a sign in place of bytes that are no text, which Python passes on as surrogates."""
    return argument.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("must be a whole number, 1 or more")
    return int(text)


async def _ingest(options: argparse.Namespace, settings: Settings, texts: Texts) -> int:
    from rag.cli.console import IngestProgress, print_books, print_problems, say
    from rag.library.ingest.ingest import ingest
    from rag.models.embeddings import embedding_model

    if options.progress == "json":
        report = ingest(settings, embedding_model(settings), _print_progress, options.paths)
    else:
        with IngestProgress(texts) as progress:
            report = ingest(settings, embedding_model(settings), progress, options.paths)
    if report.replaced_model:
        say(texts("ingest-new-model", before=report.replaced_model, now=settings.embedding_name))
    print_books(report.books, texts)
    print_problems(report.books, report.problems, texts)
    return 1 if report.problems else 0


def _print_progress(progress: Any) -> None:
    print(json.dumps(asdict(progress)), file=sys.stderr, flush=True)


async def _books(options: argparse.Namespace, settings: Settings, texts: Texts) -> None:
    from rag.cli.console import print_books
    from rag.library.index.open import index_of, latest

    manifest = latest(index_of(settings))
    books = manifest.books["gm"] if manifest else ()
    if options.json:
        print(json.dumps([asdict(book) for book in books], ensure_ascii=False))
    else:
        print_books(books, texts)


async def _search(options: argparse.Namespace, settings: Settings, texts: Texts) -> None:
    from rag.cli.output import print_pages

    retriever = _library(settings).retriever(options.reader, options.book, options.k)
    for query in _asked(options.query, texts):
        pages = await retriever.ainvoke(query)
        if options.json:
            keys = ("book", "file", "page", "pdf_page", "score")
            found = [
                {key: page.metadata[key] for key in keys} | {"text": page.page_content} for page in pages
            ]
            print(json.dumps(found, ensure_ascii=False), flush=True)
        else:
            print_pages(pages, texts)


async def _ask(options: argparse.Namespace, settings: Settings, texts: Texts) -> None:
    from rag.cli.output import print_reply
    from rag.graph import thread_id

    rules_graph = await _rules_graph(settings)
    thread = thread_id(options.thread) if options.thread else None
    for question in _asked(options.question, texts):
        reply = await _reply(rules_graph, question, thread, options, settings)
        if options.json:
            print(json.dumps(reply.to_json(), ensure_ascii=False), flush=True)
        else:
            print_reply(reply)


async def _chat(options: argparse.Namespace, settings: Settings, texts: Texts) -> None:
    from rag.cli.console import say
    from rag.cli.output import print_question, print_reply
    from rag.graph import thread_id
    from rag.library.language.words import words

    rules_graph = await _rules_graph(settings)
    thread = thread_id(f"chat {os.getpid()}")
    interactive = sys.stdin.isatty()
    if interactive:
        say(texts("chat-hint"))
    is_silent = True
    async for line in _typed(texts("chat-prompt") if interactive else ""):
        is_silent = False
        if line.casefold() in EXIT_WORDS:
            break
        if line.casefold() in HELP_WORDS:
            say(texts("chat-help"))
        elif not words(line):
            say(texts(NothingAsked.key))
        else:
            texts = await _say_answer(rules_graph, line, thread, options, settings, texts)
    if is_silent and not interactive:
        for question in await _samples(settings, options, texts):
            print_question(question)
            print_reply(await _reply(rules_graph, question, None, options, settings))


async def _say_answer(
    rules_graph: "RulesGraph",
    question: str,
    thread: str,
    options: argparse.Namespace,
    settings: Settings,
    texts: Texts,
) -> Texts:
    """Print the answer within a conversation; returns our sentences in the conversation's language."""
    from rag.cli.console import say
    from rag.cli.output import print_reply

    try:
        reply = await _reply(rules_graph, question, thread, options, settings)
    except IndexUnreachable as error:
        # It may be back for the next question.
        say(texts(error.key, **error.values))
        return texts
    print_reply(reply)
    return texts_for(reply.locale)


async def _page(options: argparse.Namespace, settings: Settings, texts: Texts) -> None:
    from rag.cli.console import say
    from rag.texts.blocks import citation

    page = _library(settings).page(options.book, options.page, options.reader)
    facts = page.metadata
    say(citation(facts["book"], facts["page"], facts["pdf_page"], texts))
    print(page.page_content)


async def _evaluate(options: argparse.Namespace, settings: Settings, texts: Texts) -> None:
    from rag.cli.evaluation_report import print_doubts, print_evaluation, question_bar
    from rag.evaluation import LANGUAGES, evaluate, read_questions
    from rag.evaluation.check import doubts

    questions = read_questions(options.questions)
    library, rules_graph = await _library_and_rules_graph(settings)
    print_doubts(doubts(questions, library, options.reader), texts)
    with question_bar(texts) as on_done:
        evaluation = await evaluate(
            questions,
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


async def _prompts(options: argparse.Namespace, settings: Settings, texts: Texts) -> None:
    from rag.cli.prompts import print_prompts, prompt_json
    from rag.prompts.hub import chosen_prompts

    prompts = (await chosen_prompts(settings)).values()
    if options.json:
        print(json.dumps([prompt_json(prompt, texts) for prompt in prompts], ensure_ascii=False))
    else:
        print_prompts(prompts, texts)


async def _test_prompt(options: argparse.Namespace, settings: Settings, texts: Texts) -> int:
    from rag.cli.prompts import print_results
    from rag.evaluation.sufficiency import read_cases, run_cases
    from rag.models.chat import chat_model
    from rag.prompts.hub import chosen_prompts

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


async def _reply(
    rules_graph: "RulesGraph",
    question: str,
    thread: str | None,
    options: argparse.Namespace,
    settings: Settings,
) -> "Reply":
    """The reply to a question; on a terminal its steps are told meanwhile."""
    from rag.cli.output import awaited_reply

    events = rules_graph.ask(
        question,
        thread,
        strategy=options.strategy or settings.retrieval_strategy,
        reader=options.reader,
        book=options.book,
    )
    return await awaited_reply(events, _terminal_texts(), for_people=not options.json)


def _library(settings: Settings) -> "Library":
    from rag.library.library import Library
    from rag.models.embeddings import embedding_model

    return Library.open(settings, embedding_model(settings))


async def _rules_graph(settings: Settings) -> "RulesGraph":
    return (await _library_and_rules_graph(settings))[1]


async def _library_and_rules_graph(settings: Settings) -> "tuple[Library, RulesGraph]":
    from rag.graph import RulesGraph
    from rag.library.library import Library
    from rag.memory import conversation_memory
    from rag.models.chat import chat_model
    from rag.models.embeddings import embedding_model
    from rag.models.usage import meters
    from rag.prompts.hub import chosen_prompts

    embedding = embedding_model(settings)
    library = Library.open(settings, embedding)
    model, memory = chat_model(settings), conversation_memory(settings)
    return library, RulesGraph(
        library, model, embedding, memory, meters(settings), await chosen_prompts(settings)
    )


def _asked(argument: str, texts: Texts) -> Iterator[str]:
    """The argument itself, or for `-` the lines of standard input that are not empty.

    Where nothing is asked, raises `NothingAsked`; of a line that is said, and the next one read.
    """
    from rag.cli.console import say
    from rag.library.language.words import words

    if argument != "-":
        if not words(argument):
            raise NothingAsked
        yield argument
        return
    for line in filter(None, map(str.strip, sys.stdin)):
        if words(line):
            yield line
        else:
            say(texts(NothingAsked.key))


async def _typed(prompt: str) -> AsyncIterator[str]:
    """The lines that are typed, until the end of input."""
    while True:
        if prompt:
            print(prompt, end="", file=sys.stderr, flush=True)
        line = await asyncio.to_thread(sys.stdin.readline)
        if not line:
            return
        if line.strip():
            yield line.strip()


async def _samples(settings: Settings, options: argparse.Namespace, texts: Texts) -> list[str]:
    """A few questions to show: the sample game's own, else after headings of the reader's books."""
    if settings.library_dir == SAMPLE_LIBRARY:
        lines = SAMPLE_QUESTIONS.read_text(encoding="utf-8").splitlines()
        return [json.loads(line)["question"] for line in lines[:SAMPLES_SHOWN]]
    pages = await _library(settings).retriever(options.reader, options.book).ainvoke(texts("sample-query"))
    titled = [page.metadata for page in pages if page.metadata["headings"]]
    return [
        texts("sample-question", book=facts["book"], heading=facts["headings"][-1])
        for facts in titled[:SAMPLES_SHOWN]
    ]


if __name__ == "__main__":
    sys.exit(main())
