"""What a file itself connects stands beside the references that are printed."""

from dataclasses import replace

import pytest

from rag.config import Audience
from rag.library.books.page import Heading, Page, PageLink
from rag.library.ingest.links import Resolved, with_linked
from rag.library.references import Reference
from rag.library.references.resolve import PageRange
from rag.state import PageId
from tests.rag.library.small_library import SmallLibrary, parsed_book

Meant = dict[Audience, PageRange | None]
THERE: Meant = {"gm": PageRange(3, 3)}
ELSEWHERE: Meant = {"gm": PageRange(5, 5)}
NOWHERE: Meant = {"gm": None}
LINK = Reference("Skills", 10, 16)


def linked_page(text: str, words: str, target: int, file: str | None = None) -> Page:
    link: PageLink = (text.index(words), text.index(words) + len(words), target, file)
    return Page(1, "1", text, (), "text", False, links=(link,))


ON_THE_LINK = Reference("Skills (page 4)", 10, 25, heading="Skills", first="4", last="4")
BEHIND_THE_LINK = Reference("page 4", 20, 26, first="4", last="4")
WITHOUT_A_PAGE = Reference("Skills", 10, 16, heading="Skills")


@pytest.mark.parametrize(
    ("printed", "merged"),
    [
        ([], [(LINK, THERE)]),
        ([(ON_THE_LINK, THERE)], [(ON_THE_LINK, THERE)]),
        ([(BEHIND_THE_LINK, THERE)], [(BEHIND_THE_LINK, THERE)]),
        ([(WITHOUT_A_PAGE, ELSEWHERE)], [(WITHOUT_A_PAGE, THERE)]),
        ([(ON_THE_LINK, NOWHERE)], [(ON_THE_LINK, THERE)]),
        ([(ON_THE_LINK, ELSEWHERE)], [(ON_THE_LINK, ELSEWHERE)]),
    ],
    ids=["nothing printed", "same page", "right behind", "no page", "a page not found", "another page"],
)
def test_a_link_adds_to_what_is_printed_only_where_that_leads_nowhere(
    printed: list[Resolved], merged: list[Resolved]
) -> None:
    assert with_linked(printed, [(LINK, THERE)]) == merged


def test_a_link_leads_to_its_page_and_is_counted(small: SmallLibrary) -> None:
    page = linked_page("Whoever falls looks at the rule of depths.", "rule of depths", 3)
    small.put_parsed("sea.pdf", parsed_book(page, "Tides.", "Depths are deep.", title="Sea"))
    report = small.ingest()
    (reference,) = small.open().page("Sea", "1", "player").references
    assert reference.pages == (PageId("sea.pdf", 3),)
    assert [(book.references, book.resolved) for book in report.books] == [(1, 1)]


