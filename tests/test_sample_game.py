"""The sample game: what is committed is what the sources say, and every number in it is true."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from rag.library.readers.pdf.reader import read_book
from sample_game.build import BOOKS, build
from sample_game.questions import fill_pages, page_texts, read_questions
from sample_game.source import REFERENCE, SOURCES, BookSource, SourceTable, parse, read_sources
from sample_game.typeset import Layout

GM = "letters-at-low-water/gm/what-the-water-knows.pdf"
NOT_IN_SOURCES = {"LETTERS", "WATER", "Contents", "Index", "Chapter"}


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


def test_there_are_four_small_books_of_sixty_pages_or_more(texts: dict[str, list[str]]) -> None:
    assert len(texts) == 4
    assert sum(map(len, texts.values())) >= 60
    assert sum(path.stat().st_size for path in BOOKS.rglob("*.pdf")) < 1_000_000


def test_there_are_tables_and_references_in_plenty(
    sources: list[BookSource], fresh: dict[str, Layout]
) -> None:
    blocks = [block for source in sources for chapter in source.chapters for block in chapter.blocks]
    assert sum(isinstance(block, SourceTable) for block in blocks) >= 8
    assert sum(len(layout.references) for layout in fresh.values()) >= 40


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


def test_every_reference_is_printed_in_the_book_that_makes_it(
    fresh: dict[str, Layout], texts: dict[str, list[str]]
) -> None:
    for file, layout in fresh.items():
        text = " ".join(texts[file])
        assert [reference for reference in layout.references if reference.shown not in text] == []


def test_a_reference_to_nowhere_stops_the_build(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    front = next(SOURCES.glob("2-*.md")).read_text(encoding="utf-8").split("+++\n")[1]
    dangling = parse(f"+++\n{front}+++\n\n# Only Chapter {{#only}}\n\nSee page {{page:lost}}.\n")
    monkeypatch.setattr("sample_game.build.read_sources", lambda: [dangling])
    with pytest.raises(ValueError, match="refers to lost"):
        build(tmp_path)


def test_no_page_number_is_typed_except_of_books_that_are_not_here() -> None:
    typed = re.compile(r"\b(?:pages?|pp?\.) (?:[WKA]{0,2}\d+)")
    allowed = re.compile(r"\*Soundings\*, pp?\. [\d-]+|So p\. WK7 is not p\. W7, and neither is p\. K7")
    for path in SOURCES.glob("*.md"):
        text = allowed.sub("", path.read_text(encoding="utf-8"))
        assert typed.findall(REFERENCE.sub("", text)) == []


def test_page_labels_of_the_files_are_right_absent_and_wrong(
    sources: list[BookSource], fresh: dict[str, Layout]
) -> None:
    for source in sources:
        labels = fresh[source.front.file].labels
        counted = [str(i + 1) for i in range(len(labels))]
        expected = {"right": labels, "none": [""] * len(labels), "wrong": counted}
        with pypdfium2.PdfDocument(BOOKS / source.front.file) as document:
            claimed = [document.get_page_label(i) for i in range(len(document))]
        assert claimed == expected[source.front.page_labels]
    assert sorted(source.front.page_labels for source in sources) == ["none", "none", "right", "wrong"]


def test_words_break_at_line_ends(fresh: dict[str, Layout]) -> None:
    for layout in fresh.values():
        with pypdfium2.PdfDocument(layout.pdf) as document:
            assert any("\ufffe" in page.get_textpage().get_text_range() for page in document)


def test_no_words_of_a_page_run_together(texts: dict[str, list[str]]) -> None:
    sources = " ".join(path.read_text(encoding="utf-8") for path in SOURCES.glob("*.md"))
    known = set(re.findall(r"[A-Za-z]+", sources)) | NOT_IN_SOURCES
    pages = " ".join(page for book in texts.values() for page in book)
    assert set(re.findall(r"[A-Za-z]{4,}", pages)) - known == set()


def test_secrets_of_the_gm_stand_in_the_gm_book_alone(
    sources: list[BookSource], texts: dict[str, list[str]], questions: list[dict[str, Any]]
) -> None:
    secrets = next(source for source in sources if source.front.file == GM).front.secrets
    for_gm = " ".join(texts[GM]).casefold()
    for_players = " ".join(page for file in texts.keys() - {GM} for page in texts[file]) + str(questions)
    for secret in secrets:
        assert secret.casefold() in for_gm
        assert secret.casefold() not in for_players.casefold()


def test_players_books_do_not_name_the_gm_book(texts: dict[str, list[str]]) -> None:
    for file in texts.keys() - {GM}:
        assert "What the Water Knows" not in " ".join(texts[file])


def test_library_toml_names_books_that_exist() -> None:
    library_toml = tomllib.loads((BOOKS / "library.toml").read_text(encoding="utf-8"))
    for book in library_toml["book"]:
        assert (BOOKS / book["file"]).is_file()
        assert (BOOKS / book.get("amends", book["file"])).is_file()


def test_thirty_questions_of_every_type(questions: list[dict[str, Any]]) -> None:
    types = [question["type"] for question in questions]
    wanted = {"single": 10, "table": 6, "xref": 6, "multi": 3, "followup": 3, "unanswerable": 2}
    assert {kind: types.count(kind) for kind in types} == wanted
    assert len({question["id"] for question in questions}) == 30


def test_every_gold_quote_stands_on_its_page_and_nowhere_else(
    questions: list[dict[str, Any]], fresh: dict[str, Layout]
) -> None:
    pdfs = {file: layout.pdf for file, layout in fresh.items()}
    labels = {file: layout.labels for file, layout in fresh.items()}
    assert fill_pages(read_questions(), pdfs, labels) == questions


def test_no_question_asks_the_gm_book(questions: list[dict[str, Any]]) -> None:
    golds = [gold for question in questions for gold in question["gold"] + question["also_ok"]]
    assert GM not in {gold["file"] for gold in golds}


def test_every_question_is_asked_in_both_languages(questions: list[dict[str, Any]]) -> None:
    for question in questions:
        assert question["question"]
        assert question["question_pt"] not in {"", question["question"]}


def test_follow_ups_have_a_history_and_only_they(questions: list[dict[str, Any]]) -> None:
    assert all(bool(question["history"]) == (question["type"] == "followup") for question in questions)


def test_one_question_leads_through_three_books(questions: list[dict[str, Any]]) -> None:
    books = [{gold["file"] for gold in question["gold"]} for question in questions]
    assert max(map(len, books)) == 3


def test_a_table_below_paragraphs_a_box_and_a_heading_begins_with_its_own_header() -> None:
    almanac = read_book(BOOKS / "letters-at-low-water" / "almanac-of-the-ebb.pdf")
    page = next(page for page in almanac.pages if page.label == "4")
    readings = [reading for _, _, reading in page.rows]

    assert any("Mule; Price: 60 c; Carries: 20 pieces" in reading for reading in readings)
    assert "Bed and Board" in [heading.text for heading in page.headings]
    assert not any("Passengers" in reading for reading in readings)
