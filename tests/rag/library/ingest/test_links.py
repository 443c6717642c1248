"""References lead into the volume that prints the page; house rules change what they are called after."""

import pytest

from rag.library.books.page import Heading, Page
from rag.texts import LOCALES, texts_for
from tests.rag.library.readers.packed_books import docx, paragraph, table
from tests.rag.library.small_library import SmallLibrary, parsed_book

TWO_VOLUMES = {
    ("B", "Basic Set", "Characters", "Campaigns"): (
        "Falling (p. B30).", "See Basic Set, p. 30.", "Roll (see Campaigns, page 30).", "See B30.",
    ),
    ("MB", "Módulo Básico", "Personagens", "Campanhas"): (
        "Queda (pág. MB30).", "Veja Módulo Básico, p. 30.", "Role (veja Campanhas, página 30).", "Veja MB30.",
    ),
}  # fmt: skip
"""Works by code, name and volumes, with ways in which a supplement refers to page 30."""


@pytest.mark.parametrize("declared", ["stated", "of the first", "of both"])
@pytest.mark.parametrize("work", TWO_VOLUMES)
async def test_a_page_of_a_work_is_found_in_the_volume_that_prints_it(
    small: SmallLibrary, work: tuple[str, str, str, str], declared: str
) -> None:
    """Volume 1 ends on page 24, 2 begins with roman pages of its own; what leads nowhere stays unresolved."""
    (code, name, *volumes), texts = work, TWO_VOLUMES[work]
    for volume, numbers in zip(volumes, (range(1, 25), range(25, 41)), strict=True):
        labels = enumerate(["i", "ii", *map(str, numbers)], 1)
        pages = [Page(number, one, f"Rule {one}.", (), "text", False) for number, one in labels]
        small.put_parsed(f"core/{volume}.pdf", parsed_book(*pages, title=f"{name}: {volume}"))
    vain = "Deep Roads, p. 7.", f"See p. {code}99."
    stated = {code: name} if declared == "stated" else {}
    small.put_parsed("core/more.pdf", parsed_book(*texts, *vain, title="Tides", codes=stated))
    files = [] if stated else volumes[: 1 if declared == "of the first" else 2]
    tables = (f'[[book]]\nfile = "core/{one}.pdf"\ncodes = ["{code}"]\n' for one in files)
    small.write("library.toml", "".join(tables))
    assert not small.ingest().problems
    library, meant = small.open(), (f"core/{volumes[1]}.pdf", 8)
    found = [
        [(one.file, one.pdf_page) for one in reference.pages]
        for page in range(1, len(texts) + 3)
        for reference in library.page_at("core/more.pdf", page, "player").references
    ]
    assert found == [[meant]] * len(texts) + [[], []]
    for book in (None, f"{name}: {volumes[0]}"):
        asked = [f"What does {code}30 say?", f"{name} p. 30", f"{code}99"]
        results = await library.retriever("player", book).asearch(asked)
        named = [[(page.file, page.pdf_page) for page in result.named] for result in results]
        assert named == [[meant], [meant], []]
        assert [[one.printed for one in result.absent] for result in results] == [[], [], ["i–24, i–40"]]


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
    "## Queda – p. 420\nNinguém cai.": ["Falling"],
    "## Critical Hits\nNone at night.\n- Bleeding – B420: roll twice.": ["Bleeding", "Critical Hits"],
    "## Critical Hits\n- Bleeding – B420: roll twice.": ["Bleeding"],
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


def test_house_rules_are_tied_in_any_format(small: SmallLibrary) -> None:
    """A rule is named by page and code, by heading, and in a table."""
    headed = paragraph("Bleeding – B420", "Heading2"), paragraph("Critical Hits", "Heading2")
    written: dict[str, str | bytes] = {
        "txt": "Bleeding – B420\nTwice.\n\nCritical Hits\nThere are none.\n\n- Falling, p. 420: no.",
        "docx": docx(
            headed[0], headed[1], paragraph("None."), table(("Rule", "Page"), ("Falling", "p. 420"))
        ),
        "html": "<h2>Critical Hits</h2><p>None.<h2>More</h2><ul><li>Bleeding – B420<li>Falling, p. 420</ul>",
    }
    for kind, text in written.items():
        small.put_parsed(f"{kind}/basic.pdf", BASIC)
        small.write(f"{kind}/house-rules.{kind}", text)
    small.ingest()
    library = small.open()
    for kind in written:
        pages = [library.page_at(f"{kind}/basic.pdf", position, "player") for position in (1, 2)]
        corrected = [page.text[one.corrected.start :] for page in pages for one in page.amended_by]
        assert {text.split("\n")[0] for text in corrected} == {"Bleeding", "Falling", "Critical Hits"}, kind


