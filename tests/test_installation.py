"""What is installed, by hand, by a host, in a container; what packages declare and never load is left out."""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.conftest import ROOT, clean_environment

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
LIGHT = "requirements-light.txt"
LISTS = (LIGHT, "requirements-ocr.txt", "requirements-dev.txt")
MOST_BYTES = 450_000_000
PROGRAM = """
import bot.client
import chromadb.api.fastapi
from rag.__main__ import main
raise SystemExit(main(["ingest"]) or main(["search", "torch"]))
"""


def left_out() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return [override.partition(";")[0].strip() for override in project["tool"]["uv"]["override-dependencies"]]


def pinned(requirements: str) -> Iterator[str]:
    for line in (ROOT / requirements).read_text(encoding="utf-8").splitlines():
        if name := re.match(r"([\w.-]+)==", line):
            yield name[1]


def test_no_list_but_that_for_any_installer_asks_for_what_is_left_out() -> None:
    assert not {*left_out()} & {name for requirements in LISTS for name in pinned(requirements)}


def test_what_is_installed_to_run_is_small() -> None:
    files = [file for package in installed(LIGHT) for file in package.files or ()]
    assert files
    assert sum(file.size or 0 for file in files) < MOST_BYTES


def test_the_list_for_any_installer_has_all_that_its_packages_ask_for() -> None:
    listed = {canonicalize_name(name) for name in pinned("requirements.txt")}
    wanted = {
        canonicalize_name(requirement.name)
        for package in installed("requirements.txt")
        for requirement in map(Requirement, package.requires or ())
        if not requirement.marker or requirement.marker.evaluate({"extra": ""})
    }
    assert wanted - listed == set()


def installed(requirements: str) -> Iterator[Distribution]:
    """The packages of a list that are here; some are for other machines."""
    for name in pinned(requirements):
        with suppress(PackageNotFoundError):
            yield distribution(name)


@pytest.mark.slow
def test_books_are_read_embedded_and_searched_without_what_is_left_out(tmp_path: Path) -> None:
    refused = tmp_path / "refused"
    refused.mkdir()
    for name in left_out():
        (refused / f"{name}.py").write_text(f"raise ImportError('{name} is left out')")
    read_and_search(tmp_path, sys.executable, PYTHONPATH=str(refused))


def read_and_search(tmp_path: Path, python: str, **variables: str) -> None:
    books = tmp_path / "books"
    books.mkdir()
    (books / "caves.txt").write_text("A torch burns for an hour.")
    folders = {"LIBRARY_DIR": books, "INDEX_DIR": tmp_path / "index", "DATA_DIR": tmp_path / "data"}
    environment = clean_environment(**{name: str(path) for name, path in folders.items()}, **variables)
    run = subprocess.run([python, "-c", PROGRAM], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "A torch burns for an hour." in run.stdout


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_host_installs_the_requirements_with_pip_and_starts_the_line_of_the_procfile(
    tmp_path: Path, checkout: Path
) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    programs = tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    python = str(programs / "python")
    environment = clean_environment(PATH=f"{programs}{os.pathsep}{os.environ['PATH']}")
    pip = partial(subprocess.run, cwd=checkout, env=environment, capture_output=True, text=True)
    if pip([python, "-m", "pip", "install", "--dry-run", "--retries", "0", "--upgrade", "pip"]).returncode:
        pytest.skip("no package registry can be reached")
    run = pip([python, "-m", "pip", "install", "-r", "requirements.txt"])
    assert run.returncode == 0, run.stderr
    started = pip(shlex.split((ROOT / "Procfile").read_text().removeprefix("worker:")))
    assert (started.returncode, "DISCORD_TOKEN" in started.stderr) == (1, True), started.stderr
    read_and_search(tmp_path, python)
    assert pip([python, "-m", "pip", "install", "--no-deps", str(ROOT)]).returncode == 0
    own = partial(subprocess.run, cwd=tmp_path / "books", env=environment, capture_output=True, text=True)
    assert own([programs / "rules-bot", "ingest"]).returncode == 0
    asked = own([programs / "rules-bot", "ask", "How much does Tidesense 3 cost?"])
    assert "Wading Orders, p. 9" in asked.stdout, asked.stderr


def test_the_container_copies_what_is_sent_to_its_builder_and_has_no_rights() -> None:
    copied = re.findall(r"^COPY (?!--from)(\S+) ", DOCKERFILE, re.MULTILINE)
    sent = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert [name for name in copied if not (ROOT / name).exists() or f"!{name}" not in sent] == []
    bot = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]["bot"]
    folders = [f"{name}={path}" in DOCKERFILE for name, path in bot["environment"].items()]
    assert (bot["read_only"], bot["cap_drop"], "USER 10001" in DOCKERFILE) == (True, ["ALL"], all(folders))


@pytest.mark.skipif(os.name == "nt", reason="the image has a POSIX shell")
@pytest.mark.parametrize(("minutes", "status"), [(1, 0), (3, 1)])
def test_the_container_is_healthy_while_the_bot_touches_its_file(
    tmp_path: Path, minutes: int, status: int
) -> None:
    told = re.findall(r"HEALTHCHECK .*CMD (\[.*\])", DOCKERFILE)[0]
    (alive := tmp_path / "alive").touch()
    os.utime(alive, (alive.stat().st_mtime - 60 * minutes,) * 2)
    command = json.loads(told.replace("/data/users", str(tmp_path)))
    assert subprocess.run(command).returncode == status
