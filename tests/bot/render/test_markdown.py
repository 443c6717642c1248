"""Text as Discord's markdown shows it, whatever it holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.render.markdown import escaped, fitted, thread_name
from tests.bot.render.any_text import anything, rendering
from tests.bot.specification.violations import length


@rendering
@given(text=anything, limit=st.integers(1, 500))
def test_a_cut_text_is_within_its_limit_also_when_escaped(text: str, limit: int) -> None:
    assert length(fitted(text, limit)) <= limit


@rendering
@given(question=anything)
def test_a_thread_is_named_in_1_to_100_characters(question: str) -> None:
    assert 1 <= length(thread_name(question, "A rules question")) <= 100


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
