"""What a command works with: its settings, the library and the graph.

Heavy modules are imported by the function that needs them.
"""

import argparse
import logging
import sys
from typing import TYPE_CHECKING

from rag.config import Settings, load_settings
from rag.errors import EmptyLibrary
from rag.library.index.open import index_of, is_unread, library_notice, library_settings
from rag.texts import Texts

if TYPE_CHECKING:
    from rag.graph import RulesGraph
    from rag.library.library import Library


def command_settings(options: argparse.Namespace, texts: Texts) -> Settings:
    """The settings, with the sample game where there are no books; what is odd about them is told."""
    settings = load_settings()
    logging.basicConfig(
        level=settings.log_level if options.verbose else "WARNING",
        format="%(levelname)s %(name)s: %(message)s",
    )
    reading = library_settings(settings)
    reads_books = "reader" in options
    if reads_books and reading is not settings and index_of(reading).published() is None:
        raise EmptyLibrary("error-sample-game-unread", folder=str(settings.library_dir))
    if not getattr(options, "is_told", False):
        is_new = options.command != "library.ingest" and is_unread(settings)
        if notice := "notice-books-unread" if is_new else library_notice(settings, reading):
            print(texts(notice, folder=str(settings.library_dir)), file=sys.stderr)
    return reading


def open_library(settings: Settings) -> "Library":
    """The indexed books."""
    from rag.library.library import Library
    from rag.models.embeddings import embedding_model

    return Library.open(settings, embedding_model(settings))


async def open_library_and_graph(settings: Settings) -> "tuple[Library, RulesGraph]":
    """The indexed books, and the graph that answers questions from them."""
    from rag.graph import RulesGraph
    from rag.library.library import Library
    from rag.models.chat import chat_model
    from rag.models.embeddings import embedding_model
    from rag.prompts.hub import chosen_prompts

    embedding = embedding_model(settings)
    library = Library.open(settings, embedding)
    prompts = await chosen_prompts(settings)
    return library, RulesGraph.of(settings, library, chat_model(settings), embedding, prompts)
