"""A quote is found where it stands, whatever print and model made of its hyphens and line ends."""

import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rag.library.books.found_page import FoundPage
from rag.nodes.citations import (
    MAX_QUOTE_CHARACTERS,
    find_quote,
    quote_parts,
    shortened,
    sources_of,
    stands_on,
)
from rag.state import QuotedPart
from rag.strategies.lines import CitedLine, lines_of
from tests.scripted import TORN, found_page, linked, torn_pages

TEXT = "Magery costs 5 points, plus 10 points per level. Each level adds to every spell's effective skill."


def shown(quote: str, text: str) -> str | None:
    span = find_quote(quote, text)
    return text[span.start : span.end] if span else None


@pytest.mark.parametrize(
    ("quote", "text"),
    [("plus 10 points per level", TEXT), ("PLUS 10\n points per level", TEXT),
     ("the magician casts", "the magi-\ncian casts"), ("the magician casts", "the magi\u00adcian casts"),
     ("a first defence", "a \ufb01rst defence"), ('he says "no more"', "he says “no more”"),
     ("the six sided die", "the six-sided die"), ("9-11 offers passage 40", "9-11    offers passage  40"),
     ("-2 to all rolls", "(−2 to all rolls)"), ("deals 2d6+1 damage", "deals 2d6 + 1 damage"),
     ("a result of 2-3", "a result of 2 – 3"), ("damage x1.5", "damage ×1.5"),
     ("strength 1/2 less", "strength ½ less")],
)  # fmt: skip
def test_print_and_spelling_of_marks_do_not_matter(quote: str, text: str) -> None:
    assert shown(quote, text)


@pytest.mark.parametrize(
    ("quote", "text"),
    [("costs 3", "It costs 35 points."), ("the rapist is", "the rapists is"),
     ("+2 to all rolls", "(−2 to all rolls)"), ("roll 36 dice", "roll 3 6 dice"),
     ("costs 15 points", "costs 1.5 points"), ("The sword costs 1", "The sword costs 1,000 gold."),
     ("The sword costs 2", "The sword costs 2.5 gold."), ("a range of 2", "a range of 2-3 yards"),
     ("5 point extra", "a 0.5 point extra"), ("strength 12 less", "strength ½ less"),
     ("roll 102 dice", "roll 10² dice"), ("30", "It costs 30 points."), ("", TEXT)],
)  # fmt: skip
def test_other_words_or_numbers_are_not_found(quote: str, text: str) -> None:
    assert shown(quote, text) is None


@pytest.mark.parametrize(
    ("before", "text", "after", "stands"),
    [
        ("", TEXT, "", True),
        ("", "It costs 5 points, plus 10", "points per level.", True),
        ("It costs 5 points, plus 10", "points per level.", "", True),
        ("", "Magery costs 5 points, plus 10 po-", "ints per level", True),
        ("", "Nothing of that here.", TEXT, False),
        (TEXT, "Nothing of that here.", "", False),
        ("", "It costs plus 20 points per level.", "", False),
    ],
)
def test_a_quote_stands_on_a_page_also_where_it_runs_over_one_of_its_ends(
    before: str, text: str, after: str, stands: bool
) -> None:
    page = found_page(text, 101, previous=linked(100, text=before), next=linked(102, text=after))
    assert stands_on("plus 10 points per level", page) is stands


def test_a_quote_with_an_ellipsis_is_checked_in_its_parts() -> None:
    assert quote_parts("Magery costs 5 points … every spell") == ["Magery costs 5 points", "every spell"]


@given(st.text(alphabet="abc 12 .,", min_size=MAX_QUOTE_CHARACTERS, max_size=900))
def test_a_shortened_quote_is_a_verbatim_part_within_the_limit(quote: str) -> None:
    short = shortened(quote, {"12"})
    assert len(short) <= MAX_QUOTE_CHARACTERS
    assert short in quote


