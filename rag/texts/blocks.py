"""An answer as titled blocks, for embeds and terminal alike; pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from rag.state import (
    AbsentPage,
    AnswerWithSources,
    Authority,
    Origin,
    Outcome,
    PageId,
    PassageLine,
    QuotedPart,
    Reply,
    Source,
    Stated,
    StatementRole,
)
from rag.texts import Texts

QUERIES_NAMED = 3


class Role(StrEnum):
    """What a block is to the reader; renderers give each its place and look."""

    VERDICT = "verdict"
    EXPLANATION = "explanation"
    SOURCE = "source"
    MISSING = "missing"
    HEADINGS = "headings"
    NOTICE = "notice"
    LIST = "list"
    """Lines one below the other, under a title."""
    FOOTER = "footer"


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of an answer: what it is, its title ("Core Rules, p. 12") and its text.

    `passage` are the lines of a longer quotation, of which one answers best, or of one with table rows.
    """

    role: Role
    text: str
    title: str = ""
    passage: tuple[PassageLine, ...] = ()


def blocks(reply: Reply, texts: Texts) -> list[Block]:
    """The verdict first, then the explanation, the sources, what is missing, and how it was found."""
    claim = (
        []
        if _is_in_vain(reply.answer)
        else [*_claim(reply, texts), *_overruled(reply.answer, texts), *_game(reply, texts)]
    )
    unavailable = [*_absent(reply, texts), *_ambiguous(reply, texts)]
    return [*claim, *unavailable, *_sources(reply, texts), *_remarks(reply, texts), _footer(reply, texts)]


def stated_blocks(stated: Sequence[Stated], texts: Texts) -> list[Block]:
    """What is proven while the answer is being written; of a verdict that is still checked, its lines."""
    notes = "\n".join(one.text for one in stated if one.role is StatementRole.NOTE)
    shown: list[Block] = []
    for verdict in (one for one in stated if one.role is StatementRole.VERDICT):
        if verdict.is_checking:
            shown += [
                Block(Role.NOTICE, texts("answer-checking")),
                Block(Role.EXPLANATION, verdict.text),
            ]
        else:
            shown.append(Block(Role.VERDICT, verdict.text))
    return [*shown, *([Block(Role.EXPLANATION, notes)] if notes else [])]


def citation(book: str, page: str | None, pdf_page: int, texts: Texts, section: str | None = None) -> str:
    """Book and printed page; where no number is known the section, which names its book, or that of a PDF
    its position there.
    """
    if page is None and section:
        return section
    if page is None:
        return texts("page-unnumbered", book=book, page=str(pdf_page))
    return texts("page-printed", book=book, page=page)


class Quotation(Protocol):
    """What is known of a quotation wherever it is kept."""

    @property
    def book(self) -> str: ...
    @property
    def page(self) -> str | None: ...
    @property
    def pdf_page(self) -> int: ...
    @property
    def section(self) -> str | None: ...
    @property
    def before(self) -> QuotedPart | None: ...
    @property
    def after(self) -> QuotedPart | None: ...


def source_citation(source: Quotation, texts: Texts) -> str:
    """Book and printed page of a quotation; both pages where it runs over a page break."""
    if not source.before and not source.after:
        return citation(source.book, source.page, source.pdf_page, texts, source.section)
    first, last = source.before or source, source.after or source
    if first.page is not None and last.page is not None:
        return texts("pages-printed", book=source.book, first=first.page, last=last.page)
    if first.pdf_page == last.pdf_page:
        return texts("page-unnumbered", book=source.book, page=str(first.pdf_page))
    return texts("pages-unnumbered", book=source.book, first=str(first.pdf_page), last=str(last.pdf_page))


def _is_in_vain(answer: AnswerWithSources) -> bool:
    """Whether all there is to say is which pages are not there, or of which book they are to be told."""
    is_asked_back = bool(answer.absent or answer.ambiguous)
    return answer.outcome is Outcome.PASSAGES and is_asked_back and not answer.sources


