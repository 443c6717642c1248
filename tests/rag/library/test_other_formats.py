"""Books without pages, from the file to the answer: each is cited by its section."""

import json
from pathlib import Path

import pytest

from rag.errors import AmbiguousPage, UnknownSection
from rag.evaluation.check import doubts, prepared
from rag.evaluation.questions import GoldPage, GoldQuestion
from rag.library.books.found_page import FoundPage
from rag.library.library import Library
from rag.texts import texts_for
from tests.conftest import Run
from tests.rag.library.readers.packed_books import docx, epub, paragraph
from tests.rag.library.small_library import SmallLibrary

MARKDOWN = """# House Rules

## Bleeding

A bleeding character loses one hit point each round until somebody bandages the wound.

| Wound | Loss each round |
|-------|-----------------|
| Light | 1 hit point     |
| Deep  | 3 hit points    |

## Falling

A fall costs 1d6 for every two yards.
"""
TEXT = """REGRAS DA CASA
==============

Sangramento
-----------

Um personagem com sangramento perde um ponto de vida por rodada, até que
alguém faça uma atadura.

Queda
-----

Uma queda custa 1d6 a cada dois metros.
"""
HTML = """<!DOCTYPE html><html><head><title>House Rules - Our Wiki</title></head><body>
<nav><a href="/">Bleeding hearts</a></nav><main><h1>House Rules</h1><h2>Bleeding</h2>
<p>A bleeding character loses one hit point each round until somebody bandages the wound.</p>
<h2>Falling</h2><p>A fall costs 1d6 for every two yards.</p></main></body></html>"""
QUESTION = "How many hit points does a bleeding character lose each round?"


DOCX = docx(
    paragraph("House Rules", "Title"),
    paragraph("Bleeding", "Heading1"),
    paragraph("A bleeding character loses one hit point each round until somebody bandages the wound."),
    paragraph("Falling", "Heading1"),
    paragraph("A fall costs 1d6 for every two yards."),
)
CHAPTER = '<h1 id="p7">Bleeding</h1><p>A bleeding character loses one hit point each round.</p>'
PLAIN = (
    "HOUSE RULES\n===========\n\nBleeding\n--------\n\nA bleeding character loses one hit point each round.\n"
)


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("house-rules.md", MARKDOWN),
        ("house-rules.html", HTML),
        ("house-rules.docx", DOCX),
        ("house-rules.epub", epub({"one.xhtml": CHAPTER}, "House Rules")),
        ("house-rules.txt", PLAIN.replace("HOUSE RULES", "House Rules")),
    ],
)
def test_a_section_is_found_and_stands_where_the_page_would(
    small: SmallLibrary, file: str, content: str | bytes
) -> None:
    small.write(file, content)
    assert small.ingest().problems == ()
    (found, *_) = small.open().retriever("player").invoke(QUESTION)
    page = FoundPage.of(found)
    assert (page.book, page.label, page.section) == ("House Rules", None, "House Rules › Bleeding")
    assert page.place == "House Rules › Bleeding"


def test_an_e_book_with_a_page_list_is_cited_by_its_printed_page(small: SmallLibrary) -> None:
    small.write("core.epub", epub({"one.xhtml": CHAPTER}, "Core Rules", {"7": "one.xhtml#p7"}))
    (book,) = small.ingest().books
    assert (book.first_label, book.kind) == ("7", "epub")
    (found, *_) = small.open().retriever("player").invoke(QUESTION)
    assert FoundPage.of(found).place == "Core Rules p. 7"
    assert small.open().page("Core Rules", "7", "player").label == "7"


def test_a_portuguese_text_file_in_an_old_encoding_is_read_and_cited(small: SmallLibrary) -> None:
    small.write("regras da casa/são bento.txt", TEXT.encode("cp1252"))
    (book,) = small.ingest().books
    assert (book.title, book.language, book.kind) == ("REGRAS DA CASA", "pt", "text")
    (found, *_) = small.open().retriever("player").invoke("Quanto custa uma queda?")
    assert FoundPage.of(found).section == "REGRAS DA CASA › Queda"
    assert "Uma queda custa 1d6 a cada dois metros." in found.page_content


def test_a_section_is_opened_by_its_name_in_any_form(small: SmallLibrary) -> None:
    small.write("house-rules.md", MARKDOWN)
    small.ingest()
    library = small.open()
    for name in ("House Rules › Bleeding", "Bleeding", "bleeding", "house rules bleeding"):
        assert library.page("House Rules", name, "player").section == "House Rules › Bleeding"
    with pytest.raises(UnknownSection, match="Bleeding"):
        library.page("House Rules", "BLEED", "player")


CHAPTERS = """# House Rules

## Wounds

### Bleeding

A bleeding character loses one hit point each round.

#### Bandages

A bandage ends it.

### Poison

Poison takes two points an hour.

## Falling

A fall costs 1d6.
"""


@pytest.fixture
def chapters(small: SmallLibrary) -> Library:
    """House rules of several headings, all on one position."""
    small.write("house-rules.md", CHAPTERS)
    (book,) = small.ingest().books
    assert (book.pages, book.sections) == (1, 4)
    return small.open()


