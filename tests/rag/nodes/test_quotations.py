"""Answers by quotation: the sentences that answer first, verbatim, and no claim."""

from collections.abc import Collection, Sequence

import pytest

from rag.library.books.found_page import FoundPage
from rag.library.language.likeness import shared_words
from rag.nodes.citations import MAX_QUOTE_CHARACTERS
from rag.nodes.quotations import Similarity, closest_passages
from rag.state import AnswerWithSources, Outcome, Question, Span
from rag.strategies.lines import sentences
from rag.texts import texts_for
from tests.scripted import correction, found_page

TEXTS = texts_for("en")


def indifferent(question: str, texts: Sequence[str]) -> list[float]:
    return [0.0] * len(texts)


def quoted(
    question: str,
    pages: Sequence[FoundPage],
    similarity: Similarity = indifferent,
    *,
    named: Collection[FoundPage] = (),
    holding_rarest: Collection[FoundPage] | None = None,
) -> AnswerWithSources:
    """The closest passages of pages that one search found, and what it told of them."""
    search = Question(
        question=question,
        context=[page.document() for page in pages],
        named=frozenset(page.id for page in named),
        holding_rarest=None if holding_rarest is None else frozenset(page.id for page in holding_rarest),
    )
    return closest_passages(question, pages, [search], similarity, TEXTS)


def test_one_quotation_from_each_page_the_closest_first() -> None:
    pages = [found_page("Horses cost a lot of money.", 1), found_page("Magery costs five points a level.", 2)]
    answer = quoted("What does Magery cost?", pages, lambda _, texts: ["Magery" in t for t in texts])
    assert [(source.page, source.quote) for source in answer.sources] == [
        ("2", "Magery costs five points a level."),
        ("1", "Horses cost a lot of money."),
    ]
    assert (answer.outcome, answer.statements) == (Outcome.PASSAGES, [])


def test_words_of_the_question_decide_where_meaning_does_not() -> None:
    text = "The sea is wide and cold. Magery costs five points. The land is dry and warm."
    answer = quoted("Magery?", [found_page(text + "\n\nMore of it all.")])
    assert "Magery costs five points." in answer.sources[0].quote


def test_a_quotation_takes_in_its_paragraph_but_no_other() -> None:
    text = "Nothing to see here.\n\nFirst of all this. Magery costs five points. And this last.\n\nNo more."
    answer = quoted("Magery", [found_page(text)])
    assert answer.sources[0].quote == "First of all this. Magery costs five points. And this last."


def test_a_quotation_is_verbatim_and_within_the_limit() -> None:
    text = " ".join(f"Rule number {number} says so and so." for number in range(60))
    (source,) = quoted("Rule number 30", [found_page(text)]).sources
    assert len(source.quote) <= MAX_QUOTE_CHARACTERS
    assert source.quote in text


def test_headings_and_scraps_are_no_answer() -> None:
    text = "Magery and Its Many Costs\n\nat that\n\nIt is five points a level."
    (source,) = quoted("Magery costs", [found_page(text)]).sources
    assert source.quote == "It is five points a level."


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


def test_the_sentence_under_the_heading_asked_for_is_quoted() -> None:
    text = "Slinging\n\nWhirl it once before you let go.\n\nAiming\n\nGive up a whole turn to gain three."
    sections = [(text.index(name), name) for name in ("Slinging", "Aiming")]
    (source,) = quoted("aiming", [found_page(text, sections=sections)]).sources
    assert source.quote == "Give up a whole turn to gain three."


def test_a_page_number_does_not_end_a_sentence() -> None:
    text = "Aiming (see p. 12) costs a turn. Nothing else does."
    assert [text[span.start : span.end].strip() for span in sentences(text)] == [
        "Aiming (see p. 12) costs a turn.",
        "Nothing else does.",
    ]


def test_nothing_is_found_where_no_quoted_page_holds_the_rarest_word() -> None:
    engine = found_page("The engine room is dark and cold.", 1)
    drive = found_page("A hyperdrive hums in the dark.", 2)
    assert not quoted("Hyperdrive?", [engine], holding_rarest=[]).found
    assert quoted("Hyperdrive?", [engine, drive], holding_rarest=[drive]).found


def test_where_nobody_looked_for_the_rarest_word_the_passages_are_found() -> None:
    assert quoted("Hyperdrive?", [found_page("The engine room is dark and cold.", 1)]).found


def test_the_first_search_that_found_a_page_tells_whether_it_holds_the_rarest_word() -> None:
    page = found_page("The engine room is dark and cold.", 1)
    document = page.document()
    searches = [
        Question(question="Hyperdrive?", context=[document], holding_rarest=frozenset()),
        Question(question="Engine?", context=[document], holding_rarest=frozenset([page.id])),
    ]
    answers = [
        closest_passages("Hyperdrive?", [page], order, indifferent, TEXTS)
        for order in (searches, searches[::-1])
    ]
    assert [answer.found for answer in answers] == [False, True]


def test_a_question_that_names_a_page_is_answered_from_that_page() -> None:
    pages = [found_page("As page 74 says, one falls.", 26), found_page("A fall does damage to all.", 74)]
    answer = quoted("What does page 74 say of a fall?", pages, named=pages[1:])
    assert [source.page for source in answer.sources] == ["74"]


def test_only_matching_chunks_are_compared() -> None:
    text = "Magery costs five points. " * 3 + "\n\nThe best matching child is here."
    start = text.index("The best")
    (source,) = quoted("Magery", [found_page(text, hits=[Span(start, len(text))])]).sources
    assert source.quote == "The best matching child is here."


def test_contents_and_index_pages_are_not_quoted() -> None:
    answer = quoted("Magery", [found_page("Magery, pages 30 and 40.", kind="index")])
    assert (answer.outcome, answer.sources, answer.found) == (Outcome.NOT_FOUND, [], False)


@pytest.mark.parametrize("question", ["Quanto custa?", "How much does it cost?"])
def test_rare_words_of_the_question_count_more(question: str) -> None:
    texts = ["a spell and a price", "a spell and a cost", "a spell and a word"]
    words = shared_words(f"{question} price spell", texts, ["en"] * 3)
    assert words[0] == max(words)


def test_a_word_is_found_in_another_language_as_the_glossary_has_it() -> None:
    texts = ["A torch burns six turns.", "A rope is long."]
    torch, rope = shared_words("Quanto dura uma tocha?", texts, ["en", "en"])
    assert torch > rope == 0


def test_sentences_and_rows_cover_the_page() -> None:
    text = "One sentence. Another one!\nA row  of  cells\n\nThe end"
    found = [text[span.start : span.end].strip() for span in sentences(text)]
    assert found == ["One sentence.", "Another one!", "A row  of  cells", "The end"]
