"""What a document without fixed pages is made of, in order: headings, paragraphs, list items, table rows."""

from dataclasses import dataclass

BOLD_LINE = 7
"""The level of a heading that is a line in bold, below those that the format calls headings."""
LONGEST_BOLD_LINE = 80


@dataclass(frozen=True, slots=True)
class DocumentBlock:
    """A piece of a document.

    `level` is that of a heading, from 1, and 0 for anything else. `is_line`: it stands right below the piece
    before, as list items and table rows do. `reading` is a table row under its column names. `term` are the
    bold words that it begins with, before plain ones. `page` alone, without a text: the printed page of that
    number begins here.
    """

    text: str
    level: int = 0
    is_line: bool = False
    reading: str = ""
    term: str = ""
    page: str | None = None


def is_heading_like(text: str) -> bool:
    """Whether a line that stands out may be a heading: it is short, and no sentence."""
    is_short = 1 < len(text) <= LONGEST_BOLD_LINE and "\n" not in text
    return is_short and not text.endswith((".", ",", ";", ":", "!", "…")) and any(map(str.isalpha, text))
