"""Writes the invented library with its questions, to be measured by `python -m rag evaluate`.

`python -m benchmarks.invented FOLDER` makes `FOLDER/books` and `FOLDER/questions.jsonl`.
"""

import argparse
from pathlib import Path

from benchmarks.invented.library import write_library

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.invented", description=__doc__)
    parser.add_argument("folder", type=Path)
    write_library(parser.parse_args().folder)
