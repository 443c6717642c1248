"""Answers by quotation: the sentences that answer first, verbatim, and no claim."""

from collections.abc import Sequence

import pytest

from rag.library.language.likeness import shared_words
from rag.nodes.citations import MAX_QUOTE_CHARACTERS
from rag.nodes.quotations import closest_passages, sentences
from rag.state import Outcome
from rag.texts import texts_for
from tests.scripted import correction, page

TEXTS = texts_for("en")


def indifferent(question: str, texts: Sequence[str]) -> list[float]:
    return [0.0] * len(texts)


def test_one_quotation_from_each_page_the_closest_first() -> None:
    pages = [page("Horses cost a lot of money.", 1), page("Magery costs five points a level.", 2)]
    answer = closest_passages(
        "What does Magery cost?", pages, lambda _, texts: ["Magery" in t for t in texts], TEXTS
    )
    assert [(source.page, source.quote) for source in answer.sources] == [
        ("2", "Magery costs five points a level."),
        ("1", "Horses cost a lot of money."),
    ]
    assert (answer.outcome, answer.statements) == (Outcome.PASSAGES, [])


def test_words_of_the_question_decide_where_meaning_does_not() -> None:
    text = "The sea is wide and cold. Magery costs five points. The land is dry and warm."
    answer = closest_passages("Magery?", [page(text + "\n\nMore of it all.")], indifferent, TEXTS)
    assert "Magery costs five points." in answer.sources[0].quote


def test_a_quotation_takes_in_its_paragraph_but_no_other() -> None:
    text = "Nothing to see here.\n\nFirst of all this. Magery costs five points. And this last.\n\nNo more."
    answer = closest_passages("Magery", [page(text)], indifferent, TEXTS)
    assert answer.sources[0].quote == "First of all this. Magery costs five points. And this last."


def test_a_quotation_is_verbatim_and_within_the_limit() -> None:
    text = " ".join(f"Rule number {number} says so and so." for number in range(60))
    (source,) = closest_passages("Rule number 30", [page(text)], indifferent, TEXTS).sources
    assert len(source.quote) <= MAX_QUOTE_CHARACTERS
    assert source.quote in text


def test_headings_and_scraps_are_no_answer() -> None:
    text = "Magery and Its Many Costs\n\nat that\n\nIt is five points a level."
    (source,) = closest_passages("Magery costs", [page(text)], indifferent, TEXTS).sources
    assert source.quote == "It is five points a level."


def test_a_page_that_amends_another_is_quoted_before_it() -> None:
    errata = page("On page 20 read 8, not 6.", 2, "Errata")
    amended = page("Swimming has a Difficulty of 6.", 20, amended_by=[correction(errata)])
    answer = closest_passages("What Difficulty has swimming?", [amended, errata], indifferent, TEXTS)
    assert [source.book for source in answer.sources] == ["Errata", "Core"]


def test_a_page_asked_for_by_number_is_quoted_with_what_corrects_it() -> None:
    errata = page("On page 20 read 8, not 6.", 2, "Errata")
    asked = page("Swimming has a Difficulty of 6.", 20, named=True, amended_by=[correction(errata)])
    answer = closest_passages("What does p. 20 say of swimming?", [asked, errata], indifferent, TEXTS)
    assert [source.book for source in answer.sources] == ["Errata", "Core"]


def test_the_sentence_under_the_heading_asked_for_is_quoted() -> None:
    text = "Slinging\n\nWhirl it once before you let go.\n\nAiming\n\nGive up a whole turn to gain three."
    sections = [[text.index(name), name] for name in ("Slinging", "Aiming")]
    (source,) = closest_passages("aiming", [page(text, sections=sections)], indifferent, TEXTS).sources
    assert source.quote == "Give up a whole turn to gain three."


def test_a_page_number_does_not_end_a_sentence() -> None:
    text = "Aiming (see p. 12) costs a turn. Nothing else does."
    assert [text[span.start : span.end].strip() for span in sentences(text)] == [
        "Aiming (see p. 12) costs a turn.",
        "Nothing else does.",
    ]


def test_nothing_is_found_where_no_quoted_page_holds_the_rarest_word() -> None:
    pages = [page("The engine room is dark and cold.", 1, holds_rarest=False)]
    assert not closest_passages("Hyperdrive?", pages, indifferent, TEXTS).found
    pages.append(page("A hyperdrive hums in the dark.", 2, holds_rarest=True))
    assert closest_passages("Hyperdrive?", pages, indifferent, TEXTS).found


def test_a_question_that_names_a_page_is_answered_from_that_page() -> None:
    pages = [page("As page 74 says, one falls.", 26), page("A fall does damage to all.", 74, named=True)]
    answer = closest_passages("What does page 74 say of a fall?", pages, indifferent, TEXTS)
    assert [source.page for source in answer.sources] == ["74"]


def test_only_matching_chunks_are_compared() -> None:
    text = "Magery costs five points. " * 3 + "\n\nThe best matching child is here."
    start = text.index("The best")
    (source,) = closest_passages(
        "Magery", [page(text, hits=[[start, len(text)]])], indifferent, TEXTS
    ).sources
    assert source.quote == "The best matching child is here."


def test_contents_and_index_pages_are_not_quoted() -> None:
    answer = closest_passages("Magery", [page("Magery, pages 30 and 40.", kind="index")], indifferent, TEXTS)
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
