"""Rulings are kept as Markdown that people read and edit, and read back as they were."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from rag.library.books.ruling import Ruling, as_markdown, parsed, with_ended, with_ruling

NOW = datetime(2026, 5, 3, 20, 0, tzinfo=UTC)
BLEEDING = Ruling(
    question="How fast does one bleed?",
    rule="Bleeding – B420",
    text="1 HP every 30 seconds.",
    made=NOW.date(),
    game="GURPS",
)


def test_a_file_of_rulings_is_plain_to_read() -> None:
    evening = replace(BLEEDING, rule="", until=NOW + timedelta(hours=12))
    assert as_markdown("GURPS", [BLEEDING, evening]) == (
        "# GURPS\n\n"
        "## Bleeding – B420\n\n- made: 2026-05-03\n- question: How fast does one bleed?\n\n"
        "1 HP every 30 seconds.\n\n"
        "## How fast does one bleed?\n\n- made: 2026-05-03\n- until: 2026-05-04T08:00+00:00\n\n"
        "1 HP every 30 seconds.\n"
    )


LINES = (
    st.text(st.sampled_from("ab#- \\:1"), min_size=1).map(lambda text: " ".join(text.split())).filter(bool)
)
TEXTS = st.text(st.sampled_from("ab#- \\:\n1"), min_size=1).map(str.strip).filter(bool)


@given(st.lists(st.builds(replace, st.just(BLEEDING), question=LINES, rule=LINES, text=TEXTS)))
def test_whatever_a_ruling_says_is_read_back(rulings: list[Ruling]) -> None:
    assert parsed(as_markdown("GURPS", rulings), "GURPS") == rulings


def test_a_ruling_on_the_same_rule_supersedes_the_one_before() -> None:
    again = replace(BLEEDING, rule="bleeding - b420", text="1 HP a minute.")
    old, new = with_ruling([BLEEDING], again, NOW + timedelta(days=1))
    assert (old.superseded, new.superseded) == (date(2026, 5, 4), None)
    assert [one.holds(NOW) for one in (old, new)] == [False, True]


def test_a_ruling_holds_until_it_is_ended_or_its_session_is_over() -> None:
    (ended,) = with_ended([BLEEDING], BLEEDING.heading, NOW)
    evening = replace(BLEEDING, until=NOW)
    before = NOW - timedelta(minutes=1)
    assert not ended.holds(NOW)
    assert [evening.holds(before), evening.holds(NOW)] == [True, False]
