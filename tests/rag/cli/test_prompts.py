"""`rag prompts` and `rag prompts test`, with a hub and a model server on loopback."""

import asyncio
import json
from pathlib import Path
from typing import Any, get_args

from rag.config import SAMPLE_LIBRARY, PromptName
from rag.evaluation.sufficiency import SufficiencyCase, verdict_on
from rag.prompts import PROMPT_FILES
from tests.conftest import Run
from tests.langsmith_server import LangSmithServer
from tests.model_server import ModelServer
from tests.rag.prompts.test_hub import manifest
from tests.scripted import ScriptedModel

SAMPLE_CASES = SAMPLE_LIBRARY.parent / "sufficiency_cases.jsonl"


def case(name: str, sufficient: bool, text: str = "Magery costs 5 points.") -> dict[str, Any]:
    pages = [{"book": "Core", "page": "12", "text": text}]
    return {"id": name, "question": "What does Magery cost?", "pages": pages, "sufficient": sufficient}


def write(folder: Path, *cases: dict[str, Any] | str) -> str:
    file = folder / "cases.jsonl"
    lines = [line if isinstance(line, str) else json.dumps(line) for line in cases]
    file.write_text("\n".join(lines), encoding="utf-8")
    return str(file)


def judging(prompt: str) -> dict[str, Any]:
    """Sufficient where a page names the price, as a good model would say."""
    found = "costs 5 points" in prompt
    return {"sufficient": found, "new_queries": [] if found else ["Magery price"]}


async def tested_with_a_model(rag: Run, *arguments: str) -> Any:
    async with ModelServer({"Sufficiency": judging}) as model:
        command = ("prompts", "test", "sufficiency", *arguments)
        return await asyncio.to_thread(rag, *command, OPENAI_BASE_URL=model.url)


def test_the_prompts_are_listed_with_version_and_origin(rag: Run) -> None:
    listed = rag("prompts")
    rows = [line.split() for line in listed.stdout.splitlines()[1:]]
    assert rows == [[name, PROMPT_FILES[name].version, "–", "file"] for name in get_args(PromptName)]


async def test_a_prompt_of_the_hub_is_listed_with_tag_and_commit_and_a_refused_one_with_the_reason(
    rag: Run,
) -> None:
    async with LangSmithServer({"table/rewrite/live": manifest()}) as hub:
        listed = await asyncio.to_thread(
            rag,
            "prompts",
            "--json",
            LANGSMITH_ENDPOINT=hub.url,
            PROMPT_OVERRIDES="rewrite=table/rewrite:live, generate=nowhere",
        )
    origins = {prompt["name"]: prompt["origin"] for prompt in json.loads(listed.stdout)}
    assert origins["rewrite"] == "hub table/rewrite:live@0f1e2d3c"
    assert origins["generate"].startswith("file: LangSmith's hub has no prompt nowhere")
    assert origins["sufficiency"] == "file"


async def test_verdicts_as_expected_are_a_table_and_status_0(rag: Run, tmp_path: Path) -> None:
    cases = write(tmp_path, case("price", True), "", case("no-price", False, "Magery is rare."))
    tested = await tested_with_a_model(rag, cases)
    assert tested.returncode == 0, tested.stderr
    header, *rows = (line.split() for line in tested.stdout.splitlines())
    assert header == ["id", "expected", "sufficient", "new_queries", "as_expected"]
    assert rows == [
        ["price", "True", "True", "True"],
        ["no-price", "False", "False", "Magery", "price", "True"],
    ]


async def test_programs_get_the_verdicts_as_json(rag: Run, tmp_path: Path) -> None:
    cases = write(tmp_path, case("no-price", True, "Magery is rare."))
    tested = await tested_with_a_model(rag, cases, "--json")
    assert json.loads(tested.stdout) == [
        {
            "id": "no-price",
            "expected": True,
            "sufficient": False,
            "new_queries": ["Magery price"],
            "as_expected": False,
        }
    ]


REFERENCE = {"text": "see Powers, p. 100", "origin": "Core p. 12", "target": "Powers p. 100"}


async def test_the_references_of_a_case_stand_in_the_prompt() -> None:
    asked = SufficiencyCase.model_validate(case("x", False) | {"references": [REFERENCE]})
    model = ScriptedModel(script={"Sufficiency": {"sufficient": False, "new_queries": []}})
    await verdict_on(asked, model)
    (prompt,) = model.prompts_for("Sufficiency")
    assert "Powers p. 100: “see Powers, p. 100” on Core p. 12\n" in prompt


def test_a_model_that_gives_no_reply_is_not_as_expected(rag: Run, tmp_path: Path) -> None:
    cases = write(tmp_path, case("price", True))
    tested = rag("prompts", "test", "sufficiency", cases, OPENAI_BASE_URL="http://127.0.0.1:9/v1")
    assert (tested.returncode, tested.stdout.split()[-4:]) == (1, ["price", "True", "–", "False"])


def test_without_a_chat_model_one_line_says_what_to_set(rag: Run, tmp_path: Path) -> None:
    tested = rag("prompts", "test", "sufficiency", write(tmp_path, case("price", True)))
    assert (tested.returncode, tested.stdout) == (1, "")
    (line,) = tested.stderr.splitlines()
    assert "OPENAI_API_KEY" in line


def test_a_malformed_case_names_its_line(rag: Run, tmp_path: Path) -> None:
    nameless = json.dumps(case("x", True) | {"pages": [{"book": "B"}]})
    tested = rag("prompts", "test", "sufficiency", write(tmp_path, case("price", True), nameless))
    assert (tested.returncode, tested.stdout) == (1, "")
    assert "cases.jsonl, line 2: pages.0.page: Field required" in tested.stderr
    assert len(tested.stderr.splitlines()) == 1
