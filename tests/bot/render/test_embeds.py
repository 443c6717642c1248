"""Rendering: blocks of any text and size become messages within every limit of Discord's."""

from typing import Any

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.render.embeds import (
    Asker,
    Colour,
    answer_embed,
    as_text,
    failed_embed,
    list_embed,
    lists_embed,
    page_embeds,
    working_embed,
)
from bot.render.markdown import cleaned, escaped
from bot.texts import texts_in
from rag.state import (
    AnswerWithSources,
    DroppedStatement,
    Outcome,
    Reply,
    Source,
    Stated,
    Statement,
    StatementRole,
)
from rag.texts.blocks import Block, Role, blocks, stated_blocks
from tests.bot.render.any_text import anything, rendering
from tests.bot.specification.messages import check_message
from tests.bot.specification.violations import length
from tests.scripted import replied

TEXTS = texts_in("en")
a_block = st.builds(Block, role=st.sampled_from(Role), text=anything, title=anything)
some_blocks = st.lists(a_block, max_size=30)


def accept(embed: discord.Embed | None, content: str = "") -> None:
    """Raise unless Discord takes the message."""
    embeds = [embed.to_dict()] if embed else []
    check_message({"content": content, "embeds": embeds, "allowed_mentions": {"parse": []}}, new=bool(embeds))


# --- laws -----------------------------------------------------------------------------------------


@rendering
@given(blocks=some_blocks, outcome=st.sampled_from(Outcome), question=anything)
def test_an_answer_of_any_text_and_size_is_within_every_limit(
    blocks: list[Block], outcome: Outcome, question: str
) -> None:
    embed = answer_embed([*blocks, Block(Role.VERDICT, "Yes.")], outcome, TEXTS, Asker(question))
    accept(embed)
    assert all((field.name or "").strip() and (field.value or "").strip() for field in embed.fields)


@rendering
@given(blocks=some_blocks)
def test_an_answer_as_plain_text_is_within_the_limit(blocks: list[Block]) -> None:
    embed = answer_embed([*blocks, Block(Role.VERDICT, "Yes.")], Outcome.ANSWERED, TEXTS)
    assert length(as_text(embed)) <= 2000


@rendering
@given(quotes=st.lists(anything.filter(lambda one: bool(cleaned(one).strip())), max_size=12))
def test_every_source_of_a_plain_text_is_shown_whole_or_cut_or_not_at_all(quotes: list[str]) -> None:
    blocks = [Block(Role.VERDICT, "Yes."), *(Block(Role.SOURCE, quote, "Book") for quote in quotes)]
    shown = as_text(answer_embed(blocks, Outcome.ANSWERED, TEXTS))
    sources = [[f"> {line}" for line in escaped_lines(quote) if line.strip()] for quote in quotes]
    told = "\n".join(line for line in shown.splitlines() if line.startswith("> "))
    whole = [one for one in sources if "\n".join(one) in told]
    uncut = {line for line in told.splitlines() if line and not line.endswith("…")}
    assert uncut <= {line for one in sources for line in one}
    assert len(whole) == len(quotes) or "more" in shown or "…" in shown


@rendering
@given(blocks=some_blocks, outcome=st.sampled_from(Outcome))
def test_every_source_is_shown_whole_or_cut_or_counted(blocks: list[Block], outcome: Outcome) -> None:
    embed = answer_embed(blocks, outcome, TEXTS)
    whole = {f"> {line}" for block in blocks for line in escaped_lines(block.text)}
    shown = [line for field in embed.fields for line in (field.value or "").splitlines()]
    assert all(line in whole or line.startswith(("• ", "-# and ")) or line.endswith("…") for line in shown)


def escaped_lines(text: str) -> list[str]:
    return escaped(cleaned(text)).splitlines()


@rendering
@given(blocks=some_blocks, title=anything)
def test_the_steps_of_a_search_are_within_every_limit(blocks: list[Block], title: str) -> None:
    accept(lists_embed(title or "Why", [*blocks, Block(Role.FOOTER, "1 hop")], TEXTS))


def test_lines_of_a_step_that_do_not_fit_are_counted() -> None:
    lines = [f"Searched: “{'a lamp in fog ' * 12}{number}”" for number in range(9)]
    embed = lists_embed("Why", [Block(Role.LIST, "\n".join(lines), "Hop 1")], TEXTS)
    (field,) = embed.fields
    assert (field.value or "").splitlines()[-1] == f"-# and {9 - (field.value or '').count('• ')} more"


@rendering
@given(text=anything, quote=anything, title=anything)
def test_a_passage_of_any_size_is_shown_whole_within_every_limit(text: str, quote: str, title: str) -> None:
    embeds = page_embeds(title or "Book, p. 1", text, quote, "Source 1 of 1")
    for embed in embeds:
        accept(embed)
    assert letters("".join(embed.description or "" for embed in embeds)) == letters(text)


