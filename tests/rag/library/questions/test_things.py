"""A follow-up that names another thing asks the question before about that."""

from rag.library.questions.things import names_topic, of_another_thing
from rag.state import Thing

WARES = Thing(words="rope of wire", kind=["Rope of wire", "Glowlamp", "Mule"], language="en")
HEADING = Thing(words="thief", kind=[], language="en")


def test_the_new_name_takes_the_place_of_one_of_its_kind() -> None:
    before = "what does a rope of wire cost a thief"
    asked = ["and a mule?", "what about the cleric", "and a wagon?", "and the cost?"]
    meant = [of_another_thing(one, before, [WARES, HEADING], {"cleric"}.__contains__) for one in asked]
    assert meant == ["what does a mule cost a thief", "what does a rope of wire cost a cleric", None, None]


def test_a_question_names_a_topic_by_more_than_a_word_to_ask_with() -> None:
    topics = {"rule", "storm lamp"}.__contains__
    assert names_topic("how far does a storm lamp light?", topics)
    assert not names_topic("which rule applies here?", topics)
