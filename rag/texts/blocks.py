"""An answer as titled blocks, for embeds and terminal alike; pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from textwrap import shorten

from rag.state import (
    AbsentPage,
    AnswerWithSources,
    Authority,
    Origin,
    Outcome,
    PageId,
    PassageLine,
    QuotedPlace,
    Reply,
    Source,
    Stated,
    StatementRole,
)
from rag.texts import Texts
from rag.texts.passages import excerpt

QUERIES_NAMED = 3
FURTHER_HEADING = 24
"""Characters of a heading that names a passage which is not shown."""


class Role(StrEnum):
    """What a block is to the reader; renderers give each its place and look."""

    VERDICT = "verdict"
    NOTHING = "nothing"
    """That nothing here answers: the first line, which is no verdict."""
    EXPLANATION = "explanation"
    SOURCE = "source"
    FURTHER = "further"
    """A passage of which the place alone is shown."""
    MISSING = "missing"
    NOTICE = "notice"
    LIST = "list"
    """Lines one below the other, under a title."""
    FOOTER = "footer"


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of an answer: what it is, its title ("Core Rules, p. 12") and its text.

    `passage` are the lines of a longer quotation, of which one answers best, or of one with table rows.
    `number` counts the sources of an answer from 1.
    """

    role: Role
    text: str
    title: str = ""
    passage: tuple[PassageLine, ...] = ()
    number: int = 0


def blocks(reply: Reply, texts: Texts) -> list[Block]:
    """The verdict first, then the explanation, the sources, what is missing, and how it was found.

    Where only pages were asked for that are not there, or of which book nobody knows, that is all there is
    to say.
    """
    answer = reply.answer
    unavailable = _unavailable(answer, texts)
    is_in_vain = answer.outcome is Outcome.PASSAGES and unavailable and not answer.sources
    claim = [
        *_nothing(reply, texts),
        *_claim(answer, texts),
        *_overruled(answer, texts),
        *_game(reply, texts),
    ]
    return [
        *([] if is_in_vain else claim),
        *unavailable,
        *_sources(answer, texts),
        *_not_whole(answer, texts),
        *_remarks(reply, texts),
        _footer(reply, texts),
    ]


def stated_blocks(stated: Sequence[Stated], texts: Texts) -> list[Block]:
    """What is proven while the answer is being written; of a verdict that is still checked, its lines."""
    shown: list[Block] = []
    for verdict in (one for one in stated if one.role is StatementRole.VERDICT):
        if verdict.is_checking:
            shown.append(_notice(texts("answer-checking")))
        role = Role.EXPLANATION if verdict.is_checking else Role.VERDICT
        shown.append(Block(role, verdict.text))
    notes = "\n".join(one.text for one in stated if one.role is StatementRole.NOTE)
    return [*shown, *([Block(Role.EXPLANATION, notes)] if notes else [])]


def _notice(text: str) -> Block:
    return Block(Role.NOTICE, text)


def citation(book: str, page: str | None, pdf_page: int, texts: Texts, section: str | None = None) -> str:
    """Book and printed page; where no number is known the section, which names its book, or that of a PDF
    its position there.
    """
    if page is None and section:
        return section
    if page is None:
        return texts("page-unnumbered", book=book, page=str(pdf_page))
    return texts("page-printed", book=book, page=page)


def source_citation(source: Source | QuotedPlace, texts: Texts) -> str:
    """Book and printed page of a quotation; both pages where it runs over a page break."""
    if not source.before and not source.after:
        return citation(source.book, source.page, source.pdf_page, texts, source.section)
    first, last = source.before or source, source.after or source
    if first.page is not None and last.page is not None:
        return texts("pages-printed", book=source.book, first=first.page, last=last.page)
    if first.pdf_page == last.pdf_page:
        return texts("page-unnumbered", book=source.book, page=str(first.pdf_page))
    return texts("pages-of-pdf", book=source.book, first=str(first.pdf_page), last=str(last.pdf_page))


