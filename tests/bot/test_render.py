"""Rendering: blocks of any text and size become messages within every limit of Discord's."""

from string import ascii_letters

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.render import (
    COLOURS,
    Asker,
    Colour,
    answer_embed,
    answer_text,
    escaped,
    failed_embed,
    fitted,
    list_embed,
    page_embeds,
    passage_embed,
    thread_name,
    working_embed,
)
from bot.texts import texts_in
from rag.present import Block, Role
from rag.state import Outcome
from tests.bot.specification.messages import check_message
from tests.bot.specification.violations import length

TEXTS = texts_in("en")
settings.register_profile("rendering", max_examples=60, deadline=None)
settings.load_profile("rendering")

anything = st.text(st.characters(), max_size=60) | st.builds(
    lambda piece, times: piece * times,
    st.text(st.characters() | st.sampled_from("*_`~|>#[]()<@\\\n .!?"), min_size=1, max_size=12),
    st.integers(1, 400),
)
a_block = st.builds(Block, role=st.sampled_from(Role), text=anything, title=anything)
some_blocks = st.lists(a_block, max_size=30)


def accept(embed: object, content: str = "") -> None:
    """Raise unless Discord takes the message."""
    embeds = [embed.to_dict()] if embed else []  # type: ignore[attr-defined]
    check_message({"content": content, "embeds": embeds, "allowed_mentions": {"parse": []}}, new=bool(embeds))


# --- laws -----------------------------------------------------------------------------------------


@given(blocks=some_blocks, outcome=st.sampled_from(Outcome), question=anything)
def test_an_answer_of_any_text_and_size_is_within_every_limit(
    blocks: list[Block], outcome: Outcome, question: str
) -> None:
    embed = answer_embed([*blocks, Block(Role.VERDICT, "Yes.")], outcome, TEXTS, Asker(question))
    accept(embed)
    assert all((field.name or "").strip() and (field.value or "").strip() for field in embed.fields)


@given(blocks=some_blocks)
def test_an_answer_as_plain_text_is_within_the_limit(blocks: list[Block]) -> None:
    assert length(answer_text([*blocks, Block(Role.VERDICT, "Yes.")], TEXTS)) <= 2000


@given(blocks=some_blocks, outcome=st.sampled_from(Outcome))
def test_every_source_is_shown_whole_or_counted(blocks: list[Block], outcome: Outcome) -> None:
    embed = answer_embed(blocks, outcome, TEXTS)
    whole = {f"> {line}" for block in blocks for line in escaped_lines(block.text)}
    shown = [line for field in embed.fields for line in (field.value or "").splitlines()]
    assert all(line in whole or line.startswith(("• ", "-# and ")) for line in shown)


def escaped_lines(text: str) -> list[str]:
    from bot.render import _clean

    return escaped(_clean(text)).splitlines()


@given(text=anything, limit=st.integers(1, 500))
def test_a_cut_text_is_within_its_limit_also_when_escaped(text: str, limit: int) -> None:
    assert length(fitted(text, limit)) <= limit


@given(text=anything, quote=anything, title=anything)
def test_a_passage_of_any_size_is_within_every_limit(text: str, quote: str, title: str) -> None:
    accept(passage_embed(title or "Book, p. 1", text or "text", quote, "Source 1 of 1"))


@given(before=anything, after=anything)
def test_the_quote_always_stands_in_its_passage_in_bold(before: str, after: str) -> None:
    quote = "A storm lamp lights six paces."
    text = f"{before}\n\n{quote}\n\n{after}"
    assert f"**{quote}**" in (passage_embed("Book", text, quote, "1").description or "")


@given(text=anything)
def test_a_page_of_any_size_is_told_in_messages_within_the_limits(text: str) -> None:
    for embed in page_embeds("Book, p. 1", text):
        accept(embed)


@given(text=st.text(ascii_letters + " .\n", max_size=20000))
def test_no_word_of_a_page_is_lost(text: str) -> None:
    told = " ".join(embed.description or "" for embed in page_embeds("Book, p. 1", text))
    assert "".join(told.replace("…", "").split()) == "".join(text.split())


