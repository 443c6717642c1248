"""The rules by which printed references are read and resolved, for `python -m benchmarks.ablation`."""

from rag.library.references.chapters import find_named_parts
from rag.library.references.code_evidence import GameCodes
from rag.library.references.grammar import find_places
from rag.library.references.names import is_topic
from rag.library.references.resolve import is_confirmed

RULES = (
    find_named_parts,
    find_places,
    is_topic,
    is_confirmed,
    GameCodes.votes,
    GameCodes.titles_beside,
)
