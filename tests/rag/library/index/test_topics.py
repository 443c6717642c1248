"""Topics: what pages explain under a name of its own, and by which words they are found."""

import pytest

from rag.library.books.page import Heading, Page, PageKind
from rag.library.index.topics import Topic, names_of_topic, topics_of


def page(text: str, *headings: str, kind: PageKind = "text", terms: tuple[tuple[int, str], ...] = ()) -> Page:
    marked = tuple(Heading(1, heading, text.index(heading)) for heading in headings)
    return Page(1, "1", text, marked, kind, False, terms=terms)


@pytest.mark.parametrize(
    ("printed", "name"),
    [
        ("Dash [Action]", ("dash",)),
        ("Potions of Healing (50 GP)", ("heal", "potion")),
        ("Skeleton, Giant", ("giant", "skeleton")),
        ("4.2 Falling", ("fall",)),
        ("Hunter’s Mark", ("hunter", "mark")),
        ("What You Can Do", ("can", "do", "what", "you")),
    ],
)
def test_a_name_is_what_its_words_mean_without_number_and_brackets(
    printed: str, name: tuple[str, ...]
) -> None:
    assert names_of_topic(printed, "en") == [name]


def test_a_name_goes_by_what_stands_behind_its_colon_too() -> None:
    assert names_of_topic("Level 2: Action Surge", "en") == [
        ("2", "action", "level", "surg"),
        ("action", "surg"),
    ]


def test_a_table_goes_by_what_it_tells_without_what_it_is_arranged_by() -> None:
    assert names_of_topic("Saving Throw Tables by Class", "en")[-1] == ("save", "throw")


@pytest.mark.parametrize("levels", [(1, 2), (2, 2)], ids=["of a higher level", "without a text of its own"])
def test_a_heading_goes_by_its_name_together_with_that_of_the_one_above(levels: tuple[int, int]) -> None:
    above, below = (
        Heading(level, text, offset)
        for level, text, offset in zip(levels, ("Saves", "Thief"), (0, 7), strict=True)
    )
    thieves = Page(1, "1", "Saves\n\nThief\n\nThey dodge.", (above, below), "text", False)
    found = topics_of(thieves, "en", [(0, 25)], first_chunk=0)
    assert [topic.name for topic in found] == [("save",), ("thief",), ("save", "thief")]


def test_a_topic_is_in_the_chunk_that_its_text_begins_in() -> None:
    whole = "Rain falls.\n\nDash\n\nYou run."
    found = topics_of(page(whole, "Dash"), "en", [(0, 11), (13, 27)], first_chunk=7)
    assert list(found) == [Topic(("dash",), 8)]


def test_a_heading_at_the_foot_of_a_page_belongs_to_what_follows() -> None:
    found = topics_of(page("Rain falls.\n\nDash", "Dash"), "en", [(0, 17)], first_chunk=7)
    assert list(found) == [Topic(("dash",), 8)]


def test_a_term_is_a_topic() -> None:
    found = topics_of(page("Dash. You run.", terms=((0, "Dash."),)), "en", [(0, 14)], first_chunk=0)
    assert list(found) == [Topic(("dash",), 0)]


def test_the_first_cell_of_a_row_is_a_topic() -> None:
    text = "Venom  Delay\nLamp jelly  3 rounds"
    table = Page(1, "1", text, (), "text", False, rows=((13, len(text), "Lamp jelly: Delay 3 rounds"),))
    assert list(topics_of(table, "en", [(0, len(text))], first_chunk=0)) == [Topic(("jelli", "lamp"), 0)]


@pytest.mark.parametrize("kind", ["contents", "index"])
def test_a_list_of_pages_explains_nothing(kind: PageKind) -> None:
    assert list(topics_of(page("Dash  12", "Dash", kind=kind), "en", [(0, 8)], first_chunk=0)) == []
