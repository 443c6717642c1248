"""Where a quotation stands: quote → span of a page, through re-wrapping, hyphens and page breaks."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rag.library.books.catalog import plain
from rag.library.books.found_page import FoundPage, FoundReference
from rag.library.references.entries import tied_name
from rag.state import Authority, PassageLine, QuotedPart, Source, Span
from rag.strategies.lines import CitedLine, Line, cells_of

DASHES = "-‐‑‒–—−"
SPELT = {"×": "x", "⨯": "x", "✕": "x"}
FRACTION_SLASH = "\u2044"
MIN_QUOTE_CHARACTERS = 6
MAX_QUOTE_CHARACTERS = 600
MOST_PLACES = 3
"""Places that quoted rules refer to in vain and that are told."""
ELLIPSIS = re.compile(r"\[?(?:…|\.{3,})\]?")
SENTENCE_END = re.compile(r"(?<=[.!?:;])\s+")


def sources_of(cited: Iterable[CitedLine]) -> list[Source]:
    """The quotations of cited lines in the book's own words, those that follow one another as one."""
    cited = _each_sentence_once(list(cited))
    runs: list[list[CitedLine]] = []
    for one in sorted(set(cited), key=lambda one: (one.page.id, one.line.number)):
        if runs and _goes_on(runs[-1], one):
            runs[-1].append(one)
        else:
            runs.append([one])
    order = [one.page.id for one in cited]
    runs.sort(key=lambda run: order.index(run[0].page.id))
    return [_source_of_lines(run[0].page, [one.line for one in run]) for run in runs]


def _each_sentence_once(cited: Sequence[CitedLine]) -> list[CitedLine]:
    """The lines without the ends of torn sentences whose beginnings are cited, too."""
    begun = {one.page.next.id for one in cited if one.line.after and one.page.next}
    return [one for one in cited if not (one.line.before and one.page.id in begun)]


def _source_of_lines(page: FoundPage, lines: Sequence[Line]) -> Source:
    """The quotation of lines that follow one another; where one is a table's row, each of them is told."""
    source = source_of(page, " ".join(line.printed for line in lines), lines[0].span.start)
    source = source.model_copy(update=_parts_beside(page, lines))
    if not any(line.is_row for line in lines):
        return source
    passage = tuple(_passage_line(page, line) for line in lines)
    return source.model_copy(update={"passage": passage})


def _parts_beside(page: FoundPage, lines: Sequence[Line]) -> dict[str, QuotedPart]:
    """What stands on the pages beside of the sentences with which a quotation begins and ends."""
    sides = {"before": (page.previous, lines[0].before), "after": (page.next, lines[-1].after)}
    return {
        side: QuotedPart(
            near.label, near.id.pdf_page, printed(near.text[span.start : span.end]), near.id.half, span.start
        )
        for side, (near, span) in sides.items()
        if near and span
    }


def _goes_on(run: Sequence[CitedLine], further: CitedLine) -> bool:
    """Whether a line follows a run of lines in their section, and fits into one quotation with them."""
    last = run[-1]
    is_next = last.page.id == further.page.id and last.line.number + 1 == further.line.number
    sections = {one.page.section_at(one.line.span.start) for one in (last, further)}
    return (
        is_next
        and len(sections) == 1
        and sum(len(one.line.printed) + 1 for one in (*run, further)) <= MAX_QUOTE_CHARACTERS
    )


@dataclass(frozen=True, slots=True)
class CanonicalText:
    """The letters and numbers of a text without what print varies, each with its place in it."""

    characters: str
    offsets: tuple[int, ...]


def canonical(text: str) -> CanonicalText:
    """Reduce a text to what its print means.

    Letters and digits survive, case-folded, ligatures and accents composed (NFKC). Marks survive
    only where they change a number: the sign or range before a digit, the point or slash between
    two. White space survives only between two numbers. So hyphenation, line ends, quote styles and
    dashes of either side do not matter, and "3 6" never equals "36".
    """
    characters: list[str] = []
    offsets: list[int] = []

    def keep(character: str, offset: int) -> None:
        characters.append(character)
        offsets.append(offset)

    for offset, raw in enumerate(text):
        for character in _composed(raw):
            if character.isalnum():
                if _parts_numbers(characters, offsets, character, offset, raw):
                    keep(" ", offset)
                keep(character, offset)
            elif character == FRACTION_SLASH:
                keep("/", offset)
            elif _changes_number(text, offset, raw):
                keep("-" if raw in DASHES else raw, offset)
    return CanonicalText("".join(characters), tuple(offsets))


