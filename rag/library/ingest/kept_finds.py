"""What was found on the pages of books, kept from one ingestion to the next in a file of its own."""

import gzip
import json
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rag.library.index.atomic_files import write_bytes
from rag.library.index.manifest import INDEX_VERSION
from rag.library.references.code_evidence import AMONG
from rag.library.references.code_uses import CodeUse
from rag.library.references.page_finds import FoundPages, PageFinds
from rag.library.references.reference import Reference

_OF_FIELDS: dict[str, Callable[..., Any]] = {
    "references": Reference,
    **dict.fromkeys(AMONG, CodeUse),
    "references in notes": Reference,
    "letters": lambda *fields: fields,
}
"""What is made of several values, by what was looked for."""


def load_finds(path: Path, contents: Mapping[str, str]) -> PageFinds:
    """What was found in books of these contents; nothing where there is no such file, or a damaged one."""
    try:
        held = json.loads(gzip.decompress(path.read_bytes()))
        if held["version"] != INDEX_VERSION:
            return PageFinds()
        names = [frozenset(some) for some in held["names"]]
        books = {file: book for file, content in contents.items() if (book := held["books"].get(content))}
        return PageFinds(
            {
                (file, what): _found(what, found, names)
                for file, book in books.items()
                for what, found in book["found"].items()
            },
            {file: book["weights"] for file, book in books.items()},
        )
    except (OSError, EOFError, zlib.error, ValueError, KeyError):
        return PageFinds()


def save_finds(path: Path, contents: Mapping[str, str], finds: PageFinds) -> None:
    """Keep what was found, by the contents of the books; the names looked for are written down once."""
    numbers: dict[frozenset[str], int] = {}
    books: dict[str, dict[str, Any]] = {
        contents[file]: {"found": {}, "weights": weights} for file, weights in finds.weights.items()
    }
    for (file, what), found in finds.found.items():
        number = numbers.setdefault(found.names, len(numbers))
        pages = {place: [_written(one) for one in here] for place, here in enumerate(found.pages) if here}
        books[contents[file]]["found"][what] = [number, sorted(found.codes), len(found.pages), pages]
    held = {
        "version": INDEX_VERSION,
        "names": [sorted(names) for names in numbers],
        "books": books,
    }
    # What is packed has a checksum, so that damage is noticed.
    write_bytes(path, gzip.compress(json.dumps(held, ensure_ascii=False).encode(), compresslevel=1))


def _written(one: Any) -> Any:
    return one if isinstance(one, str | tuple) else [getattr(one, name) for name in one.__slots__]


def _found(what: str, found: list[Any], names: list[frozenset[str]]) -> FoundPages:
    number, codes, count, pages = found
    make = _OF_FIELDS.get(what)
    read = {
        int(place): tuple(make(*one) for one in here) if make else tuple(here)
        for place, here in pages.items()
    }
    return FoundPages(names[number], frozenset(codes), tuple(read.get(place, ()) for place in range(count)))
