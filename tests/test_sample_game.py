"""The sample game: what is committed is what the sources say, and every number in it is true."""

import re
from typing import Any

import pypdfium2
import pytest

from sample_game.build import BOOKS, build
from sample_game.questions import fill_pages, page_texts, read_questions
from sample_game.source import BookSource, read_sources
from sample_game.typeset import Layout

GM = "letters-at-low-water/gm/what-the-water-knows.pdf"


@pytest.fixture(scope="session")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Layout]:
    return build(tmp_path_factory.mktemp("books"))


@pytest.fixture(scope="session")
def sources() -> list[BookSource]:
    return read_sources()


@pytest.fixture(scope="session")
def texts() -> dict[str, list[str]]:
    """The text of each committed page, by file."""
    paths = sorted(BOOKS.rglob("*.pdf"))
    return {path.relative_to(BOOKS).as_posix(): page_texts(path.read_bytes()) for path in paths}


@pytest.fixture(scope="session")
def questions() -> list[dict[str, Any]]:
    return read_questions()


def folio(source: BookSource, page: pypdfium2.PdfPage) -> str:
    """The number that a reader sees in the head or foot of a page."""
    _, height = page.get_size()
    head = source.front.folio == "head"
    bottom, top = (height - 36, height - 20) if head else (20, 40)
    band = page.get_textpage().get_text_bounded(bottom=bottom, top=top)
    numbers = re.findall(r"\d+|\b[ivx]+\b", band)
    return str(numbers[0]) if numbers else ""


def test_committed_books_are_what_the_sources_make(fresh: dict[str, Layout]) -> None:
    committed = {path.relative_to(BOOKS).as_posix(): path.read_bytes() for path in BOOKS.rglob("*.pdf")}
    assert committed == {file: layout.pdf for file, layout in fresh.items()}


def test_every_page_shows_the_number_its_layout_gives_it(
    sources: list[BookSource], fresh: dict[str, Layout]
) -> None:
    for source in sources:
        labels = fresh[source.front.file].labels
        with pypdfium2.PdfDocument(BOOKS / source.front.file) as document:
            seen = [folio(source, page) for page in document]
        assert seen[1:] == labels[1:]


def test_every_reference_names_the_page_where_its_anchor_is_printed(
    sources: list[BookSource], fresh: dict[str, Layout], texts: dict[str, list[str]]
) -> None:
    file_of = {source.front.code: source.front.file for source in sources}
    targets = {anchor: target for layout in fresh.values() for anchor, target in layout.targets.items()}
    for layout in fresh.values():
        for reference in layout.references:
            target = targets[reference.anchor]
            file = file_of[target.code]
            assert target.heading in texts[file][fresh[file].labels.index(target.page)]
            assert reference.shown in {
                target.page,
                target.code + target.page,
                f"Chapter {target.chapter}",
                target.heading,
            }


def test_secrets_of_the_gm_stand_in_the_gm_book_alone(
    sources: list[BookSource], texts: dict[str, list[str]], questions: list[dict[str, Any]]
) -> None:
    secrets = next(source for source in sources if source.front.file == GM).front.secrets
    for_gm = " ".join(texts[GM]).casefold()
    for_players = " ".join(page for file in texts.keys() - {GM} for page in texts[file]) + str(questions)
    for secret in secrets:
        assert secret.casefold() in for_gm
        assert secret.casefold() not in for_players.casefold()


def test_every_gold_quote_stands_on_its_page_and_nowhere_else(
    questions: list[dict[str, Any]], fresh: dict[str, Layout]
) -> None:
    pdfs = {file: layout.pdf for file, layout in fresh.items()}
    labels = {file: layout.labels for file, layout in fresh.items()}
    assert fill_pages(read_questions(), pdfs, labels) == questions
