"""A bot over a small book of one game, with the graph that answers in earnest, by quotation."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from bot.operations.ingestion import Ingestion
from rag.graph import RulesGraph
from rag.library.books.page import Heading, Page
from rag.library.ingest.ingest import ingest
from tests.bot.table import ScriptedRulesGraph, Table
from tests.rag.library.small_library import SmallLibrary, parsed_book

LAMPS = "A lamp lights six paces, and burns for an hour."
ROPES = "A rope holds two people."
PAGES = (
    Page(1, "12", f"Lamps\n\n{LAMPS}", (Heading(2, "Lamps", 0),), "text", False),
    Page(2, "13", f"Ropes\n\n{ROPES}", (Heading(2, "Ropes", 0),), "text", False),
)


@contextmanager
def answering_table(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """The bot's folder and parts, closed at the end."""
    small = SmallLibrary(folder)
    monkeypatch.setattr("rag.library.ingest.ingest.read_books", small.read_here)

    async def ingest_here(_: Ingestion) -> None:
        update = {"data_dir": folder, "book_uploads": True}
        await asyncio.to_thread(ingest, small.settings.model_copy(update=update), small.model)

    monkeypatch.setattr(Ingestion, "ingest", ingest_here)
    small.put_parsed("Tides/wading.pdf", parsed_book(*PAGES, title="Wading Orders"))
    small.ingest()
    library = small.open()
    graph = cast(ScriptedRulesGraph, RulesGraph(library, None, small.model))
    table = Table(folder, graph, cast(Any, library))
    yield table
    table.close()
