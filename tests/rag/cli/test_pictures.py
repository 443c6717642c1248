"""Pictures of pages from the terminal: a whole page, and the first quotation of an answer marked."""

from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

from tests.conftest import SAMPLE_BOOKS, Run

QUESTION = "How much does Tidesense 3 cost?"


def pixels(file: Path) -> "np.ndarray[tuple[int, ...], np.dtype[np.int_]]":
    return np.array(Image.open(BytesIO(file.read_bytes())).convert("RGB")).astype(int)


def has_marks(file: Path) -> bool:
    seen = pixels(file)
    return bool((seen[:, :, 0] - seen[:, :, 2] > 100).any())


def test_a_page_is_drawn_whole_and_unmarked_into_the_file(rag: Run, tmp_path: Path) -> None:
    file = tmp_path / "page.png"
    done = rag("page", "Wading Orders", "9", "-o", str(file))
    assert (done.returncode, done.stdout) == (0, "")
    assert "p. 9" in done.stderr
    height, width, _ = pixels(file).shape
    assert 1.2 < height / width < 1.6
    assert not has_marks(file)


def test_the_first_quotation_of_an_answer_is_marked(rag: Run, tmp_path: Path) -> None:
    file = tmp_path / "quotation.png"
    done = rag("ask", QUESTION, "--picture", str(file))
    assert done.returncode == 0
    assert "Tidesense" in done.stdout
    assert has_marks(file)


def test_players_get_no_picture_of_the_gms_books(rag: Run, tmp_path: Path) -> None:
    file = tmp_path / "page.png"
    books = [book for book in SAMPLE_BOOKS.rglob("*.pdf") if book.parent.name == "gm"]
    name = books[0].relative_to(SAMPLE_BOOKS).as_posix()
    assert rag("page", name, "PDF p. 1", "-o", str(file)).returncode == 1
    assert not file.exists()
    assert rag("page", name, "PDF p. 1", "-o", str(file), "--as", "gm").returncode == 0
    assert file.exists()


def test_without_the_books_it_is_said_that_pages_cannot_be_shown_here(rag: Run, tmp_path: Path) -> None:
    file = tmp_path / "page.png"
    (tmp_path / "another-book.md").write_text("# Another book")
    done = rag("page", "Wading Orders", "9", "-o", str(file), LIBRARY_DIR=str(tmp_path))
    assert done.returncode == 1
    assert "only the index" in done.stderr
    assert not file.exists()


def test_an_answer_stands_also_where_its_picture_cannot_be_written(rag: Run, tmp_path: Path) -> None:
    done = rag("ask", QUESTION, "--picture", str(tmp_path / "nowhere" / "quotation.png"))
    assert done.returncode == 1
    assert "Tidesense" in done.stdout
    assert "cannot be written" in done.stderr


def test_a_picture_never_takes_the_place_of_a_book(rag: Run) -> None:
    assert rag("page", "Wading Orders", "9", "-o", "wading-orders.pdf").returncode == 2


def test_a_picture_goes_with_one_question(rag: Run, tmp_path: Path) -> None:
    done = rag("ask", "-", "--picture", str(tmp_path / "quotation.png"), stdin=QUESTION)
    assert done.returncode == 1
    assert "one question" in done.stderr
