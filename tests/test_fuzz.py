"""Command options and books that nobody plans for: no crash, no hang, no damage.

A short run, always the same; a long one with other examples each time:
`FUZZ_EXAMPLES=3000 python -m pytest tests/test_fuzz.py tests/bot/in_process/test_odd_options.py --timeout=0`.
"""

import multiprocessing
import time
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.library.index.book_cache import ReadBook
from rag.library.ingest import read_books as reading
from rag.library.ingest.read_books import Assignment, Failure, read_books
from rag.texts import keys
from tests.conftest import SAMPLE_BOOKS, Run
from tests.mutants import HOSTILE_MARKUP, mutants, unpacked
from tests.odd_texts import fuzzing, odd_arguments, odd_texts
from tests.rag.library.readers.packed_books import docx, epub, packed, paragraph, table, unpacked_parts
from tests.rag.library.small_library import SmallLibrary

pytestmark = pytest.mark.slow

SLOWEST_SECONDS = 30.0
SMALLEST_BOOK = SAMPLE_BOOKS / "letters-at-low-water" / "gm" / "what-the-water-knows.pdf"
BASES = (SMALLEST_BOOK.read_bytes(), unpacked(SMALLEST_BOOK, pages=4))

Words = st.SearchStrategy[list[str]]

argument = odd_arguments().map(lambda text: [text])
reader = st.sampled_from([[], ["--as", "player"], ["--as", "gm"], ["--as", "nobody"]])
book: Words = st.just([]) | odd_arguments().map(lambda name: ["--book", name])
strategy = st.sampled_from([[], ["--strategy", "multi-question"], ["--strategy", "all"]])
json = st.sampled_from([[], ["--json"]])
number = st.integers().map(str) | st.sampled_from(["9" * 5000, "٣", "²", "1e3"]) | odd_arguments()
number_of_pages: Words = st.just([]) | number.map(lambda k: ["-k", k])
thread: Words = st.just([]) | odd_arguments().map(lambda name: ["--thread", name])


def command(*parts: str | Words) -> Words:
    """A command line of words and strategies for words."""
    words = [st.just([part]) if isinstance(part, str) else part for part in parts]
    return st.tuples(*words).map(lambda drawn: [word for some in drawn for word in some])


command_lines = st.one_of(
    command("search", argument, number_of_pages, book, reader, json),
    command("ask", argument, thread, book, strategy, reader, json),
    command("chat", book, strategy, reader),
    command("page", argument, argument, reader),
    command("page", "Wading Orders", argument, reader),
    command("evaluate", argument, json),
    command("prompts", "test", "sufficiency", argument, json),
    command("ingest", argument),
    command(argument, argument, argument),
)
damaged_pdfs = st.sampled_from(BASES).flatmap(mutants)

CHAPTER = (
    "<h1>Wounds</h1><p>A wound bleeds.</p><ul><li>rope</ul>"
    "<table><tr><th>Wound<th>Loss<tr><td>Deep<td>3</table>"
)
MARKDOWN = (
    "# Rules\n\n## Wounds\n\n> A *wound* bleeds.\n\n1. rope\n\n| Wound | Loss |\n|---|---|\n| Deep | 3 |\n"
)
TEXT = "Regras\n======\n\n3.1 FERIDAS\n\nUma ferida não dói,\nmas sangra.\n\n- corda\nNível    Custo\n"
DOCUMENTS = {
    ".md": MARKDOWN.encode(),
    ".txt": TEXT.encode(),
    ".html": f"<html><head><meta charset=utf-8><nav>x</nav></head><main>{CHAPTER}</main></html>".encode(),
    ".docx": docx(
        paragraph("Wounds", "Heading1"), paragraph("A wound bleeds."), table(["Wound", "Loss"], ["Deep", "3"])
    ),
    ".epub": epub(
        {"one.xhtml": CHAPTER, "two.xhtml": "<p id='p2'>More.</p>"}, "Rules", {"2": "two.xhtml#p2"}
    ),
}


def damaged_parts(archive: bytes) -> st.SearchStrategy[bytes]:
    """A zip file, whole, of which one part is damaged."""
    parts = unpacked_parts(archive)

    def with_part(name: str) -> st.SearchStrategy[bytes]:
        return mutants(parts[name], HOSTILE_MARKUP).map(lambda part: packed({**parts, name: part}.items()))

    return st.sampled_from(sorted(parts)).flatmap(with_part)


def damaged(suffix: str) -> st.SearchStrategy[tuple[str, bytes]]:
    """A suffix with a damaged document of its format."""
    whole = mutants(DOCUMENTS[suffix], HOSTILE_MARKUP)
    content = whole | damaged_parts(DOCUMENTS[suffix]) if suffix in (".docx", ".epub") else whole
    return content.map(lambda document: (suffix, document))


damaged_books = st.sampled_from(sorted(DOCUMENTS)).flatmap(damaged) | st.tuples(st.just(".pdf"), damaged_pdfs)


@fuzzing(examples=60)
@given(line=command_lines, typed=st.lists(odd_texts(), max_size=2).map("\n".join))
def test_any_command_line_ends_soon_with_a_status_and_its_own_words(
    rag: Run, line: list[str], typed: str
) -> None:
    began = time.monotonic()
    result = rag(*line, stdin=typed)
    assert time.monotonic() - began < SLOWEST_SECONDS
    assert result.returncode in (0, 1, 2)
    assert "Traceback" not in result.stderr
    assert result.returncode == 0 or result.stderr.strip()


@pytest.fixture
def quick_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Readers that are forked from a process with everything imported, and may not be silent for long."""
    context = multiprocessing.get_context("forkserver")
    assert isinstance(context, ForkServerContext)
    context.set_forkserver_preload(["rag.library.ingest.read_books", "tests.rag.library.small_library"])
    monkeypatch.setattr(reading, "PROCESSES", context)
    monkeypatch.setattr(reading, "LONGEST_SILENCE_SECONDS", SLOWEST_SECONDS)


@fuzzing(examples=25)
@given(document=damaged_books)
def test_a_damaged_book_is_read_or_named_with_its_problem(
    quick_readers: None, tmp_path: Path, document: tuple[str, bytes]
) -> None:
    suffix, content = document
    path = tmp_path / f"damaged{suffix}"
    path.write_bytes(content)
    ((_, outcome),) = read_books([Assignment(path.name, path, None)], lambda *told: None)
    match outcome:
        case ReadBook():
            assert outcome.parsed.pages
            assert suffix == ".pdf" or all(page.section_starts[0][0] == 0 for page in outcome.parsed.pages)
        case Failure():
            assert outcome.is_final, "the reader broke down, or hung"
            assert outcome.key in keys("en")


@fuzzing(examples=2)
@given(content=damaged_pdfs)
def test_beside_a_damaged_pdf_the_good_book_still_answers(
    quick_readers: None, tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    library = SmallLibrary(tmp_path_factory.mktemp("library"))
    library.put("good.pdf", ["A storm lamp lights six paces."])
    library.write("damaged.pdf", content)
    library.ingest()
    (page, *_) = library.open().retriever("player", "good.pdf").invoke("How far does a storm lamp light?")
    assert page.page_content == "A storm lamp lights six paces."