@lru_cache(maxsize=4_096)
def _composed(raw: str) -> str:
    """A character of print as what is compared, case-folded."""
    return unicodedata.normalize("NFKC", SPELT.get(raw, raw)).casefold()


def find_quote(quote: str, text: str, page: CanonicalText | None = None) -> Span | None:
    """The first place where a quote stands in a text, or None.

    A match begins and ends at the ends of words, so that "costs 3" is not found in "costs 35".
    Quotes of fewer than six letters or digits prove nothing and are not found.
    """
    wanted = canonical(quote).characters.strip()
    if sum(map(str.isalnum, wanted)) < MIN_QUOTE_CHARACTERS:
        return None
    page = page or canonical(text)
    at = page.characters.find(wanted)
    while at >= 0:
        span = Span(_with_sign(text, page.offsets[at]), page.offsets[at + len(wanted) - 1] + 1)
        if not _joins(text, span.start) and not _joins(text, span.end):
            return span
        at = page.characters.find(wanted, at + 1)
    return None


def stands_on(quote: str, page: FoundPage) -> bool:
    """Whether a quote stands on a page, or runs over one of its ends to the page beside."""
    before = f"{page.previous.text}\n" if page.previous else ""
    after = f"\n{page.next.text}" if page.next else ""
    here = Span(len(before), len(before) + len(page.text))
    over_ends = find_quote(quote, f"{before}{page.text}{after}")
    return find_quote(quote, page.text) is not None or (over_ends is not None and over_ends.overlaps(here))


def source_of(page: FoundPage, quote: str, at: int = 0) -> Source:
    """A quotation as the book prints it on a found page; the only maker.

    `at` is its offset there, which tells the section.
    """
    return Source(
        book=page.book,
        file=page.file,
        game=page.game,
        page=page.label,
        pdf_page=page.pdf_page,
        half=page.half,
        offset=at,
        quote=quote,
        verified=True,
        is_ocr=page.layer in ("ocr", "hidden"),
        section=page.section_at(at),
        authority=page.authority,
        made=page.made,
    )


def passage_source(
    page: FoundPage,
    lines: Sequence[Line],
    nearest: Sequence[Line],
    marked: Sequence[Line] = (),
    near: Sequence[Line] = (),
) -> Source:
    """The quotation of lines that follow one another on a page, under their heading.

    `nearest` are those that come nearest, `marked` those that surely answer, `near` those that come next, the
    nearest first.
    """
    quote = printed(page.text[lines[0].span.start : lines[-1].span.end])
    passage = tuple(
        _passage_line(page, line).model_copy(
            update={
                "is_closest": line in marked,
                "is_nearest": line in nearest,
                "rank": near.index(line) + 1 if line in near else 0,
                "number": number,
            }
        )
        for number, line in enumerate(lines)
    )
    about = next(iter(nearest), lines[0])
    source = source_of(page, quote, about.span.start)
    beside = _parts_beside(page, lines)
    shown = {"passage": passage, "offset": lines[0].span.start, "heading": about.heading}
    return source.model_copy(update=shown | beside)


def _passage_line(page: FoundPage, line: Line) -> PassageLine:
    return PassageLine(
        text=line.printed if line.is_row else line.text,
        row=cells_of(line.text) if line.is_row else "",
        is_heading=line.is_heading,
        begins_line=page.text[: line.span.start].endswith("\n"),
    )


def quote_parts(quote: str) -> list[str]:
    """The pieces of a quote with ellipses; each piece must stand in the book for itself."""
    return [part.strip() for part in ELLIPSIS.split(quote) if part.strip()]


def printed(text: str) -> str:
    """A span of page text as shown in a quotation: one line, single spaces."""
    return " ".join(text.split())


