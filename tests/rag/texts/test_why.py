"""Why an answer is as it is, told hop by hop in both languages."""

from decimal import Decimal

import pytest

from rag.nodes.verification import Fault
from rag.state import DroppedStatement, Followed, Judgement, Origin, SearchedQuery, Trace, Usage
from rag.texts import texts_for
from rag.texts.blocks import Role
from rag.texts.why import why_blocks

TRACE = Trace(
    strategy="multi-hop",
    hops=2,
    queries=[
        SearchedQuery(query="How far does a lamp light?", origin=Origin.ASKED, hop=1),
        SearchedQuery(query="lamp range", origin=Origin.SUB_QUESTION, hop=1),
        SearchedQuery(query="fog and light", origin=Origin.JUDGE, hop=2),
    ],
    followed=[Followed(origin="Core p. B102", target="Powers p. MA45", hop=2)],
    judgements=[
        Judgement(hop=1, sufficient=False, queries=["fog and light"]),
        Judgement(hop=2, sufficient=True),
    ],
    missing="What a storm does.",
    dropped=[DroppedStatement(text="It burns for nine hours.", reason="numbers")],
    usage=Usage(calls=4, input_tokens=9000, output_tokens=300, money=Decimal("0.0123")),
    seconds=3.41,
)


def told(trace: Trace, locale: str = "en") -> dict[str, str]:
    """The text of each step under its title; what it cost under "footer"."""
    blocks = why_blocks(trace, texts_for(locale))
    return {block.title or block.role: block.text for block in blocks}


def test_each_hop_tells_its_queries_what_it_followed_and_what_the_model_judged() -> None:
    assert told(TRACE)["Hop 1"].splitlines() == [
        "Searched: “How far does a lamp light?”",
        "Searched as a part of it: “lamp range”",
        "The model judged: something is still missing.",
    ]
    assert told(TRACE)["Hop 2"].splitlines() == [
        "Missing so far, so searched: “fog and light”",
        "Followed a printed reference: Core p. B102 → Powers p. MA45",
        "The model judged: this is enough to answer.",
    ]


def test_what_is_not_claimed_is_told_with_its_reason() -> None:
    assert told(TRACE)["Not claimed: do not rely on it"] == (
        "“It burns for nine hours.” – a number of it stands in none of its lines and is not calculated"
    )


@pytest.mark.parametrize(
    ("locale", "cost"),
    [
        (
            "en",
            "multi-hop · 2 hops · 3.4 s · 4 model calls · 9,000 tokens sent, 300 received · US$ 0.0123",
        ),
        (
            "pt-BR",
            "multi-hop · 2 rodadas · 3,4 s · 4 chamadas ao modelo · "
            "9.000 tokens enviados, 300 recebidos · US$ 0,0123",
        ),
    ],
)
def test_it_ends_with_time_calls_tokens_and_money(locale: str, cost: str) -> None:
    assert told(TRACE, locale)[Role.FOOTER] == cost


def test_a_reference_that_the_judge_wanted_is_told_in_the_hop_that_followed_it() -> None:
    wanted = Followed(origin="Core p. 12", target="Powers p. 3", hop=2)
    trace = TRACE.model_copy(
        update={"judgements": [Judgement(hop=1, sufficient=False, references=[wanted])], "followed": []}
    )
    assert "Core p. 12 → Powers p. 3" in told(trace)["Hop 2"]


@pytest.mark.parametrize(
    ("judgement", "said"),
    [
        (Judgement(hop=1, sufficient=None), "The model did not say whether this is enough."),
        (
            Judgement(hop=1, sufficient=False),
            "The model judged: something is missing; it named nothing new to look for.",
        ),
    ],
)
def test_a_judge_that_failed_or_was_at_a_loss_is_told(judgement: Judgement, said: str) -> None:
    trace = TRACE.model_copy(update={"hops": 1, "judgements": [judgement]})
    assert told(trace)["Hop 1"].splitlines()[-1] == said


def test_every_fault_of_a_statement_has_its_sentence() -> None:
    texts = texts_for("en")
    said = {texts("why-dropped-statement", text="?", reason=fault.value) for fault in Fault}
    assert len(said) == len(Fault)
