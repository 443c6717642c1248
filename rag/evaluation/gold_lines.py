"""Which lines of a prompt hold the gold quotations of a question; pure."""

from collections.abc import Mapping

from rag.evaluation.questions import GoldPage, GoldQuestion
from rag.nodes.citations import canonical, find_quote, quote_parts
from rag.state import PageId
from rag.strategies.lines import CitedLine


def quoted_lines(lines: Mapping[str, CitedLine], gold: GoldPage) -> tuple[str, ...] | None:
    """The ids of the lines that hold a gold quotation, None where one of them is not shown.

    Where there is no quotation, those of the page.
    """
    by_page: dict[PageId, dict[str, CitedLine]] = {}
    for name, cited in lines.items():
        by_page.setdefault(cited.page.id, {})[name] = cited
    if not gold.quote:
        return tuple(by_page[gold.id]) if gold.id in by_page else None
    # The page itself first; other pages may print the same words.
    for page in sorted(by_page, key=lambda page: page != gold.id):
        found = [_holding(part, by_page[page]) for part in quote_parts(gold.quote)]
        if found and all(found):
            return tuple(dict.fromkeys(name for part in found for name in part or ()))
    return None


def _holding(quote: str, shown: Mapping[str, CitedLine]) -> list[str] | None:
    """The ids of a page's lines over which a quotation runs, None unless all of it is shown."""
    page = next(iter(shown.values())).page
    wanted = canonical(quote).characters.strip()
    inside = canonical(" ".join(cited.line.printed for cited in shown.values())).characters
    if wanted not in inside:
        return None
    span = find_quote(quote, page.text)
    if span is None:
        return [name for name, one in shown.items() if wanted in canonical(one.line.printed).characters]
    return [name for name, one in shown.items() if one.line.span.overlaps(span)]


def in_prompt(lines: Mapping[str, CitedLine], question: GoldQuestion) -> tuple[str, ...] | None:
    """The ids of the lines that hold every gold quotation of a question, None unless all are shown.

    Where one page answers, each further good page does as well.
    """
    found = [quoted_lines(lines, page) for page in question.gold]
    if all(found):
        return tuple(dict.fromkeys(name for ids in found for name in ids or ()))
    others = (quoted_lines(lines, page) for page in question.also_ok if len(question.gold) == 1)
    return next((ids for ids in others if ids), None)
