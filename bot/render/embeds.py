"""Blocks → what a Discord message shows; pure, and never over one of Discord's limits.

Limits: https://discord.com/developers/docs/resources/message#embed-object-embed-limits.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

import discord

from bot.render.markdown import (
    ELLIPSIS,
    cleaned,
    cut,
    escaped,
    fitted,
    length,
    one_line,
    pieces,
    quotation_pieces,
    quoted,
    quoted_passage,
    with_bold_verdict,
    with_times,
)
from rag.state import Outcome
from rag.texts import Texts
from rag.texts.blocks import Block, Role

CONTENT = 2000
DESCRIPTION = 4096
FIELD_NAME = 256
FIELD_VALUE = 1024
FOOTER = 2048
AUTHOR = 256
MOST_FIELDS = 25
EMBED = 6000
"""Characters over all embeds of a message."""

VERDICT = 1200
REMARK = 500
STATED = 1200
"""Of what is proven while the answer is being written; an answer always has room for as much."""
PLACE = 40
"""Characters at the end of a title that name the page."""
MARK = 2
"""What may have to be escaped where two texts meet."""
MORE = 100
"""Room kept for "and 3 more"."""


class Colour(Enum):
    """The edge of an embed: what kind of answer it is, before a word is read."""

    WORKING = 0x5865F2
    ANSWERED = 0x2E9E6B
    PARTLY = 0xD9A13B
    UNPROVEN = 0x9A6FC0
    PASSAGES = 0x3E82C4
    NOT_FOUND = 0x8A8F98
    FAILED = 0xC8453B


COLOURS = {
    Outcome.ANSWERED: Colour.ANSWERED,
    Outcome.PARTLY: Colour.PARTLY,
    Outcome.UNPROVEN: Colour.UNPROVEN,
    Outcome.PASSAGES: Colour.PASSAGES,
    Outcome.NOT_FOUND: Colour.NOT_FOUND,
}


@dataclass(frozen=True, slots=True)
class Asker:
    """Whose question stands above an answer; the picture is an address of Discord's.

    The name is told where Discord does not say itself who asked.
    """

    question: str
    picture: str | None = None
    name: str = ""

    @property
    def line(self) -> str:
        """The question, behind the name where that is told."""
        return f"{self.name}: {self.question}" if self.name else self.question


@dataclass(frozen=True, slots=True)
class Content:
    """What one message shows: an embed, or plain text where embeds are not allowed."""

    embed: discord.Embed | None = None
    text: str | None = None


# --- answers --------------------------------------------------------------------------------------


def answer_embed(
    blocks: Sequence[Block], outcome: Outcome, texts: Texts, asker: Asker | None = None
) -> discord.Embed:
    """An answer: the verdict in bold, the explanation, the sources as fields, how it was found."""
    embed = _embed(COLOURS[outcome], asker)
    if footer := _footer(blocks):
        embed.set_footer(text=footer)
    fields = [*_source_fields(blocks), *_heading_fields(blocks)]
    room = EMBED - _size(embed)
    wanted = sum(length(name) + length(value) for name, value in fields)
    embed.description = _body(blocks, min(DESCRIPTION - MORE, max(room - wanted - MORE, room // 2)))
    _add_fields(embed, fields, texts)
    return embed


def answer_text(blocks: Sequence[Block], texts: Texts) -> str:
    """The same answer as plain text of one message, for channels where embeds are not allowed."""
    fields = [*_source_fields(blocks), *_heading_fields(blocks)]
    parts = [_body(blocks, CONTENT // 2)]
    footer = f"-# {cut(_footer(blocks), 200)}"
    used = length(parts[0]) + length(footer) + MORE
    kept = 0
    for name, value in fields:
        part = f"**{name}**\n{value}"
        if used + length(part) + 2 > CONTENT:
            break
        parts.append(part)
        used += length(part) + 2
        kept += 1
    if kept < len(fields):
        parts.append(texts("sources-more", count=len(fields) - kept))
    return "\n\n".join([*parts, footer] if _footer(blocks) else parts)


def working_embed(step: str, asker: Asker | None = None, stated: Sequence[Block] = ()) -> discord.Embed:
    """What is being done while the answer is not there yet, below what is proven of it already."""
    embed = _embed(Colour.WORKING, asker)
    embed.description = _working(step, _body(stated, STATED))
    return embed


def working_text(step: str, stated: Sequence[Block] = ()) -> str:
    """The same as plain text, with the verdict alone: a plain answer may have no room for more.

    Of a verdict that is still checked these are two blocks, that it is and its lines.
    """
    is_checking = bool(stated) and stated[0].role is Role.NOTICE
    return _working(step, _body(stated[: 2 if is_checking else 1], CONTENT // 2))


def _working(step: str, proven: str) -> str:
    return "\n\n".join(filter(None, (proven, f"🔎 {fitted(step, REMARK)}")))


def failed_embed(sentence: str, incident: str, asker: Asker | None = None) -> discord.Embed:
    """A failure: what to do next, and the id under which it stands in the log."""
    embed = _embed(Colour.FAILED, asker)
    embed.description = fitted(sentence, REMARK * 4)
    embed.set_footer(text=incident)
    return embed


def said_embed(sentence: str, asker: Asker | None = None) -> discord.Embed:
    """What is said to somebody who asked nothing, as with thanks: nothing failed."""
    embed = _embed(Colour.WORKING, asker)
    embed.description = sentence
    return embed


def as_text(embed: discord.Embed) -> str:
    """An embed of ours as plain text of one message, with as many whole fields as there is room for."""
    footer = f"\n-# {embed.footer.text}" if embed.footer.text else ""
    text = cut(embed.description or "", CONTENT - length(footer))
    for field in embed.fields:
        part = f"\n\n**{field.name}**\n{field.value}"
        if length(text) + length(part) + length(footer) > CONTENT:
            break
        text += part
    return f"{text}{footer}"


def with_asker(embed: discord.Embed, asker: Asker) -> discord.Embed:
    """An embed of ours under the question of somebody who is named."""
    copy = embed.copy()
    copy.set_author(name=one_line(asker.line, AUTHOR), icon_url=asker.picture)
    return copy


# --- passages and lists ---------------------------------------------------------------------------


def passage_embeds(title: str, text: str, quote: str, footer: str) -> list[discord.Embed]:
    """A page around a quotation, the quotation in bold: as few embeds as hold it, one to be shown at a time.

    The footer tells which part of how many it is, where there are several.
    """
    parts = quotation_pieces(cleaned(text), cleaned(quote), DESCRIPTION) or [ELLIPSIS]
    embeds = []
    for number, piece in enumerate(parts, start=1):
        embed = _embed(Colour.PASSAGES, None)
        embed.title = _title(title)
        embed.description = piece
        part = f" · {number}/{len(parts)}" if len(parts) > 1 else ""
        embed.set_footer(text=one_line(footer, FOOTER - MORE) + part)
        embeds.append(embed)
    return embeds


def page_embeds(title: str, text: str) -> list[discord.Embed]:
    """A page of a book as few embeds, each for a message of its own."""
    parts = pieces(cleaned(text), DESCRIPTION) or [ELLIPSIS]
    embeds = []
    for piece in parts:
        embed = _embed(Colour.PASSAGES, None)
        embed.description = piece
        embeds.append(embed)
    embeds[0].title = _title(title)
    return embeds


def picture_embeds(title: str, files: Sequence[str]) -> list[discord.Embed]:
    """An embed a picture, each a file of the same message; the title stands over the first."""
    embeds = []
    for file in files:
        embed = _embed(Colour.PASSAGES, None)
        embed.set_image(url=f"attachment://{file}")
        embeds.append(embed)
    embeds[0].title = _title(title)
    return embeds


def lists_embed(title: str, blocks: Sequence[Block], texts: Texts) -> discord.Embed:
    """How an answer was found: a field a step, with as many of its lines as fit."""
    embed = _embed(Colour.PASSAGES, None)
    embed.title = one_line(title, FIELD_NAME)
    embed.set_footer(text=_footer(blocks))
    steps = [block for block in blocks if block.role is Role.LIST]
    _add_fields(embed, [(_field_name("", one.title), _step(one.text, texts)) for one in steps], texts)
    return embed


def list_embed(title: str, lines: Sequence[str], more: Callable[[int], str]) -> discord.Embed:
    """A list of lines, which may hold markdown of ours; `more` says how many did not fit."""
    embed = _embed(Colour.PASSAGES, None)
    embed.title = one_line(title, FIELD_NAME)
    kept: list[str] = []
    room = DESCRIPTION - MORE
    for line in lines:
        room -= length(line) + 1
        if room < 0:
            break
        kept.append(line)
    if len(kept) < len(lines):
        kept.append(more(len(lines) - len(kept)))
    embed.description = "\n".join(kept) or None
    return embed


def list_embeds(title: str, lines: Sequence[str]) -> list[discord.Embed]:
    """All lines of a list, which may hold markdown of ours, as few embeds, to be shown one at a time."""
    pages: list[list[str]] = [[]]
    room = DESCRIPTION
    for line in lines:
        room -= length(line) + 1
        if room < 0 and pages[-1]:
            pages.append([])
            room = DESCRIPTION - length(line) - 1
        pages[-1].append(line)
    embeds = []
    for number, page in enumerate(pages, start=1):
        embed = _embed(Colour.PASSAGES, None)
        embed.title = one_line(title, FIELD_NAME)
        embed.description = "\n".join(page)[:DESCRIPTION] or None
        if len(pages) > 1:
            embed.set_footer(text=f"{number}/{len(pages)}")
        embeds.append(embed)
    return embeds


def places_embed(query: str, places: str, footer: str) -> discord.Embed:
    """The places found for a query, which stands above them as written; `places` are markdown of ours."""
    embed = _embed(Colour.PASSAGES, Asker(query))
    embed.description = places[:DESCRIPTION]
    embed.set_footer(text=one_line(footer, FOOTER))
    return embed


def _title(text: str) -> str:
    """One line, for the title of an embed, which may hold markdown."""
    return fitted(" ".join(cleaned(text).split()), FIELD_NAME)


# --- parts of an embed ----------------------------------------------------------------------------


def _embed(colour: Colour, asker: Asker | None) -> discord.Embed:
    embed = discord.Embed(colour=colour.value)
    if asker and (line := one_line(asker.line, AUTHOR)):
        embed.set_author(name=line, icon_url=asker.picture)
    return embed


def _body(blocks: Sequence[Block], limit: int) -> str:
    """Verdict, notices, explanation and what is missing, in this order, as far as there is room."""
    verdict = with_bold_verdict("\n".join(_of(blocks, Role.VERDICT)), min(VERDICT, limit // 2))
    room = limit - length(verdict)
    notices: list[str] = []
    missing: list[str] = []
    for shown, form, role in ((notices, "-# {}", Role.NOTICE), (missing, "*{}*", Role.MISSING)):
        for text in _of(blocks, role):
            line = form.format(with_times(_line(text)) if role is Role.NOTICE else _line(text))
            if length(line) + 2 <= room:
                shown.append(line)
                room -= length(line) + 2
    explanation = fitted("\n".join(_of(blocks, Role.EXPLANATION)), room - 2) if room > MORE else ""
    return "\n\n".join(part for part in (verdict, "\n".join(notices), explanation, *missing) if part)


def _line(text: str) -> str:
    return escaped(cut(" ".join(cleaned(text).split()), REMARK // 2)).strip()


def _of(blocks: Sequence[Block], role: Role) -> list[str]:
    return [block.text for block in blocks if block.role is role and cleaned(block.text)]


def _footer(blocks: Sequence[Block]) -> str:
    return one_line(" · ".join(_of(blocks, Role.FOOTER)), FOOTER // 4)


def _source_fields(blocks: Sequence[Block]) -> list[tuple[str, str]]:
    """A field a source, numbered as the statements refer to them."""
    sources = [block for block in blocks if block.role is Role.SOURCE]
    return [
        (
            _field_name(f"[{number}] ", block.title),
            quoted_passage(block.passage, FIELD_VALUE - MORE) if block.passage else quoted(block.text),
        )
        for number, block in enumerate(sources, start=1)
    ]


def _field_name(number: str, title: str) -> str:
    """A title on one line behind its number; of one too long its end is kept, where the page stands."""
    line = " ".join(cleaned(title).split())
    room = FIELD_NAME - length(number)
    if length(escaped(line)) > room:
        end = line[-PLACE:]
        line = cut(line, room - length(escaped(end)) - MARK, escaped) + end
    return number + escaped(line)


def _heading_fields(blocks: Sequence[Block]) -> list[tuple[str, str]]:
    return [
        (
            _field_name("", block.title),
            "\n".join(f"• {_line(line)}" for line in block.text.splitlines() if cleaned(line)),
        )
        for block in blocks
        if block.role is Role.HEADINGS
    ]


def _step(text: str, texts: Texts) -> str:
    """The lines of a step as far as they fit a field, then how many more there are."""
    lines = [f"• {fitted(' '.join(line.split()), REMARK)}" for line in text.splitlines() if cleaned(line)]
    room = FIELD_VALUE - 2 * MORE
    kept: list[str] = []
    for line in lines:
        room -= length(line) + 1
        if room < 0:
            kept.append(f"-# {texts('sources-more', count=len(lines) - len(kept))}")
            break
        kept.append(line)
    return "\n".join(kept)


def _add_fields(embed: discord.Embed, fields: Sequence[tuple[str, str]], texts: Texts) -> None:
    """Whole fields as far as they fit, then how many more there are."""
    room = EMBED - _size(embed) - MORE
    left_out = 0
    for name, value in fields:
        size = length(name) + length(value)
        if size > room or length(value) > FIELD_VALUE - MORE or len(embed.fields) == MOST_FIELDS:
            left_out += 1
        elif name.strip() and value.strip():
            embed.add_field(name=name, value=value, inline=False)
            room -= size
    if left_out:
        _append(embed, texts("sources-more", count=left_out))


def _append(embed: discord.Embed, line: str) -> None:
    if embed.fields:
        last = embed.fields[-1]
        embed.set_field_at(
            len(embed.fields) - 1, name=last.name, value=f"{last.value}\n-# {line}", inline=False
        )
    else:
        embed.description = f"{embed.description or ''}\n-# {line}".strip()


def _size(embed: discord.Embed) -> int:
    fields = sum(length(field.name or "") + length(field.value or "") for field in embed.fields)
    texts = (embed.title, embed.description, embed.footer.text, embed.author.name)
    return fields + sum(length(text or "") for text in texts)
