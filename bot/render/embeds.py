"""Blocks → what a Discord message shows; pure, and never over one of Discord's limits.

Limits: https://discord.com/developers/docs/resources/message#embed-object-embed-limits. Lengths are
counted in UTF-16 code units, the longer of the two ways in which Discord counts.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

import discord

from rag.nodes.citations import find_quote
from rag.state import Outcome
from rag.texts import Texts
from rag.texts.blocks import Block, Role

CONTENT = 2000
DESCRIPTION = 4096
FIELD_NAME = 256
FIELD_VALUE = 1024
FOOTER = 2048
AUTHOR = 256
EMBED = 6000
"""Characters over all embeds of a message."""

VERDICT = 1200
REMARK = 500
STATED = 1200
"""Of what is proven while the answer is being written; an answer always has room for as much."""
MORE = 100
"""Room kept for "and 3 more"."""

ELLIPSIS = "…"
PARAGRAPH = re.compile(r"\n\s*\n")
SENTENCE_END = re.compile(r"(?<=[.!?])[\"”’»)\]]*\s+|\n")
SPACE = re.compile(r"\s+")
MARKDOWN = re.compile(r"[\\*_~`|]")
LINE_MARK = re.compile(r"^([ \t]*)(#{1,3}|>{1,3}|-#|[-+])(?=\s)", re.MULTILINE)
NUMBERED_LINE = re.compile(r"^([ \t]*\d+)\.(?=\s)", re.MULTILINE)
ANGLED = re.compile(r"<(?=[@#:/a-zA-Z])")
UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
CLOSING = '.,;:!?"”’»)]'
ESCAPED_TIME = re.compile(r"\\(<t:\d{1,12}:t>)")
"""A time that a notice of ours names, for Discord to show by each reader's clock."""
JOINERS = "\u200d\ufe0e\ufe0f"


class Colour(Enum):
    """The edge of an embed: what kind of answer it is, before a word is read."""

    WORKING = 0x5865F2
    ANSWERED = 0x2E9E6B
    PARTLY = 0xD9A13B
    PASSAGES = 0x3E82C4
    NOT_FOUND = 0x8A8F98
    FAILED = 0xC8453B


COLOURS = {
    Outcome.ANSWERED: Colour.ANSWERED,
    Outcome.PARTLY: Colour.PARTLY,
    Outcome.PASSAGES: Colour.PASSAGES,
    Outcome.NOT_FOUND: Colour.NOT_FOUND,
}


