"""Printed page labels by evidence: right, or none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.library.readers.pdf.numbering.labels import are_unread, printed_labels
from rag.library.readers.pdf.numbering.margin_numbers import MarginNumbers

NO_LABELS: list[str | None] = []


def found_on(page_numbers: list[list[str]]) -> list[MarginNumbers]:
    """What stands in the margins of each page: the first of its numbers alone."""
    return [MarginNumbers(tuple(numbers[:1]), tuple(numbers[1:])) for numbers in page_numbers]


def labels(page_numbers: list[list[str]], file_labels: list[str | None] = NO_LABELS) -> list[str | None]:
    return printed_labels(found_on(page_numbers), file_labels or [None] * len(page_numbers))


def numbers(first: int, count: int) -> list[list[str]]:
    return [[str(first + index)] for index in range(count)]


def unprinted(count: int) -> list[list[str]]:
    return [[] for _ in range(count)]


def printed(page_numbers: list[list[str]]) -> list[str | None]:
    return [candidates[0] if candidates else None for candidates in page_numbers]


def shown(text: str) -> list[list[str]]:
    """The numbers of each page, "." for none: "1..3" for three pages that count up."""
    found: list[list[str]] = []
    for word in text.split():
        first, _, last = word.partition("..")
        found += numbers(int(first), int(last) - int(first) + 1) if last else [[] if word == "." else [word]]
    return found


@pytest.mark.parametrize(
    ("margins", "expected"),
    [
        pytest.param(". ii iii iv 1..5", ". ii iii iv 1..5", id="roman front matter of three pages"),
        pytest.param(". ii iii . 1..5", ". ii iii . 1..5", id="two small roman numerals are enough"),
        pytest.param(". II III . 1..5", ". . . . 1..5", id="two capitals may be chapters"),
        pytest.param("1 2", "1 2", id="a leaflet of two numbered pages"),
        pytest.param("4 4", ". .", id="a leaflet whose numbers do not count"),
        pytest.param(". . 7..10 .", ". . 7..10 .", id="nothing before the first or after the last number"),
        pytest.param("257..276", "257..276", id="a second volume"),
        pytest.param("III IV V VI", "III IV V VI", id="the case of roman numerals"),
        pytest.param("iii iv v vi 1..6 IV V VI", "iii iv v vi 1..6 . . .", id="one label in either case"),
        pytest.param("1-1 1-2 . 1-4 2-1 2-2", "1-1 1-2 1-3 1-4 . .", id="chapters"),
        pytest.param("1..5 A-1 A-2 A-3 A-4", "1..5 A-1 A-2 A-3 A-4", id="a lettered appendix"),
        pytest.param(". M1 M2 . M4", ". M1 M2 M3 M4", id="numbers behind a letter"),
        pytest.param("1..5 A.1 A.2 . A.4", "1..5 A.1 A.2 A.3 A.4", id="an appendix, numbers behind a point"),
        pytest.param("D6 D8 D6 D20", ". . . .", id="dice"),
        pytest.param("2-3 4-5 6-7 2-3 2-3", ". . . . .", id="ranges"),
        pytest.param("1..5 1..5 1..4", " ".join("." * 14), id="numbers that count anew time and again"),
        pytest.param("1 70 3 90 5", ". . . . .", id="numbers that half of the pages contradict"),
    ],
)
def test_what_pages_show_is_their_label_or_none(margins: str, expected: str) -> None:
    assert labels(shown(margins)) == printed(shown(expected))


@pytest.mark.parametrize(
    ("margins", "of_file", "expected"),
    [
        pytest.param(". . . . .", "i ii 1 2 3", "i ii 1 2 3", id="nothing printed"),
        pytest.param(". . 1..10", "1..12", ". . 1..10", id="against the print"),
        pytest.param(". . 1..10 .", "i ii 1..11", "i ii 1..11", id="what the print leaves open"),
        pytest.param(". ii iii iv 1..6", "1 ii iii iv 1..6", ". ii iii iv 1..6", id="a label told twice"),
        pytest.param(". . . . . .", "1 2 3 1 2 4", ". . 3 . . 4", id="labels told twice, nothing printed"),
        pytest.param(". . 7 . 9 .", "1..6", ". . . . . .", id="beside a few other numbers"),
        pytest.param("1..4 .", ". . . . 3", "1..4 .", id="a label that another page shows"),
        pytest.param("1..4 .", ". . . . 9", "1..4 9", id="a label that none shows"),
    ],
)
def test_labels_of_the_file_are_taken_where_the_print_does_not_deny_them(
    margins: str, of_file: str, expected: str
) -> None:
    assert labels(shown(margins), printed(shown(of_file))) == printed(shown(expected))


def test_other_numbers_in_the_head_do_not_hide_the_page_number() -> None:
    assert labels([["3", *own] for own in numbers(20, 10)]) == printed(numbers(20, 10))


@given(st.data(), st.integers(1, 400), st.integers(3, 20), st.integers(0, 6), st.integers(0, 6))
def test_whatever_the_file_says_a_printed_number_stands_and_no_label_is_used_twice(
    data: st.DataObject, first: int, count: int, before: int, after: int
) -> None:
    page_numbers = [*unprinted(before), *numbers(first, count), *unprinted(after)]
    anything = st.none() | st.sampled_from(["Cover", "A-1", "xiv"]) | st.integers(1, 450).map(str)
    given_labels = data.draw(st.lists(anything, min_size=len(page_numbers), max_size=len(page_numbers)))
    found = labels(page_numbers, given_labels)

    assert found[before : before + count] == printed(numbers(first, count))
    assert len(set(filter(None, found))) == len([label for label in found if label])


@given(st.integers(1, 300), st.integers(1, 6))
def test_a_declaration_wins(first: int, on_page: int) -> None:
    found = printed_labels(found_on(numbers(900, 10)), ["x"] * 10, first, on_page - 1)

    assert found[on_page - 1 :] == [str(first + index) for index in range(11 - on_page)]
    assert len(set(filter(None, found))) == len([label for label in found if label])


def test_of_two_numbers_as_likely_as_each_other_neither_is_a_label() -> None:
    both = [MarginNumbers((str(number), str(number + 5))) for number in range(1, 9)]

    assert printed_labels(both, [None] * 8) == [None] * 8


@given(st.integers(3, 6), st.integers(1, 40))
def test_numbers_of_a_table_between_pages_of_one_numbering_are_no_labels(count: int, first: int) -> None:
    table = [[str(first + 60 + index)] for index in range(count)]
    pages = [*numbers(1, 12), *table, *numbers(13 + count, 12)]

    assert labels(pages) == [*printed(pages[:12]), *[None] * count, *printed(pages[12 + count :])]


@given(st.integers(3, 30), st.integers(3, 30))
def test_no_label_is_used_twice_when_a_second_part_begins_anew(one: int, two: int) -> None:
    found = [label for label in labels([*numbers(1, one), *numbers(1, two)]) if label]

    assert len(found) == len(set(found)) == max(one, two)


def test_numbers_that_make_no_labels_are_unread_and_no_numbers_are_not() -> None:
    unclear = [["4"], ["17"], ["250"], ["9"]]

    assert are_unread(found_on(unclear), labels(unclear))
    assert not are_unread(found_on(unprinted(4)), labels(unprinted(4)))
    assert not are_unread(found_on(numbers(1, 4)), labels(numbers(1, 4)))
