"""The invented books that statements and players' questions are over, set from the texts beside this file."""

from pathlib import Path

from reportlab.lib.pagesizes import A4

from benchmarks.invented.typeset import pdf_of

HERE = Path(__file__).parent


def write_books(folder: Path) -> None:
    """Write the books, a folder a game."""
    for path in sorted((HERE / "books").glob("*.txt")):
        book = folder / path.stem / f"{path.stem}.pdf"
        book.parent.mkdir(parents=True, exist_ok=True)
        book.write_bytes(pdf_of(path.read_text(encoding="utf-8"), A4))
