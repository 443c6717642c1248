"""A web page comes out as its headings, paragraphs, lists and tables, without what surrounds them."""

import pytest

from rag.library.readers.blocks import DocumentBlock
from rag.library.readers.html import decoded_html, read_html


def lines(html: str) -> list[str]:
    return [block.text for block in read_html(html).blocks]


def readings(html: str) -> list[str]:
    return [block.reading for block in read_html(html).blocks if block.reading]


def test_scripts_styles_navigation_and_forms_are_no_text() -> None:
    html = (
        "<head><title>Rules</title><style>p {color: red}</style></head><nav><a>Home</a><nav>x</nav></nav>"
        "<script>if (a < b) { document.write('<p>no</p>') }</script><div hidden>Secret</div>"
        "<div role='navigation'>Back <div>to</div> top</div><p>A fall costs 1d6.</p><button>Buy</button>"
    )
    assert lines(html) == ["A fall costs 1d6."]


def test_the_caption_of_a_table_is_its_title_and_a_name_to_find_it_by() -> None:
    rows = "<tr><th>Arm</th><th>Cost</th></tr><tr><td>Oar</td><td>1</td></tr>"
    html = f"<table><caption>Arms</caption>{rows}</table>"

    assert readings(html) == ["Arms — Arm: Oar; Cost: 1"]
    assert [block.term for block in read_html(html).blocks if block.term] == ["Arms"]


def test_a_table_that_stands_again_right_below_itself_is_one() -> None:
    table = "<table><tr><th>Arm<th>Cost<tr><td>Oar<td>1<tr><td>Net<td>2</table>"
    pages = {"p2": "2"}
    again = read_html(f"{table}<span id=p2></span>{table}<p>Between.</p>{table}", pages).blocks
    assert [block.reading for block in again if block.reading] == [
        "Arm: Oar; Cost: 1",
        "Arm: Net; Cost: 2",
    ] * 2


def test_of_a_page_that_marks_its_main_part_that_alone_is_read() -> None:
    html = "<div>Log in</div><main><div><h1>Falls</h1></div><p>1d6 a yard.</p></main><div>Imprint</div>"
    assert lines(html) == ["Falls", "1d6 a yard."]


def test_a_navigation_without_an_end_hides_no_book() -> None:
    rules = ["A fall costs 1d6.", "A jump is free."] * 3
    assert lines("<p>Before.<nav><p>" + "<p>".join(rules)) == ["Before.", *rules]


def test_list_items_stand_on_lines_with_their_number_or_point() -> None:
    html = "<p>Take:</p><ol start=3><li>rope<li><p>oil</p><p>and a wick</p><ul><li>or fat</ul></ol><p>Go."
    assert read_html(html).blocks == (
        DocumentBlock("Take:"),
        DocumentBlock("3. rope"),
        DocumentBlock("4. oil", is_line=True),
        DocumentBlock("and a wick", is_line=True),
        DocumentBlock("• or fat", is_line=True),
        DocumentBlock("Go."),
    )


def test_cells_over_several_columns_and_rows_count_for_each() -> None:
    html = (
        "<table><tr><th rowspan=2>Weapon<th colspan=2>Damage</tr><tr><th>cut<th>thrust</tr>"
        "<tr><td rowspan=2>Blade<td>1d6<td>1d4</tr><tr><td>2d6<td>1d8</tr></table>"
    )
    assert readings(html) == [
        "Weapon: Blade; Damage cut: 1d6; Damage thrust: 1d4",
        "Weapon: Blade; Damage cut: 2d6; Damage thrust: 1d8",
    ]


def test_a_table_that_lays_out_the_page_gives_what_is_in_it_and_the_table_within() -> None:
    html = (
        "<table><tr><td><h2>Wounds</h2><p>They hurt.</p><table><tr><th>Wound<th>Loss<tr><td>Deep<td>3</table>"
        "<td><p>A column beside.</p></table>"
    )
    assert lines(html) == ["Wounds", "They hurt.", "Wound  Loss", "Deep  3", "A column beside."]
    assert readings(html) == ["Wound: Deep; Loss: 3"]


def test_a_few_bold_words_before_plain_ones_name_their_paragraph() -> None:
    html = "<p><b>Dash.</b> You run.</p><ul><li><b>Hide:</b> you hide.</ul><p>You <b>Never</b> run.</p>"
    assert [block.term for block in read_html(html).blocks] == ["Dash.", "Hide:", ""]


def test_a_line_break_parts_lines_and_white_space_does_not() -> None:
    assert lines("<p>Cost:\n  5<br>Range: 10&nbsp;m &amp; more</p>") == ["Cost: 5\nRange: 10 m & more"]


@pytest.mark.parametrize(
    "head",
    [
        "<meta charset=windows-1252>",
        '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">',
    ],
)
def test_the_encoding_that_a_page_names_is_used(head: str) -> None:
    content = f"<html><head>{head}</head><p>“Sangramento” não dói</p>".encode("cp1252")
    assert lines(decoded_html(content, "regras.html")) == ["“Sangramento” não dói"]


@pytest.mark.parametrize(
    "html",
    [
        "</table></td></tr></li></ul></main></h1>",
        "<td>cell<tr>row<th>head",
        "<table><tr><td><table><td>x</table></table></table>",
        "<table><caption>Only a caption</table>",
        "<ol start=99999999999999999999><li colspan=x>one",
        "<table><tr><td colspan=999999 rowspan=0>a<td rowspan=99999>b<tr><td>c</table>",
        "<![CDATA[x]]><!-- <p>no --><?php echo 1 ?><p>&#xFFFFFFFF;&bogus;",
        "<main><table><tr><td>a</main>b",
    ],
)
def test_tag_soup_is_read(html: str) -> None:
    assert all(isinstance(block.text, str) for block in read_html(f"<p>Begin.</p>{html}<p>End.</p>").blocks)
    assert lines(f"<p>Begin.</p>{html}")[0] == "Begin."


def test_ten_thousand_elements_that_are_not_closed_are_read_soon() -> None:
    assert lines("<div><span>" * 10_000 + "deep") == ["deep"]
    assert lines("<table><tr><td>" * 2_000 + "deep") == ["deep"]
