"""A follow-up that names another thing asks the question before about that."""

import pytest

from rag.library.questions.things import doer_asked, names_topic, of_another_thing, things_named
from rag.nodes.citations import passage_source
from rag.state import Thing
from rag.strategies.lines import lines_of
from tests.scripted import found_page

WARES = Thing(words="rope of wire", kind=["Rope of wire", "Glowlamp", "Mule"], language="en")
HEADING = Thing(words="thief", kind=[], language="en")


def test_the_new_name_takes_the_place_of_one_of_its_kind() -> None:
    before = "what does a rope of wire cost a thief"
    asked = ["and a mule?", "what about the cleric", "and a wagon?", "and the cost?"]
    meant = [of_another_thing(one, before, [WARES, HEADING], {"cleric"}.__contains__) for one in asked]
    assert meant == ["what does a mule cost a thief", "what does a rope of wire cost a cleric", None, None]


def test_a_label_takes_the_place_of_another_of_the_same_passage() -> None:
    page = found_page("Armor Class: 15\nXP: 240")
    lines = lines_of(page)
    things = things_named("ogre xp", [passage_source(page, lines, lines[1:], ())], [page], {})
    assert of_another_thing("and its ac?", "ogre xp", things, lambda _: True) == "ogre ac"


def test_of_two_columns_that_are_asked_for_the_one_of_its_kind_is_replaced() -> None:
    row = "7  9  +5"
    page = found_page(row, rows=[(0, len(row), "Fighter Level: 7; Thief Level: 9; Attack Bonus: +5")])
    question = "fighter lvl 7 attack bonus"
    things = things_named(question, [passage_source(page, lines_of(page), lines_of(page), ())], [page], {})
    assert of_another_thing("and a thief?", question, things, bool) == "thief lvl 7 attack bonus"


@pytest.mark.parametrize(
    ("question", "doers"),
    [
        ("may a thief wear chain mail?", ["thief"]),
        ("stuck here, can my magic user swim", ["magic user"]),
        ("o mago pode usar espada?", ["mago"]),
        ("can I carry a thief?", []),
        ("there is a thief, how far can he swim?", []),
        ("can a thief swim 30 feet?", []),
        ("price of mail that a thief can wear", []),
        ("o preço do mago", []),
    ],
)
def test_who_is_asked_about_stands_first_where_it_is_asked_whether_he_may(
    question: str, doers: list[str]
) -> None:
    assert doer_asked(question, {"thief", "magic user", "magic", "mago", "chain mail"}.__contains__) == doers


def test_a_question_names_a_topic_by_more_than_a_word_to_ask_with() -> None:
    topics = {"rule", "storm lamp"}.__contains__
    assert names_topic("how far does a storm lamp light?", topics)
    assert not names_topic("which rule applies here?", topics)
