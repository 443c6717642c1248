-- The pages, passages, terms and words of the books of a segment.
CREATE TABLE pages (
    id INTEGER PRIMARY KEY, file TEXT NOT NULL, pdf_page INTEGER NOT NULL, label TEXT, kind TEXT NOT NULL,
    half INTEGER NOT NULL, has_text INTEGER NOT NULL,
    page TEXT NOT NULL, -- all of it, as JSON
    UNIQUE (file, pdf_page, half)
);
CREATE TABLE children (
    id INTEGER PRIMARY KEY, page INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL,
    words INTEGER NOT NULL
);
CREATE TABLE postings (
    language TEXT NOT NULL, term TEXT NOT NULL, children BLOB NOT NULL, counts BLOB NOT NULL,
    PRIMARY KEY (language, term)
) WITHOUT ROWID;
CREATE TABLE topics (
    id INTEGER PRIMARY KEY, child INTEGER NOT NULL, name INTEGER NOT NULL, words INTEGER NOT NULL
);
CREATE TABLE topic_postings (
    language TEXT NOT NULL, term TEXT NOT NULL, topics BLOB NOT NULL, PRIMARY KEY (language, term)
) WITHOUT ROWID;
CREATE TABLE words (id INTEGER PRIMARY KEY, language TEXT NOT NULL, word TEXT NOT NULL, folded TEXT NOT NULL);