def sheets(*texts: str) -> list[Page]:
    """Pages that stand two on a sheet of the file."""
    return [
        Page(1 + place // 2, str(place + 1), text, (), "text", False, half=1 + place % 2)
        for place, text in enumerate(texts)
    ]


def test_a_link_to_a_sheet_whose_pages_stand_apart_leads_nowhere(small: SmallLibrary) -> None:
    text = "Whoever falls looks at the rule of depths."
    first, two, three, four = sheets(text, "Two.", "Three.", "Four.")
    link: PageLink = (text.index("rule"), len(text) - 1, 2, None)
    small.put_parsed("sea.pdf", parsed_book(three, replace(first, links=(link,)), two, four, title="Sea"))
    small.ingest()
    assert small.open().page("Sea", "1", "player").references == ()


def test_a_link_to_another_file_leads_to_the_book_of_that_name(small: SmallLibrary) -> None:
    page = linked_page("Whoever falls looks at the rule of depths.", "rule of depths", 2, "../old/Depths.PDF")
    small.put_parsed("line/sea.pdf", parsed_book(page, title="Sea"))
    small.put_parsed("line/depths.pdf", parsed_book("One.", "Two.", title="Depths"))
    small.ingest()
    (reference,) = small.open().page("Sea", "1", "player").references
    assert reference.pages == (PageId("line/depths.pdf", 2),)


def test_a_link_to_a_gm_book_leads_a_player_nowhere(small: SmallLibrary) -> None:
    page = linked_page("Whoever falls looks at the rule of depths.", "rule of depths", 2, "traps.pdf")
    small.put_parsed("sea.pdf", parsed_book(page, title="Sea"))
    small.put_parsed("gm/traps.pdf", parsed_book("One.", "Two.", title="Nine Traps"))
    small.ingest()
    as_player = small.open().page("Sea", "1", "player")
    assert [reference.pages for reference in as_player.references] == [()]
    assert "raps" not in as_player.model_dump_json()


def headed_page(number: int, **sections: str) -> Page:
    """A page of sections, by heading ("Critical_Hits": its words)."""
    parts = {name.replace("_", " "): words for name, words in sections.items()}
    text = "\n\n".join(f"{name}\n\n{words}" for name, words in parts.items())
    headings = tuple(Heading(2, name, text.index(name)) for name in parts)
    return Page(number, str(419 + number), text, headings, "text", False)


BASIC = parsed_book(
    headed_page(1, Bleeding="Roll every minute.", Falling="A fall costs dice."),
    headed_page(2, Critical_Hits="Roll on the table.", Targeted_Attacks="At half the penalty."),
    title="Basic Set",
    codes={"B": ""},
)


ENTRIES = {
    "## Bleeding – B420\nRoll twice.": ["Bleeding"],
    "## Bleeding (Basic Set p. 420)\nRoll twice.": ["Bleeding"],
    "## Bleeding – p. 420\nRoll twice.": ["Bleeding"],
    "## Blood and bones\nBleeding – B420\nRoll twice.": ["Bleeding"],
    "## Blood and bones\nFalling – B420\n\nBleeding – B420\n\nRoll.": ["Bleeding", "Falling"],
    "**Falling – B420**\n\nNobody falls.": ["Falling"],
    "Falling – B420: nobody falls.": ["Falling"],
    "## Critical Hits\nThere are none.": ["Critical Hits"],
    "## Combat\n\n### Critical Hits\nThere are none.": ["Critical Hits"],
    "## Mooks\nCritical Hits kill a mook. A mook bleeds as any man (B420), see B421.": [],
    "## Critical Hits\n\n### Mooks\nThey die.": [],
    "## Queda – B420\nNinguém cai.": ["Falling"],
    "- **Bleeding** – B420: roll twice.\n- Falling (B420) nobody falls.\n- No psionics.": [
        "Bleeding",
        "Falling",
    ],
    "| Rule | Page | Ours |\n|---|---|---|\n| Falling | B420 | Nobody falls |": ["Falling"],
    "Bleeding – B420: roll twice.\nFalling, p. B420: nobody falls.": ["Bleeding", "Falling"],
    "3. Banned: Falling – B420": ["Falling"],
    "B420 Bleeding: roll twice.\n\nMA7 Mooks: they die.": ["Bleeding"],
    "🩸 **Bleeding** – B420\n> Roll twice.": ["Bleeding"],
    "## Bleeding and Falling – B420\nBoth are gone.": ["Bleeding", "Falling"],
    "## Changed\n- Critical Hits: there are none.\n- Mooks: they die.": ["Critical Hits"],
    "As in Critical Hits (B421) but without a table.": [],
    "A mook dies as in Bleeding (B420) and Falling, B420.": [],
    "## Bleeding – B999\nThe page is wrong.": ["Bleeding"],
    "- Roll: nobody rolls.\n- A fall: one die.": [],
    "## Charm Monster – B420\nIt lasts an hour. Roll every minute for 1 HP of dice.": [],
}
"""Entries of house rules, and the headings of the rules they change."""


def test_an_entry_of_house_rules_changes_the_rule_it_is_called_after(small: SmallLibrary) -> None:
    for number, entry in enumerate(ENTRIES):
        small.put_parsed(f"{number}/basic.pdf", BASIC)
        small.write(f"{number}/house-rules.md", f"# Our Table\n\n{entry}\n")
    small.ingest()
    library = small.open()
    changed = {}
    for number, entry in enumerate(ENTRIES):
        pages = [library.page_at(f"{number}/basic.pdf", position, "player") for position in (1, 2)]
        changed[entry] = sorted(
            page.text[one.corrected.start :].split("\n")[0] for page in pages for one in page.amended_by
        )
    assert changed == ENTRIES


def test_house_rules_of_one_game_leave_another_alone(small: SmallLibrary) -> None:
    small.put_parsed("GURPS/basic.pdf", BASIC)
    small.write("Tides/house-rules.md", "# Our Table\n\n## Bleeding\nRoll twice.\n")
    small.ingest()
    assert small.open().page("Basic Set", "420", "player").amended_by == ()
