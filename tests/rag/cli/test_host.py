"""What whoever hosts the program types: choosing a model, checking what is there."""

import io
import os
import re
import sys
from argparse import Namespace
from pathlib import Path

import pytest

from rag import __version__
from rag.cli.host import EVENING, Provider, model, providers
from rag.config import EMBEDDED, Settings
from rag.errors import ConfigurationError
from rag.texts import texts_for
from tests.conftest import ROOT, Run
from tests.model_server import ModelServer, no_fault, refuses

WRITTEN = {"CHAT_MODEL": "small", "PRICE_INPUT": "0.5", "PRICE_OUTPUT": "1"}


async def test_a_provider_is_written_into_the_settings_once_it_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = "# Ours\nGM_ROLE=Keeper\nCHAT_MODEL=former\nSUPPORT_MODEL=other\nEMBEDDING_MODEL=embedded\n"
    (file := tmp_path / ".env").write_text(before)
    monkeypatch.setitem(Settings.model_config, "env_file", str(file))
    monkeypatch.setattr("rag.cli.host.getpass", lambda prompt: "secret")
    async with ModelServer({"": {}}, fault=refuses(401)) as server:
        offered = Provider("Own", "keys", "prices", "2026", WRITTEN | {"OPENAI_BASE_URL": server.url})
        monkeypatch.setattr("rag.cli.host.providers", lambda: [offered])
        monkeypatch.setattr(sys, "stdin", io.StringIO("1\n1\n"))
        assert await model(Namespace(), Settings(), texts_for("en")) == 1
        assert file.read_text() == before
        assert "your key at keys; then choose Own again." in capsys.readouterr().err
        server.fault = no_fault
        assert await model(Namespace(), Settings(), texts_for("en")) == 0
        monkeypatch.setitem(Settings.model_config, "env_file", str(tmp_path / "gone" / ".env"))
        monkeypatch.setattr(sys, "stdin", io.StringIO("1\n"))
        with pytest.raises(ConfigurationError) as refused:
            await model(Namespace(), Settings(), texts_for("en"))
        assert texts_for("en")(refused.value.key, **refused.value.values).endswith(
            "that you may write there."
        )
    lines = file.read_text().splitlines()
    assert lines[:2] == ["# Ours", "GM_ROLE=Keeper"]
    # Passages that stay on this machine go on to stay there.
    wanted = offered.settings | {"OPENAI_API_KEY": "secret", "SUPPORT_MODEL": "", "EMBEDDING_MODEL": EMBEDDED}
    assert {*lines} >= {f"{name}={value}" for name, value in wanted.items()}
    assert os.name == "nt" or file.stat().st_mode & 0o077 == 0


def test_the_version_the_books_and_the_models_are_checked(rag: Run) -> None:
    checked = rag("check")
    assert checked.returncode == 0, checked.stderr
    told = (f"Version {__version__}", "4 books are indexed.", "types: make model")
    assert [sentence for sentence in told if sentence not in checked.stdout] == []


@pytest.mark.parametrize("page", ["models.md", "models.pt-BR.md"])
def test_the_table_of_providers_tells_what_is_offered_and_what_an_evening_costs(page: str) -> None:
    told = (ROOT / "docs" / page).read_text(encoding="utf-8").replace("0,", "0.")
    for one in providers():
        (row,) = re.findall(rf"^\| {one.name} \|.*$", told, re.MULTILINE)
        facts = (one.settings.get("OPENAI_BASE_URL", "–"), one.settings["CHAT_MODEL"])
        assert all(fact in row for fact in (*facts, f"{one.evening:.2f}", one.priced, one.prices)), row
    assert f"| {EVENING} " in told
