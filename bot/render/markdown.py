"""Text as Discord's markdown shows it: escaped, cut to a limit, in pieces; pure.

Lengths are counted in UTF-16 code units, the longer of the two ways in which Discord counts.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from rag.nodes.citations import find_quote
from rag.state import PassageLine
from rag.strategies.lines import sentences
from rag.texts.passages import PHONE_WIDTH, Paragraph, ParagraphKind, paragraphs

ELLIPSIS = "…"
PARAGRAPH = re.compile(r"\n\s*\n")
SENTENCE_END = re.compile(r"(?<=[.!?])[\"”’»)\]]*\s+|\n")
SPACE = re.compile(r"\s+")
MARKDOWN = re.compile(r"[\\*_~`|]")
LINE_MARK = re.compile(r"^([ \t]*)(#{1,3}|>{1,3}|-#|[-+])(?=\s)", re.MULTILINE)
NUMBERED_LINE = re.compile(r"^([ \t]*\d+)\.(?=\s)", re.MULTILINE)
ANGLED = re.compile(r"<(?=[@#:/a-zA-Z])")
UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]")
"""What shows nothing, or turns the direction of what follows: a name could turn round the words beside it."""
CLOSING = '.,;:!?"”’»)]'
ESCAPED_TIME = re.compile(r"\\(<t:\d{1,12}:t>)")
"""A time that a notice of ours names, for Discord to show by each reader's clock."""
JOINERS = "\u200d\ufe0e\ufe0f"

PLACE = 40
"""Characters at the end of a title that name the page."""
MARK = 2
"""What may have to be escaped where two texts meet."""
BOLD = 20
"""Room kept for the marks of bold type, and for what is escaped at the beginning of each run."""


def escaped(text: str) -> str:
    """A text whose markdown, mentions, links and timestamps Discord shows as they are written."""
    text = MARKDOWN.sub(r"\\\g<0>", text)
    text = LINE_MARK.sub(r"\1\\\2", text)
    text = NUMBERED_LINE.sub(r"\1\\.", text)
    return ANGLED.sub(r"\\<", text).replace("](", r"]\(").replace("://", r"\://")


def fitted(text: str, limit: int) -> str:
    """A text escaped, and cut at a paragraph, sentence or word where it is over the limit."""
    return escaped(cut(cleaned(text), limit, escaped))


def one_line(text: str, limit: int) -> str:
    """One line, for places without markdown."""
    return cut(on_one_line(text), limit)


def with_end(line: str, limit: int, shown: Callable[[str], str] = str) -> str:
    """A line within the limit as it is `shown`; of one too long its end is kept, where a page stands."""
    if length(shown(line)) <= limit:
        return line
    end = line[-PLACE:]
    return cut(line, limit - length(shown(end)) - MARK, shown) + end


def on_one_line(text: str) -> str:
    """A text without breaks of lines, and without characters that no reader can see."""
    return " ".join(cleaned(text).split())


def cleaned(text: str) -> str:
    """A text without characters that no reader can see."""
    return UNPRINTABLE.sub("", text.replace("\r\n", "\n").replace("\t", " ")).strip()


def length(text: str) -> int:
    """How long a text is for Discord."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def quoted(text: str) -> str:
    """A text as a block quotation."""
    return "\n".join(f"> {line}" for line in escaped(cleaned(text)).splitlines() if line.strip())


def quoted_passage(passage: Sequence[PassageLine], limit: int) -> str:
    """A passage as a block quotation, what answers best in bold, its tables aligned.

    Of one over the limit the first lines that fit; a line that is over it alone is cut.
    """
    text = "\n".join(chain.from_iterable(map(_lines, paragraphs(passage, PHONE_WIDTH))))
    if length(text) > limit and passage[1:]:
        return quoted_passage(passage[:-1], limit)
    return text if length(text) <= limit else quoted(cut(passage[0].text, limit // 2))


def _lines(paragraph: Paragraph) -> list[str]:
    """A paragraph as lines of a message: a table as a block of code, all else as a quotation on one line.

    A heading is in italics, in bold what answers best. What would end a block of code is written otherwise.
    """
    if paragraph.kind is ParagraphKind.TABLE:
        return ["```", *(UNPRINTABLE.sub("", run.text).replace("`", "'") for run in paragraph.runs), "```"]
    if paragraph.kind is ParagraphKind.HEADING:
        return [f"> *{escaped(on_one_line(paragraph.runs[0].text))}*"]
    shown = [(escaped(on_one_line(run.text)), run.is_closest) for run in paragraph.runs]
    return ["> " + " ".join(f"**{text}**" if is_closest else text for text, is_closest in shown if text)]


def with_bold_verdict(text: str, limit: int) -> str:
    """The first sentence of a verdict in bold, what follows plain."""
    text = cut(cleaned(text), limit - 6, escaped)
    # Not from its first character: a word and a stop before more would be a title there ("Yes. It does.").
    end = next((sentence.end for sentence in sentences(text, 1)), len(text))
    return f"**{escaped(text[:end])}**{escaped(text[end:])}" if text else ""


def cut(text: str, limit: int, shown: Callable[[str], str] = str) -> str:
    """The longest good beginning of a text that is within the limit as it is `shown`."""
    if len(text) <= limit and length(shown(text)) <= limit:
        return text
    end = _longest(text, limit - length(ELLIPSIS), shown)
    return text[: _good_end(text, end)].rstrip() + ELLIPSIS if end else ""


def _longest(text: str, limit: int, shown: Callable[[str], str]) -> int:
    """The most characters of a text that are within the limit as they are `shown`."""
    ends = range(1, min(len(text), max(limit, 0)) + 1)
    return bisect_right(ends, limit, key=lambda end: length(shown(text[:end])))


def _good_end(text: str, end: int) -> int:
    """The last paragraph, sentence or word that ends in the second half; else between characters."""
    for boundary in (PARAGRAPH, SENTENCE_END, SPACE):
        places = (found.start() for found in boundary.finditer(text, 0, end + 1))
        if ends := [place for place in places if end // 2 < place <= end]:
            return ends[-1]
    while end > 1 and (unicodedata.combining(text[end]) or text[end] in JOINERS or text[end - 1] in JOINERS):
        end -= 1
    return end


def pieces(text: str, quote: str, limit: int) -> list[str]:
    """A text in escaped pieces within the limit, a quotation in bold.

    It is parted at paragraphs, sentences or words.
    """
    span = find_quote(quote, text)
    if span is None:
        return [escaped(text[start:end]) for start, end in _parts(text, limit)]
    said = (span.start, span.end + _punctuation_after(text, span.end, quote))
    return [_emphasised(text, *part, *said) for part in _parts(text, limit - BOLD, said)]


def _parts(text: str, limit: int, whole: tuple[int, int] = (0, 0)) -> Iterator[tuple[int, int]]:
    """Where the pieces of a text begin and end; `whole` is a span that is not parted if it can be."""
    start = len(text) - len(text.lstrip())
    while start < len(text):
        end = len(text)
        if length(escaped(text[start:])) > limit:
            end = start + _good_end(text[start:], max(1, _longest(text[start:], limit, escaped)))
        if start < whole[0] < end < whole[1]:
            end = whole[0]
        yield start, start + len(text[start:end].rstrip())
        start = len(text) - len(text[end:].lstrip())


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
