"""Names that are no headings: bold words before a paragraph ("Dash. You gain …"), and table titles. Pure."""

from collections.abc import Iterator, Sequence
from itertools import takewhile

from rag.library.books.page import Term
from rag.library.readers.pdf.lines import HYPHEN, PrintedLine
from rag.library.readers.pdf.paragraphs import SENTENCE_ENDS, PrintedParagraph

_MOST_WORDS = 8


def terms_of(paragraph: PrintedParagraph) -> Iterator[Term]:
    """The names in a paragraph that is no heading, by their offsets in its text."""
    if paragraph.is_caption:
        yield 0, paragraph.text
    if paragraph.is_caption or paragraph.is_row or paragraph.bold:
        return
    # Bold words with plain ones behind them, where the paragraph or, on a new line, a sentence begins.
    position = 0
    for number in range(len(paragraph.lines)):
        if number and not paragraph.lines[number - 1].text.endswith(SENTENCE_ENDS):
            continue
        name = _bold_beginning(paragraph.lines[number : number + 2])
        offset = paragraph.text.find(name, position) if name else -1
        if offset >= 0:
            position = offset + len(name)
            yield offset, name


def _bold_beginning(lines: Sequence[PrintedLine]) -> str:
    """The few bold words that a line begins with, before plain ones; else ""."""
    words = [word for line in lines for word in line.words]
    bold = list(takewhile(lambda word: word.bold, words))
    if not bold or len(bold) > _MOST_WORDS or len(bold) == len(words):
        return ""
    name = " ".join(word.text for word in bold)
    return name if name[0].isupper() and HYPHEN not in name else ""
