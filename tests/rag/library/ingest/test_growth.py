"""An index grows by what changed: the rest is taken over, and it answers as one that was made at once."""

import os
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rag.library.books.book import Chunk, ParsedBook
from rag.library.books.page import Heading, Page
from rag.library.index import book_cache, topics
from rag.library.index.local import Index
from rag.library.index.manifest import INDEX_VERSION, Manifest
from rag.library.index.open import open_snapshot
from rag.library.index.store import Store
from rag.library.ingest import build, read_books
from rag.library.ingest import ingest as ingestion
from tests.rag.library.small_library import HashedWords, SmallLibrary, hashed_model, parsed_book

THINGS = [
    "torch",
    "lantern",
    "rope",
    "oil",
    "sword",
    "axe",
    "shield",
    "helm",
    "boots",
    "ring",
    "amulet",
    "potion",
]
CODES = ["B", "MA"]
QUERIES = [
    "lantern",
    "How long does a torch burn?",
    "Sword and Axe",
    "What does Book 3 say?",
    "amulet potion",
]


@pytest.fixture
def growing(small: SmallLibrary, monkeypatch: pytest.MonkeyPatch) -> SmallLibrary:
    """A library of a few pages that is never so changed that it is made anew."""
    monkeypatch.setattr(ingestion, "MOST_CHANGED", 100.0)
    monkeypatch.setattr(ingestion, "MOST_CHANGED_OF_LARGE", 100.0)
    return small


def published(library: SmallLibrary) -> Manifest:
    manifest = Index(library.settings.index_dir).published()
    assert manifest
    return manifest


def opened(library: SmallLibrary) -> Store:
    return open_snapshot(Index(library.settings.index_dir), published(library))


def rebuilt(library: SmallLibrary, index_dir: Path) -> SmallLibrary:
    """The same library with an index of its own, made at once."""
    other = SmallLibrary(index_dir)
    other.settings = library.settings.model_copy(update={"index_dir": index_dir / "index"})
    other.ingest()
    assert not published(other).base
    return other


def answers(library: SmallLibrary) -> list[list[tuple[str, list[str]]]]:
    """The pages that each query finds, in order, with what they refer to."""
    retriever = library.open().retriever("gm")
    return [
        [
            (str(page.id), [str(one) for one in page.metadata["references"]])
            for page in retriever.invoke(query)
        ]
        for query in QUERIES
    ]


def arrays(store: Store) -> Iterator[list[float]]:
    yield store.page_columns.tolist()
    yield store.page_of_chunk.tolist()
    yield store.chunk_lengths.tolist()
    for thing in THINGS:
        for posting in store.postings([thing], "en", store.scope("gm")).values():
            yield posting.chunks.tolist()
            yield posting.counts.tolist()


class Changes:
    """Random changes of a library: books are added, changed and removed."""

    def __init__(self, library: SmallLibrary, seed: int) -> None:
        self._library = library
        self._random = random.Random(seed)

    def make(self) -> None:
        number = self._random.randrange(6)
        file = f"game{number % 2}/book {number}.pdf"
        if self._random.random() < 0.3 and len(self._library.parsed) > 2 and file in self._library.parsed:
            (self._library.directory / file).unlink()
            del self._library.parsed[file]
        else:
            pages = [self._page(position) for position in range(1, self._random.randrange(2, 5))]
            codes = {self._random.choice(CODES): f"Book {self._random.randrange(6)}"}
            self._library.put_parsed(file, parsed_book(*pages, title=f"Book {number}", codes=codes))

    def _page(self, position: int) -> Page:
        thing, other = self._random.sample(THINGS, 2)
        book, page = self._random.randrange(6), self._random.randrange(1, 4)
        heading = thing.title()
        text = (
            f"{heading}\n\nA {thing} lies beside the {other}. See {other.title()} or Book {book}, p. {page}."
            f" A {other.title()} costs a coin (p. {self._random.choice(CODES)} {page})."
        )
        return Page(position, str(position), text, (Heading(1, heading, 0),), "text", False)


