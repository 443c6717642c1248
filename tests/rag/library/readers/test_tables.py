"""Each row of a table reads under the names of its groups and its columns, however they are set."""

from pathlib import Path

import pytest

from rag.library.readers.html import read_html
from rag.library.readers.markdown import read_book

CASES = [
    tuple(case.split("\n", maxsplit=1))
    for case in Path(__file__).with_name("tables.txt").read_text("utf-8").removeprefix("# ").split("\n# ")
]


@pytest.mark.parametrize(("name", "case"), CASES)
def test_a_row_reads_under_its_groups_and_columns(name: str, case: str, tmp_path: Path) -> None:
    lines = case.strip().split("\n")
    table = "\n".join(line for line in lines if not line.startswith("= "))
    if table.startswith("<"):
        read = [block.reading for block in read_html(f"<p>Before.</p>{table}").blocks if block.reading]
    else:
        (tmp_path / "table.md").write_text(f"Before.\n\n{table}\n", "utf-8")
        read = [reading for page in read_book(tmp_path / "table.md").pages for _, _, reading in page.rows]
    assert read == [line.removeprefix("= ") for line in lines if line.startswith("= ")]