def _claim(reply: Reply, texts: Texts) -> list[Block]:
    answer = reply.answer
    if answer.outcome is Outcome.PASSAGES:
        note = texts(answer.notice) if answer.notice else texts("answer-passages-note")
        return [Block(Role.VERDICT, texts("answer-passages")), Block(Role.NOTICE, note)]
    said = {role: _said(answer, role, texts) for role in StatementRole}
    verdict = said[StatementRole.VERDICT] or answer.answer
    if answer.outcome is Outcome.UNPROVEN:
        verdict = texts("answer-unproven")
    notes = said[StatementRole.NOTE]
    if (own := _own_rule_left_out(answer)) is not None:
        notes = "\n".join(filter(None, (texts("answer-by-the-book", said=verdict), notes)))
        verdict = _own_rule(answer, own, texts)
    claim = [Block(Role.VERDICT, verdict)]
    return [*claim, Block(Role.EXPLANATION, notes)] if notes else claim


def _own_rule_left_out(answer: AnswerWithSources) -> int | None:
    """The source of a table's own rule that changes what a verdict rests on, unless the verdict names it."""
    for verdict in (one for one in answer.statements if one.role is StatementRole.VERDICT):
        for one in answer.overruled:
            if one.source in verdict.sources and one.by not in verdict.sources:
                return one.by
    return None


def _own_rule(answer: AnswerWithSources, number: int, texts: Texts) -> str:
    """A table's own rule in place of a verdict, in its own words."""
    source = answer.sources[number]
    place = _place(source, texts)
    return texts("answer-table-first", place=place, quote=source.whole_quote, by=f"[{number + 1}]")


def _overruled(answer: AnswerWithSources, texts: Texts) -> list[Block]:
    """Where a table's own rules stand, and which words of a book they change, each rule and place once."""
    changed: dict[tuple[PageId, str | None], dict[str, list[int]]] = {}
    quoted: dict[tuple[PageId, str | None], list[int]] = {}
    for one in answer.overruled:
        own = answer.sources[one.by]
        rule = own.page_id, own.section
        place = source_citation(answer.sources[one.source], texts)
        changed.setdefault(rule, {}).setdefault(place, []).append(one.source)
        quoted.setdefault(rule, []).append(one.by)
    return [
        Block(
            Role.NOTICE,
            texts(
                "answer-overruled",
                authority=answer.sources[quoted[rule][0]].authority.value,
                by=_numbers(quoted[rule]),
                places=", ".join(f"{place} {_numbers(numbers)}" for place, numbers in places.items()),
            ),
        )
        for rule, places in changed.items()
    ]


def _numbers(sources: Sequence[int]) -> str:
    """Sources by their numbers, each once: "[1][3]"."""
    return "".join(f"[{number + 1}]" for number in dict.fromkeys(sources))


def _said(answer: AnswerWithSources, role: StatementRole, texts: Texts) -> str:
    """The statements of a role, each with the numbers of its sources."""
    return "\n".join(
        " ".join(
            filter(
                None,
                (
                    statement.text,
                    texts("calculated") if statement.calculated else "",
                    "".join(f"[{number + 1}]" for number in statement.sources),
                ),
            )
        )
        for statement in answer.statements
        if statement.role is role
    )


def _partly(answer: AnswerWithSources, texts: Texts) -> list[Block]:
    """That an answer is not whole, and why."""
    if answer.outcome not in (Outcome.PARTLY, Outcome.UNPROVEN):
        return []
    if answer.dropped:
        return [Block(Role.NOTICE, texts("answer-dropped"))] if answer.statements else []
    is_told = answer.missing or answer.notice
    return [] if is_told else [Block(Role.NOTICE, texts("answer-partly"))]


def _searched(reply: Reply, texts: Texts) -> list[Block]:
    """Where nothing was found, what was searched and how much was looked at."""
    if reply.answer.outcome is not Outcome.NOT_FOUND or not reply.questions:
        return []
    queries = [one.question for one in reply.questions if one.origin is not Origin.FOLLOWED]
    pages = {page.id for one in reply.questions for page in one.context}
    named = ", ".join(f"“{query}”" for query in queries[:QUERIES_NAMED])
    return [Block(Role.MISSING, texts("answer-searched", queries=named, pages=len(pages)))]


