"""Why an answer is as it is: how it was found, hop by hop, as blocks for embeds and terminal alike; pure."""

from collections.abc import Iterator

from rag.state import ChangedEnd, Judgement, Origin, Trace
from rag.texts import Texts
from rag.texts.blocks import Block, Role

SEARCHES = {
    Origin.ASKED: "why-searched",
    Origin.SUB_QUESTION: "why-sub-question",
    Origin.JUDGE: "why-searched-missing",
}
"""The sentence of a query, by who asked for it."""
FOLLOWED: dict[ChangedEnd | None, str] = {
    None: "why-followed",
    "origin": "why-changed-by",
    "target": "why-changes",
}
"""The sentence of a way from page to page, by the end whose rule is changed, if one is."""
REASONS = {
    "no-line": "why-no-line",
    "numbers": "why-numbers",
    "page-number": "why-page-number",
    "unsupported": "why-unsupported",
    "unshowable": "why-unshowable",
}
"""Why a drafted statement is not claimed, by the reason that programs read."""


def why_blocks(trace: Trace, texts: Texts) -> list[Block]:
    """A block a hop, then what no page said, what was not claimed, and what it cost."""
    hops = {texts("why-hop", hop=hop): _hop(trace, hop, texts) for hop in range(1, trace.hops + 1)}
    steps = {
        **hops,
        texts("why-missing"): [trace.missing] if trace.missing else [],
        texts("why-dropped"): _dropped(trace, texts),
    }
    blocks = [Block(Role.LIST, "\n".join(lines), title) for title, lines in steps.items()]
    return [*(block for block in blocks if block.text), Block(Role.FOOTER, " · ".join(_costs(trace, texts)))]


def _hop(trace: Trace, hop: int, texts: Texts) -> list[str]:
    """What was searched in a hop, what was followed from there, and what the model thought of it."""
    searched = [
        texts(SEARCHES[one.origin], query=one.query)
        for one in trace.queries
        if one.hop == hop and one.origin in SEARCHES
    ]
    wanted = [reference for judgement in trace.judgements for reference in judgement.references]
    followed = [
        texts(FOLLOWED[one.changed], origin=one.origin, target=one.target)
        for one in [*wanted, *trace.followed]
        if one.hop == hop
    ]
    judged = [texts(_verdict(one)) for one in trace.judgements if one.hop == hop]
    return [*searched, *dict.fromkeys(followed), *judged]


def _verdict(judgement: Judgement) -> str:
    """The key of what the model thought of the pages found so far."""
    if judgement.sufficient is None:
        return "why-unjudged"
    if judgement.sufficient:
        return "why-enough"
    is_told = judgement.queries or judgement.references
    return "why-not-enough" if is_told else "why-not-enough-at-a-loss"


def _dropped(trace: Trace, texts: Texts) -> list[str]:
    reasons = [texts(REASONS.get(one.reason, "why-unsupported")) for one in trace.dropped]
    return [
        texts("why-dropped-statement", text=one.text, reason=reason)
        for one, reason in zip(trace.dropped, reasons, strict=True)
    ]


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
