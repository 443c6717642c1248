"""The rules of language, each of which can be turned off to see what it brings."""

from rag.library.language.glossary import commonest_translations, meanings
from rag.library.language.short_forms import with_short_forms_written_out

RULES = (meanings, commonest_translations, with_short_forms_written_out)
