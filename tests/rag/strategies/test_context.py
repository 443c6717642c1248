"""What a prompt shows of the pages found: a place for each that counts, nothing ever taken away."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from rag.config import PROMPT_TOKENS
from rag.library.books.found_page import FoundPage
from rag.state import Origin, Question, Span
from rag.strategies.context import (
    CHARACTERS_A_TOKEN,
    FIRST_PAGES,
    TOKENS_AT_FIRST,
    TOKENS_OF_ONE_HOP,
    PromptPages,
    merged_context,
    page_key,
    prompt_pages,
)
from tests.scripted import correction, found_page, prompt_of


def found(*pages: FoundPage, origin: Origin = Origin.ASKED, round: int = 1) -> Question:
    """A query and the pages its search found."""
    found = [page.document() for page in pages]
    return Question(question="?", context=found, origin=origin, hop=round, round=round)


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
    assert len(shown.render()) > 0.9 * TOKENS_OF_ONE_HOP * CHARACTERS_A_TOKEN
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


def test_the_further_a_question_went_the_more_is_shown_and_it_begins_with_the_same_bytes() -> None:
    asked = found(*(long_page(number) for number in range(12)))
    again = found(long_page(1, "Again"), origin=Origin.JUDGE, round=2)
    judge = prompt_pages([asked], PROMPT_TOKENS, is_last=False).render()
    one, two = (prompt_pages(hops, PROMPT_TOKENS).render() for hops in ([asked], [asked, again]))
    most = [tokens * CHARACTERS_A_TOKEN for tokens in (TOKENS_AT_FIRST, TOKENS_OF_ONE_HOP)]
    assert len(judge) <= most[0] < len(one) <= most[1] < len(two)
    assert one.startswith(judge)


def test_one_page_of_each_query_of_a_judge_has_a_place_also_of_the_fourth() -> None:
    asked = found(*(long_page(number) for number in range(12)))
    sub = [long_page(number, "Sub", hit=9) for number in range(5)]
    wordings = [found(*sub, origin=Origin.SUB_QUESTION, round=2)] * 5
    judged = [
        found(long_page(hop, f"Judge {hop}.{query}", hit=70), origin=Origin.JUDGE, round=hop)
        for hop in (2, 3)
        for query in range(4)
    ]
    shown = prompt_pages([asked, *wordings, *judged], PROMPT_TOKENS)
    for question in judged:
        (page,) = map(FoundPage.of, question.context)
        assert in_the_prompt(f"Sentence 70 of page {page.label} of {page.book}", shown)


def test_each_of_the_first_pages_has_a_line_before_any_has_all_however_long_the_lines_are() -> None:
    long = [" ".join([f"Page {number} line", *["says"] * 95]) + "." for number in range(FIRST_PAGES)]
    pages = [found_page(f"{line} {line}", number, str(number)) for number, line in enumerate(long)]
    assert len(prompt_pages([found(*pages)], 520, is_last=False).pages) == FIRST_PAGES


def test_a_passage_that_speaks_of_the_question_comes_before_those_of_better_pages_that_do_not() -> None:
    pages = [long_page(number, hit=number) for number in range(6)]
    told = "A torch burns for six turns."
    last = found_page(f"Lanterns shine far. {told}", 6, hits=[Span(0, 19), Span(20, 20 + len(told))])
    asked = found(*pages, last).model_copy(update={"question": "How long does a torch burn?"})
    shown = prompt_pages([asked], 150)
    assert in_the_prompt(told, shown)
    assert not in_the_prompt("Sentence 5 of page 5", shown)


def test_what_a_part_of_the_question_finds_first_and_what_corrects_a_page_have_places() -> None:
    asked = found(*(long_page(number) for number in range(12)))
    wordings = [found(*(long_page(number, "Sub") for number in range(20)), origin=Origin.SUB_QUESTION)] * 5
    alone = found(long_page(1, "Alone"), origin=Origin.SUB_QUESTION)
    amends = long_page(1, "Errata").model_copy(update={"amends": (correction(long_page(0)),)})
    errata = found(amends, origin=Origin.FOLLOWED)
    shown = prompt_pages([asked, *wordings, alone, errata], PROMPT_TOKENS)
    assert {"Alone", "Errata"} <= {*books_of(shown)}


def test_the_first_page_of_each_search_is_among_the_pages_however_many_several_searches_find() -> None:
    common = [long_page(number) for number in range(9)]
    asked = found(long_page(1, "First"), *common)
    before = found(*common, origin=Origin.SUB_QUESTION)
    assert "First" in {page.book for page in merged_context([asked, before], 5)}


def test_contents_and_index_pages_take_no_place() -> None:
    index = found_page("Torches, 12", kind="index")
    others = [long_page(number) for number in (1, 2, 3)]
    assert prompt_of(index, *others).pages == others


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
    kept = alone.told().keys() & list(dict.fromkeys(map(page_key, asked)))[:FIRST_PAGES]
    assert kept <= together.told().keys()
    for last in (1, 2, 3):
        rounds = [one for one in questions if one.round <= last]
        assert together.render().startswith(prompt_pages(rounds, tokens, is_last=False).render())
    assert len(together.render()) <= tokens * CHARACTERS_A_TOKEN


def test_of_what_later_hops_found_the_newest_first_pages_of_each_query_have_places() -> None:
    def pages(start: int) -> list[FoundPage]:
        return [found_page(f"Page {start + place}.", start + place) for place in range(8)]

    def query(hop: int, start: int) -> Question:
        return found(*pages(start), origin=Origin.JUDGE, round=hop)

    asked = found(*(found_page(f"Asked {number}.", number) for number in range(100, 112)))
    older = [query(2, start) for start in (200, 300, 400)]
    newer = [query(3, start) for start in (500, 600, 700)]
    chosen = {int(page.label or 0) for page in merged_context([asked, *older, *newer], 12)}
    assert {500, 501, 600, 601, 700, 701} <= chosen