def shortened(quote: str, keep: set[str], limit: int = MAX_QUOTE_CHARACTERS) -> str:
    """A part of a quote of at most `limit` characters, whole words, that holds most of `keep`.

    `keep` are words or numbers which the statement needs; among equals the earliest part wins.
    """
    if len(quote) <= limit:
        return quote
    starts = [0, *(match.end() for match in re.finditer(r"\s+", quote))]
    windows = [_cut(quote[start:], limit) for start in starts if len(quote) - start >= limit // 2]
    return max(windows, key=lambda window: sum(_holds_word(window, word) for word in keep))


def _cut(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    whole = text[: limit + 1]
    sentences = [match.start() for match in SENTENCE_END.finditer(whole)]
    if sentences and sentences[-1] > limit // 2:
        return whole[: sentences[-1]].rstrip()
    return whole[: whole.rfind(" ")].rstrip() if " " in whole else text[:limit]


def _holds_word(window: str, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", window, re.IGNORECASE) is not None


def _parts_numbers(characters: list[str], offsets: list[int], character: str, offset: int, raw: str) -> bool:
    """Whether two digits are no one number: apart in the text, or one a fraction or a power ("1½", "10²")."""
    if not (character.isdigit() and characters and characters[-1].isdigit()):
        return False
    is_new = offset != offsets[-1]
    return is_new and (offset - offsets[-1] > 1 or not raw.isdecimal())


def _changes_number(text: str, offset: int, raw: str) -> bool:
    """Whether a mark belongs to a number: a sign or range before a digit, a point or slash between two."""
    if raw == "+" or raw in DASHES:
        return text[offset + 1 : offset + 3].strip(" ")[:1].isdigit()
    before, after = text[offset - 1 : offset], text[offset + 1 : offset + 2]
    return raw in ".,/" and before.isdigit() and after.isdigit()


def _with_sign(text: str, start: int) -> int:
    """A number's sign belongs to the quotation even where the quote left it out."""
    signed = start and text[start].isdigit() and (text[start - 1] == "+" or text[start - 1] in DASHES)
    return start - 1 if signed and not text[start - 2 : start - 1].isalnum() else start


def _joins(text: str, cut: int) -> bool:
    """Whether a cut at this place goes through a word or a number ("1|,000", "2|-3", "0.|5")."""
    before, after = text[max(0, cut - 1) : cut], text[cut : cut + 1]
    if before.isalnum() and after.isalnum():
        return True
    marks = f".,/+{DASHES}"
    left = before in marks and after.isdigit() and text[max(0, cut - 2) : max(0, cut - 1)].isdigit()
    right = after in marks and before.isdigit() and text[cut + 1 : cut + 2].isdigit()
    return bool(before and after) and (left or right)


def places_elsewhere(sources: Sequence[Source], pages: Sequence[FoundPage], *, are_absent: bool) -> list[str]:
    """The printed pages of other books to which the quoted paragraphs refer in vain: "Machines p. 4".

    `pages` are those the sources were quoted from. Places in books that are surely not here, or those that
    could not be resolved; at most three, each once.
    """
    quoted = {page.id: page for page in pages}
    places = [
        reference.place
        for source in sources
        if (page := quoted.get(source.page_id))
        for reference in _in_vain(source, page)
        if reference.is_absent is are_absent
    ]
    return list(dict.fromkeys(places))[:MOST_PLACES]


def _in_vain(source: Source, page: FoundPage) -> Iterator[FoundReference]:
    in_vain = [
        reference
        for reference in page.references
        if reference.book not in ("", source.book)
        and reference.label
        and not reference.pages
        and not _names_own_rule(reference, page)
    ]
    span = find_quote(source.quote, page.text) if in_vain else None
    paragraph = _paragraph_around(page.text, span) if span else Span(0, 0)
    for reference in in_vain:
        if paragraph.start <= reference.start < paragraph.end:
            yield reference


def _paragraph_around(text: str, span: Span) -> Span:
    """The paragraph of a page, from empty line to empty line, that holds a span."""
    before, after = text.rfind("\n\n", 0, span.start), text.find("\n\n", span.end)
    return Span(before + 2 if before >= 0 else 0, after if after >= 0 else len(text))


def _names_own_rule(reference: FoundReference, page: FoundPage) -> bool:
    """Whether what looks like a book is the rule that a table's own one changes: "Initiative – p. 30"."""
    if page.authority is Authority.BOOK:
        return False
    end = reference.start + len(reference.text)
    return tied_name(page.text, reference.start, end) == plain(reference.book)
