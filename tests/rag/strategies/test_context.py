"""What a prompt shows of the pages found: a place for each that counts, nothing ever taken away."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.config import PROMPT_TOKENS
from rag.library.books.found_page import FoundPage
from rag.state import Origin, Question, Span
from rag.strategies.context import (
    CHARACTERS_A_TOKEN,
    FIRST_PAGES,
    TOKENS_AT_FIRST,
    PromptPages,
    merged_context,
    page_key,
    prompt_pages,
)
from tests.scripted import found_page, prompt_of


def found(*pages: FoundPage, origin: Origin = Origin.ASKED, round: int = 1) -> Question:
    """A query and the pages its search found."""
    return Question(question="?", context=[page.document() for page in pages], origin=origin, round=round)


def long_page(number: int, book: str = "Core", hit: int | None = None, sentences: int = 100) -> FoundPage:
    """A page of many sentences, of which one may have matched."""
    said = [f"Sentence {count} of page {number} of {book} is long enough." for count in range(sentences)]
    text = " ".join(said)
    hits = [] if hit is None else [Span(text.index(said[hit]), text.index(said[hit]) + len(said[hit]))]
    return found_page(text, number, book, hits=hits)


def books_of(shown: PromptPages) -> list[str]:
    return [page.book for page in shown.pages]


def in_the_prompt(line: str, shown: PromptPages) -> bool:
    return f"] {line}" in shown.render()


# What has a place


def test_of_a_page_larger_than_the_room_the_lines_that_fit_are_shown() -> None:
    shown = prompt_of(long_page(1, sentences=5_000), long_page(2, sentences=5_000), long_page(3, hit=50))
    assert len(shown.pages) == 3
    assert len(shown.render()) > 0.9 * PROMPT_TOKENS * CHARACTERS_A_TOKEN
    assert in_the_prompt("Sentence 50 of page 3", shown)


def test_what_lies_between_the_lines_shown_is_marked_and_headings_stand_above_them() -> None:
    text = "Torches\nThey burn.\nSpells\nDarkness falls. Light comes. Silence reigns."
    start = text.index("Light comes.")
    page = found_page(
        text,
        headings=["Spells"],
        sections=[(0, "Torches"), (text.index("Spells"), "Spells")],
        hits=[Span(0, 7), Span(start, start + 12)],
    )
    others = [long_page(number) for number in (2, 3, 4)]
    shown = prompt_pages([found(*others), found(page, origin=Origin.JUDGE, round=2)], PROMPT_TOKENS)
    part = next(one for one in shown.parts if page_key(one.page) == page_key(page))
    assert part.rendered.splitlines()[1:-1] == [
        "(Torches)",
        "…",
        "(Spells)",
        "[4.5] Light comes.",
    ]


def test_the_first_judge_is_shown_a_part_of_the_room_and_the_answer_begins_with_the_same_bytes() -> None:
    questions = [found(*(long_page(number) for number in range(12)))]
    first = prompt_pages(questions, PROMPT_TOKENS, is_last=False).render()
    assert len(first) <= TOKENS_AT_FIRST * CHARACTERS_A_TOKEN
    assert prompt_pages(questions, PROMPT_TOKENS).render().startswith(first)


def test_one_page_of_each_query_of_a_judge_has_a_place_also_of_the_fourth() -> None:
    asked = found(*(long_page(number) for number in range(12)))
    wordings = [
        found(*(long_page(number, "Sub", hit=9) for number in range(5)), origin=Origin.SUB_QUESTION, round=2)
    ] * 5
    judged = [
        found(long_page(hop, f"Judge {hop}.{query}", hit=70), origin=Origin.JUDGE, round=hop)
        for hop in (2, 3)
        for query in range(4)
    ]
    shown = prompt_pages([asked, *wordings, *judged], PROMPT_TOKENS)
    for question in judged:
        (page,) = map(FoundPage.of, question.context)
        assert in_the_prompt(f"Sentence 70 of page {page.label} of {page.book}", shown)


def test_each_page_has_a_line_before_any_has_all_however_long_the_lines_are() -> None:
    long = [
        " ".join([f"Page {number} line {line}", *["says"] * 95]) + "." for number in range(8) for line in "ab"
    ]
    pages = [
        found_page(f"{one} {other}", number, str(number))
        for number, (one, other) in enumerate(zip(long[::2], long[1::2], strict=True))
    ]
    assert len(prompt_pages([found(*pages)], 1_350, is_last=False).pages) == len(pages)


@pytest.mark.parametrize("origin", [Origin.FOLLOWED, Origin.SUB_QUESTION])
def test_what_one_query_alone_finds_first_has_its_place_before_what_many_find(origin: Origin) -> None:
    asked = found(*(long_page(number) for number in range(12)))
    popular = [long_page(number, "Sub") for number in range(20)]
    wordings = [found(*popular, origin=Origin.SUB_QUESTION) for _ in range(5)]
    alone = found(long_page(1, "Alone"), origin=origin)
    assert "Alone" in books_of(prompt_pages([asked, *wordings, alone], PROMPT_TOKENS))


def test_contents_and_index_pages_take_no_place() -> None:
    index = found_page("Torches, 12", kind="index")
    assert prompt_of(index, *(long_page(number) for number in (1, 2, 3))).pages == [
        long_page(number) for number in (1, 2, 3)
    ]


# What stays


pages = st.builds(
    long_page,
    st.integers(0, 6),
    st.sampled_from(["Core", "Powers"]),
    st.none() | st.integers(0, 9),
    st.sampled_from([10, 30, 150]),
)
found_pages = st.lists(pages, max_size=6)
added = st.lists(st.tuples(found_pages, st.sampled_from(list(Origin)), st.integers(1, 3)), max_size=6)
tokens = st.sampled_from([300, 1_000, PROMPT_TOKENS])


@given(asked=st.lists(pages, min_size=1, max_size=6), further=added, tokens=tokens)
def test_more_queries_remove_no_first_page_and_no_line_once_shown(
    asked: Sequence[FoundPage], further: list[tuple[list[FoundPage], Origin, int]], tokens: int
) -> None:
    first = found(*asked)
    questions = [first, *(found(*pages, origin=origin, round=round) for pages, origin, round in further)]
    alone, together = prompt_pages([first], tokens), prompt_pages(questions, tokens)
    kept = {page_key(page) for page in alone.pages} & set(
        list(dict.fromkeys(map(page_key, asked)))[:FIRST_PAGES]
    )
    assert kept <= {page_key(page) for page in together.pages}
    for last in (1, 2, 3):
        rounds = [one for one in questions if one.round <= last]
        assert together.render().startswith(prompt_pages(rounds, tokens, is_last=False).render())
    assert len(together.render()) <= tokens * CHARACTERS_A_TOKEN


def test_of_what_later_hops_found_the_newest_first_pages_of_each_query_have_places() -> None:
    def pages(start: int) -> list[FoundPage]:
        return [found_page(f"Page {start + place}.", start + place) for place in range(8)]

    def query(hop: int, start: int) -> Question:
        documents = [page.document() for page in pages(start)]
        return Question(question="?", context=documents, origin=Origin.JUDGE, hop=hop, round=hop)

    asked = found(*(found_page(f"Asked {number}.", number) for number in range(100, 112)))
    older = [query(2, start) for start in (200, 300, 400)]
    newer = [query(3, start) for start in (500, 600, 700)]
    chosen = {int(page.label or 0) for page in merged_context([asked, *older, *newer], 12)}
    assert {500, 501, 600, 601, 700, 701} <= chosen
