"""Drop caps put back to the word they begin. Pure."""

from collections.abc import Collection, Sequence

from rag.library.readers.pdf.hyphenation import join_drop_cap
from rag.library.readers.pdf.lines import Line

_LARGER = 1.7  # times the size of the text beside it
_LONGEST = 2  # characters: a letter, perhaps after a quotation mark
_NEAR = 2.0  # font sizes between the initial and the text


def join_drop_caps(lines: Sequence[Line], known: Collection[str]) -> list[Line]:
    """The lines of a page with each drop cap joined to the first line beside it."""
    joined: list[Line] = []
    capital: Line | None = None
    for line in lines:
        if capital and _stands_beside(capital, line):
            first = line.words[0]
            first.text = join_drop_cap(capital.text, first.text, known)
            joined.remove(capital)
        capital = line if _is_initial(line) else None
        joined.append(line)
    return joined


def _is_initial(line: Line) -> bool:
    letters = [character for character in line.text if character.isalpha()]
    return len(line.text) <= _LONGEST and len(letters) == 1 and letters[0].isupper()


def _stands_beside(capital: Line, line: Line) -> bool:
    is_large = capital.size > _LARGER * line.size
    is_level = capital.top - line.size < line.baseline <= capital.baseline
    return is_large and is_level and -line.size < line.x0 - capital.x1 < _NEAR * line.size
