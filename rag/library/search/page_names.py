"""How people write the page they want: "45", "p. 45", "pág. 45", "PDF p. 2", "p. 2 do PDF". Pure."""

import re
from dataclasses import dataclass

_PAGE = re.compile(
    r"(?P<pdf>pdf\b\s*)?(?:p(?:p|g|gs|[áa]gs?|ages?|[áa]ginas?)?(?:\.|\b))?\s*(?P<number>[^\s.]+)"
    r"(?P<of_pdf>\s+(?:d[oe]|of(?:\s+the)?|in\s+the|no)\s+pdf)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PageName:
    """A printed number, or where `is_pdf_page` a 1-based position in the file."""

    number: str
    is_pdf_page: bool = False


def page_name(text: str) -> PageName:
    """The page that somebody means by `text`; the text itself where it has no such form."""
    match = _PAGE.fullmatch(text.strip())
    if match is None:
        return PageName(text.strip())
    is_pdf_page = bool(match["pdf"] or match["of_pdf"]) and match["number"].isdecimal()
    return PageName(match["number"], is_pdf_page)