@pytest.mark.parametrize(("seed", "large"), [(1, ingestion.LARGE), (2, 0)])
def test_an_index_that_grew_answers_as_one_made_at_once(
    growing: SmallLibrary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, large: int
) -> None:
    monkeypatch.setattr(ingestion, "LARGE", large)
    changes = Changes(growing, seed)
    for _ in range(3):
        changes.make()
    growing.ingest()
    for step in range(3):
        changes.make()
        growing.ingest()
        assert published(growing).base
        whole = rebuilt(growing, tmp_path / f"rebuilt {step}")
        assert answers(growing) == answers(whole)
        assert list(arrays(opened(growing))) == list(arrays(opened(whole)))
        assert growing.open().books("gm") == whole.open().books("gm")


@pytest.fixture
def stemmed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many chunks were stemmed, book by book."""
    counts: list[int] = []
    make = topics.terms_of

    def counted(parsed: ParsedBook, chunks: Sequence[Chunk], passages: Iterable[str]) -> topics.BookTerms:
        counts.append(len(chunks))
        return make(parsed, chunks, passages)

    for module in (read_books, book_cache):
        monkeypatch.setattr(module, "terms_of", counted)
    return counts


def embedded(library: SmallLibrary) -> list[str]:
    """What was embedded since it was last asked."""
    assert isinstance(library.model.embeddings, HashedWords)
    texts = [text for request in library.model.embeddings.requests for text in request]
    library.model.embeddings.requests.clear()
    return texts


def held(library: SmallLibrary) -> list[str]:
    """The files that the published snapshot itself holds."""
    manifest, index = published(library), Index(library.settings.index_dir)
    return manifest.own(index.base_of(manifest))


def test_a_book_more_costs_that_book(growing: SmallLibrary, stemmed: list[int]) -> None:
    growing.put_parsed("a.pdf", parsed_book("A torch burns for six turns.", "A lantern burns longer."))
    growing.ingest()
    embedded(growing)
    stemmed.clear()
    growing.put_parsed("b.pdf", parsed_book("A fall costs a die."))
    growing.ingest()
    assert stemmed == [1]
    assert embedded(growing) == ["A fall costs a die.", "costs", "die", "fall"]
    assert held(growing) == ["b.pdf"]


def test_a_book_that_is_gone_costs_nothing(growing: SmallLibrary, stemmed: list[int]) -> None:
    for name, text in (("a.pdf", "A torch burns."), ("b.pdf", "A fall costs a die.")):
        growing.put_parsed(name, parsed_book(text))
    growing.ingest()
    embedded(growing)
    stemmed.clear()
    (growing.directory / "b.pdf").unlink()
    growing.ingest()
    assert (stemmed, embedded(growing), held(growing)) == ([], [], [])
    assert [page.id for page in growing.open().retriever("gm").invoke("fall")] == ["a.pdf#1"]


def without_terms(path: Path) -> None:
    """Leave of a book's file what an older release wrote."""
    with np.load(path) as arrays:
        held = {name: arrays[name] for name in ("header", "vectors", "word_vectors")}
    np.savez(path, **held)


def test_terms_that_another_release_did_not_keep_are_made_once(
    growing: SmallLibrary, stemmed: list[int]
) -> None:
    growing.put_parsed("a.pdf", parsed_book("A torch burns for six turns.", "A lantern burns longer."))
    growing.ingest()
    (kept,) = (growing.settings.index_dir / "books").glob("*.npz")
    without_terms(kept)
    stemmed.clear()
    for file in ("b.pdf", "c.pdf"):
        growing.put_parsed(file, parsed_book(f"Of {file} a fall costs a die."))
        growing.ingest()
        assert "a.pdf" not in held(growing)
    assert sorted(stemmed) == [1, 1, 2]


def test_a_library_of_which_much_has_changed_is_made_anew(small: SmallLibrary) -> None:
    small.put_parsed("a.pdf", parsed_book("A torch burns."))
    small.ingest()
    small.put_parsed("b.pdf", parsed_book("A fall costs a die."))
    small.ingest()
    assert not published(small).base


