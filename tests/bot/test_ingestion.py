"""What the bot knows of an ingestion that runs beside it."""

from pathlib import Path

import pytest

from bot.ingestion import Reading, reading


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (
            {"stage": "read", "file": "tides/wading-orders.pdf", "done": 10, "total": 25},
            Reading("Wading Orders", 40),
        ),
        ({"stage": "read", "file": "tides/gm/secrets.pdf", "done": 10, "total": 25}, Reading(None, 40)),
        ({"stage": "build", "file": None, "done": 1, "total": 4}, Reading(None, 25)),
        ({"stage": "wait", "file": None, "done": 0, "total": 0}, None),
    ],
)
def test_progress_names_the_book_unless_it_is_for_the_gm(
    tmp_path: Path, event: dict[str, object], told: Reading | None
) -> None:
    assert reading(event, tmp_path) == told


def test_a_declared_book_goes_by_its_title_and_its_audience(tmp_path: Path) -> None:
    (tmp_path / "library.toml").write_text(
        '[[book]]\nfile = "a.pdf"\ntitle = "Powers"\n[[book]]\nfile = "b.pdf"\naudience = "gm"\n'
    )
    event = {"stage": "embed", "done": 2, "total": 5}
    assert reading(event | {"file": "a.pdf"}, tmp_path) == Reading("Powers", 40)
    assert reading(event | {"file": "b.pdf"}, tmp_path) == Reading(None, 40)
