"""Numbers as books print and people write them: digits, roman numerals, words of two languages. Pure."""

from text_to_num import text2num

from rag.library.readers.pdf.labels import from_roman

_LANGUAGES = ("en", "pt")
_ONE_TO_19 = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    r"|seventeen|eighteen|nineteen)"
)
_TENS = r"(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
_BELOW_100 = rf"(?:{_TENS}(?:[\s-]{_ONE_TO_19})?|{_ONE_TO_19})"
_UM_A_19 = (
    r"(?:uma?|dois|duas|tr[êe]s|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|treze|quatorze|catorze|quinze"
    r"|dez[ea]sseis|dez[ea]ssete|dezoito|dez[ea]nove)"
)
_DEZENAS = r"(?:vinte|trinta|quarenta|cinquenta|sessenta|setenta|oitenta|noventa)"
_ABAIXO_DE_100 = rf"(?:{_DEZENAS}(?:\s+e\s+{_UM_A_19})?|{_UM_A_19})"
_CENTENAS = r"(?:cem|cento|duzentos|trezentos|quatrocentos|quinhentos)"

SPELLED = (
    rf"(?i:{_ONE_TO_19}\s+hundred(?:\s+(?:and\s+)?{_BELOW_100})?|{_BELOW_100}"
    rf"|{_CENTENAS}(?:\s+e\s+{_ABAIXO_DE_100})?|{_ABAIXO_DE_100})"
)
"""A pattern of numbers in words, up to hundreds."""

NUMERAL = rf"(?:\d{{1,3}}|[IVXLC]{{1,8}}|{SPELLED})"
"""A pattern of the numbers of chapters."""


def number_of(text: str) -> int | None:
    """The number that a numeral of any kind means: "11", "XI", "Eleven", "onze"; None if it is none."""
    if text.isdecimal():
        return int(text)
    return from_roman(text) or _spelled(text)


def _spelled(text: str) -> int | None:
    for language in _LANGUAGES:
        try:
            number: int = text2num(" ".join(text.lower().split()), language)
        except ValueError:
            continue
        return number
    return None