@pytest.fixture
def grown(small: SmallLibrary, monkeypatch: pytest.MonkeyPatch) -> SmallLibrary:
    """A library that counts as large, of which much has changed since its base was made."""
    monkeypatch.setattr(ingestion, "LARGE", 0)
    monkeypatch.setattr(ingestion, "MOST_CHANGED_OF_LARGE", 100.0)
    small.put_parsed("a.pdf", parsed_book("A torch burns. See Book B, p. 1.", title="A"))
    small.ingest()
    small.put_parsed("b.pdf", parsed_book("A fall costs a die.", "A lantern burns longer.", title="Book B"))
    small.ingest()
    assert held(small) == ["b.pdf"]
    return small


def test_a_large_library_that_has_grown_is_made_anew_when_nobody_waits(grown: SmallLibrary) -> None:
    before = answers(grown)
    ingestion.merge(grown.settings, grown.model)
    assert held(grown) == ["a.pdf", "b.pdf"]
    assert answers(grown) == before
    assert not grown.ingest().changed


def test_what_is_done_while_nobody_waits_can_be_cut_short(grown: SmallLibrary) -> None:
    def stop(_: object) -> None:
        raise KeyboardInterrupt

    before = published(grown).snapshot
    with pytest.raises(KeyboardInterrupt):
        ingestion.merge(grown.settings, grown.model, stop)
    assert published(grown).snapshot == before
    assert not grown.ingest().changed


def test_a_library_that_has_changed_a_little_keeps_its_base(
    grown: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingestion, "MOST_CHANGED", 100.0)
    ingestion.merge(grown.settings, grown.model)
    assert held(grown) == ["b.pdf"]


def test_what_is_new_meanwhile_waits_for_the_next_ingest(grown: SmallLibrary) -> None:
    before = published(grown).snapshot
    grown.put_parsed("c.pdf", parsed_book("A rope holds two."))
    ingestion.merge(grown.settings, grown.model)
    assert published(grown).snapshot == before


def test_a_base_outlives_the_snapshots_that_need_it_no_more(growing: SmallLibrary) -> None:
    growing.put_parsed("a.pdf", parsed_book("A torch burns."))
    growing.ingest()
    base = published(growing).snapshot
    for text in ("A fall costs a die.", "A fall costs two dice.", "A fall costs three dice."):
        growing.put_parsed("b.pdf", parsed_book(text))
        growing.ingest()
    snapshots = {path.name for path in (growing.settings.index_dir / "generations").iterdir()}
    assert base in snapshots
    assert len(snapshots) == 3


def test_a_reader_opens_the_base_once(growing: SmallLibrary) -> None:
    growing.put_parsed("a.pdf", parsed_book("A torch burns."))
    growing.ingest()
    index = Index(growing.settings.index_dir)
    before = open_snapshot(index, published(growing))
    growing.put_parsed("b.pdf", parsed_book("A fall costs a die."))
    growing.ingest()
    after = open_snapshot(index, published(growing), before)
    assert after.segments[0] is before.segments[0]


def test_a_base_of_another_embedding_model_is_not_taken_over(growing: SmallLibrary) -> None:
    growing.put_parsed("a.pdf", parsed_book("A torch burns."))
    growing.ingest()
    growing.model = hashed_model("another")
    growing.put_parsed("b.pdf", parsed_book("A fall costs a die."))
    growing.ingest()
    assert held(growing) == ["a.pdf", "b.pdf"]


