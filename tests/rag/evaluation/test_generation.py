"""The generator's prompt alone: drafts are scored by code, by the lines they name and what they must say."""

from typing import Any

import pytest

from rag.config import SAMPLE_LIBRARY
from rag.evaluation.generation import DraftCase, DraftResult, read_cases, run_cases
from tests.scripted import ScriptedModel, drafted

SAMPLE_CASES = SAMPLE_LIBRARY.parent / "generate_cases.jsonl"
PAGE = "A torch burns for 6 turns. A candle burns for 2 turns. Nobody lights a torch under water."

GOOD_DRAFTS: dict[str, list[tuple[str, str]]] = {
    "general-rule": [
        ("No: nobody crosses the Floor between the twelfth bell and the turn of the tide.", "Nobody crosses")
    ],
    "general-rule-in-portuguese": [
        ("Não: ninguém atravessa o Floor entre o décimo segundo sino e a virada da maré.", "Nobody crosses")
    ],
    "silence-forbids-nothing": [],
    "silence-allows-nothing": [],
    "another-word": [("The book prices it in stamps, not in gold: it costs 6 stamps.", "Cost: 6 stamps")],
    "written-calculation": [("Tidesense 4 costs 29 stamps (5 + 3 × 8 = 29).", "Tidesense 1 costs")],
    "condition-kept": [("No, it cannot be cut while the bend stands.", "What it closes")],
    "one-half-is-missing": [("A lamp burns for three bells on one filling.", "It burns")],
}
"""What a good model writes over the sample game's cases, each statement with its line."""

BAD_DRAFTS: dict[str, list[tuple[str, str]]] = {
    "general-rule": [("The rules do not speak of lamplighters.", "A lamp shows")],
    "general-rule-in-portuguese": [("Sim, um acendedor atravessa a pé.", "At any other hour")],
    "silence-forbids-nothing": [("No, tying one takes a quiet place.", "Tying one")],
    "silence-allows-nothing": [("Yes, a lamp burns for three bells.", "It burns")],
    "another-word": [("It costs 6 gold.", "Cost: 6 stamps")],
    "written-calculation": [("Tidesense 4 costs 32 stamps (4 × 8 = 32).", "Tidesense 1 costs")],
    "condition-kept": [("No, it cannot be cut.", "What it closes")],
    "one-half-is-missing": [("A lamp burns for three bells, its oil for two.", "It burns")],
}
"""What a bad one writes."""


def case(**facts: Any) -> DraftCase:
    page = {"book": "Core", "page": "12", "text": PAGE}
    asked = {"id": "torch", "question": "How long does a torch burn?", "pages": [page], "verdict": True}
    return DraftCase.model_validate(asked | facts)


async def result_of(case: DraftCase, *statements: tuple[str, str], missing: str | None = None) -> DraftResult:
    model = ScriptedModel(script={"Draft": lambda prompt: drafted(prompt, *statements, missing=missing)})
    (result,) = await run_cases(model, [case])
    return result


@pytest.mark.parametrize("sample", read_cases(SAMPLE_CASES), ids=lambda case: str(case.id))
async def test_a_good_draft_of_a_sample_case_is_as_expected_and_a_bad_one_is_not(sample: DraftCase) -> None:
    missing = "The oil's price." if sample.missing else None
    good = await result_of(sample, *GOOD_DRAFTS[sample.id], missing=missing)
    bad = await result_of(sample, *BAD_DRAFTS[sample.id])
    assert (good.is_as_expected, bad.is_as_expected) == (True, False), (list(good.faults()), bad)


@pytest.mark.parametrize(
    ("facts", "statement", "fault"),
    [
        ({"cites": ["A torch burns"]}, ("A torch burns for 6 turns.", "A candle"), "not-cited"),
        ({"says": ["6|six", "turn|turns"]}, ("A torch burns for 6 hours.", "A torch"), "not-said"),
        ({}, ("A torch burns for 7 turns.", "A torch"), "unproven"),
        ({}, ("A torch burns for 6 turns.", "no line that is shown"), "unproven"),
        ({}, ("A candle does not burn for 2 turns.", "A candle"), "unproven"),
        ({"calculation": True}, ("A torch burns for 6 turns.", "A torch"), "not-calculated"),
        ({"missing": True}, ("A torch burns for 6 turns.", "A torch"), "missing-untold"),
        ({}, ("Uma tocha queima por 6 turnos.", "A torch"), "other-language"),
        ({"languages": ["pt", "en"]}, ("A torch burns for 6 turns.", "A torch"), "other-language"),
    ],
)
async def test_what_a_draft_does_not_do_is_named(
    facts: dict[str, Any], statement: tuple[str, str], fault: str
) -> None:
    result = await result_of(case(**facts), statement)
    assert fault in {one["fault"] for one in result.to_json()["faults"]}
    assert not result.is_as_expected


async def test_a_gap_may_not_be_told_where_nothing_is_missing() -> None:
    told = await result_of(case(missing=False), ("A torch burns for 6 turns.", "A torch"), missing="All.")
    assert [key for key, _ in told.faults()] == ["case-missing-told"]


async def test_a_ruling_where_the_pages_are_silent_is_not_as_expected() -> None:
    silent = case(question="How long does a lamp burn?", verdict=False)
    ruled = await result_of(silent, ("A torch burns for 6 turns.", "A torch"))
    assert (ruled.has_verdict, ruled.is_as_expected) == (True, False)
    assert (await result_of(silent)).is_as_expected
