"""A statement is believed over its lines only where code sees no reason to doubt that they say it."""

import sys
from collections.abc import Sequence
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.nodes.clauses import ClauseKind, clause_words, clauses
from rag.nodes.support import (
    MOST_CHARACTERS,
    Reason,
    SupportVerdicts,
    asked_in_request,
    is_disproof,
    shown_in_request,
    speak_of_what_is_asked,
    support_request,
    suspicions,
)
from rag.prompts import load_prompt
from tests.rows import rows

QUESTION = "What do the rules say?"
COSTS = "Magery costs points. "
LONG = asked_in_request("Why? " * 1_000)
TOKENS_OF_SIX = 600
CHARACTERS_A_TOKEN = 4
CALLS_A_CHARACTER = 40


def doubts(
    statement: str, *lines: str, question: str = QUESTION, headings: Sequence[str] = ()
) -> list[Reason]:
    return suspicions(statement, lines, question, ["en"], context=headings)


def doubts_in_portuguese(statement: str, *lines: str) -> list[Reason]:
    return suspicions(statement, lines, "O que dizem as regras?", ["pt", "en"])


@pytest.mark.parametrize(("statement", "line"), rows("rag/nodes/rows/believed.txt"))
def test_the_same_in_other_words_is_believed(statement: str, line: str) -> None:
    assert doubts(statement, line) == []


@pytest.mark.parametrize(("statement", "line"), rows("rag/nodes/rows/left_to_the_model.txt"))
def test_what_is_told_in_other_words_or_languages_is_left_to_the_model(statement: str, line: str) -> None:
    found = doubts_in_portuguese(statement, line)
    assert found
    assert not is_disproof(found)


@pytest.mark.parametrize(("statement", "line"), rows("rag/nodes/rows/disproven.txt"))
def test_the_opposite_in_the_words_of_the_line_is_disproven(statement: str, line: str) -> None:
    assert is_disproof(doubts(statement, line))


@pytest.mark.parametrize(
    ("statement", "is_surely_false"),
    [
        ("Surprised creatures lose their first action.", True),
        ("Personagens recuperam todos os pontos de vida.", True),
        ("Every dragon lights torches.", False),
        ("It may.", False),
        ("The fee rises to 6 crowns.", False),
    ],
)
def test_several_words_of_which_the_lines_have_none_are_disproven(
    statement: str, is_surely_false: bool
) -> None:
    doubted = doubts_in_portuguese(statement, "A storm lamp lights 6 paces.", "Torches burn.")
    assert is_disproof(doubted) is is_surely_false


@pytest.mark.parametrize(("statement", "line", "reason"), rows("rag/nodes/rows/doubted_order.txt"))
def test_words_put_together_in_another_way_are_doubted(statement: str, line: str, reason: str) -> None:
    assert reason in doubts(statement, line)


@pytest.mark.parametrize(("statement", "line"), rows("rag/nodes/rows/doubted_roles.txt"))
def test_a_small_word_that_the_line_lacks_is_doubted(statement: str, line: str) -> None:
    assert Reason.ROLE in doubts_in_portuguese(statement, line)


@pytest.mark.parametrize(
    ("question", "line", "languages", "is_asked"),
    [
        ("How long does a torch burn?", "Normal torches burn for 1d4+4 turns.", ["en"], True),
        ("Por quanto tempo queima uma tocha?", "Normal torches burn for 1d4+4 turns.", ["pt", "en"], True),
        ("May elves wear plate armor?", "Normal torches burn for 1d4+4 turns.", ["en"], False),
        ("Elfos podem usar armaduras?", "Normal torches burn for 1d4+4 turns.", ["pt", "en"], False),
        ("Wie lange brennt eine Fackel?", "Eine Fackel brennt sechs Runden.", ["de"], True),
        ("Wie schwer ist ein Schwert?", "Eine Fackel brennt sechs Runden.", ["de"], False),
        ("And why?", "Normal torches burn for 1d4+4 turns.", ["en"], True),
    ],
)
def test_a_line_speaks_of_what_is_asked_where_it_has_words_of_the_question(
    question: str, line: str, languages: list[str], is_asked: bool
) -> None:
    assert speak_of_what_is_asked([line], question, languages) is is_asked


def test_a_heading_over_a_line_may_speak_of_what_is_asked() -> None:
    line = "They burn for 1d4+4 turns."
    assert not speak_of_what_is_asked([line], "What is a torch?", ["en"])
    assert speak_of_what_is_asked([line], "What is a torch?", ["en"], ["Torches"])


@pytest.mark.parametrize(("statement", "line", "reason"), rows("rag/nodes/rows/doubted.txt"))
def test_what_the_line_does_not_say_is_doubted(statement: str, line: str, reason: str) -> None:
    assert reason in doubts(statement, line)


