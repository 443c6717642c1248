"""The terminal: `python -m rag COMMAND`, and `rules-bot COMMAND` where the program is installed.

Standard output holds the result alone. Exit status: 0 done, 1 failed with one line that says what to
do, 2 wrong usage. The module of a command is loaded when the command runs, so that none waits for another's.
"""

import argparse
import asyncio
import os
import sys
from collections.abc import Callable, Coroutine, Sequence
from contextlib import nullcontext
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from rag import __version__
from rag.cli.console import let_go_of_standard_output, replace_unreadable_characters
from rag.cli.services import command_settings
from rag.config import Settings, StrategyName
from rag.errors import RulesError
from rag.models.tracing import tracing
from rag.texts import COMMAND_NAME, Texts, program, texts_for

Command = Callable[[argparse.Namespace, Settings, Texts], Coroutine[Any, Any, int | None]]
"""What runs a command; returns its exit status, None for 0."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    options = _parser().parse_args(arguments)
    texts = texts_for(os.environ.get("LC_ALL") or os.environ.get("LANG"))
    replace_unreadable_characters()
    try:
        settings = command_settings(options, texts)
        # A command that runs none of LangChain's parts need not load what traces them.
        with tracing(settings) if options.traced else nullcontext():
            # The function of a command, in a module of `rag.cli`: "library.books".
            command: Command = resolve_name(f"rag.cli.{options.command}")
            status = asyncio.run(command(options, settings, texts)) or 0
        sys.stdout.flush()
        return status
    except RulesError as error:
        print(texts(error.key, **error.values), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        let_go_of_standard_output()
        return 141


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=program(), description="Rules answered from your own books.")
    parser.add_argument("--version", action="version", version=f"{COMMAND_NAME} {__version__}")
    parser.add_argument("--verbose", action="store_true", help="show the log on standard error")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, function: str, help: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=help, description=help)
        added.set_defaults(command=function, traced=False)
        return added

    run = command("run", "host.run", "index the books, then start the bot, or a conversation without a token")
    run.set_defaults(is_told=True)
    command("check", "host.check", "tell the version, the books and whether the models answer")
    model = command("model", "host.model", "choose a chat model, try its key and write both into .env")
    model.set_defaults(is_told=True)
    mcp = command("mcp", "host.mcp", "serve the books to an assistant (Model Context Protocol)")
    mcp.add_argument("--reader", choices=["player", "gm"], default="player", help="whose books")
    ingest = command("ingest", "library.ingest", "index what is new or changed, drop what is gone")
    ingest.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="only these files or folders")
    ingest.add_argument("--prune", action="store_true", help="drop at once what is kept of books now gone")
    ingest.add_argument("--progress", choices=["bar", "json"], default="bar", help="how progress is told")
    ingest.add_argument(
        "--stay", type=_positive, metavar="SECONDS", help="ingest again at each line of input"
    )
    ingest.add_argument(
        "--told", dest="is_told", action="store_true", help="another command tells of a sample game"
    )
    books = command("books", "library.books", "list what is indexed")
    books.set_defaults(reader="gm")
    search = command("search", "library.search", "the ranked pages for a query, without a chat model")
    search.add_argument("query", type=_text, metavar="QUERY", help="the query; - reads one a line")
    search.add_argument("-k", type=_positive, default=10, help="how many pages")
    ask = command("ask", "ask.ask", "answer one question")
    ask.add_argument("question", type=_text, metavar="QUESTION", help="the question; - reads one a line")
    ask.add_argument("--thread", type=_text, metavar="NAME", help="the conversation that it belongs to")
    chat = command("chat", "ask.chat", "a conversation in the terminal")
    chat.set_defaults(json=False, why=False)
    ask.add_argument("--why", action="store_true", help="also tell how the answer was found")
    ask.add_argument("--picture", type=_png, metavar="FILE.png", help="also draw the first quotation")
    page = command("page", "library.page", "a printed page as text, or as a picture")
    page.add_argument("book", type=_text, metavar="BOOK")
    page.add_argument(
        "page", type=_text, metavar="PAGE", help='printed "12", cited "PDF p. 2", "Rules › Falls"'
    )
    page.add_argument("-o", dest="picture", type=_png, metavar="FILE.png", help="draw it into this file")
    prompts = command("prompts", "prompts.prompts", "list the prompts with version and origin, or test one")
    tests = prompts.add_subparsers(metavar="")
    test = tests.add_parser("test", help="run one prompt alone on a file of cases")
    test.set_defaults(command="prompts.test_prompt", traced=True)
    test.add_argument("prompt", choices=["sufficiency"], help="which prompt")
    test.add_argument("cases", type=Path, metavar="CASES.jsonl", help="one case a line")
    evaluate = command("evaluate", "evaluation_report.evaluate", "score a question file against the index")
    evaluate.add_argument(
        "questions", type=Path, nargs="+", metavar="QUESTIONS.jsonl", help="one question a line"
    )
    evaluate.add_argument("--language", choices=["en", "pt", "all"], default="all", help="which wording")
    for reading in (search, ask, chat):
        reading.add_argument("--book", type=_text, metavar="BOOK", help="a title, a code, a file or a game")
    for asking in (ask, chat):
        asking.add_argument("--book-only", action="store_true", help="leave a table's own rules out")
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


def _png(argument: str) -> Path:
    """The file for a picture; never that of a book."""
    if not argument.lower().endswith(".png"):
        raise argparse.ArgumentTypeError("must end in .png")
    return Path(argument)


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("must be a whole number, 1 or more")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