@rendering
@given(before=anything, after=anything)
def test_the_quote_always_stands_in_its_passage_in_bold(before: str, after: str) -> None:
    quote = "A storm lamp lights six paces."
    text = f"{before}\n\n{quote}\n\n{after}"
    embeds = page_embeds("Book", text, quote, "1")
    assert any(f"**{quote}**" in (embed.description or "") for embed in embeds)


def letters(text: str) -> str:
    """What of a text must reach the reader: all but space, marks of escaping and what cannot be shown."""
    return "".join(one for one in text if not one.isspace() and one not in "\\*…" and not is_unprintable(one))


def is_unprintable(character: str) -> bool:
    """Whether it is a control character, half of one, of no width, or turns the direction of writing."""
    is_control = character < " " or character == "\x7f" or "\ud800" <= character <= "\udfff"
    is_turning = "\u202a" <= character <= "\u202e" or "\u2066" <= character <= "\u2069"
    return is_control or is_turning or character in "\u200b\u2060\ufeff"


a_statement = st.text(st.sampled_from("ab *_<`."), min_size=1, max_size=1000).map(str.strip).filter(bool)


@rendering
@given(step=anything, stated=st.lists(anything, max_size=8), is_checking=st.booleans())
def test_a_working_message_with_statements_is_within_the_limits(
    step: str, stated: list[str], is_checking: bool
) -> None:
    proven = stated_blocks(told(stated, is_checking=is_checking), TEXTS)
    accept(working_embed(step, Asker(step), proven))


@rendering
@given(
    stated=st.lists(a_statement, min_size=1, max_size=8, unique=True),
    quotes=st.integers(1, 5),
    notices=st.integers(0, 3),
)
def test_what_is_shown_while_working_is_shown_by_the_answer(
    stated: list[str], quotes: int, notices: int
) -> None:
    statements = [Statement(text=one.text, sources=[*range(quotes)], role=one.role) for one in told(stated)]
    reply = a_reply(Outcome.ANSWERED, *statements, quotes=["x" * 300] * quotes)
    parts = [*blocks(reply, TEXTS), *[Block(Role.NOTICE, "A notice. " * 60)] * notices]
    proven = stated_blocks(told(stated), TEXTS)
    while_working = working_embed("step", None, proven).description or ""
    in_the_end = answer_embed(parts, Outcome.ANSWERED, TEXTS, Asker("?" * 300)).description or ""
    assert shown_of(stated, while_working) <= shown_of(stated, in_the_end)


def told(stated: list[str], *, is_checking: bool = False) -> list[Stated]:
    """Statements as they are told while the answer is being written, the verdict first."""
    roles = [StatementRole.VERDICT, *[StatementRole.NOTE] * len(stated)]
    return [
        Stated(text, role=role, is_checking=is_checking and role is StatementRole.VERDICT)
        for text, role in zip(stated, roles, strict=False)
    ]


def shown_of(stated: list[str], message: str) -> int:
    """How many statements of a message are whole, from the first."""
    letters_shown, place = letters(message), 0
    for number, statement in enumerate(stated):
        found = letters_shown.find(letters(statement), place)
        if found < 0:
            return number
        place = found + len(letters(statement))
    return len(stated)


@rendering
@given(lines=st.lists(anything, max_size=60))
def test_a_list_of_any_length_is_within_the_limits(lines: list[str]) -> None:
    accept(list_embed("Rulebooks", [*lines, "end"], TEXTS))


# --- what it looks like ---------------------------------------------------------------------------


def test_every_outcome_has_a_colour_of_its_own() -> None:
    colours = [Colour[outcome.name] for outcome in Outcome]
    assert len({*colours, Colour.FAILED, Colour.WORKING}) == len(Outcome) + 2


def test_the_verdict_comes_first_and_bold_the_explanation_after_it() -> None:
    blocks = [
        Block(Role.VERDICT, "Almanac, p. 14: yes. [1]"),
        Block(Role.EXPLANATION, "It costs two stamps. [1]"),
        Block(Role.MISSING, "Not in the books: how long it burns"),
    ]
    embed = answer_embed(blocks, Outcome.PARTLY, TEXTS)
    assert embed.description == (
        "**Almanac, p. 14: yes.** [1]\n\nIt costs two stamps. [1]\n\n*Not in the books: how long it burns*"
    )


def a_reply(outcome: Outcome, *statements: Statement, quotes: list[str], **facts: Any) -> Reply:
    sources = [
        Source(book="Core", file="c.pdf", game="G", page="1", pdf_page=1, quote=quote, verified=True)
        for quote in quotes
    ]
    told = AnswerWithSources(
        answer="", sources=sources, found=True, outcome=outcome, statements=list(statements), **facts
    )
    return replied(told)


RULING = Statement(text="Yes.", sources=[*range(8)], role=StatementRole.VERDICT)
NOTE = Statement(text="It costs two stamps.", sources=[0])
DROPPED = DroppedStatement(text="It is free.", reason="unsupported")
LONG_QUOTE = ("The lamp lights six paces. " * 40)[:600].strip()