@given(text=anything)
def test_working_and_failed_messages_are_within_the_limits(text: str) -> None:
    accept(working_embed(text, Asker(text)))
    accept(failed_embed(text, "id 1a2b3c", Asker(text)))


@given(question=anything)
def test_a_thread_is_named_in_1_to_100_characters(question: str) -> None:
    assert 1 <= length(thread_name(question, "A rules question")) <= 100


@given(lines=st.lists(st.text(ascii_letters, min_size=1, max_size=300), max_size=60))
def test_a_list_of_any_length_is_within_the_limits(lines: list[str]) -> None:
    accept(list_embed("Rulebooks", [*lines, "end"], lambda count: f"and {count} more"))


# --- what it looks like ---------------------------------------------------------------------------


def test_every_outcome_has_a_colour_of_its_own() -> None:
    colours = [COLOURS[outcome] for outcome in Outcome]
    assert len({*colours, Colour.FAILED, Colour.WORKING}) == len(Outcome) + 2


def test_the_verdict_comes_first_and_bold_the_explanation_after_it() -> None:
    blocks = [
        Block(Role.VERDICT, "Yes. [1]"),
        Block(Role.EXPLANATION, "It costs two stamps. [1]"),
        Block(Role.MISSING, "Not in the books: how long it burns"),
    ]
    embed = answer_embed(blocks, Outcome.PARTLY, TEXTS)
    assert embed.description == (
        "**Yes.** [1]\n\nIt costs two stamps. [1]\n\n*Not in the books: how long it burns*"
    )


def test_sources_are_numbered_as_the_statements_refer_to_them() -> None:
    blocks = [
        Block(Role.VERDICT, "Yes. [1][2]"),
        Block(Role.SOURCE, "Six paces.", "Wading Orders, p. 13"),
        Block(Role.SOURCE, "At night.", "The Book of Knots, p. 5"),
    ]
    names = [field.name for field in answer_embed(blocks, Outcome.ANSWERED, TEXTS).fields]
    assert names == ["[1] Wading Orders, p. 13", "[2] The Book of Knots, p. 5"]


def test_sources_that_do_not_fit_are_counted_instead_of_torn() -> None:
    quote = "word " * 150
    blocks = [Block(Role.VERDICT, "Yes.")] + [Block(Role.SOURCE, quote, f"Book, p. {n}") for n in range(12)]
    embed = answer_embed(blocks, Outcome.ANSWERED, TEXTS)
    assert len(embed.fields) < 12
    assert (embed.fields[-1].value or "").endswith(f"-# and {12 - len(embed.fields)} more")


def test_a_long_explanation_is_cut_at_the_end_of_a_sentence() -> None:
    sentence = "A storm lamp lights six paces and no more. "
    blocks = [Block(Role.VERDICT, "Yes."), Block(Role.EXPLANATION, sentence * 200)]
    description = answer_embed(blocks, Outcome.ANSWERED, TEXTS).description or ""
    assert description.endswith("no more.…")


def test_a_passage_too_long_for_a_message_begins_and_ends_at_paragraphs() -> None:
    paragraphs = "\n\n".join(f"Paragraph {n}. " + "word " * 60 for n in range(40))
    quote = "Paragraph 20."
    description = passage_embed("Book", paragraphs, quote, "1").description or ""
    assert description.startswith("… Paragraph")
    assert f"**{quote}**" in description


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
        ("[click](https://example.org)", r"[click]\(https://example.org)"),
        ("<@123> <#4> <t:1>", r"\<@123> \<#4> \<t:1>"),
        ("Core Rules, p. 12 (3d-1)", "Core Rules, p. 12 (3d-1)"),
    ],
)
def test_the_books_markdown_is_shown_as_it_is_printed(written: str, shown: str) -> None:
    assert escaped(written) == shown


def test_the_question_stands_above_the_answer() -> None:
    embed = answer_embed(
        [Block(Role.VERDICT, "Yes.")], Outcome.ANSWERED, TEXTS, Asker("May I?", "https://x/y")
    )
    assert (embed.author.name, embed.author.icon_url) == ("May I?", "https://x/y")
