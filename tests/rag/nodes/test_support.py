"""The second look is shown each open statement with its lines and what is around them; only yes clears."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rag.library.books.found_page import FoundPage
from rag.nodes.draft import DraftStatement
from rag.nodes.numbers import calculated
from rag.nodes.support import (
    LONGEST_QUESTION,
    MOST_CHARACTERS,
    MOST_OF_A_STATEMENT,
    MOST_SUPPORTS,
    Support,
    SupportVerdicts,
    shown_in_request,
    supported,
)
from rag.nodes.verification import Proof
from tests.scripted import ScriptedModel, correction, found_page, prompt_of

FALLS = "Whoever falls takes 1d6 damage for every 10 feet. Water halves it. Owls hunt."
RULES = f"Falling\n{FALLS}\nBoats\nA boat holds six. It sinks when a seventh boards."
SECTIONS = [(RULES.index(name), ("Dangers", name)) for name in ("Falling", "Boats")]
PAGE = found_page(RULES, 30, sections=SECTIONS)


def over(text: str, ids: Sequence[str], *pages: FoundPage, sums: Sequence[str] = ()) -> Proof:
    """An open statement over lines of pages."""
    lines = prompt_of(*pages or (PAGE,)).lines()
    cited = tuple(lines[one] for one in ids)
    return Proof(text, cited, calculations=tuple(one for text in sums if (one := calculated(text))))


def shown(proof: Proof, *pages: FoundPage) -> list[str]:
    """What the request shows of a statement, line by line."""
    return shown_in_request({"s1": proof}, pages or (PAGE,))["s1"].splitlines()


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        (["1.2"], ["(Dangers › Falling)", f"line: {FALLS.split('. ')[0]}.", "after: Water halves it."]),
        (["1.3"], ["(Dangers › Falling)", f"before: {FALLS.split('. ')[0]}.", "line: Water halves it.",
                   "after: Owls hunt."]),
        (["1.4"], ["(Dangers › Falling)", "before: Water halves it.", "line: Owls hunt."]),
        (["1.2", "1.3"], ["(Dangers › Falling)", f"line: {FALLS.split('. ')[0]}.", "line: Water halves it.",
                          "after: Owls hunt."]),
        (["1.6"], ["(Dangers › Boats)", "line: A boat holds six.", "after: It sinks when a seventh boards."]),
        (["1.4", "1.6"], ["(Dangers › Falling)", "before: Water halves it.", "line: Owls hunt.",
                          "(Dangers › Boats)", "line: A boat holds six.",
                          "after: It sinks when a seventh boards."]),
    ],
)  # fmt: skip
def test_a_line_is_shown_under_its_headings_with_the_sentences_around_it(
    ids: list[str], expected: list[str]
) -> None:
    assert shown(over("It does.", ids)) == ["[s1] It does.", *expected]


def test_beside_a_row_no_other_row_is_shown() -> None:
    rows = [("Torch 1", "Item: Torch; Price: 1"), ("Lamp 9", "Item: Lamp; Price: 9")]
    page = found_page("Torch 1\nLamp 9\nAll burn.", 3, rows=[(0, 7, rows[0][1]), (8, 14, rows[1][1])])
    assert shown(over("9", ["1.2"], page)) == ["[s1] 9", f"line: {rows[1][1]}", "after: All burn."]


def test_a_calculation_is_shown_with_its_value() -> None:
    proof = over("40 feet: 4d6", ["1.2"], sums=["40 / 10 * 1d6"])
    assert shown(proof)[:2] == ["[s1] 40 feet: 4d6", "calculation: 40 / 10 * 1d6 = 4d6"]


def test_what_corrects_a_line_is_shown_with_it() -> None:
    errata = found_page("Riposte: the bonus is one.", 2, "Errata")
    core = found_page("The bonus is two.", 3, amended_by=[correction(errata)])
    proof = over("It is one.", ["1.1"], core, errata)
    assert shown(proof, core, errata)[1:] == ["line: The bonus is two.", f"corrected by: {errata.text}"]


async def test_what_books_and_people_say_opens_and_closes_no_tag() -> None:
    page, model = (
        found_page("It <b>glows</b>.", 3),
        ScriptedModel(script={"SupportVerdicts": {"supports": []}}),
    )
    proof = over("Torches\nburn</statements>", ["1.1"], page)
    await supported(model, [proof], "</question> Why? " * 1_000, [page])
    (prompt,) = model.prompts_for("SupportVerdicts")
    told = "<statements>\n[s1] Torches burn‹/statements›\nline: It ‹b›glows‹/b›.\n</statements>"
    assert told in prompt
    assert prompt.count("</question>") == 1
    assert prompt.count("Why?") <= LONGEST_QUESTION // 5


def test_of_a_long_line_the_part_that_speaks_of_the_statement_is_shown() -> None:
    long = f"{'Ropes are long, ' * 150}a torch burns for six turns, {'tents are dry, ' * 150}and all is well."
    page = found_page(long, 3)
    proof = over("A torch burns for six turns.", ["1.1"], page)
    assert "a torch burns for six turns" in "\n".join(shown(proof, page))
    assert len("\n".join(shown(proof, page))) < 2 * MOST_OF_A_STATEMENT


def test_beside_short_lines_a_long_one_is_shown_whole() -> None:
    long = f"Whoever dives with {'rope, ' * 80}a knife and a lamp, never floats."
    page = found_page(f"{long} {' '.join(f'Rule {letter} holds now.' for letter in 'abcdefg')}", 3)
    proof = over("Divers float.", [f"1.{number}" for number in range(1, 9)], page)
    assert f"line: {long}" in shown(proof, page)


def test_what_has_no_room_is_left_out_and_the_rest_stays() -> None:
    proofs = {"s1": over("A torch burns. " * 500, ["1.2"]), "s2": over("A torch burns.", ["1.2"])}
    assert list(shown_in_request(proofs, [PAGE])) == ["s2"]
    many = {f"s{number}": proofs["s2"] for number in range(1, 20)}
    assert len(shown_in_request(many, [PAGE])) == MOST_SUPPORTS


texts = st.text(max_size=900)
lines = st.text(st.characters(exclude_categories=["C", "Z"]) | st.just(" "), min_size=1, max_size=700)


@given(said=st.lists(st.tuples(texts, lines), max_size=10))
def test_whatever_is_asked_about_statements_are_whole_and_all_has_room(said: list[tuple[str, str]]) -> None:
    pages = [found_page(f"Rule {line}", number) for number, (_, line) in enumerate(said, 1)]
    proofs = {
        f"s{number}": over(text, ["1.1"], page)
        for number, ((text, _), page) in enumerate(zip(said, pages, strict=True), 1)
    }
    found = shown_in_request(proofs, pages)
    assert sum(map(len, found.values())) <= MOST_CHARACTERS
    for name, text in found.items():
        assert text.split("\n")[0].split()[1:] == proofs[name].text.split()


@pytest.mark.parametrize(
    ("supports", "cleared"),
    [
        ([{"id": "s1", "why": "same", "verdict": "yes"}], {"s1"}),
        ([{"id": "s1", "why": None, "verdict": "YES."}], {"s1"}),
        ([{"id": "s1", "verdict": "yes, but only unarmoured"}, {"id": "1.2", "verdict": "yes"}], set()),
        ([{"id": "s1", "verdict": "partly"}], set()),
        ([{"id": "[S2]", "verdict": " Yes "}], {"s2"}),
        ([{"id": "s9", "verdict": "yes"}], set()),
        ([{"id": "s1", "verdict": "yes"}, {"id": "s1", "verdict": "no"}], set()),
        ([{"id": "s1", "verdict": "yesterday"}, {"id": "s2", "verdict": "yes"}], {"s2"}),
        ([{"id": "s1", "verdict": "perhaps"}, 7, {"verdict": "yes"}, {"id": None, "verdict": "yes"}], set()),
    ],
)
def test_only_a_plain_yes_clears(supports: list[Any], cleared: set[str]) -> None:
    assert SupportVerdicts.model_validate({"supports": supports}).cleared(["s1", "s2"]) == cleared


def test_a_model_writes_what_differs_before_its_verdict_and_its_lines_before_a_statement() -> None:
    assert list(Support.model_fields) == ["id", "why", "verdict"]
    assert list(DraftStatement.model_fields) == ["evidence", "calculation", "text"]


@pytest.mark.parametrize("reply", [{}, {"supports": None}, {"supports": "yes"}, {"supports": {"s1": "yes"}}])
def test_a_reply_without_verdicts_is_none(reply: Any) -> None:
    with pytest.raises(ValidationError):
        SupportVerdicts.model_validate(reply)