def test_house_rules_of_one_game_leave_another_alone(small: SmallLibrary) -> None:
    small.put_parsed("GURPS/basic.pdf", BASIC)
    small.write("Tides/house-rules.md", "# Our Table\n\n## Bleeding\nRoll twice.\n")
    small.ingest()
    assert small.open().page("Basic Set", "420", "player").amended_by == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("See p. B31.", 'codes = ["B"]'),
        ("See p. 31, and p. 32.", "first_printed_page"),
        ("See GURPS Powers, p. 7.", None),
    ],
)
def test_what_would_settle_unresolved_references_is_told_by_example(
    small: SmallLibrary, text: str, told: str | None
) -> None:
    small.put_parsed("core/tides.pdf", parsed_book("The sea.", text, title="Tides"))
    noted = [one for book in small.ingest().books for one in book.problems]
    for locale in LOCALES:
        sentences = [texts_for(locale)(one["key"], **one["values"]) for one in noted]
        assert len(sentences) == bool(told)
        assert all(part in one for one in sentences for part in ("31”", "p. 2 ", str(told)))


def test_whatever_a_rule_of_the_table_is_tied_to_in_vain_is_told(small: SmallLibrary) -> None:
    small.put_parsed("core/basic.pdf", BASIC)
    small.write("core/house-rules.md", "# Ours\n\n## Queda – p. 999\nNo.\n\n## Luck – Blue Book p. 72\nNo.")
    told = [one["values"] for book in small.ingest().books for one in book.problems]
    assert [(one["why"], one["name"]) for one in told] == [("page", "Basic Set"), ("code", "Blue Book")]


def test_players_rules_for_a_book_of_the_gm_tell_players_nothing_of_it(small: SmallLibrary) -> None:
    small.put_parsed("core/gm/basic.pdf", BASIC)
    small.write("core/house-rules.md", "# Ours\n\n## Bleeding – p. 420\nNo.\n\n## Queda – p. 999\nNo.")
    small.ingest()
    assert [book.problems for book in small.open().books("player")] == [()]


def test_of_a_page_of_a_book_without_pages_nothing_is_told(small: SmallLibrary) -> None:
    small.write("core/tides.md", "# Tides\n\nThe sea. See p. 31.")
    assert not any(book.problems for book in small.ingest().books)


ERRATA = {
    "page and name": "Page 420, bleeding: roll twice.\n\nPage 421, boarding axe: its damage is 3d.",
    "for X read Y": "p. 420: for “every minute” read “every hour”.\n\np. 421: for “Boarding axe 2d” read 3d.",
    "table": "| Page | Rule | Now |\n|---|---|---|\n| 420 | Bleeding | Twice |\n| 421 | Boarding axe | 3d |",
    "name and page": "Bleeding (page 420) should read: twice.\n\nBoarding axe (page 421) should read: 3d.",
    "headings": "## Bleeding (p. 420)\n\nRoll twice.\n\n## Boarding axe, page 421\n\nIt does 3d.",
    "pages": "## Page 420\n\nBleeding: roll twice.\n\n## Page 421\n\nThe boarding axe does 3d.",
    "list": "- p. 420, Bleeding – roll twice.\n- p. 421, Boarding axe – its damage is 3d.",
    "Portuguese": "Página 420, Sangramento: onde se lê “every minute”, leia-se “every hour”.\n\n"
    "Página 421, boarding axe: o dano é 3d.",
}
"""Styles of errata, each of a rule and of a row of a table."""


def test_errata_of_any_style_change_what_they_speak_of(small: SmallLibrary) -> None:
    gear = Page(2, "421", "Gear\n\nWeapon  Damage\nBoarding axe  2d\nCutlass  1d", (), "text", False)
    rules = headed_page(1, Bleeding="Roll every minute.", Falling="A fall costs dice."), gear
    for number, (style, text) in enumerate(ERRATA.items()):
        small.put_parsed(f"{number}/rules.pdf", parsed_book(*rules, title=f"Rules {number}"))
        small.put_parsed(f"{number}/more.pdf", parsed_book("More.", title="More"))
        title = "Errata" if style == "Portuguese" else "Corrections"
        small.write(f"{number}/errata.md", f"# {title}: Rules {number}\n\n{text}\n")
    small.ingest()
    library = small.open()
    for number, style in enumerate(ERRATA):
        pages = [library.page_at(f"{number}/rules.pdf", position, "player") for position in (1, 2)]
        changed = [[page.text[one.corrected.start :] for one in page.amended_by] for page in pages]
        assert all(changed), style
        assert all(text.startswith(("Bleeding", "Roll every minute.")) for text in changed[0]), style
        assert all(text.startswith("Boarding axe  2d") for text in changed[1]), style