def test_a_base_of_another_release_is_not_taken_over(
    growing: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    growing.put_parsed("a.pdf", parsed_book("A torch burns."))
    growing.ingest()
    monkeypatch.setattr(ingestion, "INDEX_VERSION", INDEX_VERSION + 1)
    growing.put_parsed("b.pdf", parsed_book("A fall costs a die."))
    growing.ingest()
    assert held(growing) == ["a.pdf", "b.pdf"]


def test_a_book_read_otherwise_than_in_the_base_is_taken_anew(growing: SmallLibrary) -> None:
    book = parsed_book("A torch burns.", "A lantern burns.")
    growing.put_parsed("a.pdf", book)
    growing.ingest()
    (kept,) = (growing.settings.index_dir / "books").glob("*.npz")
    kept.unlink()
    growing.parsed["a.pdf"] = replace(book, pages=(book.pages[0],))
    growing.put_parsed("b.pdf", parsed_book("A fall costs a die."))
    growing.ingest()
    assert held(growing) == ["a.pdf", "b.pdf"]
    assert np.bincount(opened(growing).page_columns).tolist() == [1, 1]


DAMAGES: dict[str, Callable[[Path], None]] = {
    "database gone": lambda snapshot: (snapshot / "library.sqlite").unlink(),
    "database halved": lambda snapshot: os.truncate(snapshot / "library.sqlite", 4096),
    "vectors of words gone": lambda snapshot: (snapshot / "word_vectors.npy").unlink(),
    "chroma gone": lambda snapshot: shutil.rmtree(snapshot / "chroma"),
    "manifest gone": lambda snapshot: (snapshot / "manifest.json").unlink(),
    "all gone": shutil.rmtree,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
@pytest.mark.parametrize("is_more_to_index", [False, True])
def test_a_damaged_base_is_made_anew(
    growing: SmallLibrary, damage: Callable[[Path], None], is_more_to_index: bool
) -> None:
    growing.put_parsed("a.pdf", parsed_book("A torch burns."))
    growing.ingest()
    growing.put_parsed("b.pdf", parsed_book("A fall costs a die."))
    growing.ingest()
    damage(growing.settings.index_dir / "generations" / published(growing).base)
    if is_more_to_index:
        growing.put_parsed("c.pdf", parsed_book("A rope holds two."))
    growing.ingest()
    assert not published(growing).base
    found = growing.open().retriever("gm").invoke("torch fall")
    assert {"a.pdf#1", "b.pdf#1"} <= {page.id for page in found}


def garbled(path: Path) -> None:
    """Other bytes in place of all but the first page."""
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xee" * (len(content) - 4096))


def misleading(path: Path) -> None:
    """Another page in place of the one that a reference means."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE page_references SET gm_page = gm_page + 1, gm_last = gm_last + 1")


@pytest.mark.parametrize("damage", [garbled, misleading])
@pytest.mark.parametrize("large", [0, ingestion.LARGE])
def test_damage_that_the_file_system_does_not_tell_of_is_not_carried_over(
    growing: SmallLibrary, monkeypatch: pytest.MonkeyPatch, damage: Callable[[Path], None], large: int
) -> None:
    monkeypatch.setattr(ingestion, "LARGE", large)
    pages = ("A torch burns. See p. 2.", "Oil burns.", "A rope holds two.")
    growing.put_parsed("a.pdf", parsed_book(*pages, title="A"))
    growing.ingest()
    database = growing.settings.index_dir / "generations" / published(growing).snapshot / "library.sqlite"
    before = database.stat()
    damage(database)
    os.utime(database, ns=(before.st_atime_ns, before.st_mtime_ns))
    growing.put_parsed("b.pdf", parsed_book("A fall costs a die.", title="B"))
    growing.ingest()
    assert [one.pages for one in opened(growing).references([0], "gm")[0]] == [(1,)]
    assert not growing.ingest().changed


# A large library


@pytest.fixture
def interrupted(growing: SmallLibrary, monkeypatch: pytest.MonkeyPatch) -> SmallLibrary:
    """A library that counts as large, whose ingestion ended while references were looked for."""
    monkeypatch.setattr(ingestion, "LARGE", 0)
    growing.put_parsed(
        "g/a.pdf", parsed_book("A torch burns. See p. 2.", "Oil burns. See Book C, p. 1.", title="A")
    )
    growing.put_parsed("g/d.pdf", parsed_book("A rope holds two.", "A hook holds one.", title="Book D"))
    growing.ingest()
    growing.put_parsed("g/c.pdf", parsed_book("A fall costs a die. See Book D, p. 2.", title="Book C"))
    ingest_interrupted(growing, monkeypatch)
    return growing


def ingest_interrupted(library: SmallLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ingest until references are looked for."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(build, "Links", interrupt)
        with pytest.raises(KeyboardInterrupt):
            library.ingest()


def test_a_new_book_is_found_before_its_references_are(interrupted: SmallLibrary) -> None:
    assert interrupted.open().retriever("gm").invoke("fall")[0].id == "g/c.pdf#1"
    assert [book.title for book in interrupted.open().books("player")] == ["A", "Book C", "Book D"]


def test_a_new_book_is_told_from_one_of_its_title_at_once(
    growing: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingestion, "LARGE", 0)
    growing.put_parsed("g/a.pdf", parsed_book("A torch burns.", "Oil burns.", "Ash.", title="Rules"))
    growing.put_parsed("h/gm/b.pdf", parsed_book("A rope holds two.", title="Secrets"))
    growing.ingest()
    growing.put_parsed("h/c.pdf", parsed_book("A fall costs a die.", title="Rules"))
    growing.put_parsed("h/d.pdf", parsed_book("A hook holds one.", title="Secrets"))
    ingest_interrupted(growing, monkeypatch)
    library = growing.open()
    assert [book.title for book in library.books("player")] == ["Rules (a)", "Rules (c)", "Secrets"]
    assert library.books("gm")[-1].title == "Secrets (b)"


def test_what_was_linked_stays_so_meanwhile(interrupted: SmallLibrary) -> None:
    store = opened(interrupted)
    assert [one.pages for one in store.references([0], "gm")[0]] == [(1,)]


def test_the_next_ingest_links_the_new_book_both_ways(interrupted: SmallLibrary) -> None:
    assert interrupted.ingest().changed
    store = opened(interrupted)
    assert [one.pages for one in store.references([1], "gm")[1]] == [(2,)]
    assert [one.pages for one in store.references([2], "gm")[2]] == [(4,)]
    assert not interrupted.ingest().changed


def test_what_a_changed_book_says_is_not_linked_as_before(
    growing: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingestion, "LARGE", 0)
    growing.put_parsed("g/a.pdf", parsed_book("A torch burns. See Book D, p. 2.", title="A"))
    growing.put_parsed("g/d.pdf", parsed_book("A rope holds two.", "A hook holds one.", title="Book D"))
    growing.ingest()
    growing.put_parsed("g/d.pdf", parsed_book("A hook holds one.", "A rope holds two.", title="Book D"))
    ingest_interrupted(growing, monkeypatch)
    assert [one.pages for one in opened(growing).references([0], "gm")[0]] == [()]


# Identical files


def test_identical_files_count_once_and_that_is_said(small: SmallLibrary) -> None:
    for file in ("game/a.pdf", "game/copies/b.pdf"):
        small.put(file, ["A torch burns for six turns."])
    report = small.ingest()
    assert [book.file for book in report.books] == ["game/a.pdf"]
    assert report.books[0].problems == (
        {"key": "book-copied", "values": {"file": "game/a.pdf", "copy": "game/copies/b.pdf"}},
    )
    assert [page.id for page in small.open().retriever("player").invoke("torch")] == ["game/a.pdf#1"]


def test_where_a_file_is_gone_its_copy_takes_its_place(small: SmallLibrary) -> None:
    first = small.put("game/a.pdf", ["A torch burns for six turns."])
    small.put("game/b.pdf", ["A torch burns for six turns."])
    small.ingest()
    embedded(small)
    first.unlink()
    assert [(book.file, book.problems) for book in small.ingest().books] == [("game/b.pdf", ())]
    assert embedded(small) == []


@pytest.mark.parametrize("other", ["other game/b.pdf", "game/gm/b.pdf"])
def test_a_copy_for_another_game_or_other_readers_is_a_book_of_its_own(
    small: SmallLibrary, other: str
) -> None:
    for file in ("game/a.pdf", other):
        small.put(file, ["A torch burns for six turns."])
    assert {book.file for book in small.ingest().books} == {"game/a.pdf", other}


def test_a_copy_that_library_toml_speaks_of_is_a_book_of_its_own(small: SmallLibrary) -> None:
    for file in ("game/a.pdf", "game/b.pdf", "game/c.pdf"):
        small.put(file, ["A torch burns for six turns."])
    small.write("library.toml", "".join(f'[[book]]\nfile = "game/{n}.pdf"\ntitle = "{n}"\n' for n in "bc"))
    assert {book.file for book in small.ingest().books} == {"game/b.pdf", "game/c.pdf"}
