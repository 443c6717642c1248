"""Answers by quotation: the sentences that answer first, verbatim, and no claim."""

from collections.abc import Collection, Sequence

import pytest

from rag.library.books.found_page import FoundPage
from rag.library.language.likeness import shared_words
from rag.nodes.quotations import LONGEST_PASSAGE, Similarity, closest_passages
from rag.state import AnswerWithSources, Outcome, Question, Span
from rag.texts import texts_for
from tests.scripted import correction, found_page, torn_pages

TEXTS = texts_for("en")


def indifferent(question: str, texts: Sequence[str]) -> list[float]:
    return [0.0] * len(texts)


def quoted(
    question: str,
    pages: Sequence[FoundPage],
    similarity: Similarity = indifferent,
    *,
    named: Collection[FoundPage] = (),
    holding_most: Collection[FoundPage] | None = None,
) -> AnswerWithSources:
    """The closest passages of pages that one search found, and what it told of them."""
    search = Question(
        question=question,
        context=[page.document() for page in pages],
        named=frozenset(page.id for page in named),
        holding_most=None if holding_most is None else frozenset(page.id for page in holding_most),
    )
    return closest_passages(question, pages, [search], similarity, TEXTS)


def closest(answer: AnswerWithSources) -> list[str]:
    """The line of each passage that answers best."""
    return [line.text for source in answer.sources for line in source.passage if line.is_closest]


def test_the_passage_that_answers_best_comes_first() -> None:
    pages = [found_page("Horses cost a lot of money.", 1), found_page("Magery costs five points a level.", 2)]
    answer = quoted("What does Magery cost?", pages, lambda _, texts: [0.5 * ("Mag" in t) for t in texts])
    assert (answer.sources[0].page, answer.sources[0].quote) == ("2", "Magery costs five points a level.")
    assert (answer.outcome, answer.statements) == (Outcome.PASSAGES, [])


def test_a_row_is_marked_for_a_misspelt_name_as_for_the_right_one() -> None:
    table = armor_table()
    search = Question(question="chane mail?", context=[table.document()], misspelt={"chane": "chain"})
    (source,) = closest_passages("chane mail?", [table], [search], indifferent, TEXTS).sources
    assert [line.text for line in source.passage if line.is_closest] == [ROWS[1]]


def test_a_passage_is_verbatim_and_a_rather_short_part_of_a_long_page() -> None:
    text = " ".join(f"Rule number {number} says so and so." for number in range(60))
    sources = quoted("Rule number 30", [found_page(text)]).sources
    assert all(len(source.quote) <= LONGEST_PASSAGE and source.quote in text for source in sources)
    assert "Rule number 30 says so and so." in sources[0].quote


def test_headings_and_scraps_are_no_answer() -> None:
    text = "Magery and Its Many Costs\n\nat that\n\nIt is five points a level."
    answer = quoted("Magery costs", [found_page(text)])
    assert closest(answer) == ["It is five points a level."]
    assert not quoted("Magery", [found_page("Magery and Its Many Costs")]).sources


def test_a_page_that_amends_another_is_quoted_before_it() -> None:
    errata = found_page("On page 20 read 8, not 6.", 2, "Errata")
    amended = found_page("Swimming has a Difficulty of 6.", 20, amended_by=[correction(errata)])
    answer = quoted("What Difficulty has swimming?", [amended, errata])
    assert [source.book for source in answer.sources] == ["Errata", "Core"]


def test_a_page_asked_for_by_number_is_quoted_with_what_corrects_it() -> None:
    errata = found_page("On page 20 read 8, not 6.", 2, "Errata")
    asked = found_page("Swimming has a Difficulty of 6.", 20, amended_by=[correction(errata)])
    answer = quoted("What does p. 20 say of swimming?", [asked, errata], named=[asked])
    assert [source.book for source in answer.sources] == ["Errata", "Core"]


def test_the_sentence_under_the_heading_asked_for_is_the_closest() -> None:
    text = "Slinging\n\nWhirl it once before you let go.\n\nAiming\n\nGive up a whole turn to gain three."
    sections = [(text.index(name), name) for name in ("Slinging", "Aiming")]
    assert closest(quoted("aiming", [found_page(text, sections=sections)])) == [
        "Give up a whole turn to gain three."
    ]


def test_what_stands_under_the_name_that_is_asked_for_stands_apart() -> None:
    listed = found_page("Slings and aiming are for hunters.", 1)
    text = "Aiming\n\nGive up a whole turn to gain three."
    explained = found_page(text, 2, sections=[(0, "Aiming")])
    answer = quoted("aiming", [listed, explained])
    assert [source.page for source in answer.sources] == ["2"]


