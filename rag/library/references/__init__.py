"""The grammar of printed cross-references, in every language whose data file has its words. Pure.

A page reference is read from the middle: a page word and its numbers (`pp. MA45-47, 52`), then the name
printed before or after them (`Powers, p. 100`, `page 33 of Magic`). Beside those: codes without a page
word, chapters, headings called by name, the next page. What only looks like a reference
(`1D6`, `a B2 bomber`, `page 3 of 5`) is refused.
"""

from rag.library.references.grammar import find_references, names_page
from rag.library.references.reference import Reference

__all__ = ["Reference", "find_references", "names_page"]
