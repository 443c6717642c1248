"""`ingest`, `books`, `search` and `page`: the books without a chat model.

What opens the index is imported by the commands that search: `ingest` and `books` do without.
"""

import argparse
import os
import queue
import signal
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

from rag.cli.console import IngestBars, asked, print_json, print_records, say
from rag.cli.services import open_library
from rag.config import Settings
from rag.errors import ConfigurationError, EmptyLibrary, NothingAsked, RulesError
from rag.library.books.book import BookSummary, Problem
from rag.library.index.open import index_of, latest, library_notice
from rag.library.index.tables import sheet_labels
from rag.library.ingest import ingest as ingestion
from rag.library.language.language import UNKNOWN
from rag.library.language.words import words
from rag.texts import Texts

if TYPE_CHECKING:
    from langchain_core.documents import Document

    from rag.models.embeddings import EmbeddingModel

POLITENESS = 10
"""How far behind the bot its ingestion stands, of the 19 steps that systems of POSIX know."""
EVERYTHING = argparse.Namespace(paths=[], prune=False, progress="bar")
FACTS_OF_A_PAGE = ("book", "file", "page", "pdf_page", "score", "text", "section")
"""What `search --json` prints of a page, in this order; the section where there are no pages."""


async def ingest(options: argparse.Namespace, settings: Settings, texts: Texts) -> int:
    """Index what is new or changed, and tell of every book; with `--stay`, whenever told to."""
    from rag.models.embeddings import embedding_model

    # The event loop would end the work at the next await after Ctrl-C, and there is none.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    model = embedding_model(settings)
    if options.stay is None:
        return ingest_and_tell(settings, model, texts, options)
    from rag.library.ingest.read_books import prepare_reader

    # The bot, which answers meanwhile, has the processor first; processes begun here inherit it.
    if sys.platform != "win32":
        os.nice(POLITENESS)
    lines = _lines()

    told = library_notice(settings, settings)
    with suppress(queue.Empty):
        for _ in iter(partial(lines.get, timeout=options.stay), ""):
            before, told = told, library_notice(settings, settings)
            if told and not before:
                say(texts(told, folder=str(settings.library_dir)))
            print_json(_told_to_ingest(options, settings, model, texts), sys.stderr)
            prepare_reader()
    return 0


def _told_to_ingest(
    options: argparse.Namespace, settings: Settings, model: "EmbeddingModel", texts: Texts
) -> dict[str, Any]:
    """Ingest, and tell what became of it: whether another attempt may do better."""
    try:
        status, is_unfinished = ingest_and_tell(settings, model, texts, options), False
    except RulesError as error:
        say(texts(error.key, **error.values))
        status, is_unfinished = 1, not isinstance(error, ConfigurationError)
    return {"stage": "done", "status": status, "unfinished": is_unfinished}


def ingest_and_tell(
    settings: Settings, model: "EmbeddingModel", texts: Texts, options: argparse.Namespace = EVERYTHING
) -> int:
    """Index what is new or changed, and tell of every book; returns the exit status."""
    ingest = partial(ingestion.ingest, only=options.paths, prune=options.prune)
    if options.progress == "json":
        report = ingest(settings, model, lambda progress: print_json(asdict(progress), sys.stderr))
    else:
        with IngestBars(texts) as bars:
            report = ingest(settings, model, bars)
    if report.damaged:
        say(texts("ingest-damaged", parts=", ".join(report.damaged)))
    if report.replaced_model:
        say(texts("ingest-new-model", before=report.replaced_model, now=settings.embedding_name))
    print_books(report.books, texts)
    print_problems(report.books, report.problems, texts)
    return 1 if report.problems else 0


def _lines() -> "queue.SimpleQueue[str]":
    """The lines of standard input as they come; an empty one when it has ended."""
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def read() -> None:
        for line in sys.stdin:
            lines.put(line)
        lines.put("")

    # Windows has no other way to wait for a pipe for a while.
    threading.Thread(target=read, name="read-lines", daemon=True).start()
    return lines


async def books(options: argparse.Namespace, settings: Settings, texts: Texts) -> None:
    """List what is indexed. Raises `EmptyLibrary`."""
    index = index_of(settings)
    manifest = latest(index)
    if not manifest or not (indexed := manifest.books["gm"]):
        raise EmptyLibrary
    if options.json:
        labels = sheet_labels(index.segments(manifest))
        print_json([{**asdict(book), "labels": labels.get(book.file, [])} for book in indexed])
    else:
        print_books(indexed, texts)


async def search(options: argparse.Namespace, settings: Settings, texts: Texts) -> None:
    """The ranked pages for a query."""
    from rag.cli.output import print_pages

    retriever = open_library(settings).retriever(options.reader, options.book, options.k)
    for query in asked(options.query):
        if not words(query):
            say(texts(NothingAsked.key))
            continue
        pages = await retriever.ainvoke(query)
        if options.json:
            print_json([facts_of(page) for page in pages])
        else:
            print_pages(pages, texts)


def facts_of(page: "Document") -> dict[str, Any]:
    """What programs are told of a page that was found."""
    from rag.state import placed

    told = {**page.metadata, "text": page.page_content}
    return placed({fact: told[fact] for fact in FACTS_OF_A_PAGE})


async def page(options: argparse.Namespace, settings: Settings, texts: Texts) -> None:
    """A printed page: its text, or a picture of it in a file."""
    from rag.texts.blocks import citation

    library = open_library(settings)
    found = library.page(options.book, options.page, options.reader)
    place = citation(found.book, found.label, found.pdf_page, texts, found.section)
    if options.picture:
        from rag.cli.pictures import save_pictures

        save_pictures([library.page_to_draw(found.id, options.reader)], options.picture, place, texts)
    else:
        say(place)
        print(found.text)


def print_books(books: Iterable[BookSummary], texts: Texts) -> None:
    """A row per book."""
    rows = [
        {
            "column-game": book.game,
            "column-title": book.title,
            "column-pages": book.sections or book.pages,
            "column-printed": _printed(book, texts),
            "column-language": texts("language-unknown") if book.language == UNKNOWN else book.language,
            "column-codes": ", ".join(book.codes),
            "column-audience": texts("audience-gm" if book.audience == "gm" else "audience-player"),
            "column-references": f"{book.resolved}/{book.references}" if book.resolved else "",
            "column-health": _health(book, texts),
        }
        for book in books
    ]
    # What no book has, as codes and references that lead anywhere, is no column.
    told = {key for row in rows for key, value in row.items() if value != ""}
    print_records([{texts(key): row[key] for key in row if key in told} for row in rows], on_a_line=True)


def _health(book: BookSummary, texts: Texts) -> str:
    low = book.health.low(book.pages)
    told = [texts(key, percent=round(100 * share)) for key, share in low.items()]
    return ", ".join(told) or texts("health-well")


def _printed(book: BookSummary, texts: Texts) -> str:
    """The printed numbers of a book; else why there are none, or that there are sections."""
    if book.first_label:
        return f"{book.first_label}–{book.last_label}"
    if book.sections:
        return texts("pages-sections")
    return texts("pages-unread" if book.numbering == "unread" else "pages-uncounted")


def print_problems(books: Iterable[BookSummary], problems: Iterable[Problem], texts: Texts) -> None:
    """One clear line for each book that could not be read, or not wholly."""
    for problem in problems:
        say(texts(problem.key, **problem.values), "red")
    for book in books:
        for noted in book.problems:
            say(texts(noted["key"], **noted["values"]))
