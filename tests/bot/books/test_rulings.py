"""Rulings lie in files by server and game, which people may edit."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.books.rulings import TableRulings
from bot.storage.files import files_set_aside
from rag.library.books.ruling import Ruling

HERE, THERE = 1, 2
NOW = datetime(2026, 5, 3, 20, 0, tzinfo=UTC)
LAMPS = Ruling("How far does a lamp shine?", "Lamps – W12", "Three paces.", NOW.date(), game="Tides")


def test_of_what_several_gms_rule_at_once_nothing_is_lost(tmp_path: Path) -> None:
    rulings = TableRulings(tmp_path)
    ruled = [replace(LAMPS, rule=f"Rule {number % 4}", text=f"{number} paces.") for number in range(16)]
    with ThreadPoolExecutor(max_workers=8) as gms:
        superseded = list(gms.map(lambda ruling: rulings.add(HERE, ruling), ruled))
    assert {one.text for one in rulings.all(HERE, "Tides")} == {one.text for one in ruled}
    assert sorted(one.rule for one in rulings.holding(HERE)) == ["Rule 0", "Rule 1", "Rule 2", "Rule 3"]
    assert superseded.count(False) == 4


def test_what_holds_for_a_session_ends_with_it(tmp_path: Path) -> None:
    at = [NOW]
    rulings = TableRulings(tmp_path, lambda: at[0])
    rulings.add(HERE, replace(LAMPS, until=NOW + timedelta(hours=12)))
    assert len(rulings.holding(HERE)) == 1
    at[0] += timedelta(hours=12)
    assert rulings.holding(HERE) == []


def test_a_file_that_somebody_edits_counts_at_once(tmp_path: Path) -> None:
    rulings = TableRulings(tmp_path)
    rulings.add(HERE, LAMPS)
    path = tmp_path / "rulings" / str(HERE) / "Tides.md"
    path.write_text(path.read_text(encoding="utf-8").replace("Three", "Seven"), encoding="utf-8")
    assert [one.text for one in rulings.holding(HERE)] == ["Seven paces."]


def test_a_file_that_is_no_text_is_set_aside_and_told_in_its_server_alone(tmp_path: Path) -> None:
    rulings = TableRulings(tmp_path)
    rulings.add(HERE, LAMPS)
    path = tmp_path / "rulings" / str(HERE) / "Tides.md"
    path.write_bytes("# Tides\n\n## Lâmpadas\n".encode("utf-16"))
    assert rulings.holding(HERE) == []
    assert [len(files_set_aside(tmp_path, server)) for server in (HERE, THERE)] == [1, 0]
