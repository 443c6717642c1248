"""What a prompt shows of the pages found: a place for each that counts, nothing ever taken away."""

from collections.abc import Sequence
from itertools import takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import BaseMessage

from rag.config import PROMPT_TOKENS
from rag.library.books.found_page import FoundPage
from rag.prompts import delimited, load_prompt
from rag.state import Origin, Question, Span
from rag.strategies.context import (
    CHARACTERS_A_TOKEN,
    FIRST_PAGES,
    MOST_PAGES,
    PromptPages,
    merged_context,
    page_key,
    prompt_pages,
)
from tests.scripted import found_page, prompt_of

LEAST_COMMON = 0.4


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


def test_a_page_without_hits_is_shown_whole() -> None:
    page = long_page(1)
    assert len(prompt_of(page).lines()) == 100


def test_of_a_page_larger_than_the_room_the_lines_that_fit_are_shown() -> None:
    shown = prompt_of(long_page(1, sentences=5_000), long_page(2, sentences=5_000), long_page(3, hit=50))
    assert len(shown.pages) == 3
    assert len(shown.render()) > 0.9 * PROMPT_TOKENS * CHARACTERS_A_TOKEN
    assert in_the_prompt("Sentence 50 of page 3", shown)


def test_the_best_passage_of_each_search_comes_before_the_second_of_one() -> None:
    asked_for, worded = long_page(9, hit=5), long_page(9, hit=70)
    twice = asked_for.model_copy(update={"hits": (*asked_for.hits, *long_page(9, hit=40).hits)})
    best = [long_page(number, hit=0, sentences=1) for number in range(3)]
    questions = [found(*best, twice), found(worded, origin=Origin.SUB_QUESTION)]
    shown = [
        prompt_pages(questions, tokens, is_last=False).told().get(page_key(twice), set())
        for tokens in range(60, 300)
    ]
    assert {6} in shown
    assert next(lines for lines in shown if len(lines) == 2) == {6, 71}


def test_the_page_that_a_judge_asked_for_has_lines_before_others_of_its_search_have_any() -> None:
    def passage(number: int) -> FoundPage:
        page = long_page(number, "Judge")
        return page.model_copy(update={"hits": (Span(0, page.text.index("Sentence 60")),)})

    asked = found(*(long_page(number, hit=0, sentences=1) for number in range(3)))
    judged = found(*map(passage, range(12)), origin=Origin.JUDGE, round=2)
    shown = prompt_pages([asked, judged], 1_300, is_last=False)
    assert shown.told()[page_key(passage(0))] >= set(range(1, 61))


def test_the_page_that_a_judge_asked_for_has_a_place_before_more_references_than_there_are_places() -> None:
    asked = found(*(long_page(number) for number in range(3)))
    followed = [
        found(long_page(1, f"Errata {number}", hit=3), origin=Origin.FOLLOWED, round=2)
        for number in range(20)
    ]
    judged = found(long_page(1, "Judge", hit=3), origin=Origin.JUDGE, round=2)
    assert "Judge" in books_of(prompt_pages([asked, *followed, judged], PROMPT_TOKENS, is_last=False))


def test_the_first_pages_have_more_lines_than_later_ones() -> None:
    pages = [long_page(number) for number in range(8)]
    told = prompt_pages([found(*pages)], 2_000, is_last=False).told()
    first, later = (len(told[page_key(pages[place])]) for place in (FIRST_PAGES - 1, FIRST_PAGES + 1))
    assert first > 2 * later


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
    part = shown.parts[-1]
    assert page_key(part.page) == page_key(page)
    assert part.rendered.splitlines()[1:-1] == [
        "(Torches)",
        "…",
        "(Spells)",
        "[4.5] Light comes.",
    ]


def test_a_heading_may_be_cited_where_it_tells_a_number_of_its_own() -> None:
    headings = ["Dodging", "8.2 Full defense: roll + 10", "8.3 Parrying", "Chapter 4: Brawling"]
    text = "\n".join(headings)
    page = found_page(text, sections=[(text.index(one), one) for one in headings])
    shown = prompt_of(page)
    assert list(shown.lines()) == ["1.2"]
    assert shown.render().splitlines()[1:-1] == [
        "(Dodging)",
        "[1.2] 8.2 Full defense: roll + 10",
        "(8.3 Parrying)",
        "(Chapter 4: Brawling)",
    ]


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


def test_further_passages_are_shown_in_the_order_of_how_much_of_the_question_they_hold() -> None:
    matched = "Nothing of the kind is told here."
    further = [f"Ropes of sort {number} are sold." for number in range(5)] + ["A lantern burns oil."]
    spans = [Span(0, len(matched)), Span(len(matched) + 1, len(matched) + 2)]
    pages = [
        found_page(f"{matched}\n{one}", number, str(number), hits=spans) for number, one in enumerate(further)
    ]
    asked = Question(question="lantern oil", context=[page.document() for page in pages])
    shown = [prompt_pages([asked], tokens, is_last=False) for tokens in range(150, 250)]
    shown = [one for one in shown if len(one.pages) == len(pages)]
    first = next(one for one in shown if any(in_the_prompt(line, one) for line in further[FIRST_PAGES:]))
    assert [line for line in further[FIRST_PAGES:] if in_the_prompt(line, first)] == further[-1:]


