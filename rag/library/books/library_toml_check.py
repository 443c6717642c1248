"""Mistakes in `library.toml` and in the names of folders, told by the books that are there. Pure."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import PurePosixPath

from rag.library.books.catalog import BookSummary
from rag.library.books.library_toml import DeclaredBook, audience_of, game_of
from rag.library.index.manifest import Problem
from rag.library.language.words import fold

_LOOKS_GM = re.compile(r"\b(?:gms?|dms?|mestres?|masters? only|(?:game|dungeon) masters?)\b")


def catalogue_problems(declared: Mapping[str, DeclaredBook], files: Collection[str]) -> list[Problem]:
    """What is declared about books that are not there, or cannot be meant so; `files` are all books."""
    return [
        *(Problem(name, "book-declared-missing", {"file": name}) for name in sorted({*declared} - {*files})),
        *(problem for book in declared.values() for problem in _wrong_amends(book, files)),
        *(problem for book in declared.values() for problem in _wrong_codes(book)),
        *_shared_codes(declared, files),
    ]


def _wrong_amends(book: DeclaredBook, files: Collection[str]) -> Iterator[Problem]:
    if book.amends == book.file:
        yield Problem(book.file, "book-amends-itself", {"file": book.file})
    elif book.amends and book.amends not in files:
        yield Problem(book.file, "book-amends-missing", {"file": book.file, "amends": book.amends})


def _wrong_codes(book: DeclaredBook) -> Iterator[Problem]:
    for code in book.codes:
        if code not in book.usable_codes:
            yield Problem(book.file, "book-code-unusable", {"file": book.file, "code": code})


def _shared_codes(declared: Mapping[str, DeclaredBook], files: Collection[str]) -> Iterator[Problem]:
    """Codes of two books of one game; the volumes of a work, declared by one title, may share theirs."""
    present = [book for book in declared.values() if book.file in files]
    for one, other in combinations(present, 2):
        is_one_work = one.title is not None and one.title == other.title
        if game_of(one.file) == game_of(other.file) and not is_one_work:
            for code in sorted({*one.usable_codes} & {*other.usable_codes}):
                values = {"file": other.file, "code": code, "other": one.file}
                yield Problem(other.file, "book-code-shared", values)


def pages_beyond(declared: Mapping[str, DeclaredBook], books: Sequence[BookSummary]) -> list[Problem]:
    """Declared pages that lie beyond the end of their book, so that its numbers are not set by them."""
    return [
        Problem(
            book.file,
            "book-page-beyond",
            {"file": book.file, "page": declared[book.file].on_pdf_page, "pages": book.pages},
        )
        for book in books
        if book.file in declared and (declared[book.file].on_pdf_page or 0) > book.pages
    ]


def folder_problems(declared: Mapping[str, DeclaredBook], files: Collection[str]) -> list[Problem]:
    """Folders that look meant for the GM while players read a book in them of which nothing is declared."""
    folders = {
        folder.as_posix()
        for file in files
        if not (file in declared and declared[file].audience) and audience_of(file, None) == "player"
        for folder in PurePosixPath(file).parents
        if _LOOKS_GM.search(" ".join(re.split(r"[\W_]+", fold(folder.name))))
    }
    return [Problem(folder, "folder-looks-gm", {"folder": folder}) for folder in sorted(folders)]
