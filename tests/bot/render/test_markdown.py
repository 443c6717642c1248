"""Text as Discord's markdown shows it, whatever it holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.render.markdown import escaped, fitted, one_line, quoted_passage
from rag.state import PassageLine
from tests.bot.render.any_text import anything, rendering
from tests.bot.specification.violations import length


@rendering
@given(text=anything, limit=st.integers(1, 500))
def test_a_cut_text_is_within_its_limit_on_one_line_and_when_escaped(text: str, limit: int) -> None:
    assert length(fitted(text, limit)) <= limit
    assert length(one_line(text, limit)) <= limit


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("2*3*4", r"2\*3\*4"),
        ("_flood die_", r"\_flood die\_"),
        ("# Combat", r"\# Combat"),
        ("> aside", r"\> aside"),
        ("- item", r"\- item"),
        ("3. Third", r"3\. Third"),
        ("||secret||", r"\|\|secret\|\|"),
        ("[click](https://example.org)", r"[click]\(https\://example.org)"),
        ("see http://example.org/a", r"see http\://example.org/a"),
        ("<@123> <#4> <t:1>", r"\<@123> \<#4> \<t:1>"),
        ("Core Rules, p. 12 (3d-1)", "Core Rules, p. 12 (3d-1)"),
    ],
)
def test_the_books_markdown_is_shown_as_it_is_printed(written: str, shown: str) -> None:
    assert escaped(written) == shown


def test_a_table_of_a_passage_is_set_in_a_type_of_even_width() -> None:
    row = PassageLine(text="Club `3`", row="Weapon: Club; Cost: `3`", is_closest=True)
    assert quoted_passage([row], 200) == "```\n  Weapon  Cost\n▸ Club    '3'\n```"


def test_of_a_passage_that_is_too_long_the_first_lines_are_shown_whole() -> None:
    passage = [PassageLine(text=letter * 40, begins_line=True) for letter in "abc"]
    assert quoted_passage(passage, 100) == f"> {'a' * 40}\n> {'b' * 40}"


@rendering
@given(
    texts=st.lists(st.tuples(anything, st.booleans()), min_size=1, max_size=8), limit=st.integers(60, 1000)
)
def test_a_passage_never_grows_over_its_limit(texts: list[tuple[str, bool]], limit: int) -> None:
    lines = [PassageLine(text=text, row=f"Name: {text}" if is_row else "") for text, is_row in texts]
    assert length(quoted_passage(lines, limit)) <= limit


@pytest.mark.parametrize("name", ["\u202eAna", "\u200bAna\u200b", "A\u2066na", "\ufeffAna"])
def test_what_turns_the_direction_of_writing_or_shows_nothing_is_left_out(name: str) -> None:
    assert one_line(name, 40) == "Ana"
