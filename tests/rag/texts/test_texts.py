"""Every sentence a user reads stands in both languages, and every one is used."""

import re
from pathlib import Path

import pytest

from rag.errors import RulesError
from rag.texts import LOCALES, keys, program, texts_for

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("locale", LOCALES)
def test_every_language_has_the_same_sentences(locale: str) -> None:
    assert keys(locale) == keys("en")


@pytest.mark.parametrize(
    "file", sorted(ROOT.glob("*/texts/*.ftl")), ids=lambda file: f"{file.parent.parent.name} {file.stem}"
)
def test_no_sentence_takes_the_place_of_another(file: Path) -> None:
    """Fluent keeps the last of two that bear one key, and says nothing."""
    named = re.findall(r"(?m)^([a-z][a-z0-9-]*) =", file.read_text(encoding="utf-8"))
    assert len(named) == len(set(named)) > 0


def test_every_sentence_is_used_and_every_one_used_is_there() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "rag").rglob("*.py"))
    named = set(re.findall(r'"([a-z]+(?:-[a-z]+)*)"', code)) | {f"ingest-{stage}" for stage in STAGES}
    errors = {error.key for error in _all_errors(RulesError) if error.__module__.startswith("rag.")}
    assert keys("en") - named - errors - {f"mcp-{key}" for key in named | errors} == set()
    assert errors <= keys("en")


@pytest.mark.parametrize(
    ("python", "installed", "typed"),
    [
        (".venv/bin/python", [], f"{Path('.venv/bin/python')} -m rag ingest"),
        ("../elsewhere/python", [], "python -m rag ingest"),
        ("../pipx/bin/python", ["../pipx/bin/rules-bot"], "rules-bot ingest"),
    ],
)
def test_a_sentence_tells_a_command_as_it_is_typed_where_the_program_runs(
    python: str, installed: list[str], typed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder := tmp_path / "program").mkdir()
    monkeypatch.chdir(folder)
    for name in installed:
        (script := (folder / name).resolve()).parent.mkdir(parents=True)
        script.touch(0o755)
    monkeypatch.setattr("sys.executable", str((folder / python).resolve()))
    program.cache_clear()
    try:
        assert texts_for("en")("error-empty-library").endswith(typed)
    finally:
        program.cache_clear()


STAGES = ("wait", "read", "embed", "build")


def _all_errors(error: type[RulesError]) -> set[type[RulesError]]:
    return {error}.union(*(_all_errors(child) for child in error.__subclasses__()))
