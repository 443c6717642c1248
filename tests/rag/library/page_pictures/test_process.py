"""Pages are drawn in a process of their own, which a bad file may take down."""

from dataclasses import replace
from pathlib import Path

import pytest

from rag.errors import BookFileAbsent
from rag.library.page_pictures.pages import PageToDraw
from rag.library.page_pictures.pictures import draw
from rag.library.page_pictures.process import DrawingProcess
from tests.rag.library.page_pictures.made_pages import MadeBook, MadePage, Piece

pytestmark = pytest.mark.slow


async def test_another_process_draws_what_this_one_would_and_is_started_again(tmp_path: Path) -> None:
    book = MadeBook(tmp_path, MadePage((Piece("The ferry leaves at dawn.", 50, 50),)))
    wanted = book.quoting("The ferry leaves at dawn.")
    expected = draw(wanted)
    drawing = DrawingProcess()
    try:
        assert await drawing.draw(wanted) == expected
        with pytest.raises(BookFileAbsent):
            await drawing.draw(_absent(wanted))
        process = drawing._process
        assert process is not None
        process.kill()
        process.wait()
        assert await drawing.draw(wanted) == expected
    finally:
        drawing.close()


def _absent(wanted: PageToDraw) -> PageToDraw:
    return replace(wanted, book=replace(wanted.book, path=wanted.book.path.with_name("absent.pdf")))