def test_more_quotations_than_a_message_holds_are_counted_and_those_shown_keep_their_numbers() -> None:
    quotes = [f"{LONG_QUOTE[:-3]} {n:02}" for n in range(8 + 3 + 3)]
    reply = a_reply(Outcome.UNPROVEN, NOTE, quotes=quotes, dropped=[DROPPED])
    embed = answer_embed(blocks(reply, TEXTS), Outcome.UNPROVEN, TEXTS, Asker("?" * 256))
    accept(embed)
    shown = len(embed.fields)
    assert shown >= 8
    assert [(field.name or "").split("]")[0] for field in embed.fields] == [
        f"[{number}" for number in range(1, shown + 1)
    ]
    assert (embed.fields[-1].value or "").endswith(f"and {14 - shown} more")


def test_a_quotation_that_fits_no_field_by_discords_count_is_cut() -> None:
    reply = a_reply(Outcome.ANSWERED, RULING, quotes=["Short.", "🐉" * 600, "*" * 600, "Brief."])
    embed = answer_embed(blocks(reply, TEXTS), Outcome.ANSWERED, TEXTS)
    accept(embed)
    assert [(field.name or "")[:3] for field in embed.fields] == ["[1]", "[2]", "[3]", "[4]"]


@pytest.mark.parametrize(
    ("locale", "verdict", "notice", "check"),
    [
        (
            "en",
            "I could not prove a ruling; this is what the books say.",
            "Part of what the model wrote could not be proven",
            "checked by code",
        ),
        (
            "pt-BR",
            "Não consegui provar uma decisão; isto é o que os livros dizem.",
            "Parte do que o modelo escreveu não pôde ser provada",
            "conferido por código",
        ),
    ],
)
def test_an_unproven_ruling_reads_as_what_the_books_say(
    locale: str, verdict: str, notice: str, check: str
) -> None:
    texts = texts_in(locale)
    reply = a_reply(Outcome.UNPROVEN, NOTE, quotes=[LONG_QUOTE], dropped=[DROPPED])
    embed = answer_embed(blocks(reply, texts), Outcome.UNPROVEN, texts)
    told, small, notes = (embed.description or "").split("\n\n")
    assert told.replace("**", "") == verdict
    assert small.startswith(f"-# {notice}")
    assert notes == "It costs two stamps. [1]"
    assert (embed.footer.text or "").endswith(f" · {check}")
    assert DROPPED.text not in str(embed.to_dict())


@pytest.mark.parametrize(
    ("locale", "checking"),
    [
        ("en", "-# Still checking the ruling against these lines:"),
        ("pt-BR", "-# Ainda conferindo a decisão com estas linhas:"),
    ],
)
def test_a_ruling_under_check_shows_its_lines_in_a_working_message(locale: str, checking: str) -> None:
    lines = "“A storm lamp lights six paces.”"
    note = Stated("It costs two stamps.", role=StatementRole.NOTE)
    stated = stated_blocks([Stated(lines, is_checking=True), note], texts_in(locale))
    assert working_embed("step", None, stated).description == (
        f"{checking}\n\n{lines}\nIt costs two stamps.\n\n🔎 step"
    )


def test_a_passage_too_long_for_a_message_is_parted_at_paragraphs_and_its_parts_numbered() -> None:
    paragraphs = "\n\n".join(f"Paragraph {n}. " + "word " * 60 for n in range(40))
    embeds = page_embeds("Book", paragraphs, "Paragraph 20.", "Source 1 of 2")
    assert all((embed.description or "").lstrip("*").startswith("Paragraph") for embed in embeds)
    assert embeds[0].footer.text == f"Source 1 of 2 · 1/{len(embeds)}"


def test_a_quotation_is_not_parted() -> None:
    quote = "A storm lamp lights six paces. It costs two stamps. Nobody lights one at low water."
    for before in range(4000, 4100, 7):
        text = f"{'x' * before} {quote} {'word ' * 100}"
        parts = [embed.description or "" for embed in page_embeds("Book", text, quote, "1")]
        assert any(f"**{quote}**" in part for part in parts)


def test_markdown_in_a_books_title_is_shown_as_it_is_printed() -> None:
    (page,) = page_embeds("Core *Rules*, p. 1", "Text.")
    assert page.title == r"Core \*Rules\*, p. 1"


@rendering
@given(text=anything)
def test_a_failure_keeps_its_id_where_embeds_are_forbidden(text: str) -> None:
    told = as_text(failed_embed(text, "id 1a2b3c"))
    assert length(told) <= 2000
    assert told.endswith("-# id 1a2b3c")


@pytest.mark.parametrize("letter", ["a", "*", "[](", "://", "<@"])
def test_of_a_title_that_is_too_long_the_page_is_kept(letter: str) -> None:
    source = Block(Role.SOURCE, "A storm lamp lights six paces.", f"{letter * 300}, p. 13")
    embed = answer_embed([source], Outcome.ANSWERED, TEXTS)
    accept(embed)
    assert (embed.fields[0].name or "").endswith(", p. 13")
