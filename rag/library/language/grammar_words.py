"""The words by which references, headings, margins and amounts are recognised, table by table. Pure.

Each class is a table of a language's data file (`languages/*.toml`), each field a key of that table: a list
of words or small regular expressions, in which a space stands for any white space. Where one begins with
another, the longer one comes first. A language leaves out what it has no word for. Small letters also match
capitals, except in the keys marked *as written*.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Self

Words = tuple[str, ...]


def one_of(words: Iterable[str]) -> str:
    """A pattern of alternatives, in their order, with any white space between words; "" is none of them."""
    alternatives = "|".join(word.replace(" ", r"\s+") for word in words)
    return f"(?:{alternatives or '(?!)'})"


@dataclass(frozen=True, slots=True)
class WordTable:
    """A table of words; its fields are the keys."""

    @classmethod
    def read(cls, table: Mapping[str, Iterable[str]]) -> Self:
        """A table as a data file has it; a key that there is none of is a TypeError."""
        return cls(**{key: tuple(words) for key, words in table.items()})

    @classmethod
    def of_all(cls, tables: Sequence[Self]) -> Self:
        """One table with the words of all."""
        keys = [field.name for field in fields(cls)]
        return cls(**{key: tuple(word for one in tables for word in getattr(one, key)) for key in keys})


@dataclass(frozen=True, slots=True)
class PageWords(WordTable):
    """What stands before, between and behind page numbers. `p.` and `pp.` are known in every language.

    `singular`, `plural`: "page", "pages" and how they are shortened; `behind` comes after the number,
    with what joins them ("12. oldal"). `before_bare_p` (as written): plain
    words after which "p5" is a page. `other_pages`: what makes "web page 3" no page of a book. `until` joins
    the ends of a range, `joints` the numbers of a list, `out_of` the number of all pages. `credits`: who drew
    what, on pages that are no rules.
    """

    singular: Words = ()
    plural: Words = ()
    before_bare_p: Words = ()
    other_pages: Words = ()
    until: Words = ()
    joints: Words = ()
    out_of: Words = ()
    credits: Words = ()
    behind: Words = ()


@dataclass(frozen=True, slots=True)
class PlaceWords(WordTable):
    """Pages told by their place: `next`, `previous`, `facing` after one of `articles`; `overleaf` alone."""

    articles: Words = ()
    next: Words = ()
    previous: Words = ()
    facing: Words = ()
    overleaf: Words = ()


@dataclass(frozen=True, slots=True)
class NameWords(WordTable):
    """Titles and headings in running text, and what links them to a page.

    `small` (as written): words within a name. `see`, `the`, `of` and `within` link; after the two last may
    stand `of_the` and `book`. `before_page` and, where a topic comes before them, `before_page_of_topic`
    stand between a name and "p. 5", as does `page_article`. `in_brackets`: "p. 5 (in Magic)".
    `divisions`, `entries` and `rules` say what a name names: "the Magic chapter", "the Spells table".
    `leading` (as written): what begins a sentence, no name. `none`: what is no name by itself. `book_nouns`:
    what makes a name that of a book. `own_book`: after which the book that speaks is meant. `called`: what
    the name of a part of it begins with. `elsewhere`: after which a name may be a book's.
    """

    small: Words = ()
    see: Words = ()
    the: Words = ()
    of: Words = ()
    within: Words = ()
    of_the: Words = ()
    book: Words = ()
    before_page: Words = ()
    before_page_of_topic: Words = ()
    page_article: Words = ()
    in_brackets: Words = ()
    divisions: Words = ()
    entries: Words = ()
    rules: Words = ()
    leading: Words = ()
    none: Words = ()
    book_nouns: Words = ()
    own_book: Words = ()
    called: Words = ()
    elsewhere: Words = ()


@dataclass(frozen=True, slots=True)
class ChapterWords(WordTable):
    """Chapters, sections and tables by number or name.

    `singular`, `plural` stand before a number, `joints` (as written) between numbers; `sections` stand before
    one of several parts ("section 6.5"). As written, too:
    `kinds_after_name` ("the Magic chapter", after one of `articles`), `kinds_before_name` and
    `tables_before_name` ("Tabela de Magias", with one of `of_table` between); `chapter_kinds` and
    `section_kinds` are those of them that mean a chapter or a section, in small letters.
    """

    singular: Words = ()
    plural: Words = ()
    sections: Words = ()
    joints: Words = ()
    articles: Words = ()
    kinds_after_name: Words = ()
    kinds_before_name: Words = ()
    tables_before_name: Words = ()
    of_table: Words = ()
    chapter_kinds: Words = ()
    section_kinds: Words = ()


@dataclass(frozen=True, slots=True)
class HeadingWords(WordTable):
    """Headings called by name: "as described under Riposte", and headings as they are printed.

    `described` and `under` (as written) come before a name, `as_per` alone. `nouns` (as written) stand
    between, with `of` behind them. After `not_before_see` (plain words) "see" is seeing. `none` (as written)
    begins what is no heading.
    Of headings themselves: `chapters` and `parts` come before a number, `tables` before a table's name,
    with `of_table` between; `tables_last` and `added` (chapter, section) end one.
    """

    described: Words = ()
    under: Words = ()
    as_per: Words = ()
    nouns: Words = ()
    of: Words = ()
    not_before_see: Words = ()
    none: Words = ()
    chapters: Words = ()
    parts: Words = ()
    tables: Words = ()
    of_table: Words = ()
    tables_last: Words = ()
    added: Words = ()


@dataclass(frozen=True, slots=True)
class CodeWords(WordTable):
    """Codes with a number and no page word, and what a book says that its codes mean.

    After `not_after` a code is the name of a thing ("room B7"), after `after` a page. `may_follow`: plain
    words that go on after a page, besides function words. `asking`: plain words that ask for a page.
    The rest are parts of "page references that begin with B refer to the Basic Set": `references`, `begin`
    and, as written, `by`, `letters`, `no_letter`, `all`, `refer`, `to`, `the`, `own` ("this book"), `small`
    (words within a title).
    """

    not_after: Words = ()
    after: Words = ()
    may_follow: Words = ()
    asking: Words = ()
    references: Words = ()
    begin: Words = ()
    by: Words = ()
    letters: Words = ()
    no_letter: Words = ()
    all: Words = ()
    refer: Words = ()
    to: Words = ()
    the: Words = ()
    own: Words = ()
    small: Words = ()


@dataclass(frozen=True, slots=True)
class CorrectionWords(WordTable):
    """Headings of corrections: `errata`, or `corrections` after one of `before`. One correction may begin
    with a page: `on`, one of `pages` and the number.
    """

    errata: Words = ()
    corrections: Words = ()
    before: Words = ()
    on: Words = ()
    pages: Words = ()


@dataclass(frozen=True, slots=True)
class LayoutWords(WordTable):
    """What tells pages and lines of a file apart.

    `contents` and `index` are headings, `see` stands in an index. `page` comes before a page number in the
    margin, `of_total` between it and that of all pages. `order` is numbered, `buyer` comes before a name.
    """

    contents: Words = ()
    index: Words = ()
    see: Words = ()
    page: Words = ()
    of_total: Words = ()
    order: Words = ()
    buyer: Words = ()


@dataclass(frozen=True, slots=True)
class TitleWords(WordTable):
    """Parts of a book's title: `articles` and `small` (plain words), `ordinals` before one of `editions`,
    `kinds` of books at the end. `untitled`: what programs write in place of a title. `generic`: plain words
    that make up file names which do not tell the book. `house_rules`: plain words that name those of a table.
    """

    articles: Words = ()
    small: Words = ()
    ordinals: Words = ()
    editions: Words = ()
    shortened_editions: Words = ()
    kinds: Words = ()
    untitled: Words = ()
    generic: Words = ()
    house_rules: Words = ()


@dataclass(frozen=True, slots=True)
class AmountWords(WordTable):
    """What amounts are told by, in statements, lines and questions; of all languages together.

    `no_labels`: plain short words that are no abbreviation, also in capitals. `no_numbers`: plain words
    that are numbers in another language; so is an article of another before one of `after_article`.
    `no_amounts`: words that are numbers at times, where they claim none.

    Number words: `shares`, with a `count` and a `part` each ("two thirds"); `dozens`; `joints` and
    `articles` in "2 and a half"; `dice`, with `sides` and perhaps a `count`; `plus`, also within dice,
    `added`, `subtracted`. `second` is a time between one of `before_second` and one of `after_second`,
    `seconds` is one anywhere.

    Around numbers: `percent`, `ordinal_endings`; `before_unit` ("2 more hours"); `before_amount` between
    a number and the word that names it; `between` before a range; `penalty` and `bonus`, with
    `before_signed` or `points_of` between. `implied_one`: "a retainer"; `implied_none`: "no retainer";
    `none` is 0.

    Rates: `per` ("for each"), `beyond` before what is not counted ("above 3"), `equal_to`.
    Calculations: `multiplied`, `divided`, `equals`; `of` ("20% of"); `clause_ends`; `rounded`,
    `rounded_down`, `rounded_up`, `average`.

    Questions: `asks_what` at the begin of a clause or after one of `before_what`, `asks_what_within`
    anywhere; `asks_whether` at the begin or after one of `before_whether`; `asks_why`. `own` makes a
    number the asker's. `attributes` name a number, with `after_attribute` between. A condition stands
    after `before_condition`, or after `opens_condition` at the begin of a clause.
    """

    no_labels: Words = ()
    no_numbers: Words = ()
    no_amounts: Words = ()
    after_article: Words = ()
    shares: Words = ()
    percent: Words = ()
    second: Words = ()
    seconds: Words = ()
    before_second: Words = ()
    after_second: Words = ()
    dozens: Words = ()
    joints: Words = ()
    articles: Words = ()
    plus: Words = ()
    added: Words = ()
    subtracted: Words = ()
    dice: Words = ()
    between: Words = ()
    ordinal_endings: Words = ()
    before_unit: Words = ()
    before_amount: Words = ()
    penalty: Words = ()
    bonus: Words = ()
    before_signed: Words = ()
    points_of: Words = ()
    implied_one: Words = ()
    implied_none: Words = ()
    none: Words = ()
    per: Words = ()
    beyond: Words = ()
    equal_to: Words = ()
    multiplied: Words = ()
    divided: Words = ()
    equals: Words = ()
    of: Words = ()
    clause_ends: Words = ()
    rounded: Words = ()
    rounded_down: Words = ()
    rounded_up: Words = ()
    average: Words = ()
    asks_what: Words = ()
    before_what: Words = ()
    asks_what_within: Words = ()
    asks_whether: Words = ()
    before_whether: Words = ()
    asks_why: Words = ()
    own: Words = ()
    attributes: Words = ()
    after_attribute: Words = ()
    before_condition: Words = ()
    opens_condition: Words = ()


@dataclass(frozen=True, slots=True)
class QuestionWords(WordTable):
    """How people ask for pages and books.

    `pages` come before a page's number, `of_pdf` behind it before "PDF"; `asking`: plain words, without
    accents, that ask for the page itself. `points_to` with any of `on_the_way` comes before a page whose
    references are asked for, `pointed_to`, perhaps after one of `be`, behind it. `before_book`, `the` and
    `book` come before a book's name. `going_on` begins a question that goes on from the one before it, one
    of `prepositions` a phrase that says more of it. `pointing_back` stands for what was named before its
    clause, one of `possessives` perhaps within it; `joints` part clauses. `defining` are whole questions
    about one name, which stands for "…". `courtesies` greet or say goodbye, `thanks` thank: both ask nothing.
    """

    pages: Words = ()
    of_pdf: Words = ()
    asking: Words = ()
    points_to: Words = ()
    on_the_way: Words = ()
    be: Words = ()
    pointed_to: Words = ()
    before_book: Words = ()
    the: Words = ()
    book: Words = ()
    going_on: Words = ()
    prepositions: Words = ()
    pointing_back: Words = ()
    possessives: Words = ()
    joints: Words = ()
    defining: Words = ()
    courtesies: Words = ()
    thanks: Words = ()


@dataclass(frozen=True, slots=True)
class TalkWords(WordTable):
    """How people talk at a table, and how they ask there without a question mark.

    `chatter` alone is no question; before other words it says nothing. `asks` begins a question, `tells` what
    somebody does or thinks; after one of `wonders` that may hold a question all the same. Neither case nor
    accents count.
    """

    chatter: Words = ()
    asks: Words = ()
    tells: Words = ()
    wonders: Words = ()
