"""A sentence that a page break tears, from the file to its source and its pictures."""

from pathlib import Path

import pytest

from rag.cli.pictures import save_quotation
from rag.nodes.citations import sources_of
from rag.state import AnswerWithSources, Outcome, QuotedPart, Source
from rag.strategies.lines import CitedLine, lines_of
from rag.texts import texts_for
from tests.rag.library.small_library import SmallLibrary

FILLER = "\n".join(f"Number {number} of the rules of the ferry is told here in full." for number in range(9))
FIRST = f"{FILLER}\nWhoever falls into the cold river and cannot swim loses"
SECOND = f"three points of breath a round.\n{FILLER}"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> SmallLibrary:
    library = SmallLibrary(tmp_path_factory.mktemp("library"))
    library.put("ferry.pdf", [FIRST, SECOND, FILLER], first_number=7)
    library.ingest()
    return library


def source_at_foot(library: SmallLibrary) -> tuple[Source, QuotedPart]:
    """The quotation of the last line of the first page, and what of it stands on the next."""
    page = library.open().page("ferry.pdf", "7", "player")
    [source] = sources_of([CitedLine(page, lines_of(page)[-1])])
    assert source.after
    return source, source.after


def test_it_is_one_quotation_with_both_printed_pages(library: SmallLibrary) -> None:
    source, after = source_at_foot(library)
    assert source.whole_quote == (
        "Whoever falls into the cold river and cannot swim loses three points of breath a round."
    )
    assert (source.page, after.page) == ("7", "8")


def test_the_terminal_writes_a_picture_of_each_page(library: SmallLibrary, tmp_path: Path) -> None:
    source, _ = source_at_foot(library)
    answer = AnswerWithSources(answer="", sources=[source], found=True, outcome=Outcome.PASSAGES)
    save_quotation(answer, library.open(), "player", tmp_path / "rule.png", texts_for("en"))
    assert sorted(path.name for path in tmp_path.glob("*.png")) == ["rule-2.png", "rule.png"]
