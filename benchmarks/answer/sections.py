"""How fast answers come and what they cost: the sections, and what all of them are measured on.

Takes the books and questions of `CORPUS_DIR`, else of the sample game, and keeps the index in `INDEX_DIR`,
else in a folder that is gone afterwards. The chat model is a server of ours on loopback.
"""

import argparse
import json
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

from benchmarks.answer import conversation, growth, host, ingestion, lasting, latency, load, search, servers
from benchmarks.answer.bench import Bench
from benchmarks.answer.figures import Figure, figure_table
from rag.cli.console import IngestBars
from rag.config import EMBEDDED, SAMPLE_LIBRARY, Settings
from rag.library.ingest.ingest import ingest
from rag.models.embeddings import embedding_model
from rag.texts import texts_for

SECTIONS: dict[str, tuple[str, Callable[[Bench], Iterator[Figure]]]] = {
    "host": ("Start and memory", host.measure),
    "latency": ("Answers, with a chat model of fixed delay", latency.measure),
    "load": ("Many questions at once", load.measure),
    "servers": ("Ten servers for three minutes", servers.measure),
    "lasting": ("A thousand questions with pictures and ratings", lasting.measure),
    "conversation": ("Memory of a conversation", conversation.measure),
    "ingestion": ("Indexing", ingestion.measure),
    "building": ("Indexing 20,000 pages", ingestion.measure_large),
    "search": ("Search, without a chat model", search.measure),
    "growth": ("A book more in 20,000 pages", growth.measure),
}
TABLE_WIDTH = 120

err = Console(stderr=True)


def main() -> None:
    """Measure section after section; a table as each is done, or all as JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.answer", description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object for all figures")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"of {', '.join(SECTIONS)}; else all")
    options = parser.parse_args()
    if unknown := set(options.sections) - set(SECTIONS):
        parser.error(f"no such section: {', '.join(sorted(unknown))}")
    logging.basicConfig(level=logging.ERROR)
    out = Console(width=TABLE_WIDTH)
    measured: dict[str, list[dict[str, object]]] = {}
    with _bench() as bench:
        for name in options.sections or SECTIONS:
            title, measure = SECTIONS[name]
            with err.status(title):
                figures = list(measure(bench))
            measured[name] = [figure.to_json() for figure in figures]
            if not options.json:
                out.print(figure_table(title, figures), "")
    if options.json:
        print(json.dumps(measured, ensure_ascii=False))


@contextmanager
def _bench() -> Iterator[Bench]:
    """The library to measure on, indexed; what is written besides is gone afterwards."""
    corpus = os.environ.get("CORPUS_DIR")
    home = Path(corpus) if corpus else SAMPLE_LIBRARY.parent
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        scratch = Path(folder)
        settings = Settings.model_construct(
            library_dir=home / "books",
            index_dir=Path(os.environ.get("INDEX_DIR") or scratch / "index"),
            data_dir=scratch / "data",
            embedding_model=EMBEDDED,
        )
        with IngestBars(texts_for("en")) as progress:
            ingest(settings, embedding_model(settings), progress)
        yield Bench.open(settings, home / "questions.jsonl", scratch)