def _nothing(reply: Reply, texts: Texts) -> list[Block]:
    """That nothing here answers: the word asked for that no book has, else what was searched in vain."""
    answer = reply.answer
    if answer.found or answer.outcome not in (Outcome.PASSAGES, Outcome.NOT_FOUND):
        return []
    if answer.missing_word:
        return [Block(Role.NOTHING, texts("answer-no-word", word=answer.missing_word))]
    if answer.outcome is Outcome.PASSAGES:
        return [Block(Role.NOTHING, texts("answer-nothing-fits"))]
    queries = [one.question for one in reply.questions if one.origin is not Origin.FOLLOWED]
    named = ", ".join(f"“{query}”" for query in queries[:QUERIES_NAMED])
    pages = {page.id for one in reply.questions for page in one.context}
    return [Block(Role.NOTHING, texts("answer-searched", queries=named, pages=len(pages)))]


def _claim(answer: AnswerWithSources, texts: Texts) -> list[Block]:
    """The verdict and what explains it; of an overruled one first the rule that counts."""
    if answer.outcome is Outcome.NOT_FOUND:
        return []
    if answer.outcome is Outcome.PASSAGES:
        return [_notice(texts(answer.notice))] if answer.notice else []
    verdict = _said(answer, StatementRole.VERDICT, texts) or answer.answer
    if answer.outcome is Outcome.UNPROVEN:
        verdict = texts("answer-unproven")
    notes = _said(answer, StatementRole.NOTE, texts)
    if answer.overruled and answer.outcome is Outcome.UNPROVEN:
        by = answer.overruled[0].by
        place, quote = _place(answer.sources[by], texts), answer.sources[by].whole_quote
        verdict = texts("answer-table-first", place=place, quote=quote, by=_numbers([by], answer))
    return [Block(Role.VERDICT, verdict), *([Block(Role.EXPLANATION, notes)] if notes else [])]


def _said(answer: AnswerWithSources, role: StatementRole, texts: Texts) -> str:
    """The statements of a role, each with the numbers of its sources."""
    said = []
    for one in answer.statements:
        numbers = _numbers(one.sources, answer)
        told = (one.text, texts("calculated") if one.calculated else "", numbers)
        said += [" ".join(filter(None, told))] if one.role is role else []
    return "\n".join(said)


def _numbers(sources: Sequence[int], answer: AnswerWithSources) -> str:
    """Sources by the numbers that they are drawn under, each once: "[1][3]"."""
    drawn = dict.fromkeys(answer.together.get(at, at) for at in sources)
    return "".join(f"[{at + 1}]" for at in drawn)


def _overruled(answer: AnswerWithSources, texts: Texts) -> list[Block]:
    """Where corrections and a table's own rules stand, and what they change, each rule and place once."""
    changed: dict[tuple[PageId, str | None], tuple[list[int], dict[str, list[int]]]] = {}
    for one in answer.overruled:
        rule = answer.sources[one.by]
        by, places = changed.setdefault((rule.page_id, rule.section), ([], {}))
        by.append(one.by)
        places.setdefault(source_citation(answer.sources[one.source], texts), []).append(one.source)
    return [
        _notice(
            texts(
                "answer-overruled",
                authority=answer.sources[by[0]].authority.value,
                by=_numbers(by, answer),
                places=", ".join(f"{place} {_numbers(numbers, answer)}" for place, numbers in places.items()),
            )
        )
        for by, places in changed.values()
    ]


def _game(reply: Reply, texts: Texts) -> list[Block]:
    """Which game was taken where none was named, or which ones its sources are of."""
    if reply.game is None:
        return []
    return [_notice(texts("answer-game", games=" · ".join(reply.answer.games or [reply.game])))]


def _unavailable(answer: AnswerWithSources, texts: Texts) -> list[Block]:
    """The pages that cannot be opened, and those that many books have."""
    ambiguous = [
        texts(
            "answer-page-ambiguous",
            count=len(one.books) + one.more,
            page=one.page,
            books=", ".join(one.books),
            more=one.more,
        )
        for one in answer.ambiguous
    ]
    return [_notice(text) for text in (*(absence(one, texts) for one in answer.absent), *ambiguous)]


