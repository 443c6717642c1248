"""Names that are no headings, as they are drawn: bold words before their paragraph, and table titles."""

from collections.abc import Sequence

from rag.library.readers.pdf.lines import PrintedCell, PrintedLine, Word
from rag.library.readers.pdf.paragraphs import PrintedParagraph
from rag.library.readers.pdf.terms import terms_of


def line(text: str) -> PrintedLine:
    """A line whose words between asterisks are bold."""
    words, is_bold = [], False
    for part in text.split():
        is_bold = is_bold or part.startswith("*")
        words.append(Word(part.strip("*"), 0.0, 1.0, is_bold))
        is_bold = is_bold and not part.endswith("*")
    return PrintedLine([PrintedCell(words)], 0.0, 9.0)


def names(*lines: str, is_row: bool = False, is_caption: bool = False) -> Sequence[tuple[int, str]]:
    drawn = [line(text) for text in lines]
    text = " ".join(one.text for one in drawn)
    is_bold = all(one.bold for one in drawn)
    return list(terms_of(PrintedParagraph(text, 9.0, is_bold, drawn, is_row=is_row, is_caption=is_caption)))


def test_bold_words_that_open_a_paragraph_name_it() -> None:
    assert names("*Lay on Hands.* You touch", "a creature.") == [(0, "Lay on Hands.")]


def test_a_name_may_open_a_sentence_on_a_later_line() -> None:
    assert names("*Dash.* You run.", "*Hide.* You hide.") == [(0, "Dash."), (15, "Hide.")]


def test_a_name_may_run_over_two_lines() -> None:
    assert names("*Moving between*", "*Attacks.* You move.") == [(0, "Moving between Attacks.")]


def test_bold_words_within_a_sentence_are_stressed_and_name_nothing() -> None:
    assert names("You must", "*Never* do so.") == []


def test_a_bold_sentence_is_no_name() -> None:
    assert names("*You may never under any circumstances ever touch the water* again.") == []


def test_a_paragraph_wholly_in_bold_is_no_name() -> None:
    assert names("*Never do so.*") == []


def test_a_row_of_a_table_is_no_name() -> None:
    assert names("*Sword* 10", is_row=True) == []


def test_a_table_title_names_its_table() -> None:
    assert names("Object Armor Class", is_caption=True) == [(0, "Object Armor Class")]
