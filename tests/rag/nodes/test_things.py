"""A follow-up that names another thing asks the question before about that."""

import pytest

from rag.nodes.things import of_another_thing
from rag.state import Thing

WARES = Thing(words="rope of wire", kind=["Rope of wire", "Glowlamp", "Mule"], language="en")
HEADING = Thing(words="thief", kind=[], language="en")


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("and a mule?", "what does a mule cost a thief"),
        ("what about the cleric", "what does a rope of wire cost a cleric"),
        ("and a wagon?", None),
        ("and the cost?", None),
    ],
)
def test_the_new_name_takes_the_place_of_one_of_its_kind(question: str, meant: str | None) -> None:
    before = "what does a rope of wire cost a thief"
    assert of_another_thing(question, before, [WARES, HEADING], lambda name: name == "cleric") == meant