@dataclass(frozen=True, slots=True)
class Asker:
    """Whose question stands above an answer; the picture is an address of Discord's."""

    question: str
    picture: str | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """What one message shows: an embed, or plain text where embeds are not allowed."""

    embed: discord.Embed | None = None
    content: str | None = None


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
    wanted = sum(_length(name) + _length(value) for name, value in fields)
    embed.description = _body(blocks, min(DESCRIPTION - MORE, max(room - wanted - MORE, room // 2)))
    _add_fields(embed, fields, texts)
    return embed


def answer_text(blocks: Sequence[Block], texts: Texts) -> str:
    """The same answer as plain text of one message, for channels where embeds are not allowed."""
    fields = [*_source_fields(blocks), *_heading_fields(blocks)]
    parts = [_body(blocks, CONTENT // 2)]
    footer = f"-# {_cut(_footer(blocks), 200)}"
    used = _length(parts[0]) + _length(footer) + MORE
    kept = 0
    for name, value in fields:
        part = f"**{name}**\n{value}"
        if used + _length(part) + 2 > CONTENT:
            break
        parts.append(part)
        used += _length(part) + 2
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
    """The same as plain text, with the verdict alone: a plain answer may have no room for more."""
    return _working(step, _body(stated[:1], CONTENT // 2))


def _working(step: str, proven: str) -> str:
    return "\n\n".join(filter(None, (proven, f"🔎 {fitted(step, REMARK)}")))


def failed_embed(sentence: str, incident: str, asker: Asker | None = None) -> discord.Embed:
    """A failure: what to do next, and the id under which it stands in the log."""
    embed = _embed(Colour.FAILED, asker)
    embed.description = fitted(sentence, REMARK * 4)
    embed.set_footer(text=incident)
    return embed


def as_text(embed: discord.Embed) -> str:
    """A short embed of ours as plain text of one message: a step, or a failure with its id."""
    footer = f"\n-# {embed.footer.text}" if embed.footer.text else ""
    return f"{_cut(embed.description or '', CONTENT - _length(footer))}{footer}"


# --- passages and lists ---------------------------------------------------------------------------


def passage_embeds(title: str, text: str, quote: str, footer: str) -> list[discord.Embed]:
    """A page around a quotation, the quotation in bold: as few embeds as hold it, one to be shown at a time.

    The footer tells which part of how many it is, where there are several.
    """
    pieces = _passage_pieces(_clean(text), _clean(quote)) or [ELLIPSIS]
    embeds = []
    for number, piece in enumerate(pieces, start=1):
        embed = _embed(Colour.PASSAGES, None)
        embed.title = _title(title)
        embed.description = piece
        part = f" · {number}/{len(pieces)}" if len(pieces) > 1 else ""
        embed.set_footer(text=_plain(footer, FOOTER - MORE) + part)
        embeds.append(embed)
    return embeds


def page_embeds(title: str, text: str) -> list[discord.Embed]:
    """A page of a book as few embeds, each for a message of its own."""
    pieces = _pieces(_clean(text), DESCRIPTION) or [ELLIPSIS]
    embeds = []
    for piece in pieces:
        embed = _embed(Colour.PASSAGES, None)
        embed.description = piece
        embeds.append(embed)
    embeds[0].title = _title(title)
    return embeds


def list_embed(title: str, lines: Sequence[str], more: Callable[[int], str]) -> discord.Embed:
    """A list of lines, which may hold markdown of ours; `more` says how many did not fit."""
    embed = _embed(Colour.PASSAGES, None)
    embed.title = _plain(title, FIELD_NAME)
    kept: list[str] = []
    room = DESCRIPTION - MORE
    for line in lines:
        room -= _length(line) + 1
        if room < 0:
            break
        kept.append(line)
    if len(kept) < len(lines):
        kept.append(more(len(lines) - len(kept)))
    embed.description = "\n".join(kept) or None
    return embed


def thread_name(question: str, fallback: str) -> str:
    """A thread's name: the question on one line, at most 100 characters, never empty."""
    return _cut(" ".join(_clean(question).split()), 100) or fallback


# --- text -----------------------------------------------------------------------------------------


def escaped(text: str) -> str:
    """A text whose markdown, mentions, links and timestamps Discord shows as they are written."""
    text = MARKDOWN.sub(r"\\\g<0>", text)
    text = LINE_MARK.sub(r"\1\\\2", text)
    text = NUMBERED_LINE.sub(r"\1\\.", text)
    return ANGLED.sub(r"\\<", text).replace("](", r"]\(").replace("://", r"\://")


def fitted(text: str, limit: int) -> str:
    """A text escaped, and cut at a paragraph, sentence or word where it is over the limit."""
    return escaped(_cut(_clean(text), limit, escaped))


def _cut(text: str, limit: int, shown: Callable[[str], str] = str) -> str:
    """The longest good beginning of a text that is within the limit as it is `shown`."""
    if len(text) <= limit and _length(shown(text)) <= limit:
        return text
    end = _longest(text, limit - _length(ELLIPSIS), shown)
    return text[: _good_end(text, end)].rstrip() + ELLIPSIS if end else ""


def _longest(text: str, limit: int, shown: Callable[[str], str]) -> int:
    low, high = 0, min(len(text), max(limit, 0))
    while low < high:
        middle = (low + high + 1) // 2
        if _length(shown(text[:middle])) <= limit:
            low = middle
        else:
            high = middle - 1
    return low


def _good_end(text: str, end: int) -> int:
    """The last paragraph, sentence or word that ends in the second half; else between characters."""
    for boundary in (PARAGRAPH, SENTENCE_END, SPACE):
        ends = [found.start() for found in boundary.finditer(text, 0, end + 1)]
        ends = [place for place in ends if end // 2 < place <= end]
        if ends:
            return ends[-1]
    while end > 1 and (unicodedata.combining(text[end]) or text[end] in JOINERS or text[end - 1] in JOINERS):
        end -= 1
    return end


def _pieces(text: str, limit: int) -> list[str]:
    """A text in escaped pieces within the limit, parted at paragraphs, sentences or words."""
    return [escaped(text[start:end]) for start, end in _parts(text, limit)]


def _parts(text: str, limit: int, whole: tuple[int, int] = (0, 0)) -> Iterator[tuple[int, int]]:
    """Where the pieces of a text begin and end; `whole` is a span that is not parted if it can be."""
    start = len(text) - len(text.lstrip())
    while start < len(text):
        end = len(text)
        if _length(escaped(text[start:])) > limit:
            end = start + _good_end(text[start:], max(1, _longest(text[start:], limit, escaped)))
        if start < whole[0] < end < whole[1]:
            end = whole[0]
        yield start, start + len(text[start:end].rstrip())
        start = len(text) - len(text[end:].lstrip())


def _passage_pieces(text: str, quote: str) -> list[str]:
    """A text in escaped pieces for one embed each, a quotation in bold."""
    span = find_quote(quote, text)
    if span is None:
        return _pieces(text, DESCRIPTION)
    said = (span.start, span.end + _punctuation_after(text, span.end, quote))
    return [_emphasised(text, *part, *said) for part in _parts(text, DESCRIPTION - BOLD, said)]


BOLD = 20
"""Room kept for the marks of bold type, and for what is escaped at the beginning of each run."""


def _emphasised(text: str, start: int, end: int, said_from: int, said_to: int) -> str:
    """A part of a text escaped, with what of it was said in bold."""
    opens, closes = (min(max(place, start), end) for place in (said_from, said_to))
    said = f"**{escaped(text[opens:closes])}**" if closes > opens else ""
    return escaped(text[start:opens]) + said + escaped(text[closes:end])


def _punctuation_after(text: str, end: int, quote: str) -> int:
    """How many marks after a found quotation belong to it: it is found by its words alone."""
    if quote[-1:].isalnum():
        return 0
    return len(text[end:]) - len(text[end:].lstrip(CLOSING))


def _clean(text: str) -> str:
    return UNPRINTABLE.sub("", text.replace("\r\n", "\n").replace("\t", " ")).strip()


def _plain(text: str, limit: int) -> str:
    """One line, for places without markdown."""
    return _cut(" ".join(_clean(text).split()), limit)


def _title(text: str) -> str:
    """One line, for the title of an embed, which may hold markdown."""
    return fitted(" ".join(_clean(text).split()), FIELD_NAME)


def _length(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


# --- parts of an embed ----------------------------------------------------------------------------


def _embed(colour: Colour, asker: Asker | None) -> discord.Embed:
    embed = discord.Embed(colour=colour.value)
    if asker and (question := _plain(asker.question, AUTHOR)):
        embed.set_author(name=question, icon_url=asker.picture)
    return embed


def _body(blocks: Sequence[Block], limit: int) -> str:
    """Verdict, notices, explanation and what is missing, in this order, as far as there is room."""
    verdict = _bold("\n".join(_of(blocks, Role.VERDICT)), min(VERDICT, limit // 2))
    room = limit - _length(verdict)
    notices: list[str] = []
    missing: list[str] = []
    for shown, form, role in ((notices, "-# {}", Role.NOTICE), (missing, "*{}*", Role.MISSING)):
        for text in _of(blocks, role):
            line = form.format(_timed(_line(text)) if role is Role.NOTICE else _line(text))
            if _length(line) + 2 <= room:
                shown.append(line)
                room -= _length(line) + 2
    explanation = fitted("\n".join(_of(blocks, Role.EXPLANATION)), room - 2) if room > MORE else ""
    return "\n\n".join(part for part in (verdict, "\n".join(notices), explanation, *missing) if part)


def _bold(text: str, limit: int) -> str:
    """The first sentence of a verdict in bold, what follows plain."""
    text = _cut(_clean(text), limit - 6, escaped)
    first = SENTENCE_END.search(text)
    end = first.start() if first else len(text)
    return f"**{escaped(text[:end])}**{escaped(text[end:])}" if text else ""


def _line(text: str) -> str:
    return escaped(_cut(" ".join(_clean(text).split()), REMARK // 2)).strip()


def _timed(notice: str) -> str:
    """An escaped notice with the time it names; what books, models and players wrote is no notice."""
    return ESCAPED_TIME.sub(r"\1", notice)


def _of(blocks: Sequence[Block], role: Role) -> list[str]:
    return [block.text for block in blocks if block.role is role and _clean(block.text)]


def _footer(blocks: Sequence[Block]) -> str:
    return _plain(" · ".join(_of(blocks, Role.FOOTER)), FOOTER // 4)


def _source_fields(blocks: Sequence[Block]) -> list[tuple[str, str]]:
    """A field a source, numbered as the statements refer to them."""
    sources = [block for block in blocks if block.role is Role.SOURCE]
    return [
        (f"[{number}] {escaped(_plain(block.title, FIELD_NAME // 2))}", _quoted(block.text))
        for number, block in enumerate(sources, start=1)
    ]


def _heading_fields(blocks: Sequence[Block]) -> list[tuple[str, str]]:
    return [
        (
            escaped(_plain(block.title, FIELD_NAME // 2)),
            "\n".join(f"• {_line(line)}" for line in block.text.splitlines() if _clean(line)),
        )
        for block in blocks
        if block.role is Role.HEADINGS
    ]


def _quoted(text: str) -> str:
    text = _clean(text)
    lines = [line for line in escaped(text).splitlines() if line.strip()]
    return "\n".join(f"> {line}" for line in lines)


def _add_fields(embed: discord.Embed, fields: Sequence[tuple[str, str]], texts: Texts) -> None:
    """Whole fields while they fit, then how many more there are."""
    room = EMBED - _size(embed) - MORE
    kept = 0
    for name, value in fields:
        size = _length(name) + _length(value)
        if size > room or _length(value) > FIELD_VALUE - MORE or kept == MOST_FIELDS:
            break
        if name.strip() and value.strip():
            embed.add_field(name=name, value=value, inline=False)
            room -= size
        kept += 1
    if kept < len(fields):
        _append(embed, texts("sources-more", count=len(fields) - kept))


MOST_FIELDS = 25


def _append(embed: discord.Embed, line: str) -> None:
    if embed.fields:
        last = embed.fields[-1]
        embed.set_field_at(
            len(embed.fields) - 1, name=last.name, value=f"{last.value}\n-# {line}", inline=False
        )
    else:
        embed.description = f"{embed.description or ''}\n-# {line}".strip()


def _size(embed: discord.Embed) -> int:
    fields = sum(_length(field.name or "") + _length(field.value or "") for field in embed.fields)
    texts = (embed.title, embed.description, embed.footer.text, embed.author.name)
    return fields + sum(_length(text or "") for text in texts)
