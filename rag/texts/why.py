"""Why an answer is as it is: how it was found, hop by hop, as blocks for embeds and terminal alike; pure."""

from collections.abc import Iterator

from rag.state import Judgement, Origin, Trace
from rag.texts import Texts
from rag.texts.blocks import Block, Role


def why_blocks(trace: Trace, texts: Texts) -> list[Block]:
    """A block a hop, then what no page said, what was not claimed, and what it cost."""
    dropped = [texts("why-dropped-statement", text=one.text, reason=one.reason) for one in trace.dropped]
    steps = {
        **{texts("why-hop", hop=hop): _hop(trace, hop, texts) for hop in range(1, trace.hops + 1)},
        texts("why-missing"): [trace.missing] if trace.missing else [],
        texts("why-dropped"): dropped,
    }
    blocks = [Block(Role.LIST, "\n".join(lines), title) for title, lines in steps.items() if lines]
    return [*blocks, Block(Role.FOOTER, " · ".join(_costs(trace, texts)))]


def _hop(trace: Trace, hop: int, texts: Texts) -> list[str]:
    """What was searched in a hop, what was followed from there, and what the model thought of it."""
    searched = [
        texts("why-searched", query=one.query, origin=one.origin.value)
        for one in trace.queries
        if one.hop == hop and one.origin is not Origin.FOLLOWED
    ]
    wanted = [reference for judgement in trace.judgements for reference in judgement.references]
    followed = [
        texts("why-followed", origin=one.origin, target=one.target, changed=one.changed or "none")
        for one in [*wanted, *trace.followed]
        if one.hop == hop
    ]
    judged = [texts("why-judged", verdict=_verdict(one)) for one in trace.judgements if one.hop == hop]
    return [*searched, *dict.fromkeys(followed), *judged]


def _verdict(judgement: Judgement) -> str:
    """What the model thought of the pages found so far."""
    if judgement.sufficient is None:
        return "none"
    if judgement.sufficient:
        return "enough"
    return "missing" if judgement.queries or judgement.references else "at-a-loss"


def _costs(trace: Trace, texts: Texts) -> Iterator[str]:
    """Hops and seconds, then what was used of the model."""
    used = trace.usage
    yield texts("footer", strategy=trace.strategy, hops=trace.hops, seconds=trace.seconds)
    yield texts("why-calls", calls=used.calls)
    if used.calls:
        estimated = "yes" if used.estimated else "no"
        yield texts("why-tokens", sent=used.input_tokens, received=used.output_tokens, estimated=estimated)
    if used.money is not None:
        yield texts("why-money", money=float(used.money))
