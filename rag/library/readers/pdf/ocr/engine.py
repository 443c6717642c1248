"""Optical character recognition of pages that are pictures, by Tesseract where the extra `ocr` is installed.

Tesseract comes in a package (tesserocr), English data in another. Data of further languages is taken from
where the system keeps Tesseract's own.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from rag.library.language.identify import language_of
from rag.library.language.language import LANGUAGES
from rag.library.readers.pdf.lines import CELL_GAP, HYPHEN, PrintedLine, RawPage, Word, cells_of

if TYPE_CHECKING:
    import pypdfium2
    import tesserocr

PACKAGE = "tesserocr"
FIRST_LANGUAGE = "eng"
"""Tesseract's name of the language that a book is read in until its own is known."""
DOTS_PER_INCH = 300
"""What Tesseract's data was trained on."""
_POINTS_PER_INCH = 72
_MOST_PIXELS = 40_000_000
"""A larger page is drawn smaller: a poster must not take all memory."""
LEAST_CONFIDENCE = 60.0
"""Of 100: where the words of a page stay below it on average, strokes of a drawing were taken for letters."""
_FEWEST_WORDS = 5
_WORD = re.compile(r"[^\W\d_]{3,}")
_ENOUGH_WORDS = 40
"""So many words tell the language of a book."""

_DATA_SUFFIX = ".traineddata"
_SYSTEM_DATA = (
    "usr/share/tesseract-ocr/*/tessdata",
    "usr/share/tesseract*/tessdata",
    "usr/share/tessdata",
    "usr/local/share/tessdata",
    "opt/homebrew/share/tessdata",
    "Program Files/Tesseract-OCR/tessdata",
)

Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class OcrEngine:
    """What reads pictures here: its version, and the folder of data for each language it reads."""

    version: str
    data: tuple[tuple[str, Path], ...]

    @property
    def name(self) -> str:
        """What its output depends on: "tesserocr-2.13.0-eng-por"."""
        return "-".join([PACKAGE, self.version, *(language for language, _ in self.data)])


@lru_cache(1)
def ocr_engine() -> OcrEngine | None:
    """The installed engine, with the languages that we know and it has data for; none without the extra.

    Nothing heavy is imported for it: who reads no scan pays nothing.
    """
    try:
        installed = version(PACKAGE)
    except PackageNotFoundError:
        return None
    known = {language.tesseract for language in LANGUAGES.values()}
    data: dict[str, Path] = {}
    for folder in _data_folders():
        for file in sorted(folder.glob(f"*{_DATA_SUFFIX}")):
            if (name := file.name.removesuffix(_DATA_SUFFIX)) in known:
                data.setdefault(name, folder)
    return OcrEngine(installed, tuple(sorted(data.items()))) if data else None


def _data_folders() -> Iterator[Path]:
    """Folders of Tesseract's data, the preferred first."""
    yield Path(sys.prefix) / "share" / "tessdata"
    for pattern in _SYSTEM_DATA:
        yield from sorted(Path(Path.cwd().anchor).glob(pattern))


class PictureReader:
    """Reads the pages of one book that are pictures, in the language that its first words show.

    For one process: Tesseract is loaded with the first page and keeps its own memory of the book.
    """

    def __init__(self, engine: OcrEngine) -> None:
        self._data = dict(engine.data)
        self._language = FIRST_LANGUAGE if FIRST_LANGUAGE in self._data else next(iter(self._data))
        self._is_settled = len(self._data) == 1
        self._api: tesserocr.PyTessBaseAPI | None = None

    def read(self, page: "pypdfium2.PdfPage") -> RawPage | None:
        """The lines of a page that is a picture; none where no words can be told in it."""
        width, height = page.get_size()
        scale = min(DOTS_PER_INCH / _POINTS_PER_INCH, (_MOST_PIXELS / max(1.0, width * height)) ** 0.5)
        pixels = np.ascontiguousarray(page.render(scale=scale, grayscale=True).to_numpy())
        pixels = pixels.reshape(pixels.shape[0], pixels.shape[1])
        for turns in (0, 1, 3):
            turned = np.ascontiguousarray(np.rot90(pixels, turns))
            lines = self._lines(turned, scale)
            if lines is not None:
                return RawPage(lines, turned.shape[1] / scale, turned.shape[0] / scale, turns=turns)
        return None

    def _lines(self, pixels: Pixels, scale: float) -> list[PrintedLine] | None:
        lines = self._recognised(pixels, scale)
        if lines is None or self._is_settled:
            return lines
        found = " ".join(line.text for line in lines)
        if len(_WORD.findall(found)) < _ENOUGH_WORDS:
            return lines
        spoken = LANGUAGES.get(language_of(found))
        self._is_settled = True
        if spoken is None or spoken.tesseract == self._language or spoken.tesseract not in self._data:
            return lines
        self._language, self._api = spoken.tesseract, None
        return self._recognised(pixels, scale)

    def _recognised(self, pixels: Pixels, scale: float) -> list[PrintedLine] | None:
        """What Tesseract reads; none where it is hardly sure of any word."""
        import tesserocr

        api = self._api or tesserocr.PyTessBaseAPI(
            path=str(self._data[self._language]), lang=self._language, psm=tesserocr.PSM.AUTO
        )
        self._api = api
        height, width = pixels.shape
        api.SetImageBytes(pixels.tobytes(), width, height, 1, width)
        api.SetSourceResolution(round(scale * _POINTS_PER_INCH))
        api.Recognize()
        rows: list[tuple[float, float, list[Word]]] = []
        confidences: list[float] = []
        found = api.GetIterator()
        for word in tesserocr.iterate_level(found, tesserocr.RIL.WORD) if found else ():
            box = word.BoundingBox(tesserocr.RIL.WORD)
            if box is None or word.Empty(tesserocr.RIL.WORD):
                continue
            text = word.GetUTF8Text(tesserocr.RIL.WORD).strip()
            if not rows or word.IsAtBeginningOf(tesserocr.RIL.TEXTLINE):
                (_, y0), (_, y1) = word.Baseline(tesserocr.RIL.TEXTLINE)
                rows.append(((y0 + y1) / 2 / scale, word.RowAttributes()["row_height"] / scale, []))
            rows[-1][2].append(Word(text, box[0] / scale, box[2] / scale, False))
            confidences += [word.Confidence(tesserocr.RIL.WORD)] if _WORD.search(text) else []
        is_sure = sum(confidences) >= LEAST_CONFIDENCE * len(confidences)
        if len(confidences) < _FEWEST_WORDS or not is_sure:
            return None
        return [_line(words, baseline, size) for baseline, size, words in rows]


def _line(words: list[Word], baseline: float, size: float) -> PrintedLine:
    """Words on a baseline, parted into cells where a gap is too wide for a space."""
    last = words[-1]
    if len(last.text) > 1 and last.text.endswith(("-", "‐")):
        last.text = last.text[:-1] + HYPHEN
    return PrintedLine(cells_of(words, CELL_GAP * size), baseline, size)
