"""Markdown → blocks, by way of HTML: CommonMark with tables, as editors and wikis write it."""

import re
from pathlib import Path

from rag.library.books.book import ParsedBook
from rag.library.books.house_rules import are_house_rules, with_entries_apart
from rag.library.books.library_toml import readable
from rag.library.readers.decode import decoded, file_bytes
from rag.library.readers.html import read_html
from rag.library.readers.sections import book_of

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(?P<facts>.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TITLE = re.compile(r"^title[ \t]*:[ \t]*(?P<quote>[\"']?)(?P<title>.+?)(?P=quote)[ \t]*$", re.MULTILINE)
_EMBEDDED = re.compile(r"!\[\[[^\]\n]*\]\]")
_WIKI_LINK = re.compile(r"\[\[(?:[^\]|\n]*\|)?(?P<shown>[^\]|\n]+)\]\]")
_CALLOUT = re.compile(r"^(?P<quote>[ \t]*>[ \t]*)\[![\w-]+\][+-]?[ \t]*", re.MULTILINE)
"""What note-taking programs add: `![[picture]]`, `[[note|as shown]]`, `> [!warning] Title`."""
_RULE = r"\|[ \t:|]*+-[ \t:|-]*+\n"
_NAMES_ABOVE_RULE = re.compile(
    rf"(?<=\n\n)(?P<first>\|.*\n)(?P<further>(?:(?!{_RULE})\|.*\n)+)(?P<rule>{_RULE})"
)
"""Several lines of names above the rule of a table, of which CommonMark takes only the last for one of it."""


def read_book(path: Path) -> ParsedBook:
    """Read a Markdown file. Raises `BookEmpty`, `BookTooLarge`, `BookNotText` or `BookWithoutWords`."""
    from markdown_it import MarkdownIt  # here, for a library without changes reads no book

    text = decoded(file_bytes(path), path.name)
    if are_house_rules(path.name):
        text = with_entries_apart(text)
    front = _FRONT_MATTER.match(text)
    told = _TITLE.search(front["facts"] or "") if front else None
    plain = _WIKI_LINK.sub(r"\g<shown>", _EMBEDDED.sub("", text[front.end() :] if front else text))
    plain = _NAMES_ABOVE_RULE.sub(_with_rule_below_first, _CALLOUT.sub(r"\g<quote>", plain))
    document = read_html(MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(plain))
    return book_of(document.blocks, path.name, readable(path.stem), told["title"] if told else "")


def _with_rule_below_first(names: re.Match[str]) -> str:
    """The lines of names with the rule below the first, where both have as many cells."""
    first, further, rule = names.groups()
    return first + rule + further if first.count("|") == rule.count("|") else names[0]
