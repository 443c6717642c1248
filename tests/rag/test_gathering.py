"""What only a later hop finds reaches the answer: the real graph, a real library, a scripted model."""

from collections.abc import Mapping
from typing import Any

import pytest

from rag.graph import RulesGraph
from rag.state import Reply
from tests.rag.library.small_library import SmallLibrary, hashed_model, parsed_book
from tests.scripted import ScriptedModel, drafted

ENOUGH = {"sufficient": True, "new_queries": []}
WISHES = [
    f"blessing of saint {name}" for name in ("Oda", "Ulf", "Pia", "Rok", "Sif", "Tal", "Urd", "Vox", "Wyn")
]
GRANTED = [f"{wish.title()}: it is worth {number} coins." for number, wish in enumerate(WISHES, start=2)]
CHAIN = {
    "Alpha strike": "Alpha strike works as Beta stance.",
    "Beta stance": "Beta stance is modified by Gamma focus.",
    "Gamma focus": "Gamma focus gives seven dice.",
}
FILLER = [
    f"Camp life, part {number}. What comes of rain, and of a strike of thunder. " * 9 for number in range(20)
]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> SmallLibrary:
    """A book of many pages that speak of nothing else, between them those of a chain and of nine wishes."""
    small = SmallLibrary(tmp_path_factory.mktemp("gathering"))
    rules = [f"{rule} {name} is old. " * 3 for name, rule in CHAIN.items()]
    small.put_parsed("core.pdf", parsed_book(*FILLER, *rules, *GRANTED, title="Core"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rag.library.ingest.read_books.read_books", small.read_here)
        small.ingest()
    return small


async def asked(small: SmallLibrary, question: str, script: Mapping[str, Any]) -> tuple[Reply, ScriptedModel]:
    model = ScriptedModel(script={"SupportVerdicts": {"supports": []}, **script})
    events = [event async for event in RulesGraph(small.open(), model, hashed_model()).ask(question)]
    assert isinstance(events[-1], Reply)
    return events[-1], model


async def test_what_only_the_second_hop_found_is_answered_after_a_third(library: SmallLibrary) -> None:
    found = GRANTED[0]

    def judged(prompt: str) -> dict[str, Any]:
        wishes = WISHES[1:4] if found in prompt else WISHES[:1]
        return {"sufficient": False, "new_queries": wishes}

    reply, model = await asked(
        library,
        "What comes of an Alpha strike?",
        {
            "SubQuestions": {"sub_questions": []},
            "Sufficiency": judged,
            "Draft": lambda prompt: drafted(prompt, (found, found)),
        },
    )
    assert reply.hops == 3
    assert found not in model.prompts_for("Sufficiency")[0]
    assert [source.quote for source in reply.answer.sources if source.page == "24"]
