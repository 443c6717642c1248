"""The rules of reading a PDF, each of which can be turned off to see what it brings."""

from rag.library.readers.pdf.headings import with_headings_apart, with_names_apart
from rag.library.readers.pdf.hyphenation import join_cell, join_drop_caps
from rag.library.readers.pdf.layout import part_columns
from rag.library.readers.pdf.numbering.margins import watermark_lines
from rag.library.readers.pdf.tables.continued import continue_tables
from rag.library.readers.pdf.tables.header import widen_groups
from rag.library.readers.pdf.tables.leaders import without_leaders
from rag.library.readers.pdf.tables.ruled import ruled_tables
from rag.library.readers.pdf.tables.unruled import find_tables

RULES = (
    *(with_headings_apart, with_names_apart, join_drop_caps, join_cell),
    *(part_columns, watermark_lines),
    *(ruled_tables, find_tables, widen_groups, without_leaders, continue_tables),
)
