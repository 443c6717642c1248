"""The books of a search as arrays: what ranking must know of all their chunks and pages, computed once."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rag.config import Audience
from rag.library.books.book import BookSummary, languages_of
from rag.library.index.bm25 import Ids, Texts
from rag.library.index.store import Scope, Store


@dataclass(frozen=True, slots=True)
class SearchedBooks:
    """Some of the books that a reader may search, with the games of all of these.

    `parts` are the games with the languages of their books, by which `of_pages` and `of_chunks` count words,
    `everywhere` by all chunks. `game_of_page` and `game_of_chunk` number `games`, -1 for what is not
    searched; `languages` are those of the searched books.
    """

    scope: Scope
    games: tuple[str, ...]
    parts: tuple[tuple[str, str], ...]
    game_of_page: Ids
    game_of_chunk: Ids
    of_pages: Texts
    of_chunks: Texts
    everywhere: Texts
    languages: tuple[str, ...]


def searched_books(
    store: Store, reader: Audience, books: Sequence[BookSummary], files: Collection[str]
) -> SearchedBooks:
    """Those of `books` that are among `files`."""
    scope = store.scope(reader, [book for book in books if book.file in files])
    games = sorted({book.own_game for book in books})
    parts = sorted({(book.own_game, book.language) for book in books})
    of_file = {book.file: parts.index((book.own_game, book.language)) for book in books}
    part_of_page = np.where(scope.pages, _numbered(store, of_file), -1).astype(np.int32)
    game_of_part: Ids = np.array([games.index(game) for game, _ in parts], np.int32)
    part_of_chunk: Ids = part_of_page[store.page_of_chunk]
    game_of_page: Ids = np.where(part_of_page < 0, -1, game_of_part[part_of_page]).astype(np.int32)
    return SearchedBooks(
        scope=scope,
        games=tuple(games),
        parts=tuple(parts),
        game_of_page=game_of_page,
        game_of_chunk=game_of_page[store.page_of_chunk],
        of_pages=Texts.of(store.page_lengths, part_of_page, game_of_part),
        of_chunks=Texts.of(store.chunk_lengths, part_of_chunk, game_of_part),
        everywhere=Texts.of(store.chunk_lengths, np.where(scope.chunks, 0, -1).astype(np.int32)),
        languages=tuple(languages_of([book for book in books if book.file in files])),
    )


def _numbered(store: Store, numbers: Mapping[str, int]) -> Ids:
    """Of every page, the number of its file; -1 where it has none."""
    of_column = np.full(len(store.manifest.books["gm"]), -1, np.int32)
    for file, number in numbers.items():
        of_column[store.columns([file])] = number
    return of_column[store.page_columns]