@pytest.mark.parametrize(("statement", "line", "reason"), rows("rag/nodes/rows/doubted_in_portuguese.txt"))
def test_so_it_is_across_languages(statement: str, line: str, reason: str) -> None:
    assert reason in doubts_in_portuguese(statement, line)


@pytest.mark.parametrize(
    ("question", "statement", "line", "is_believed"), rows("rag/nodes/rows/yes_and_no.txt")
)
def test_yes_and_no_count_by_their_question(
    question: str, statement: str, line: str, is_believed: str
) -> None:
    assert (doubts(statement, line, question=question) == []) is (is_believed == "yes")


def test_the_headings_over_a_line_name_what_it_speaks_of() -> None:
    statement, line = "Halflings add 1 to Initiative.", "They add 1 to Initiative."
    assert Reason.WORD in doubts(statement, line)
    assert doubts(statement, line, headings=["Halflings"]) == []


@pytest.mark.parametrize(
    ("statement", "line", "question", "reason"),
    [
        ("Stride is 2.", "The poison takes 2 Warmth; while it lasts, Stride is 1.", "?", Reason.ORDER),
        ("It has 6 hit dice.", "Hit Dice: 5; Page: 6", "?", Reason.ORDER),
        (
            "Falling deals 1d6 damage per 10 feet.",
            "Falling deals 1d6 damage per 10 feet, up to a maximum of 20d6.",
            "?",
            Reason.LIMIT,
        ),
        (
            "Yes, you can use it on yourself.",
            "The same person can be mended once a day, and nobody can do it to themselves.",
            "Can I use Mend on myself?",
            Reason.ANSWER,
        ),
        (
            "You may move after you attack.",
            "A penalty of -5 is applied to the roll.",
            "Can I move after an attack?",
            Reason.UNRELATED,
        ),
    ],
)
def test_what_scripted_models_passed_off_is_doubted(
    statement: str, line: str, question: str, reason: Reason
) -> None:
    assert reason in suspicions(statement, [line], question, ["en"])


@pytest.mark.parametrize("language", clause_words())
def test_every_listed_phrase_does_what_it_is_listed_for(language: str) -> None:
    listed = [one for phrases in clause_words()[language].phrases.values() for one in phrases]

    def kinds(phrase: Sequence[str]) -> set[ClauseKind]:
        text = f"Zorks {' '.join(phrase)} zinks"
        return {kind for clause in clauses(text, language, (language,)) for kind in clause.kinds}

    assert [phrase for phrase, kind in listed if kind not in kinds(phrase)] == []


def test_a_language_without_a_list_is_not_judged_by_code() -> None:
    line = "Zwerge dürfen keine Langbögen benutzen, weil sie zu klein sind und die Waffe zu groß ist."
    assert suspicions("Dwarves cannot use longbows.", [line], QUESTION, ["en", "de"]) == [Reason.LANGUAGE]


@pytest.mark.parametrize(
    "text",
    ["not " * 2_500, "(" * 10_000, "dragon, but " * 800, " if fire not" * 800, "n't " * 2_500, "a" * 10_000],
)
def test_the_work_grows_with_the_length_of_a_text_and_no_faster(text: str) -> None:
    doubts("warm up", "a line")
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        doubts(text, text)
    finally:
        sys.setprofile(None)
    assert calls < CALLS_A_CHARACTER * 2 * len(text)


@given(st.text(max_size=200), st.text(max_size=200), st.text(max_size=100))
def test_any_text_can_be_asked_about(statement: str, line: str, question: str) -> None:
    assert set(suspicions(statement, [line], question, ["pt", "en"])) <= set(Reason)


def test_the_request_shows_each_statement_with_its_id_and_its_lines_below() -> None:
    lines = ["A torch burns.", "It <b>glows</b>."]
    request = support_request(shown_in_request({"s1": ("Torches\nburn.", lines), "s2": ("It glows.", lines)}))
    below = "A torch burns.\nIt ‹b›glows‹/b›."
    assert request == f"<statements>\n[s1] Torches burn.\n{below}\n\n[s2] It glows.\n{below}\n</statements>"


def test_a_request_stays_small_however_many_statements_there_are_and_however_long() -> None:
    claim = "Dwarves may not use Large weapons over four feet, such as two-handed swords and longbows."
    line = "They may not employ Large weapons more than four feet in length (two-handed swords, polearms)."
    claims = shown_in_request({f"s{number}": (claim, [line]) for number in range(1, 7)})
    assert list(claims.values()) == [(claim, [line])] * 6
    long = {f"s{number}": (COSTS * 50, ["A line of a book. " * 100] * 30) for number in range(8)}
    for shown in (claims, shown_in_request(long)):
        messages = load_prompt("support").messages(question=LONG, statements=support_request(shown))
        assert shown
        assert sum(len(message.text) for message in messages) / CHARACTERS_A_TOKEN < TOKENS_OF_SIX