WORDS = st.lists(st.text(alphabet="abcdefghij", min_size=2, max_size=9), min_size=4, max_size=30)


@given(WORDS, st.data())
def test_any_run_of_words_is_found_however_the_page_wraps_it(words: list[str], data: st.DataObject) -> None:
    """The law of quoting: re-wrapping, hyphenating and ligatures lose no quote."""
    first = data.draw(st.integers(0, len(words) - 3))
    last = data.draw(st.integers(first + 3, len(words)))
    quote = " ".join(words[first:last])
    assume(len(quote.replace(" ", "")) >= 6)
    separators = st.sampled_from([" ", "\n", "  ", " \n"])
    wrapped = "".join(_hyphenated(word, data) + data.draw(separators) for word in words)
    found = shown(quote, wrapped)
    assert found is not None
    assert unicodedata.normalize("NFKC", found).replace("-\n", "").split() == quote.split()


def _hyphenated(word: str, data: st.DataObject) -> str:
    cut = data.draw(st.integers(0, len(word) - 1))
    return f"{word[:cut]}-\n{word[cut:]}" if cut and data.draw(st.booleans()) else word


# --- The section of a quotation -------------------------------------------------------------------


RULES = "Bleeding\n\nIt costs one point.\n\nFalling\n\nIt costs two points."


def in_sections() -> FoundPage:
    starts = ((0, "Rules › Bleeding"), (RULES.index("Falling"), "Rules › Falling"))
    return found_page(RULES, sections=[(0, "Bleeding"), (starts[1][0], "Falling")]).model_copy(
        update={"label": None, "section_starts": starts}
    )


def test_a_line_is_cited_by_the_section_it_stands_in() -> None:
    page = in_sections()
    cited = [CitedLine(page, line) for line in lines_of(page)]
    assert [(one.section, one.quote) for one in sources_of(cited)] == [
        ("Rules › Bleeding", "Bleeding It costs one point."),
        ("Rules › Falling", "Falling It costs two points."),
    ]


# --- A row as a quotation -------------------------------------------------------------------------


TABLE = "Prices rise.\n\nWeapon  Cost\nClub  3 gp\nSword  9 gp"


def with_rows() -> FoundPage:
    rows = [
        (TABLE.index(printed), TABLE.index(printed) + len(printed), reading)
        for printed, reading in (
            ("Club  3 gp", "Weapon: Club; Cost: 3 gp"),
            ("Sword  9 gp", "Weapon: Sword; Cost: 9 gp"),
        )
    ]
    return found_page(TABLE, rows=rows)


def test_a_cited_row_is_told_under_its_column_names() -> None:
    page = with_rows()
    [source] = sources_of([CitedLine(page, line) for line in lines_of(page) if line.is_row])
    assert source.quote == "Club 3 gp Sword 9 gp"
    assert [line.row for line in source.passage] == ["Weapon: Club; Cost: 3 gp", "Weapon: Sword; Cost: 9 gp"]


def cited(page: FoundPage, number: int) -> CitedLine:
    return CitedLine(page, lines_of(page)[number])


def test_a_torn_sentence_is_quoted_whole_each_part_with_its_page() -> None:
    first, second = torn_pages()
    [begun], [ended] = sources_of([cited(first, -1)]), sources_of([cited(second, 0)])
    assert begun.whole_quote == ended.whole_quote == "Each round under water costs one point of breath."
    assert (begun.page, begun.quote) == ("41", "Each round under water costs")
    assert begun.after == QuotedPart("42", 46, "one point of breath.", 0, 0)
    assert ended.before == QuotedPart("41", 45, "Each round under water costs", 0, TORN[0].index(" Each"))


def test_a_torn_sentence_that_is_cited_on_both_pages_is_quoted_once() -> None:
    first, second = torn_pages()
    [source] = sources_of([cited(first, -1), cited(second, 0)])
    assert (source.page, source.whole_quote) == ("41", "Each round under water costs one point of breath.")
