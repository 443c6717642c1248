"""A draft is read however a model writes it: ids, texts, calculations, what is missing."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rag.nodes.draft import (
    MAX_STATEMENTS,
    MOST_OF_A_RANGE,
    Draft,
    DraftStatement,
    statement_of,
    whole_statements,
)

TEXT = "Torches burn."
SAID = {"evidence": ["1.1"], "calculation": None, "text": TEXT}


@pytest.mark.parametrize(
    ("evidence", "ids"),
    [(["1.1"], "1.1"), ("1.1", "1.1"), (1.1, "1.1"), ([{"id": "1.1"}], "1.1"), ({"id": "[1.1]"}, "1.1"),
     (["1.1, 1.3"], "1.1 1.3"), (["1.1-1.3"], "1.1 1.2 1.3"), (["1.1–3"], "1.1 1.2 1.3"),
     (["[1.2]-[1.3]"], "1.2 1.3"), (["1.3-1.1"], "1.3"), (["x", "²·³", ""], "")],
)  # fmt: skip
def test_ids_are_read_as_models_write_them(evidence: Any, ids: str) -> None:
    assert list(DraftStatement(evidence=evidence, text=TEXT).line_ids) == ids.split()


def test_a_range_names_no_more_lines_than_a_statement_could_mean() -> None:
    drafted = DraftStatement(evidence=["1.2-1.999999999"], text=TEXT)
    assert len(list(drafted.line_ids)) == MOST_OF_A_RANGE + 1


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (SAID, TEXT),
        ([SAID], TEXT),
        ({"statement": SAID}, TEXT),
        ({"text": TEXT}, TEXT),
        (SAID | {"text": ["Torches", "burn."]}, TEXT),
        (SAID | {"role": "verdict"}, TEXT),
        ({"evidence": ["1.1"]}, None),
        ("Torches burn.", None),
    ],
)
def test_a_statement_is_read_as_models_write_it(written: Any, said: str | None) -> None:
    found = statement_of(written)
    assert (found and found.text) == said


@pytest.mark.parametrize(
    ("written", "read"),
    [("40 / 10 * 1d6", "40 / 10 * 1d6"), ("null", None), ("None", None), ("n/a.", None), ("", None),
     ("-", None), (None, None), (4, None), ([], None)],
)  # fmt: skip
def test_what_is_written_for_nothing_is_nothing(written: Any, read: str | None) -> None:
    assert DraftStatement.model_validate(SAID | {"calculation": written}).calculation == read
    assert Draft.model_validate({"statements": [], "missing": written}).missing == read


@pytest.mark.parametrize(
    "statements",
    [[SAID], SAID, {"1": SAID}, [SAID, 7, {"evidence": ["1.2"]}], [[SAID]], [{"statement": SAID}]],
)
def test_a_bad_statement_costs_itself_alone(statements: Any) -> None:
    assert [one.text for one in Draft.model_validate({"statements": statements}).statements] == [TEXT]


def test_a_list_alone_is_a_draft() -> None:
    assert [one.text for one in Draft.model_validate([SAID, SAID]).statements] == [TEXT, TEXT]


@pytest.mark.parametrize(
    "written", [[], [7], "Torches burn.", {"statements": "all"}, {"statements": [7]}, {}]
)
def test_what_has_no_statement_is_no_draft(written: Any) -> None:
    with pytest.raises(ValidationError):
        Draft.model_validate(written)


@pytest.mark.parametrize("end", ["", "</think>"])
def test_a_draft_in_the_models_thoughts_is_not_read(end: str) -> None:
    draft = '{"statements": [{"evidence": [], "text": "So?"}'
    assert whole_statements(f"<think>{draft}{end}") == []
    assert [one.text for one in whole_statements(f"<think>{draft}</think>{draft}")] == ["So?"]


statements = st.builds(
    DraftStatement,
    evidence=st.lists(st.text(max_size=8), max_size=3),
    calculation=st.none() | st.just("2 * 3"),
    text=st.text(max_size=40),
)


@given(said=st.lists(statements, max_size=10), cut=st.integers(0, 1500))
def test_however_much_is_written_the_whole_statements_are_the_first_of_the_draft(
    said: list[DraftStatement], cut: int
) -> None:
    written = Draft(statements=said).model_dump_json()
    begun = whole_statements(written[:cut])
    assert begun == said[: len(begun)]
    assert whole_statements(written) == said[:MAX_STATEMENTS]