@pytest.mark.parametrize(
    ("supports", "cleared"),
    [
        ([{"id": "s1", "verdict": "yes"}, {"id": "s2", "verdict": "no"}], {"s1"}),
        ([{"id": "s1", "verdict": "partly"}], set()),
        ([{"id": "[S2]", "verdict": " Yes "}], {"s2"}),
        ([{"id": 2, "verdict": "Yes."}], {"s2"}),
        ([{"id": "s9", "verdict": "yes"}], set()),
        ([{"id": "s1", "verdict": "yes"}, {"id": "s1", "verdict": "no"}], set()),
        ([{"id": "s1", "verdict": "perhaps"}, {"id": "s2", "verdict": "yes"}, 7, {"verdict": "yes"}], {"s2"}),
        ([], set()),
    ],
)
def test_only_a_plain_yes_clears(supports: list[object], cleared: set[str]) -> None:
    assert SupportVerdicts.model_validate({"supports": supports}).cleared(["s1", "s2"]) == cleared


def test_what_is_said_to_be_less_than_supported_is_refused_and_silence_refuses_nothing() -> None:
    said = [{"id": "s1", "verdict": "partly"}, {"id": "s2", "verdict": "yes"}, {"id": "s2", "verdict": "no"}]
    assert SupportVerdicts.model_validate({"supports": said}).refused(["s1", "s2", "s3"]) == {"s1", "s2"}


def test_of_a_long_line_the_request_shows_the_part_that_speaks_of_the_statement() -> None:
    line = f"{'Ropes are long. ' * 150}A torch burns for six turns. {'Tents are dry. ' * 150}"
    (shown,) = shown_in_request({"s1": ("A torch burns for six turns.", [line, "It glows."])}).values()
    assert "A torch burns for six turns." in shown[1][0]
    assert shown[1][1] == "It glows."


def test_what_has_no_room_is_left_out_of_the_request_and_the_rest_stays() -> None:
    claims = {"s1": ("A torch burns. " * 200, ["It burns."]), "s2": ("A torch burns.", ["It burns."])}
    assert list(shown_in_request(claims)) == ["s2"]


@given(st.lists(st.tuples(st.text(max_size=900), st.lists(st.text(max_size=700), max_size=9)), max_size=8))
def test_whatever_is_asked_about_statements_are_whole_and_all_has_room(
    claims: list[tuple[str, list[str]]],
) -> None:
    shown = shown_in_request({f"s{number}": claim for number, claim in enumerate(claims, 1)})
    assert len(support_request(shown)) <= MOST_CHARACTERS + len("<statements>\n\n</statements>")
    for name, (text, _) in shown.items():
        assert text.split() == claims[int(name[1:]) - 1][0].split()


@pytest.mark.parametrize(
    ("statement", "line"),
    [
        ("A crab has a minimum of four claws in all.", "A crab has a maximum of four claws in all."),
        ("The crab may hide unless it is seen.", "The crab may hide if it is seen."),
        ("A weak crab pushes the boat away.", "Strong crabs push boats away."),
        ("The lamp burns less oil in the rain.", "The lamp burns more oil in the rain."),
    ],
)
def test_a_word_turned_into_its_opposite_is_disproven(statement: str, line: str) -> None:
    found = doubts(statement, line)
    assert Reason.TURNED in found
    assert is_disproof(found)


@pytest.mark.parametrize(
    ("statement", "line"),
    [
        ("The first lamp is bright, the second dark.", "Of the lamps one is bright, and the other is dark."),
        ("A crab is not weak.", "A crab is strong."),
        ("Crabs like the light.", "Crabs flee the dark, and they like the light."),
    ],
)
def test_opposites_that_both_sides_have_or_refuse_disprove_nothing(statement: str, line: str) -> None:
    assert not is_disproof(doubts(statement, line))


def test_a_yes_against_a_refusal_is_disproven_though_it_leaves_a_limit_out() -> None:
    found = doubts("Yes, crabs can swim.", "Usually crabs cannot swim.", question="Can crabs swim?")
    assert {Reason.ANSWER, Reason.LIMIT} <= set(found)
    assert is_disproof(found)


def test_a_refusal_told_in_another_clause_is_left_to_the_model() -> None:
    found = doubts("No, not in calm water.", "For calm water or a lake at rest, a crew need not roll.")
    assert Reason.REFUSED_ELSEWHERE in found
    assert not is_disproof(found)