def _game(reply: Reply, texts: Texts) -> list[Block]:
    """Which game was taken where none was named; of several, which sources are of which."""
    if reply.game is None:
        return []
    if not reply.answer.statements:
        return [Block(Role.NOTICE, texts("answer-game", games=" · ".join(reply.answer.games)))]
    numbers: dict[str, list[int]] = {}
    for number, source in enumerate(reply.answer.sources, start=1):
        numbers.setdefault(source.game or source.book, []).append(number)
    games = [reply.game] if len(numbers) < 2 else [_numbered(game, those) for game, those in numbers.items()]
    return [Block(Role.NOTICE, texts("answer-game", games=" · ".join(games)))]


def _numbered(game: str, sources: Sequence[int]) -> str:
    return f"{game} {' '.join(f'[{number}]' for number in sources)}"


def _absent(reply: Reply, texts: Texts) -> list[Block]:
    return [Block(Role.NOTICE, absence(one, texts)) for one in reply.answer.absent]


def absence(page: AbsentPage, texts: Texts) -> str:
    """Why a page cannot be opened: its book is not here, or has no such number, or none at all."""
    if not page.book:
        return texts("answer-page-nowhere", page=page.page)
    if page.printed and page.numbering == "unread":
        return texts("answer-page-unread", book=page.book, page=page.page, printed=page.printed)
    if page.printed:
        return texts("answer-page-absent", book=page.book, page=page.page, printed=page.printed)
    if page.numbering == "printed":
        return texts("answer-book-absent", book=page.book)
    exists = "yes" if page.is_position else "no"
    return texts(
        "answer-page-unnumbered", book=page.book, page=page.page, numbering=page.numbering, exists=exists
    )


def _ambiguous(reply: Reply, texts: Texts) -> list[Block]:
    return [
        Block(
            Role.NOTICE,
            texts(
                "answer-page-ambiguous",
                count=len(one.books) + one.more,
                page=one.page,
                books=", ".join(one.books),
                more=one.more,
            ),
        )
        for one in reply.answer.ambiguous
    ]


def _sources(reply: Reply, texts: Texts) -> list[Block]:
    """The quotations; each with its game where no statement tells those of several apart."""
    with_games = not reply.answer.statements and len(reply.answer.games) > 1
    return [
        Block(
            Role.SOURCE,
            source.whole_quote,
            f"{_place(source, texts)} · {source.game}"
            if with_games and source.game not in ("", source.book)
            else _place(source, texts),
            source.passage,
        )
        for source in reply.answer.sources
    ]


def _place(source: Source, texts: Texts) -> str:
    """Where a quotation stands, and that it is a table's own rule, or was read by OCR, where it is."""
    place = source_citation(source, texts)
    if source.authority is Authority.RULING and source.made:
        made = source.made
        return texts("place-ruling", place=place, day=made.day, month=made.month, year=str(made.year))
    if source.authority is not Authority.BOOK:
        return texts("place-house-rule", place=place)
    return texts("place-read-by-ocr", place=place) if source.is_ocr else place


def _remarks(reply: Reply, texts: Texts) -> list[Block]:
    answer = reply.answer
    remarks = [*_partly(answer, texts), *_searched(reply, texts)]
    if answer.notice and answer.outcome is not Outcome.PASSAGES:
        remarks.append(Block(Role.NOTICE, texts(answer.notice)))
    if reply.forgotten:
        remarks.append(Block(Role.NOTICE, texts("notice-conversation-evicted")))
    if answer.missing:
        remarks.append(Block(Role.MISSING, texts("answer-missing", missing=answer.missing)))
    if answer.elsewhere:
        places = ", ".join(answer.elsewhere)
        remarks.append(
            Block(Role.MISSING, texts("answer-elsewhere", places=places, count=len(answer.elsewhere)))
        )
    if answer.headings:
        remarks.append(Block(Role.HEADINGS, "\n".join(answer.headings), texts("answer-headings")))
    return remarks


def _footer(reply: Reply, texts: Texts) -> Block:
    parts = [texts("footer", strategy=reply.strategy, hops=reply.hops, seconds=reply.seconds)]
    if reply.answer.statements:
        parts.append(
            texts("checked-by-code-and-model" if reply.answer.checked_by_model else "checked-by-code")
        )
    return Block(Role.FOOTER, " · ".join(parts))
