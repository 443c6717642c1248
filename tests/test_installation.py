"""What is installed, by hand, by a host, in a container; what packages declare and never load is left out."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from rag import __version__
from tests.conftest import CERTIFICATES, ROOT, clean_environment

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
LIGHT = "requirements-light.txt"
LISTS = (LIGHT, "requirements-ocr.txt", "requirements-mcp.txt", "requirements-dev.txt")
MOST_BYTES = 450_000_000
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def pinned(requirements: str) -> list[str]:
    return re.findall(r"^([\w.-]+)==", (ROOT / requirements).read_text(encoding="utf-8"), re.MULTILINE)


def test_the_pages_the_makefile_and_the_workflow_name_the_pythons_that_the_package_takes() -> None:
    takes = SpecifierSet(PROJECT["project"]["requires-python"])
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8"))
    tested = workflow["jobs"]["test"]["strategy"]["matrix"]["python"]
    minors = [f"3.{minor}" for minor in range(30) if f"3.{minor}" in takes]
    assert minors == tested
    for page in ("Makefile", "README.md", "CONTRIBUTING.md", "docs/installation.md", "docs/hosting.md"):
        assert f"Python {minors[0]} to {minors[-1]}" in (ROOT / page).read_text(encoding="utf-8")


def test_no_list_but_that_for_any_installer_asks_for_what_is_left_out() -> None:
    left_out = {one.partition(";")[0].strip() for one in PROJECT["tool"]["uv"]["override-dependencies"]}
    assert not left_out & {name for requirements in LISTS for name in pinned(requirements)}


def test_what_is_installed_to_run_is_small() -> None:
    files = [file for package in installed(LIGHT) for file in package.files or ()]
    assert 0 < sum(file.size or 0 for file in files) < MOST_BYTES


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
def test_a_host_installs_the_requirements_and_starts_the_line_of_the_procfile(
    tmp_path: Path, checkout: Path
) -> None:
    # As pip does, by hashes and with all that each package declares; the workflow has pip itself do it.
    programs = tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    environment = clean_environment(
        PATH=f"{programs}{os.pathsep}{os.environ['PATH']}", VIRTUAL_ENV=str(programs.parent)
    )
    del environment["SSL_CERT_FILE"]
    environment |= CERTIFICATES
    run = partial(subprocess.run, cwd=checkout, env=environment, capture_output=True, text=True)
    uv = Path(sys.executable).parent / "uv"
    assert run([uv, "venv", "--no-config", programs.parent]).returncode == 0
    install = [uv, "pip", "install", "--no-config"]
    installed = run([*install, "--require-hashes", "-r", "requirements.txt"])
    assert installed.returncode == 0, installed.stderr
    started = run(shlex.split((ROOT / "Procfile").read_text().removeprefix("worker:")))
    assert (started.returncode, "DISCORD_TOKEN" in started.stderr) == (1, True), started.stderr
    assert run([*install, "--no-deps", ROOT]).returncode == 0
    (folder := tmp_path / "books").mkdir()
    untried = run([programs / "rules-bot", "ask", "How much does Tidesense 3 cost?"], cwd=folder)
    assert untried.stderr.endswith("run: rules-bot ingest\n")
    assert run([programs / "rules-bot", "ingest"], cwd=folder).returncode == 0
    asked = run([programs / "rules-bot", "ask", "How much does Tidesense 3 cost?"], cwd=folder)
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


@pytest.mark.skipif(os.name == "nt", reason="the script is one of a POSIX shell")
@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("true", f"Tagged v{__version__}."),
        ("touch new", "not committed"),
        (f"git tag v{__version__}", "tagged already"),
        ("git tag v99.0.0", "v99.0.0 is newer"),
        (
            "sed '4s/^$/* New./' CHANGELOG.md > n && mv n CHANGELOG.md && git commit -qam n",
            "under “Unreleased”",
        ),
        ("git rm -q CHANGELOG.md && git commit -qm gone", "CHANGELOG.md has no"),
        ("echo 'echo fails; exit 1' >> .ci/run && git commit -qam broken", "fails"),
    ],
)
def test_a_version_is_tagged_only_where_all_is_in_order(tmp_path: Path, before: str, said: str) -> None:
    for name in (".ci/release", "rag/__init__.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    changes = f"# Changes\n\n## [Unreleased]\n\n## [{__version__}] - 2026-11-26\n\n* All.\n"
    (tmp_path / "CHANGELOG.md").write_text(changes, encoding="utf-8")
    settings = clean_environment(HOME=str(tmp_path))
    sh = partial(subprocess.run, shell=True, cwd=tmp_path, env=settings, capture_output=True, text=True)
    sh("git config --global user.name A; git config --global user.email A; git init -qb main")
    sh(f"cp -p .ci/release .ci/run; : > .ci/run; git add .; git commit -qm first; {before}")
    tags, released = sh("git tag").stdout, sh(".ci/release")
    assert said in released.stdout + released.stderr
    assert (sh("git tag").stdout == tags) == (released.returncode != 0)
