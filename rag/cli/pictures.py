"""Pictures of pages in files, as the terminal writes them."""

from collections.abc import Sequence
from pathlib import Path

from rag.cli.console import say
from rag.config import Audience
from rag.errors import PictureError
from rag.library.books.files import kind_of
from rag.library.library import Library
from rag.library.page_pictures.pages import PageToDraw
from rag.library.page_pictures.pictures import draw
from rag.state import AnswerWithSources, PageId, QuotedPart
from rag.texts import Texts
from rag.texts.blocks import source_citation


def save_quotation(
    answer: AnswerWithSources, library: Library, reader: Audience, file: Path, texts: Texts
) -> None:
    """Draw the first quotation of an answer that has a page to draw, marked there; of one over a page break
    both parts. Raises `PictureError`.
    """
    if not answer.sources:
        raise PictureError("error-nothing-quoted")
    drawn = (source for source in answer.sources if kind_of(source.file) == "pdf")
    source = next(drawn, answer.sources[0])
    own = QuotedPart(source.page, source.pdf_page, source.quote, source.half, source.offset)
    pages = [
        library.page_to_draw(PageId(source.file, part.pdf_page, part.half), reader, part.quote, part.offset)
        for part in (source.before, own, source.after)
        if part
    ]
    save_pictures(pages, file, source_citation(source, texts), texts)


def save_pictures(pages: Sequence[PageToDraw], file: Path, place: str, texts: Texts) -> None:
    """Draw pages into a file, into others beside it where a quotation runs on. Raises `PictureError`."""
    pictures = [picture for page in pages for picture in draw(page)]
    for number, picture in enumerate(pictures, start=1):
        target = file if number == 1 else file.with_stem(f"{file.stem}-{number}")
        try:
            target.write_bytes(picture)
        except OSError as error:
            raise PictureError("error-file-unwritable", path=str(target)) from error
        say(texts("picture-saved", place=place, path=str(target)))
