"""Pages told by their place: "the facing page", "na página ao lado". Pure."""

import re
from collections.abc import Iterator

from rag.library.references.reference import Reference, Relative

_PLACE = re.compile(
    r"\b(?:the|na|a|da|à)\s+(?:(?P<before>facing|opposite|next|following|previous|preceding)\s+page\b"
    r"|página\s+(?P<after>ao\s+lado|oposta|seguinte|anterior)|(?P<proxima>próxima)\s+página)|\b(?P<over>overleaf)\b",
    re.IGNORECASE,
)
_RELATIVE: dict[str, Relative] = {
    "facing": "facing", "opposite": "facing", "ao lado": "facing", "oposta": "facing",
    "next": "next", "following": "next", "seguinte": "next", "próxima": "next", "overleaf": "next",
    "previous": "previous", "preceding": "previous", "anterior": "previous",
}  # fmt: skip


def find_places(text: str) -> Iterator[Reference]:
    """The pages that `text` tells by their place, in order."""
    for match in _PLACE.finditer(text):
        word = match["before"] or match["after"] or match["proxima"] or match["over"]
        yield Reference(
            match[0], match.start(), match.end(), relative=_RELATIVE[" ".join(word.lower().split())]
        )
