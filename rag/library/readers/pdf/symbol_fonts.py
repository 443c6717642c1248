"""Symbol fonts without a map to Unicode, whose codes PDFium tells as if they were letters."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files

SymbolTable = Mapping[str, str]
"""What a character that PDFium tells really is, "" for one that is left out."""

_SUBSET = re.compile(r"^[A-Z]{6}\+")
_PRIVATE = 0xF000
"""Where symbol fonts of Windows keep their 256 codes in Unicode's private area."""
_LEFT_OUT = " "


@lru_cache(1024)
def symbol_table(font: str) -> SymbolTable | None:
    """What the characters of a font with that name are; None for a font that is not known to hold symbols."""
    name = _SUBSET.sub("", font)
    return next((table for pattern, table in _tables() if pattern.search(name)), None)


@cache
def _tables() -> list[tuple[re.Pattern[str], SymbolTable]]:
    told = tomllib.loads(files(__package__).joinpath("symbol_fonts.toml").read_text(encoding="utf-8"))
    return [(re.compile(font["name"], re.IGNORECASE), _table(font["codes"])) for font in told["font"]]


def _table(codes: list[tuple[int, str]]) -> SymbolTable:
    shown = {first + step: sign for first, signs in codes for step, sign in enumerate(signs)}
    known = {code: "" if sign == _LEFT_OUT else sign for code, sign in shown.items()}
    # The characters as which PDFium may tell a code.
    ways = {
        code: (chr(code), chr(_PRIVATE + code), bytes([code]).decode("cp1252", "ignore"))
        for code in range(0x100)
    }
    table = {told: known.get(code, "") for code, way in ways.items() for told in way if told}
    # Where a font's own map is right already, PDFium tells the sign itself.
    return {**table, **{sign: sign for sign in known.values() if sign}}