def absence(page: AbsentPage, texts: Texts) -> str:
    """Why a page cannot be opened: its book is not here, or has no such number, or none at all."""
    if not page.book:
        key = "answer-page-nowhere"
    elif page.printed:
        key = "answer-page-unread" if page.numbering == "unread" else "answer-page-absent"
    else:
        of_book = "answer-code-unknown" if page.book.isupper() else "answer-book-absent"
        key = of_book if page.numbering == "printed" else "answer-page-unnumbered"
    return texts(key, exists="yes" if page.is_position else "no", **page.model_dump(exclude={"is_position"}))


def _sources(answer: AnswerWithSources, texts: Texts) -> list[Block]:
    """The quotations, a passage as far as it comes near; of those that are not shown each place once."""
    found: list[Block] = []
    known: set[str] = set()
    for at, one in enumerate(answer.sources):
        place = _further(one, answer, texts)
        if answer.together.get(at, at) != at:
            continue
        if answer.shown is None or at < answer.shown:
            title = _title(one, answer, texts)
            found.append(Block(Role.SOURCE, one.whole_quote, title, excerpt(one), at + 1))
        elif place not in known:
            found.append(Block(Role.FURTHER, "", f"[{at + 1}] {place}", number=at + 1))
        known.add(place)
    return found


def _title(source: Source, answer: AnswerWithSources, texts: Texts) -> str:
    """The heading and place of a quotation, and its game where they are of several."""
    place = _place(source, texts)
    is_told_whole = source.heading in place or source.authority is Authority.RULING
    told = place if is_told_whole else f"{source.heading} · {place}"
    is_told = len(answer.games) > 1 and source.game not in ("", source.book)
    return f"{told} · {source.game}" if is_told else told


def _further(source: Source, answer: AnswerWithSources, texts: Texts) -> str:
    """A place in one line of a phone: the heading in place of the book where that is told already."""
    if not source.heading or source.book != answer.sources[0].book:
        return _title(source, answer, texts)
    heading = shorten(source.heading, FURTHER_HEADING, placeholder="…")
    return _place(source.model_copy(update={"book": heading}), texts)


def _place(source: Source, texts: Texts) -> str:
    """Where a quotation stands, and that it is a table's own rule, or was read by OCR, where it is."""
    place, made = source_citation(source, texts), source.made
    if source.authority is Authority.HOUSE_RULES:
        return texts("place-house-rule", place=place)
    if source.authority is Authority.BOOK:
        return texts("place-read-by-ocr", place=place) if source.is_ocr else place
    if made is None:
        return texts("place-ruling-undated", place=place)
    return texts("place-ruling", place=place, day=made.day, month=made.month, year=str(made.year))


def _not_whole(answer: AnswerWithSources, texts: Texts) -> list[Block]:
    """That an answer is not whole, and why."""
    if answer.outcome not in (Outcome.PARTLY, Outcome.UNPROVEN):
        return []
    if answer.dropped:
        return [_notice(texts("answer-dropped"))] if answer.statements else []
    return [] if answer.missing or answer.notice else [_notice(texts("answer-partly"))]


def _remarks(reply: Reply, texts: Texts) -> Iterator[Block]:
    """What went wrong on the way, and what is missing."""
    answer = reply.answer
    if answer.notice and answer.outcome is not Outcome.PASSAGES:
        yield _notice(texts(answer.notice))
    if reply.forgotten:
        yield _notice(texts("notice-conversation-evicted"))
    if answer.missing:
        yield Block(Role.MISSING, texts("answer-missing", missing=answer.missing))
    if answer.elsewhere:
        yield Block(Role.MISSING, texts("answer-elsewhere", places=", ".join(answer.elsewhere)))
    if answer.unresolved:
        yield Block(Role.MISSING, texts("answer-unresolved", places=", ".join(answer.unresolved)))


def _footer(reply: Reply, texts: Texts) -> Block:
    """What the answer rests on, with the reason once a conversation, and how long it took."""
    quotes = "first-quotes" if reply.is_first else "quotes"
    told = texts("answer-footer", mode="model" if reply.mode == "model" else quotes, seconds=reply.seconds)
    if reply.answer.statements:
        by_model = reply.answer.checked_by_model
        told += " · " + texts("checked-by-code-and-model" if by_model else "checked-by-code")
    return Block(Role.FOOTER, told)