def test_nothing_is_found_where_no_quoted_page_holds_most_of_what_is_asked() -> None:
    engine = found_page("The engine room is dark and cold.", 1)
    drive = found_page("A hyperdrive hums in the dark.", 2)
    assert not quoted("Hyperdrive?", [engine], holding_most=[]).found
    assert quoted("Hyperdrive?", [engine, drive], holding_most=[drive]).found


def test_where_nobody_looked_for_what_is_asked_the_passages_are_found() -> None:
    assert quoted("Hyperdrive?", [found_page("The engine room is dark and cold.", 1)]).found


def test_a_question_that_names_a_page_is_answered_from_that_page() -> None:
    pages = [found_page("As page 74 says, one falls.", 26), found_page("A fall does damage to all.", 74)]
    answer = quoted("What does page 74 say of a fall?", pages, named=pages[1:])
    assert [source.page for source in answer.sources] == ["74"]


SECTIONS = (
    "Swimming\n\nMake a test. It is hard.\n\nThe Cold\n\nWater takes one of these:\n\nLosses\n\n"
    "• a point of Warmth\n\n• a boot\n\nFire\n\nFire burns."
)
NAMES = ("Swimming", "The Cold", "Losses", "Fire")
OF_SECTIONS = [(SECTIONS.index(f"{name}\n"), name) for name in NAMES]


def in_sections(question: str, start: str, end: str) -> str:
    """What is quoted where the chunk from one text to another matched."""
    hit = Span(SECTIONS.index(start), SECTIONS.index(end) + len(end))
    return quoted(question, [found_page(SECTIONS, sections=OF_SECTIONS, hits=[hit])]).sources[0].quote


def test_a_passage_is_of_one_section_and_holds_the_whole_of_a_short_one() -> None:
    assert (
        in_sections("How hard is swimming?", "It is hard", "The Cold") == "Swimming Make a test. It is hard."
    )


def test_a_passage_that_ends_with_a_colon_takes_the_list_it_announces() -> None:
    said = in_sections("What does cold water take?", "Water", "these:")
    assert said == "The Cold Water takes one of these: Losses • a point of Warmth • a boot"


def test_contents_and_index_pages_are_not_quoted() -> None:
    answer = quoted("Magery", [found_page("Magery, pages 30 and 40.", kind="index")])
    assert (answer.outcome, answer.sources, answer.found) == (Outcome.NOT_FOUND, [], False)


def test_a_word_is_found_in_another_language_as_the_glossary_has_it() -> None:
    texts = ["A torch burns six turns.", "A rope is long."]
    torch, rope = shared_words("Quanto dura uma tocha?", texts, ["en", "en"])
    assert torch > rope == 0


ROWS = ("Plate Mail 300 gp", "Chain Mail 60 gp", "Leather Armor 20 gp")


def armor_table() -> FoundPage:
    text = "\n".join(ROWS)
    starts = [text.index(row) for row in ROWS]
    rows = [
        (start, start + len(row), f"Type: {row}; Price: much")
        for start, row in zip(starts, ROWS, strict=True)
    ]
    return found_page(text, rows=rows)


@pytest.mark.parametrize(
    ("asked", "marked"),
    [
        ("what does plate mail cost", [ROWS[0]]),
        ("and chain mail?", [ROWS[1]]),
        ("and what of it?", []),
        ("who falls at 300 of it?", []),
        ("which price is 300?", [ROWS[0]]),
    ],
)
def test_a_row_is_marked_only_where_the_askers_own_words_tell_it_from_the_others(
    asked: str, marked: list[str]
) -> None:
    page = armor_table()
    question = "what does plate mail cost" if marked != [ROWS[1]] else asked
    search = Question(question=question, context=[page.document()])
    assert closest(closest_passages(question, [page], [search], indifferent, TEXTS, asked=asked)) == marked


LEVELS = ("Level 3 4d8", "Level 5 16d8", "Level 6 32d8", "Level 9 8d8+6")


@pytest.mark.parametrize(
    ("question", "asked", "marked"),
    [
        ("what dice has level 6", "what dice has level 6", LEVELS[2]),
        ("what dice has level 3 and level 5?", "and level 5?", LEVELS[1]),
    ],
)
def test_the_row_of_the_level_that_is_asked_on_is_marked(question: str, asked: str, marked: str) -> None:
    text = "\n".join(LEVELS)
    rows = [
        (text.index(row), text.index(row) + len(row), f"Level: {row[6]}; Dice: {row[8:]}") for row in LEVELS
    ]
    page = found_page(text, rows=rows)
    search = Question(question=question, context=[page.document()])
    answer = closest_passages(question, [page], [search], indifferent, TEXTS, asked=asked)
    assert closest(answer) == [marked]


def test_a_sentence_torn_by_a_page_break_is_quoted_whole_and_once() -> None:
    answer = quoted("What does a round under water cost?", torn_pages())
    told = " ".join(source.whole_quote for source in answer.sources)
    assert told.count("Each round under water costs one point of breath.") == 1
    assert "Whoever has none drowns." in told
