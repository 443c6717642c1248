"""Compares ways to find the right pages, on the same books with the same embedding.

`python -m benchmarks.retrieval [--json]` takes the books and questions of `CORPUS_DIR`, else of the sample
game, and keeps the index in `INDEX_DIR`, else in a folder that is gone afterwards. No chat model is used.
"""

import argparse
import asyncio
import json
import os
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import bm25s
import numpy as np
import pypdfium2
from langchain_core.embeddings import Embeddings
from langchain_core.retrievers import BaseRetriever
from langchain_text_splitters import RecursiveCharacterTextSplitter
from rich.console import Console
from rich.progress import track
from rich.table import Table

from rag.cli.console import IngestBars
from rag.config import SAMPLE_LIBRARY, Audience, Settings, load_settings
from rag.evaluation.questions import GoldQuestion, QuestionLanguage, read_questions
from rag.evaluation.run import ALL, LANGUAGES, page_ids, searched, wordings
from rag.evaluation.scores import (
    CONTEXT_MEASURES,
    RANKING_MEASURES,
    Scores,
    means,
    page_scores,
    quantile,
)
from rag.graph import PAGES_ANSWERED_FROM
from rag.library.ingest.ingest import ingest
from rag.library.library import Library
from rag.models.embeddings import embedding_model
from rag.nodes.rewrite import standalone_question
from rag.state import PageId
from rag.strategies.context import merged_context
from rag.strategies.multi_hop import MultiHopStrategy
from rag.texts import texts_for

LANGCHAIN_CHILD_CHARACTERS = 400
"""The child splitter of LangChain's how-to "Parent document retriever"; its overlap is the default."""
LANGCHAIN_CHILDREN = (4, 20)
"""The default number of children, and one that finds about ten pages."""
BM25_PAGES = 10
READER: Audience = "gm"
TABLE_WIDTH = 120

err = Console(stderr=True)


@dataclass(frozen=True, slots=True)
class RetrievalQuestion:
    """A question in one language; `standalone` has the question before it in front."""

    gold: GoldQuestion
    language: QuestionLanguage
    wording: str
    standalone: str


@dataclass(frozen=True, slots=True)
class System:
    """A way to find pages for a question, best first."""

    name: str
    find: Callable[[RetrievalQuestion], Awaitable[Sequence[PageId]]]


@dataclass(frozen=True, slots=True)
class Found:
    """The pages a system found for a question, and how long it took."""

    asked: RetrievalQuestion
    pages: Sequence[PageId]
    seconds: float


