"""Pages of several searches as one context, and how much of them a prompt holds."""

from hypothesis import given
from hypothesis import strategies as st

from rag.state import Span
from rag.strategies.context import PAGE_CHARACTERS, PAGES_CHARACTERS, excerpt, excerpts, window
from tests.scripted import found_page


@given(
    length=st.integers(1, 50_000),
    limit=st.integers(1, 10_000),
    places=st.lists(st.tuples(st.integers(0, 49_000), st.integers(1, 900)), max_size=5),
)
def test_a_window_is_as_long_as_it_may_be_and_holds_the_best_hit(
    length: int, limit: int, places: list[tuple[int, int]]
) -> None:
    hits = [Span(start, min(start + size, length)) for start, size in places if start < length]
    part = window(hits, length, limit)
    assert part.end - part.start == min(limit, length)
    assert 0 <= part.start <= part.end <= length
    if hits and hits[0].end - hits[0].start <= limit:
        assert part.start <= hits[0].start
        assert hits[0].end <= part.end


@given(sizes=st.lists(st.integers(0, 50_000), max_size=20))
def test_all_pages_together_hold_no_more_than_their_bound(sizes: list[int]) -> None:
    shown = excerpts([found_page("x" * size, number) for number, size in enumerate(sizes)])
    assert sum(len(text) for _, text in shown) <= PAGES_CHARACTERS
    assert all(len(text) <= PAGE_CHARACTERS for _, text in shown)


def test_pages_of_a_book_in_print_are_shown_whole() -> None:
    pages = [found_page("word " * 800, number) for number in range(12)]
    assert [text for _, text in excerpts(pages)] == [one.text for one in pages]


def test_of_a_page_too_long_the_part_around_the_hits_is_shown() -> None:
    text = "noise " * 5_000 + "Magery costs 5 points." + " noise" * 5_000
    start = text.index("Magery")
    shown = excerpt(found_page(text, hits=[Span(start, start + 22)]), 200)
    assert "Magery costs 5 points." in shown
    assert len(shown) == 200
    assert shown[0] == shown[-1] == "…"


def test_of_several_hits_those_near_the_best_are_shown_with_it() -> None:
    near = window([Span(5_000, 5_010), Span(5_400, 5_410), Span(100, 110)], 10_000, 500)
    assert near.start <= 5_000
    assert near.end >= 5_410
