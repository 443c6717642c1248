"""Headings that only the outline tells from the text they stand over."""

import pytest

from rag.library.readers.pdf.document import OutlineEntry
from rag.library.readers.pdf.headings import (
    Bookmarks,
    bookmarks_of,
    heading_levels,
    with_headings_apart,
    with_names_apart,
)
from rag.library.readers.pdf.lines import PrintedCell, PrintedLine, Word
from rag.library.readers.pdf.paragraphs import PrintedParagraph


def paragraph(*lines: str, is_row: bool = False) -> PrintedParagraph:
    drawn = [
        PrintedLine([PrintedCell([Word(word, 0, 9, False) for word in line.split()])], 12 * row, 10)
        for row, line in enumerate(lines)
    ]
    return PrintedParagraph(" ".join(lines), 10, False, drawn, is_row)


def outline(title: str) -> Bookmarks:
    [bookmarks] = bookmarks_of([OutlineEntry(3, title, 1)], [1])
    return bookmarks


def parted(*page: PrintedParagraph, title: str) -> list[str]:
    [found] = with_headings_apart([page], [outline(title)])
    return [one.text for one in found]


BODY = paragraph("A lull costs one breath and lasts until the next bell is heard at sea.")


@pytest.mark.parametrize(
    ("lines", "heading"),
    [
        (("3.1 Sly Feint", "A sly feint costs one breath."), "3.1 Sly Feint"),
        (
            ("3.1 Sly Feint,", "Riposte and Parry", "Each costs one breath."),
            "3.1 Sly Feint, Riposte and Parry",
        ),
        (("Sly Feint (optional)", "A sly feint costs one breath."), "Sly Feint (optional)"),
    ],
)
def test_a_paragraph_that_begins_with_an_entry_of_the_outline_is_parted(
    lines: tuple[str, ...], heading: str
) -> None:
    assert parted(paragraph(*lines), title=heading) == [heading, lines[-1]]


def test_what_was_parted_is_a_heading_of_the_outlines_level() -> None:
    known = [outline("Sly Feint")]
    pages = with_headings_apart([[paragraph("Sly Feint", "A sly feint costs one breath.")]], known)

    assert heading_levels(pages, known) == [[3, None]]


@pytest.mark.parametrize(
    "page",
    [
        [paragraph("Combat is short and", "it hurts.")],
        [paragraph("Combat"), paragraph("Combat", "is short.")],
        [paragraph("Combat", "4d6", is_row=True)],
        [paragraph("All of it is", "Combat")],
    ],
)
def test_words_that_are_no_lines_of_their_own_stay_where_they_are(page: list[PrintedParagraph]) -> None:
    assert parted(*page, title="Combat") == [one.text for one in page]


def head(*cells: tuple[str, bool], size: float = 10) -> PrintedParagraph:
    drawn = [PrintedCell([Word(word, 0, 9, bold) for word in text.split()]) for text, bold in cells]
    line = PrintedLine(drawn, 0, size)
    return PrintedParagraph(line.text, size, line.bold, [line])


@pytest.mark.parametrize("rest", ["Range: a mile", "a lull of the sea"])
def test_a_name_is_parted_from_what_stands_beside_it_also_in_the_outline(rest: str) -> None:
    known = [outline(f"Lull {rest}")]
    [page], named = with_names_apart([[head(("Lull", True), (rest, False), size=12), BODY]], known)

    assert [one.text for one in page] == ["Lull", rest, BODY.text]
    assert heading_levels([page], named) == [[3, None, None]]


@pytest.mark.parametrize(
    "line",
    [
        head(("Armour:", True), ("14", False)),
        head(("Lull", True), ("Range", True), ("a mile", False), ("2", True), size=12),
        head(("Lull of the sea", True), ("Storms", True), size=12),
    ],
)
def test_labels_with_their_values_and_lines_of_one_weight_stay_whole(line: PrintedParagraph) -> None:
    assert with_names_apart([[line, BODY]], [{}]) == ([[line, BODY]], [{}])
