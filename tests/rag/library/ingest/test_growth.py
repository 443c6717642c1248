"""An index grows by what changed: the rest is taken over, and it answers as one that was made at once."""

import random
import shutil
from collections.abc import Collection
from pathlib import Path

import pytest

from rag.library.books.page import Heading, Page
from rag.library.index.local import Index
from rag.library.index.manifest import Manifest
from rag.library.ingest import build, printed
from rag.library.ingest import ingest as ingestion
from rag.library.references import Reference, code_evidence, find_references
from tests.rag.library.small_library import HashedWords, SmallLibrary, parsed_book

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


def published(library: SmallLibrary) -> Manifest:
    manifest = Index(library.settings.index_dir).published()
    assert manifest
    return manifest


def segments(library: SmallLibrary) -> list[list[str]]:
    """The files that count in each segment."""
    manifest = published(library)
    return [manifest.current(name) for name in manifest.segments]


def rebuilt(library: SmallLibrary, index_dir: Path) -> SmallLibrary:
    """The same library with an index of its own, made at once."""
    other = SmallLibrary(index_dir)
    other.settings = library.settings.model_copy(update={"index_dir": index_dir / "index"})
    other.ingest()
    assert len(segments(other)) == 1
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


@pytest.mark.parametrize("seed", [1, 2])
def test_an_index_that_grew_answers_as_one_made_at_once(
    small: SmallLibrary, tmp_path: Path, seed: int
) -> None:
    changes = Changes(small, seed)
    for _ in range(3):
        changes.make()
    small.ingest()
    for step in range(5):
        changes.make()
        small.ingest()
        whole = rebuilt(small, tmp_path / f"rebuilt {step}")
        assert answers(small) == answers(whole)
        assert small.open().books("gm") == whole.open().books("gm")


def embedded(library: SmallLibrary) -> list[str]:
    """What was embedded since it was last asked."""
    assert isinstance(library.model.embeddings, HashedWords)
    texts = [text for request in library.model.embeddings.requests for text in request]
    library.model.embeddings.requests.clear()
    return texts


@pytest.fixture
def lit(small: SmallLibrary) -> SmallLibrary:
    """A library of one book, which was embedded."""
    small.put_parsed("a.pdf", parsed_book("A torch burns.", "A lantern burns."))
    small.ingest()
    embedded(small)
    return small


def test_a_book_more_costs_that_book(lit: SmallLibrary) -> None:
    lit.put_parsed("b.pdf", parsed_book("A fall costs a die."))
    lit.ingest()
    assert embedded(lit) == ["A fall costs a die.", "costs", "die", "fall"]
    assert segments(lit) == [["a.pdf"], ["b.pdf"]]


def test_many_small_segments_become_one(lit: SmallLibrary) -> None:
    for number in range(ingestion.MOST_SEGMENTS):
        lit.put_parsed(f"{number}.pdf", parsed_book(f"Number {number} falls."))
        lit.ingest()
    assert len(segments(lit)) < ingestion.MOST_SEGMENTS
    assert sorted(file for files in segments(lit) for file in files) == sorted(
        [f"{number}.pdf" for number in range(ingestion.MOST_SEGMENTS)] + ["a.pdf"]
    )


def test_a_damaged_segment_is_made_anew_with_what_is_new(lit: SmallLibrary) -> None:
    lit.put_parsed("b.pdf", parsed_book("A fall costs a die."))
    lit.ingest()
    shutil.rmtree(lit.settings.index_dir / "generations" / next(iter(published(lit).segments)))
    lit.put_parsed("c.pdf", parsed_book("A rope holds two."))
    lit.ingest()
    assert len(segments(lit)) == 1
    found = lit.open().retriever("gm").invoke("torch fall")
    assert {"a.pdf#1", "b.pdf#1"} <= {page.id for page in found}


# References


@pytest.fixture
def interrupted(small: SmallLibrary, monkeypatch: pytest.MonkeyPatch) -> SmallLibrary:
    """A library whose ingestion ended while references were looked for."""
    small.put_parsed(
        "g/a.pdf", parsed_book("A torch burns. See p. 2.", "Oil burns. See Book C, p. 1.", title="A")
    )
    small.put_parsed("g/d.pdf", parsed_book("A rope holds two.", "A hook holds one.", title="Book D"))
    small.ingest()
    small.put_parsed("g/c.pdf", parsed_book("A fall costs a die. See Book D, p. 2.", title="Book C"))
    ingest_interrupted(small, monkeypatch)
    return small


