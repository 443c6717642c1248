"""Pages are drawn in a process of their own, which a bad file may take down."""

from pathlib import Path

import pytest

from rag.errors import BookFileAbsent, PageNotDrawn
from rag.library.page_pictures import process
from rag.library.page_pictures.pictures import draw
from rag.library.page_pictures.process import DrawingProcess
from tests.rag.library.page_pictures.made_pages import MadeBook, MadePage, Piece

pytestmark = pytest.mark.slow


async def test_another_process_draws_what_this_one_would_or_tells_why_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = MadeBook(tmp_path, MadePage((Piece("The ferry leaves at dawn.", 50, 50),)))
    wanted = book.quoting("The ferry leaves at dawn.")
    drawing = DrawingProcess()
    assert await drawing.draw(wanted) == draw(wanted)
    monkeypatch.setattr(process, "LONGEST_SECONDS", 0.01)
    with pytest.raises(PageNotDrawn):
        await drawing.draw(wanted)
    monkeypatch.undo()
    book.file.path.unlink()
    with pytest.raises(BookFileAbsent):
        await drawing.draw(wanted)
