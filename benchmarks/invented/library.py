"""The invented library: books set from the texts beside this file, and questions with the pages they need."""

import json
from collections.abc import Mapping
from pathlib import Path

from benchmarks.invented.typeset import UNNUMBERED, pdf_of

_HERE = Path(__file__).parent


def write_library(folder: Path) -> None:
    """Write the books, a folder a game, and `questions.jsonl`."""
    texts = sorted((_HERE / "books").rglob("*.txt"))
    places = {path.stem: f"{path.parent.name}/{path.stem}.pdf" for path in texts}
    for path in texts:
        book = folder / "books" / places[path.stem]
        book.parent.mkdir(parents=True, exist_ok=True)
        book.write_bytes(pdf_of(path.read_text(encoding="utf-8")))
    lines = (_HERE / "questions.txt").read_text(encoding="utf-8").splitlines()
    asked = [_question(number, line, places) for number, line in enumerate(lines, 1)]
    (folder / "questions.jsonl").write_text("".join(asked), encoding="utf-8")


def _question(number: int, line: str, places: Mapping[str, str]) -> str:
    """The question of a line "type | core:8 powers:5 | English | Portuguese", in JSON."""
    kind, needed, english, portuguese = (part.strip() for part in line.split(" | "))
    pages = [page.split(":") for page in needed.split()]
    question = {
        "id": f"invented-{number:02}",
        "type": kind,
        "question": english,
        "question_pt": portuguese,
        "gold": [
            {"file": places[book], "page": page, "pdf_page": int(page) + UNNUMBERED} for book, page in pages
        ],
    }
    return json.dumps(question, ensure_ascii=False) + "\n"
