"""The pages name what the program has: every variable, key and prompt; and their links lead somewhere."""

import json
import re
import shlex
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from rag.__main__ import _parser
from rag.cli.library import FACTS_OF_A_PAGE
from rag.config import PromptName, Settings
from rag.evaluation.questions import GoldPage, GoldQuestion
from rag.library.books.book import BookSummary
from rag.library.books.health import BookHealth
from rag.nodes.verification import Fault
from rag.state import (
    AbsentPage,
    DroppedStatement,
    Followed,
    Judgement,
    Outcome,
    Overruled,
    PageOfSeveralBooks,
    Source,
    Statement,
)
from tests.conftest import ROOT, Run

JSON = ROOT / "docs" / "json.md"
MODELS = ROOT / "docs" / "models.md"
EVALUATION = ROOT / "docs" / "evaluation.md"
CONFIGURATION = ROOT / "docs" / "configuration.md"
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("[!.]*/*.md")])
KEY = re.compile(r"^\| `(\w+)` \|", re.MULTILINE)
COMMAND = re.compile(r"(?:python -m rag|rules-bot) (?!--version)(\w[^`\n]*)")
LINK = re.compile(r"\]\(([^)\s]+)\)")


def documented(page: Path = JSON) -> dict[str, list[str]]:
    """By heading the keys that the table below it names."""
    parts = re.split(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {heading: KEY.findall(text) for heading, text in zip(parts[1::2], parts[2::2], strict=True)}


@pytest.mark.parametrize(
    ("heading", "model"),
    [
        ("A statement", Statement),
        ("A dropped statement", DroppedStatement),
        ("A source", Source),
        ("An overruled source", Overruled),
        ("An absent page", AbsentPage),
        ("An ambiguous page", PageOfSeveralBooks),
        ("A judgement", Judgement),
        ("Question files", GoldQuestion),
        ("A gold page", GoldPage),
    ],
)
def test_every_field_of_an_object_is_documented(heading: str, model: type[BaseModel]) -> None:
    printed = [name for name, field in model.model_fields.items() if not field.exclude]
    assert sorted(documented()[heading]) == sorted(printed)


def test_every_fact_of_a_book_of_a_page_and_of_a_reference_is_documented() -> None:
    assert documented()["`books --json`"] == [*(field.name for field in fields(BookSummary)), "labels"]
    assert documented()["Health"] == [field.name for field in fields(BookHealth)]
    assert documented()["`search --json`"] == list(FACTS_OF_A_PAGE)
    followed = Followed(origin="Core p. 1", target="Core p. 2").model_dump(by_alias=True)
    assert documented()["A followed reference"] == list(followed)


def test_every_outcome_and_reason_is_named() -> None:
    named = set(re.findall(r"`([\w-]+)`", JSON.read_text(encoding="utf-8")))
    assert named >= {*Outcome, *(fault.value for fault in Fault)}


@pytest.mark.slow
def test_an_answer_has_the_documented_keys(rag: Run) -> None:
    reply: dict[str, Any] = json.loads(rag("ask", "How much does Tidesense 3 cost?", "--json").stdout)
    assert sorted([*reply, "money"]) == sorted(documented()["`ask --json`"])
    assert list(reply["tokens"]) == documented()["Tokens"]
    assert list(reply["questions"][0]) == documented()["A searched question"]


def test_every_setting_of_a_model_is_explained() -> None:
    prefixes = ("chat_", "openai_", "model_", "prompt_", "embedding_", "price_", "question_")
    settings = {name.upper() for name in Settings.model_fields if name.startswith(prefixes)}
    assert settings - {*re.findall(r"`(\w+)`", MODELS.read_text(encoding="utf-8"))} == set()


def test_every_prompt_is_named_and_the_lines_that_publish_them_are_python() -> None:
    models, evaluation = (page.read_text(encoding="utf-8") for page in (MODELS, EVALUATION))
    assert {*get_args(PromptName)} <= {*re.findall(r"`(\w+)`", models)}
    (code,) = re.findall(r"```python\n(.*?)```", evaluation, re.DOTALL)
    compile(code, "evaluation.md", "exec")


def test_every_variable_is_documented_with_its_default() -> None:
    table = CONFIGURATION.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([A-Z_]+)` \| (?:–|`(.+?)`) \|", table, re.MULTILINE)
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert sorted(rows) == sorted(re.findall(r"^([A-Z_]+)=(.*)$", example, re.MULTILINE))


def without_code(page: Path) -> str:
    """The text of a page without its blocks of code, whose “#” begins no heading."""
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> list[str]:
    """What GitHub makes of the headings of a page: small letters, hyphens for spaces, no punctuation."""
    headings = re.findall(r"^#+ (.+)$", without_code(page), re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]


def destinations(page: Path) -> set[tuple[Path, int | None]]:
    """The files that a page leads to, and which heading of theirs; fails where there is no such heading."""
    links = [link.partition("#") for link in LINK.findall(without_code(page)) if "://" not in link]
    targets = [((page.parent / (path or page.name)).resolve(), anchor) for path, _, anchor in links]
    return {(target, anchors(target).index(anchor) if anchor else None) for target, anchor in targets}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    assert [target for target, _ in destinations(page) if not target.is_file()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_on_a_page_is_understood(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for command in COMMAND.findall(text):
        assert _parser().parse_args(shlex.split(command, comments=True)), command
    targets = re.findall(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert {*re.findall(r"(?:^|`)make (\w+)", text, re.MULTILINE)} - {*targets[0].split()} == set()


def test_every_picture_is_light_and_shown_on_a_page() -> None:
    shown = {target for page in PAGES for target, _ in destinations(page)}
    assert [
        path for path in ROOT.glob("docs/*.png") if path not in shown or path.stat().st_size > 60_000
    ] == []


@pytest.mark.parametrize("package", ["rag", "bot"])
def test_every_page_that_a_sentence_of_the_program_names_is_there(package: str) -> None:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / package / "texts").glob("*.ftl")]
    named = re.findall(r"\bdocs/[\w.-]+\.md", " ".join(texts))
    assert [name for name in named if not (ROOT / name).is_file()] == []
