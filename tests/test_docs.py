"""The pages of `docs` name what the program has: every key that is printed, every prompt."""

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from rag.cli.library import FACTS_OF_A_PAGE
from rag.config import PromptName, Settings
from rag.evaluation.questions import TYPES, GoldPage, GoldQuestion
from rag.library.books.book import BookSummary
from rag.library.books.health import BookHealth
from rag.nodes.verification import Fault
from rag.state import (
    AbsentPage,
    AmbiguousPage,
    DroppedStatement,
    Followed,
    Judgement,
    Outcome,
    Overruled,
    Source,
    Statement,
)
from tests.conftest import ROOT, Run

JSON = ROOT / "docs" / "json.md"
MODELS = ROOT / "docs" / "models.md"
KEY = re.compile(r"^\| `(\w+)` \|", re.MULTILINE)


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
        ("An ambiguous page", AmbiguousPage),
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


def test_every_outcome_reason_and_kind_of_question_is_named() -> None:
    named = set(re.findall(r"`([\w-]+)`", JSON.read_text(encoding="utf-8")))
    assert named >= {*Outcome, *(fault.value for fault in Fault), *TYPES}


@pytest.mark.slow
def test_an_answer_has_the_documented_keys(rag: Run) -> None:
    reply: dict[str, Any] = json.loads(rag("ask", "How much does Tidesense 3 cost?", "--json").stdout)
    assert sorted([*reply, "money"]) == sorted(documented()["`ask --json`"])
    assert list(reply["tokens"]) == documented()["Tokens"]
    assert list(reply["questions"][0]) == documented()["A searched question"]


def test_every_setting_of_a_model_is_explained() -> None:
    text = MODELS.read_text(encoding="utf-8")
    prefixes = ("chat_", "openai_", "model_", "prompt_", "embedding_", "price_", "question_")
    settings = [name.upper() for name in Settings.model_fields if name.startswith(prefixes)]
    assert [name for name in settings if f"`{name}`" not in text] == []


def test_every_prompt_is_named_and_the_lines_that_publish_them_are_python() -> None:
    text = MODELS.read_text(encoding="utf-8")
    assert [name for name in get_args(PromptName) if f"`{name}`" not in text] == []
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    compile(code, "models.md", "exec")