def ingest_interrupted(library: SmallLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ingest until references are looked for."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(build, "ReaderLinks", interrupt)
        with pytest.raises(KeyboardInterrupt):
            library.ingest()


def test_a_new_book_is_found_before_its_references_are(interrupted: SmallLibrary) -> None:
    assert interrupted.open().retriever("gm").invoke("fall")[0].id == "g/c.pdf#1"
    assert [book.title for book in interrupted.open().books("player")] == ["A", "Book C", "Book D"]


def test_a_new_book_is_told_from_one_of_its_title_at_once(
    small: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    small.put_parsed("g/a.pdf", parsed_book("A torch burns.", "Oil burns.", "Ash.", title="Rules"))
    small.put_parsed("h/gm/b.pdf", parsed_book("A rope holds two.", title="Secrets"))
    small.ingest()
    small.put_parsed("h/c.pdf", parsed_book("A fall costs a die.", title="Rules"))
    small.put_parsed("h/d.pdf", parsed_book("A hook holds one.", title="Secrets"))
    ingest_interrupted(small, monkeypatch)
    library = small.open()
    assert [book.title for book in library.books("player")] == ["Rules (a)", "Rules (c)", "Secrets"]
    assert library.books("gm")[-1].title == "Secrets (b)"


def test_a_book_more_has_pages_read_for_references_where_it_is_named_alone(
    small: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    small.put_parsed("g/a.pdf", parsed_book("See p. 2 (p. P1).", "See Book C, page 1 (P9).", title="A"))
    small.ingest()
    read: list[str] = []

    def noted(
        text: str, titles: Collection[str], codes: Collection[str], *, in_notes: bool = False
    ) -> list[Reference]:
        read.append(text)
        return find_references(text, titles, codes, in_notes=in_notes)

    for module in (printed, code_evidence):
        monkeypatch.setattr(module, "find_references", noted)
    small.put_parsed("h/c.pdf", parsed_book("A fall costs a die.", title="Book C"))
    small.ingest()
    assert read == ["See Book C, page 1 (P9).", "A fall costs a die."]


@pytest.mark.parametrize("held", [b"", b'{"books": 3}', b"\xff"])
def test_of_damaged_references_none_are_taken_over(tmp_path: Path, held: bytes) -> None:
    (tmp_path / "printed.json").write_bytes(held)
    assert printed.Printed.load(tmp_path) == printed.Printed.load(tmp_path / "none") == printed.Printed()


def linked(library: SmallLibrary, file: str, page: int) -> list[tuple[str, int]]:
    """The pages that the references on a page mean."""
    references = library.open().page_at(file, page, "gm").references
    return [(meant.file, meant.pdf_page) for reference in references for meant in reference.pages]


def test_what_was_linked_stays_so_meanwhile(interrupted: SmallLibrary) -> None:
    assert linked(interrupted, "g/a.pdf", 1) == [("g/a.pdf", 2)]
    assert linked(interrupted, "g/c.pdf", 1) == []


def test_the_next_ingest_links_the_new_book_both_ways(interrupted: SmallLibrary) -> None:
    assert interrupted.ingest().changed
    assert linked(interrupted, "g/a.pdf", 2) == [("g/c.pdf", 1)]
    assert linked(interrupted, "g/c.pdf", 1) == [("g/d.pdf", 2)]
    assert not interrupted.ingest().changed


def test_what_a_changed_book_says_is_not_linked_as_before(
    small: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    small.put_parsed("g/a.pdf", parsed_book("A torch burns. See Book D, p. 2.", title="A"))
    small.put_parsed("g/d.pdf", parsed_book("A rope holds two.", "A hook holds one.", title="Book D"))
    small.ingest()
    small.put_parsed("g/d.pdf", parsed_book("A hook holds one.", "A rope holds two.", title="Book D"))
    ingest_interrupted(small, monkeypatch)
    assert linked(small, "g/a.pdf", 1) == []


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