def main() -> None:
    """Measure every system and print a table, or JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.retrieval", description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object, also by type of question")
    as_json = parser.parse_args().json
    with _settings() as (settings, questions):
        rows = asyncio.run(compare(settings, read_questions(questions)))
    if as_json:
        print(json.dumps({"systems": rows}, ensure_ascii=False))
    else:
        Console(width=TABLE_WIDTH).print(table(rows))


async def compare(settings: Settings, questions: Sequence[GoldQuestion]) -> list[dict[str, object]]:
    """The scores of every system by language and type."""
    embedding = embedding_model(settings)
    with IngestBars(texts_for("en")) as progress:
        ingest(settings, embedding, progress)
    library = Library.open(settings, embedding)
    retriever, named_books = library.retriever(READER), library.queries(READER).named_books
    pages = read_pages(settings.library_dir)
    systems = [
        bm25(pages),
        *parent_documents(pages, embedding.embeddings),
        search(library),
        strategy(retriever),
    ]
    asked = [
        RetrievalQuestion(
            question,
            language,
            wording,
            await standalone_question(None, wording, question.history, named_books=named_books),
        )
        for question, language, wording in wordings(questions, LANGUAGES)
    ]
    return [row for system in systems for row in _rows(system.name, await measured(system, asked))]


async def measured(system: System, asked: Sequence[RetrievalQuestion]) -> list[Found]:
    """What a system finds for each question, one after the other."""
    found = []
    for question in track(asked, system.name, console=err, transient=True):
        started = time.perf_counter()
        pages = await system.find(question)
        found.append(Found(question, pages, time.perf_counter() - started))
    return found


def read_pages(library_dir: Path) -> dict[PageId, str]:
    """The text of every page as PDFium gives it, line-end hyphens joined."""
    pages = {}
    for path in sorted(library_dir.rglob("*.pdf")):
        with pypdfium2.PdfDocument(path) as document:
            for number, page in enumerate(document, 1):
                text = page.get_textpage().get_text_range().replace("\ufffe", "")
                pages[PageId(path.relative_to(library_dir).as_posix(), number)] = text
    return pages


def bm25(pages: dict[PageId, str]) -> System:
    """Plain BM25, one document a page."""
    places = list(pages)
    index = bm25s.BM25()
    index.index(bm25s.tokenize(list(pages.values()), show_progress=False), show_progress=False)

    async def find(asked: RetrievalQuestion) -> Sequence[PageId]:
        words = bm25s.tokenize(asked.standalone, show_progress=False)
        ranked, _ = index.retrieve(words, k=min(BM25_PAGES, len(places)), show_progress=False)
        return [places[page] for page in ranked[0]]

    return System("BM25, a page a document", find)


def parent_documents(pages: dict[PageId, str], embeddings: Embeddings) -> list[System]:
    """Dense retrieval of small children, whose parent pages are returned, as LangChain teaches it.

    Its `ParentDocumentRetriever` over an in-memory vector store compares all children by cosine; so
    does this, in one product.
    """
    splitter = RecursiveCharacterTextSplitter(chunk_size=LANGCHAIN_CHILD_CHARACTERS)
    children = [(place, child) for place, text in pages.items() for child in splitter.split_text(text)]
    batches = [children[first : first + 256] for first in range(0, len(children), 256)]
    vectors = np.array(
        [
            vector
            for batch in track(batches, "embedding children", console=err, transient=True)
            for vector in embeddings.embed_documents([text for _, text in batch])
        ]
    )
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)

    def returning(k: int) -> System:
        async def find(asked: RetrievalQuestion) -> Sequence[PageId]:
            query = np.array(await embeddings.aembed_query(asked.standalone))
            nearest = np.argsort(-(vectors @ query), kind="stable")[:k]
            return list(dict.fromkeys(children[child][0] for child in nearest))

        return System(f"LangChain parents of {k} children", find)

    return [returning(k) for k in LANGCHAIN_CHILDREN]


def search(library: Library) -> System:
    """Our retriever alone."""

    async def find(asked: RetrievalQuestion) -> Sequence[PageId]:
        return page_ids(await searched(asked.wording, asked.gold, library, READER))

    return System("search", find)


def strategy(retriever: BaseRetriever) -> System:
    """What our multi-hop strategy hands to the generator."""

    async def find(asked: RetrievalQuestion) -> Sequence[PageId]:
        state = await MultiHopStrategy(retriever).execute(
            {"question": asked.wording, "standalone_question": asked.standalone}
        )
        return page_ids(merged_context(state["questions"], PAGES_ANSWERED_FROM))

    return System("multi-hop strategy", find)


def table(rows: Sequence[dict[str, object]]) -> Table:
    """A row a system and language, over all types of questions."""
    overall = [row for row in rows if row["type"] == ALL]
    shown = Table(box=None, header_style="bold", pad_edge=False, collapse_padding=True)
    for name in [name for name in overall[0] if name != "type"]:
        shown.add_column(name, justify="left" if name in ("system", "language") else "right", no_wrap=True)
    for row in overall:
        shown.add_row(*(_shown(value) for name, value in row.items() if name != "type"))
    return shown


def _shown(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _rows(system: str, found: Sequence[Found]) -> Iterator[dict[str, object]]:
    types = dict.fromkeys(one.asked.gold.type for one in found if one.asked.gold.gold)
    for language in LANGUAGES:
        for kind in (ALL, *types):
            group = [
                one for one in found if one.asked.language == language and kind in (ALL, one.asked.gold.type)
            ]
            yield {"system": system, "language": language, "type": kind, **_scores(group)}


def _scores(found: Sequence[Found]) -> Scores:
    measures = RANKING_MEASURES | CONTEXT_MEASURES
    seconds = quantile((one.seconds for one in found), 0.5)
    return {**means([page_scores(measures, one.pages, one.asked.gold) for one in found]), "seconds": seconds}


@contextmanager
def _settings() -> Iterator[tuple[Settings, Path]]:
    """The settings for the books to compare on, and their questions."""
    corpus = os.environ.get("CORPUS_DIR")
    home = Path(corpus) if corpus else SAMPLE_LIBRARY.parent
    with TemporaryDirectory() as folder:
        books = {"library_dir": home / "books", "index_dir": Path(os.environ.get("INDEX_DIR") or folder)}
        yield load_settings().model_copy(update=books), home / "questions.jsonl"


if __name__ == "__main__":
    main()
