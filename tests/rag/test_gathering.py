"""What only a later hop finds reaches the answer: the real graph, a real library, a scripted model."""

from collections.abc import Mapping, Sequence
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


def next_of_the_chain(prompt: str) -> dict[str, Any]:
    """An ideal judge: it asks for whatever the pages name and do not tell."""
    for rule, follows in zip(CHAIN.values(), [*list(CHAIN)[1:], ""], strict=True):
        if follows and rule in prompt and CHAIN[follows] not in prompt:
            return {"sufficient": False, "new_queries": [f"{follows} rule"]}
    return ENOUGH


@pytest.mark.parametrize("wordings", [[], ["Beta stance rule"]], ids=["alone", "sub-questions found B"])
async def test_a_chain_of_named_rules_is_answered_with_its_last_link(
    library: SmallLibrary, wordings: Sequence[str]
) -> None:
    end = CHAIN["Gamma focus"]
    reply, model = await asked(
        library,
        "What comes of an Alpha strike?",
        {
            "SubQuestions": {"sub_questions": list(wordings)},
            "Sufficiency": next_of_the_chain,
            "Draft": lambda prompt: drafted(prompt, (end, end)),
        },
    )
    (prompt,) = model.prompts_for("Draft")
    assert all(rule in prompt for rule in CHAIN.values())
    assert end not in model.prompts_for("Sufficiency")[0]
    assert ([one.text for one in reply.answer.statements], reply.answer.sources[0].page) == ([end], "23")


async def test_of_nine_new_queries_a_hop_four_are_searched_and_each_reaches_the_answer(
    library: SmallLibrary,
) -> None:
    reply, model = await asked(
        library,
        "What comes of an Alpha strike?",
        {
            "SubQuestions": {"sub_questions": []},
            "Sufficiency": {"sufficient": False, "new_queries": WISHES},
            "Draft": lambda prompt: drafted(prompt, *((rule, rule) for rule in GRANTED[:8])),
        },
    )
    (prompt,) = model.prompts_for("Draft")
    assert all(rule in prompt for rule in GRANTED[:8])
    assert {source.page for source in reply.answer.sources} == {str(page) for page in range(24, 32)}


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