def test_at_the_end_the_lines_come_that_fit_of_a_passage_that_does_not() -> None:
    ropes = "Ropes are sold by the coil. " * 60
    rest = f"{ropes}A lantern burns oil. {ropes}"
    page = found_page(f"Nothing matched here.\n{rest}", hits=[Span(0, 10), Span(22, 22 + len(rest))])
    asked = Question(
        question="lantern oil",
        context=[*(long_page(n, hit=0, sentences=9).document() for n in range(3)), page.document()],
    )
    judged, drafted = (prompt_pages([asked], 1_000, is_last=is_last) for is_last in (False, True))
    assert in_the_prompt("Nothing matched here.", judged)
    assert not in_the_prompt("A lantern burns oil.", judged)
    assert not in_the_prompt("Ropes are sold", judged)
    assert in_the_prompt("A lantern burns oil.", drafted)


BEST = [found_page(f"Best {number}.", number, f"Best {number}") for number in range(3)]


def test_what_a_later_round_finds_anew_comes_before_more_of_what_was_shown() -> None:
    more, new = long_page(8, hit=70), long_page(9, hit=70)
    asked = found(*BEST, long_page(8, hit=5))
    judged = found(more, new, origin=Origin.JUDGE, round=2)
    shown = [prompt_pages([asked, judged], tokens, is_last=False) for tokens in range(60, 200)]
    lines = [f"Sentence 70 of page {number}" for number in (8, 9)]
    told = [[in_the_prompt(line, one) for line in lines] for one in shown]
    assert [False, True] in told
    assert told[-1] == [True, True]


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


def test_what_a_search_leads_to_takes_no_place_from_the_last_page_it_found() -> None:
    asked = found(*(long_page(number, hit=3) for number in range(12)))
    followed = [found(long_page(1, f"Errata {number}", hit=3), origin=Origin.FOLLOWED) for number in range(6)]
    shown = prompt_pages([asked, *followed], PROMPT_TOKENS)
    assert in_the_prompt("Sentence 3 of page 11 of Core", shown)
    assert len(shown.pages) == MOST_PAGES


def test_the_same_page_twice_is_one_and_the_same_text_in_two_books_is_two() -> None:
    page = long_page(1, hit=1)
    twin = page.model_copy(update={"hits": long_page(1, hit=80).hits, "file": "elsewhere.pdf"})
    other = page.model_copy(update={"book": "Other"})
    shown = prompt_pages([found(page, other), found(twin, origin=Origin.SUB_QUESTION)], PROMPT_TOKENS)
    assert books_of(shown) == ["Core", "Other"]
    assert in_the_prompt("Sentence 80 of page 1", shown)


def test_contents_and_index_pages_take_no_place() -> None:
    index = found_page("Torches, 12", kind="index")
    assert prompt_of(index, *(long_page(number) for number in (1, 2, 3))).pages == [
        long_page(number) for number in (1, 2, 3)
    ]


def test_every_line_shown_is_found_by_the_id_it_is_shown_under() -> None:
    shown = prompt_of(long_page(1, hit=5), long_page(2))
    for name, (page, line) in shown.lines().items():
        assert f"[{name}] {line.text}\n" in shown.render()
        assert line.printed in page.text


# What stays


def judge_prompt(pages: PromptPages) -> list[BaseMessage]:
    return load_prompt("sufficiency").messages(
        pages=pages.render(), question=delimited("question", "?"), searched="", open_references=""
    )


def draft_prompt(pages: PromptPages) -> list[BaseMessage]:
    return load_prompt("generate").messages(
        pages=pages.render(), question=delimited("question", "?"), conversation=""
    )


def test_of_a_one_hop_question_judge_and_generator_read_most_of_the_input_alike() -> None:
    asked = found(*(long_page(number, hit=4) for number in range(10)))
    wordings = found(
        *(long_page(number, "Sub", hit=4) for number in range(10)), origin=Origin.SUB_QUESTION, round=2
    )
    judged = "\n".join(
        str(one.content) for one in judge_prompt(prompt_pages([asked], PROMPT_TOKENS, is_last=False))
    )
    drafted = "\n".join(
        str(one.content) for one in draft_prompt(prompt_pages([asked, wordings], PROMPT_TOKENS))
    )
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(judged, drafted, strict=False)))
    assert common >= LEAST_COMMON * (len(judged) + len(drafted))


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


@given(asked=st.lists(pages, min_size=1, max_size=12), tokens=tokens)
def test_the_first_pages_have_a_place_however_little_room_there_is(
    asked: list[FoundPage], tokens: int
) -> None:
    shown = {page_key(page) for page in prompt_of(*asked, tokens=tokens).pages}
    assert set(list(dict.fromkeys(map(page_key, asked)))[:FIRST_PAGES]) <= shown


def test_pages_that_were_searched_come_before_more_than_half_of_fetched_ones() -> None:
    asked = found(*(found_page(f"Searched {number}.", number) for number in range(1, 9)))
    fetched = [
        found(found_page(f"Fetched {number}.", number), origin=Origin.FOLLOWED) for number in range(20, 29)
    ]
    chosen = [int(page.label or 0) for page in merged_context([asked, *fetched], 12)]
    assert sum(number >= 20 for number in chosen) == 6
    assert set(range(1, 7)) <= set(chosen)


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
