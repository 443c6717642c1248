"""Blocks → what a Discord message shows; pure, and never over one of Discord's limits.

Limits: https://discord.com/developers/docs/resources/message#embed-object-embed-limits.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from io import BytesIO
from itertools import accumulate
from typing import Any

import discord

from bot.render import markdown
from bot.render.markdown import cleaned, cut, escaped, fitted, length, on_one_line, one_line, with_end
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
ALT_TEXT = 1024
"""Characters that Discord takes as the description of a file."""

VERDICT = 1200
REMARK = 500
STATED = 1200
"""Of what is proven while the answer is being written; an answer always has room for as much."""
MORE = 100
"""Room kept for "and 3 more"."""


class Colour(Enum):
    """The edge of an embed: what kind of answer it is, before a word is read; each outcome has one."""

    WORKING = 0x5865F2
    ANSWERED = 0x2E9E6B
    PARTLY = 0xD9A13B
    UNPROVEN = 0x9A6FC0
    PASSAGES = 0x3E82C4
    NOT_FOUND = 0x8A8F98
    FAILED = 0xC8453B


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
    """What one message shows: an embed, with words above it where there are some, or words alone.

    `files` are attached by their names; with an embed they are pictures, `described` for screen readers.
    """

    embed: discord.Embed | None = None
    text: str | None = None
    files: Mapping[str, bytes] = field(default_factory=dict)
    described: str = ""

    def without_embed(self) -> "Content":
        """The same as plain text, for channels where embeds are not allowed."""
        if self.embed is None:
            return self
        return Content(text="\n".join(filter(None, (self.text, as_text(self.embed)))))

    def parts(self) -> dict[str, Any]:
        """The same as discord.py takes it, for one attempt to send it: that closes files.

        The first picture stands in the embed, each other in one of its own.
        """
        others = [_embed(Colour.PASSAGES) for _ in [*self.files][1:]]
        embeds = [self.embed.copy(), *others] if self.embed else []
        for embed, name in zip(embeds, self.files, strict=False):
            embed.set_image(url=f"attachment://{name}")
        told = self.described[:ALT_TEXT] or None
        sent = [discord.File(BytesIO(data), name, description=told) for name, data in self.files.items()]
        return {"content": self.text, "embeds": embeds, "attachments": sent}


# --- answers --------------------------------------------------------------------------------------


def answer_embed(
    blocks: Sequence[Block], outcome: Outcome, texts: Texts, asker: Asker | None = None
) -> discord.Embed:
    """An answer: the verdict in bold, the explanation, the sources as fields, how it was found."""
    embed = _embed(Colour[outcome.name], asker, footer=_footer(blocks))
    fields = _fields(blocks)
    room = EMBED - _size(embed)
    wanted = sum(length(name) + length(value) for name, value in fields)
    embed.description = _body(blocks, min(DESCRIPTION - MORE, max(room - wanted - MORE, room // 2)))
    _add_fields(embed, fields, texts)
    return embed


def working_embed(step: str, asker: Asker | None = None, stated: Sequence[Block] = ()) -> discord.Embed:
    """What is being done while the answer is not there yet, below what is proven of it already."""
    parts = (_body(stated, STATED), f"🔎 {fitted(step, REMARK)}")
    return _embed(Colour.WORKING, asker, text="\n\n".join(filter(None, parts)))


def failed_embed(sentence: str, incident: str, asker: Asker | None = None) -> discord.Embed:
    """A failure: what to do next, and the id under which it stands in the log."""
    return _embed(Colour.FAILED, asker, text=fitted(sentence, REMARK * 4), footer=incident)


def said_embed(sentence: str, asker: Asker | None = None) -> discord.Embed:
    """What is said to somebody who asked nothing, as with thanks: nothing failed."""
    return _embed(Colour.WORKING, asker, text=sentence)


def as_text(embed: discord.Embed) -> str:
    """An embed of ours as plain text of one message, with as many whole fields as there is room for."""
    footer = f"\n-# {cut(embed.footer.text, FOOTER // 4)}" if embed.footer.text else ""
    text = cut(embed.description or "", CONTENT // 2 if embed.fields else CONTENT - length(footer))
    for one in embed.fields:
        part = f"\n\n**{one.name}**\n{one.value}"
        if length(text) + length(part) + length(footer) + markdown.MARK * 2 > CONTENT:
            return f"{text}\n\n{markdown.ELLIPSIS}{footer}"
        text += part
    return f"{text}{footer}"


def with_asker(embed: discord.Embed, asker: Asker | None) -> discord.Embed:
    """An embed of ours under the question of somebody who is named, without a picture of another message."""
    return _under(embed.copy(), asker).set_image(url=None)


# --- passages and lists ---------------------------------------------------------------------------


def page_embeds(title: str, text: str, quote: str = "", footer: str = "") -> list[discord.Embed]:
    """A page of a book, a quotation in bold: as few embeds as hold it, one to be shown at a time.

    The footer tells which part of how many it is, where there are several.
    """
    parts = markdown.pieces(cleaned(text), cleaned(quote), DESCRIPTION) or [markdown.ELLIPSIS]
    return _pages(_title(title), parts, one_line(footer, FOOTER - MORE))


def picture_embed(title: str) -> discord.Embed:
    """What stands over a picture."""
    return _embed(Colour.PASSAGES, title=_title(title))


def lists_embed(title: str, blocks: Sequence[Block], texts: Texts) -> discord.Embed:
    """How an answer was found: a field a step, with as many of its lines as fit."""
    embed = _embed(Colour.PASSAGES, title=one_line(title, FIELD_NAME), footer=_footer(blocks))
    steps = [block for block in blocks if block.role is Role.LIST]
    _add_fields(embed, [(_field_name("", one.title), _step(one.text, texts)) for one in steps], texts)
    return embed


def list_embed(title: str, lines: Sequence[str], texts: Texts) -> discord.Embed:
    """A list of lines, which may hold markdown of ours; behind those that fit, how many more there are."""
    text = _as_many_as_fit(lines, DESCRIPTION - MORE, texts)
    return _embed(Colour.PASSAGES, title=one_line(title, FIELD_NAME), text=text)


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
    texts = ["\n".join(page)[:DESCRIPTION] for page in pages]
    return _pages(one_line(title, FIELD_NAME), texts)


def _pages(title: str, texts: Sequence[str], footer: str = "") -> list[discord.Embed]:
    """An embed a text; the footer tells which of how many it is, where there are several."""
    numbers = [f"{number}/{len(texts)}" if len(texts) > 1 else "" for number in range(1, len(texts) + 1)]
    footers = [" · ".join(filter(None, (footer, number))) for number in numbers]
    pages = zip(texts, footers, strict=True)
    return [_embed(Colour.PASSAGES, title=title, text=text, footer=footer) for text, footer in pages]


def places_embed(query: str, places: str, footer: str) -> discord.Embed:
    """The places found for a query, which stands above them as written; `places` are markdown of ours."""
    return _embed(Colour.PASSAGES, Asker(query), text=places[:DESCRIPTION], footer=one_line(footer, FOOTER))


def _title(text: str) -> str:
    """One line, for the title of an embed, which may hold markdown."""
    return fitted(on_one_line(text), FIELD_NAME)


# --- parts of an embed ----------------------------------------------------------------------------


def _embed(
    colour: Colour, asker: Asker | None = None, *, title: str = "", text: str = "", footer: str = ""
) -> discord.Embed:
    """An embed of these parts; those that are empty are left out."""
    embed = discord.Embed(colour=colour.value, title=title or None, description=text or None)
    return _under(embed, asker).set_footer(text=footer or None)


def _under(embed: discord.Embed, asker: Asker | None) -> discord.Embed:
    """An embed under the question of somebody."""
    if asker and (line := one_line(asker.line, AUTHOR)):
        embed.set_author(name=line, icon_url=asker.picture)
    return embed


def _body(blocks: Sequence[Block], limit: int) -> str:
    """Verdict, notices, explanation and what is missing, in this order, as far as there is room."""
    verdict = markdown.with_bold_verdict("\n".join(_of(blocks, Role.VERDICT)), min(VERDICT, limit // 2))
    verdict = verdict or "\n".join(map(_line, _of(blocks, Role.NOTHING)))
    room = limit - length(verdict)
    notices: list[str] = []
    missing: list[str] = []
    for shown, form, role in ((notices, "-# {}", Role.NOTICE), (missing, "*{}*", Role.MISSING)):
        for text in _of(blocks, role):
            line = form.format(_line(text))
            # What books, models and players wrote is no notice.
            line = markdown.ESCAPED_TIME.sub(r"\1", line) if role is Role.NOTICE else line
            if length(line) + 2 <= room:
                shown.append(line)
                room -= length(line) + 2
    explanation = fitted("\n".join(_of(blocks, Role.EXPLANATION)), room - 2) if room > MORE else ""
    return "\n\n".join(part for part in (verdict, "\n".join(notices), explanation, *missing) if part)


def _line(text: str) -> str:
    return escaped(one_line(text, REMARK // 2)).strip()


def _of(blocks: Sequence[Block], role: Role) -> list[str]:
    return [block.text for block in blocks if block.role is role and cleaned(block.text)]


def _footer(blocks: Sequence[Block]) -> str:
    return one_line(" · ".join(_of(blocks, Role.FOOTER)), FOOTER // 4)


def _fields(blocks: Sequence[Block]) -> list[tuple[str, str]]:
    """A field a source, numbered as the statements refer to them."""
    sources: list[tuple[str, str]] = []
    for block in blocks:
        if block.role is Role.SOURCE:
            shown = markdown.quoted(cut(block.text, FIELD_VALUE - MORE, markdown.quoted))
            if block.passage:
                shown = markdown.quoted_passage(block.passage, FIELD_VALUE - MORE)
            sources.append((_field_name(f"[{block.number}] ", block.title), shown))
    return sources


def _field_name(number: str, title: str) -> str:
    """A title on one line behind its number; of one too long its end is kept, where the page stands."""
    return number + escaped(with_end(on_one_line(title), FIELD_NAME - length(number), escaped))


def _step(text: str, texts: Texts) -> str:
    """The lines of a step as far as they fit a field, then how many more there are."""
    lines = [f"• {fitted(' '.join(line.split()), REMARK)}" for line in text.splitlines() if cleaned(line)]
    return _as_many_as_fit(lines, FIELD_VALUE - 2 * MORE, texts, "-# ")


def _as_many_as_fit(lines: Sequence[str], room: int, texts: Texts, before_more: str = "") -> str:
    """The first lines that fit into so many characters; then how many more there are."""
    sizes = accumulate(length(line) + 1 for line in lines)
    kept = list(lines[: sum(size <= room for size in sizes)])
    if left := len(lines) - len(kept):
        kept.append(before_more + texts("sources-more", count=left))
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
    if not left_out:
        return
    line = f"-# {texts('sources-more', count=left_out)}"
    if embed.fields:
        last, at = embed.fields[-1], len(embed.fields) - 1
        embed.set_field_at(at, name=last.name, value=f"{last.value}\n{line}", inline=False)
    else:
        embed.description = f"{embed.description or ''}\n{line}".strip()


def _size(embed: discord.Embed) -> int:
    fields = sum(length(one.name or "") + length(one.value or "") for one in embed.fields)
    texts = (embed.title, embed.description, embed.footer.text, embed.author.name)
    return fields + sum(length(text or "") for text in texts)
