"""What in the head or foot of a page may be its number."""

import pytest

from rag.library.readers.pdf.lines import Cell, Line, RawPage, Word
from rag.library.readers.pdf.numbering.page_numbers import page_numbers, page_numbers_of


def line(*cells: str, baseline: float = 580.0) -> Line:
    return Line([Cell([Word(word, 0, 9, False) for word in cell.split()]) for cell in cells], baseline, 10)


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
        ("A-3", "A-3"),
        ("Page B-12", "B-12"),
        ("Combat 2-15", "2-15"),
        ("M4", "M4"),
        ("- GM12 -", "GM12"),
        ("iv", "iv"),
    ],
)
def test_a_number_in_the_margin_is_found(text: str, number: str) -> None:
    assert page_numbers_of(line(text)) == [number]


@pytest.mark.parametrize("text", ["Combat", "3rd edition rules", "Version 1.2b", "66Creatures"])
def test_a_line_without_a_number_of_its_own_has_none(text: str) -> None:
    assert page_numbers_of(line(text)) == []


def test_the_total_of_all_pages_is_no_page_number() -> None:
    assert page_numbers_of(line("The Rules", "5 / 32")) == ["5"]


def test_a_number_written_sideways_comes_after_those_of_the_text() -> None:
    turned = RawPage([line("41")], 842, 595)

    assert page_numbers(RawPage([line("7")], 595, 842, (turned,))) == ["41"]
    assert page_numbers(RawPage([line("7", baseline=20)], 595, 842, (turned,))) == ["7", "41"]
