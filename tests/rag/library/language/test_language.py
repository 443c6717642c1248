"""A language is its data file, and nothing else."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rag.library.language.language import LANGUAGES, read_languages

ROOT = Path(__file__).parents[4]
DATA = Path("rag", "library", "language", "languages")
INVENTED = """
stemmer = "german"
is_spoken = true
negations = ["nicht", "nie"]
function_words = "wem ist das oder und"
asking_words = "warum"

[numbers]
below_10 = "zwei|drei|vier"
spelled = "{below_10}zig|{below_10}"

[spellings]
'\\bhalbe\\b' = "1/2"
'\\bdoppelt\\b' = "2"

[units]
hour = "Stunden?"
foot = "Fuß"

[bounds]
at_least = "mindestens"
at_most = "höchstens"

[amounts]
per = ["pro"]
rounded = ["abgerundet"]
rounded_down = ["abgerundet"]

[pages]
singular = ["Seite", '(?-i:S\\.)']
plural = ["Seiten"]
until = ["bis"]
joints = ["und"]

[names]
see = ["siehe"]
of = ["aus", "von"]

[chapters]
singular = ["Kapitel"]
"""
ASKED = """
import sys
from rag.library.language.identify import told_language
from rag.library.language.language import OUR_LANGUAGES
from rag.library.references import find_references
for text in sys.stdin.read().splitlines():
    for one in find_references(text, ["Magie"], ["B"], is_question=True):
        print(one.book, one.first, one.last, one.chapter, sep="|")
print(told_language("wem ist das"), *OUR_LANGUAGES)
"""
HELD = """
import sys
from rag.nodes.contradictions import changes_a_line, counts_otherwise, turns_a_bound
from rag.nodes.numbers import Numbers, numbers_in
for text in sys.stdin.read().splitlines():
    said, line = text.split("|")
    holds = all(map(Numbers([(line, "en")]).hold, numbers_in(said, "de")))
    told = changes_a_line(said, [(line, "de")]), counts_otherwise(said, "de", line)
    print(holds, *told, turns_a_bound(said, "de", line))
"""


def told_with_german(program: str, lines: list[str], folder: Path) -> list[str]:
    """What a program prints about some lines where there is one more data file."""
    shutil.copytree(ROOT / "rag", folder / "rag", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / DATA / "de.toml").write_text(INVENTED, encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder, input="\n".join(lines), capture_output=True, text=True, check=True,
    )  # fmt: skip
    return run.stdout.splitlines()


def test_one_more_language_is_one_more_file(tmp_path: Path) -> None:
    lines = ["siehe Seite 54", "Seiten 3 bis 5 und 9", "siehe S. 12 aus Magie", "Kapitel vier", "see page 2"]
    assert told_with_german(ASKED, lines, tmp_path) == [
        "None|54|54|None",
        "None|3|5|None",
        "None|9|9|None",
        "Magie|12|12|None",
        "None|None|None|vier",
        "None|2|2|None",
        "de en de pt",
    ]


def test_the_amounts_of_one_more_language_are_read_by_its_file(tmp_path: Path) -> None:
    told = {
        "Eine halbe Stunde.|1/2 hour": "True False False False",
        "Doppelt so weit: zwanzig Fuß.|twice 20 feet": "True False False False",
        "Drei Stunden.|4 hours": "False False False False",
        "Zwei Stunden.|2 turns": "True False True False",
        "Sie brennt nicht im Regen.|Sie brennt im Regen.": "True True False False",
        "Mindestens zwei.|At most 2": "True False False True",
    }
    assert told_with_german(HELD, list(told), tmp_path) == list(told.values())


def test_a_misspelt_key_of_a_data_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "xx.toml"
    path.write_text('stemmer = "english"\nfunction_words = "a"\n[pages]\nsinglar = ["page"]\n')
    with pytest.raises(TypeError, match="singlar"):
        read_languages(tmp_path)


def test_the_languages_our_sentences_are_written_in_have_every_table() -> None:
    english = LANGUAGES["en"]
    for language in LANGUAGES.values():
        if language.is_spoken:
            assert language.numbers["spelled"]
            assert language.tables["pages"].singular
            assert language.tables["questions"].asking
            assert language.stemmer != english.stemmer or language is english
