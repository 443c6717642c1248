"""What in the head or foot of a page may be its number."""

from dataclasses import replace

import pytest

from rag.library.readers.pdf.lines import PrintedCell, PrintedLine, RawPage, Word
from rag.library.readers.pdf.numbering.line_numbers import line_numbers
from rag.library.readers.pdf.numbering.margin_numbers import MarginNumbers, margin_numbers


def line(*cells: str, baseline: float = 580.0) -> PrintedLine:
    return PrintedLine(
        [PrintedCell([Word(word, 0, 9, False) for word in cell.split()]) for cell in cells], baseline, 10
    )


TEXT = [line("The tide comes in at dusk and goes", baseline=100 + 14 * row) for row in range(20)]


def on(page: RawPage) -> MarginNumbers:
    """The numbers of a book of one page."""
    [found] = margin_numbers([page])
    return found


def moved(one: PrintedLine, by: float) -> PrintedLine:
    """A line so many points further right."""
    words = [replace(word, x0=word.x0 + by, x1=word.x1 + by) for word in one.words]
    return PrintedLine([PrintedCell(words)], one.baseline, one.size)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("66—Fantastic Creatures", "66"),
        ("Fantastic Creatures—67", "67"),
        ("66|Creatures", "66"),
        ("- 3 -", "3"),
        ("[3]", "3"),
        ("~ 12 ~", "12"),
        ("3 / 32", "3"),
        ("Page 3 of 32", "3"),
        ("Sea Rules v1.2 | 3 | draft", "3"),
        ("Rules 1.2 – Page 3 of 32 – draft", "3"),
        ("Seite 3", "3"),
        ("Seite 3 von 40", "3"),
        ("S. 80", "80"),
        ("стр. 80", "80"),
        ("Страница 80", "80"),
        ("pág. 80", "80"),
        ("pag. 80", "80"),
        ("str. 80", "80"),
        ("oldal 3", "3"),
        ("3. oldal", "3"),
        ("Page 4 sur 20", "4"),
        ("第3页", "3"),
        ("2-3", "2-3"),
        ("2–3", "2-3"),
        ("2 – 3", "2-3"),
        ("p12", "12"),
        ("A-3", "A-3"),
        ("Page B-12", "B-12"),
        ("Combat 2-15", "2-15"),
        ("M4", "M4"),
        ("- GM12 -", "GM12"),
        ("iv", "iv"),
        ("1 2", "12"),
    ],
)
def test_a_number_in_the_margin_is_found(text: str, number: str) -> None:
    assert line_numbers(line(text)) == [number]


@pytest.mark.parametrize("text", ["Combat", "3rd edition rules", "Version 1.2b", "66Creatures"])
def test_a_line_without_a_number_of_its_own_has_none(text: str) -> None:
    assert line_numbers(line(text)) == []


def test_the_total_of_all_pages_is_no_page_number() -> None:
    assert line_numbers(line("The Rules", "5 / 32")) == ["5"]


def test_the_page_of_an_entry_of_the_contents_is_not_that_of_its_own_page() -> None:
    assert line_numbers(line("2.4 Bells . . . . . . .", "19")) == []


@pytest.mark.parametrize("text", ["Table 7", "Chapter 12", "The Coast: Part 3", "PART XII", "Chapter IV"])
def test_the_number_of_a_chapter_or_table_is_not_that_of_a_page(text: str) -> None:
    assert line_numbers(line(text)) == []


def test_a_number_written_sideways_stands_alone_as_one_of_the_text_does() -> None:
    turned = RawPage([line("41")], 842, 595)

    assert on(RawPage([line("7", baseline=300)], 595, 842, (turned,))).alone == ("41",)
    assert on(RawPage([line("7", baseline=20)], 595, 842, (turned,))).alone == ("7", "41")


def test_a_number_among_words_is_less_likely_than_one_alone() -> None:
    pages = [RawPage([line(f"Combat {n}"), line("7", baseline=20)], 595, 600) for n in (12, 13)]

    assert margin_numbers(pages) == [MarginNumbers(("7",), ("12",)), MarginNumbers(("7",), ("13",))]


def test_a_number_beside_words_that_stand_on_no_other_page_is_one_of_the_text() -> None:
    notes = ["12 Bells ring at dusk", "13 Nobody hears them"]
    pages = [RawPage([line("Sea Rules"), line(note, baseline=560)], 595, 600) for note in notes]

    assert margin_numbers(pages) == [MarginNumbers()] * 2


def test_a_number_of_more_than_the_pages_of_a_file_counts_something_else_behind_its_name() -> None:
    assert on(RawPage([line("Card 7/54")], 595, 600)) == MarginNumbers()
    assert on(RawPage([line("7/54")], 595, 600)).all == {"7"}
    assert on(RawPage([line("Page 7/54")], 595, 600)).all == {"7"}


def test_the_number_in_a_heading_is_not_that_of_a_page() -> None:
    heading = replace(line("Scenario 5", baseline=30), size=18)

    assert on(RawPage([heading, *TEXT], 420, 600)).all == frozenset()


@pytest.mark.parametrize(("left", "size", "bold"), [(0, 24, False), (0, 11, True), (205, 24, True)])
def test_a_number_set_as_the_heading_of_its_page_is_not_that_of_the_page(
    left: float, size: float, bold: bool
) -> None:
    number = PrintedLine([PrintedCell([Word("41", left, left + 10, bold)])], 30, size)

    assert on(RawPage([number, *TEXT], 420, 600)) == MarginNumbers()


def test_a_large_number_in_a_corner_or_in_the_foot_is_that_of_the_page() -> None:
    in_corner = PrintedLine([PrintedCell([Word("41", 390, 410, True)])], 30, 24)
    in_foot = PrintedLine([PrintedCell([Word("41", 0, 20, True)])], 580, 24)

    assert on(RawPage([in_corner, *TEXT], 420, 600)).alone == ("41",)
    assert on(RawPage([*TEXT, in_foot], 420, 600)).alone == ("41",)


def test_beside_a_number_of_the_texts_size_a_large_one_is_less_likely() -> None:
    chapter = PrintedLine([PrintedCell([Word("4", 390, 410, True)])], 30, 24)

    assert on(RawPage([chapter, *TEXT, line("41")], 420, 600)) == MarginNumbers(("41",), ("4",))


def test_one_number_beside_all_of_the_text_may_be_that_of_the_page() -> None:
    text = [moved(line("The tide comes in at dusk", baseline=100 + 14 * row), 60) for row in range(20)]
    beside = [moved(line(number, baseline=300 + 40 * row), 400) for row, number in enumerate(["12", "13"])]

    assert on(RawPage([*text, beside[0]], 420, 600)).alone == ("12",)
    assert on(RawPage([*text, *beside], 420, 600)).all == frozenset()
