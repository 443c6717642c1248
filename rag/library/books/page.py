"""Which headings are in force at a place of a book: its path, from chapter to section."""

from collections.abc import Iterable

from rag.library.readers.pdf.reader import Heading, Page

HeadingPath = tuple[tuple[int, str], ...]
"""Headings in force, each with its level, outermost first."""


def after(path: HeadingPath, headings: Iterable[Heading]) -> HeadingPath:
    """The path behind `headings`: each ends the headings of its own level and below."""
    for heading in headings:
        path = (*(above for above in path if above[0] < heading.level), (heading.level, heading.text))
    return path


def paths_at_top(pages: Iterable[Page]) -> list[HeadingPath]:
    """For each page the path in force before its first word."""
    path: HeadingPath = ()
    paths = []
    for page in pages:
        paths.append(path)
        path = after(path, page.headings)
    return paths


def path_at(top: HeadingPath, headings: Iterable[Heading], offset: int) -> list[str]:
    """The texts of the headings in force at `offset` of a page whose path at the top is `top`."""
    return [text for _, text in after(top, (heading for heading in headings if heading.offset <= offset))]