def test_every_heading_is_a_section(chapters: Library) -> None:
    assert chapters.sections("House Rules", "player") == [
        "House Rules › Wounds",
        "House Rules › Wounds › Bleeding",
        "House Rules › Wounds › Bleeding › Bandages",
        "House Rules › Wounds › Poison",
        "House Rules › Falling",
    ]


@pytest.mark.parametrize(
    ("name", "begins", "ends"),
    [
        ("Falling", "Falling", "A fall costs 1d6."),
        ("Poison", "Poison", "two points an hour."),
        ("Bleeding", "Wounds\n\nBleeding", "A bandage ends it."),
        ("Wounds", "Wounds\n\nBleeding", "two points an hour."),
    ],
)
def test_a_section_is_opened_alone_with_what_stands_below_it(
    chapters: Library, name: str, begins: str, ends: str
) -> None:
    text = chapters.page("House Rules", name, "player").text
    assert text.startswith(begins)
    assert text.endswith(ends)


def test_the_place_of_a_quotation_is_opened_without_the_sections_beside_it(chapters: Library) -> None:
    poison = chapters.page_at("house-rules.md", 1, "player", section="House Rules › Wounds › Poison")
    assert poison.text == "Poison\n\nPoison takes two points an hour."
    gone = chapters.page_at("house-rules.md", 1, "player", section="House Rules › Alchemy")
    assert "A fall costs 1d6." in gone.text


def test_a_reference_by_name_leads_to_the_section_of_that_name(small: SmallLibrary) -> None:
    lamps = "\n\n".join(f"## Lamp {number}\n\n{'A lamp lights six paces. ' * 20}" for number in range(9))
    bones = "## Bones\n\nBroken bones: see the Falling section."
    small.write("house-rules.md", f"# House Rules\n\n{bones}\n\n{lamps}\n\n{CHAPTERS.partition('Rules')[2]}")
    small.ingest()
    (found, *_) = small.open().retriever("player").invoke("broken bones")
    assert [one.place for one in FoundPage.of(found).references] == ["House Rules › Falling"]


def test_a_quote_is_looked_for_in_its_section_alone(chapters: Library) -> None:
    gold = GoldPage(file="house-rules.md", section="Poison", quote="A fall costs 1d6.")
    asked = GoldQuestion(id="a", type="single", question="A fall?", gold=[gold])
    (doubt,) = doubts(prepared([asked], chapters, "player"), chapters, "player", texts_for("en"))
    assert "house-rules.md" in doubt


def test_a_position_is_no_name_of_a_section(small: SmallLibrary) -> None:
    small.write("house-rules.md", MARKDOWN)
    small.ingest()
    with pytest.raises(UnknownSection):
        small.open().page("House Rules", "PDF p. 1", "player")


def test_a_long_section_is_opened_whole(small: SmallLibrary) -> None:
    paragraphs = [f"Wound number {number} bleeds. {'It hurts a lot. ' * 30}" for number in range(12)]
    small.write("house-rules.md", "# House Rules\n\n## Bleeding\n\n" + "\n\n".join(paragraphs))
    small.ingest()
    text = small.open().page("House Rules", "Bleeding", "player").text
    assert all(f"Wound number {number} bleeds." in text for number in range(12))


def test_two_files_of_one_title_and_one_name_are_told_apart(small: SmallLibrary) -> None:
    small.write("house-rules.md", MARKDOWN)
    small.write("house-rules.docx", DOCX)
    titles = [book.title for book in small.ingest().books]
    assert titles == ["House Rules (house-rules.docx)", "House Rules (house-rules.md)"]
    library = small.open()
    with pytest.raises(AmbiguousPage):
        library.page("House Rules", "Bleeding", "player")
    found = library.page("House Rules (house-rules.md)", "Bleeding", "player")
    assert found.section == "House Rules (house-rules.md) › Bleeding"


@pytest.mark.slow
def test_an_answer_names_the_section_in_the_terminal_and_as_json(rag: Run, tmp_path: Path) -> None:
    library = tmp_path / "books"
    library.mkdir()
    (library / "house-rules.md").write_text(MARKDOWN, encoding="utf-8")
    here = {"LIBRARY_DIR": str(library), "INDEX_DIR": str(tmp_path / "index")}
    listed = rag("ingest", **here)
    assert "by section" in listed.stdout
    said = rag("ask", QUESTION, **here).stdout
    assert "House Rules › Bleeding\n" in said
    assert "PDF" not in said
    reply = json.loads(rag("ask", QUESTION, "--json", **here).stdout)
    place = {"page": None, "pdf_page": None, "section": "House Rules › Bleeding"}
    assert reply["sources"][0].items() >= place.items()
    assert reply["questions"][0]["context"][0].items() >= place.items()
    (page,) = json.loads(rag("search", QUESTION, "-k", "1", "--json", **here).stdout)
    assert page.items() >= place.items()
    (book,) = json.loads(rag("books", "--json", **here).stdout)
    assert (book["kind"], book["labels"]) == ("markdown", [None])
    assert rag("page", "House Rules", "bleeding", **here).stdout.startswith("Bleeding\n\nA bleeding")
