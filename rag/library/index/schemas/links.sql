-- The references and corrections among all books. Pages are numbered here through the linked files, in order of
-- file.
CREATE TABLE linked_files (file TEXT PRIMARY KEY, content TEXT NOT NULL, pages INTEGER NOT NULL);
CREATE TABLE page_references (
    reader TEXT NOT NULL, page INTEGER NOT NULL, start INTEGER NOT NULL, text TEXT NOT NULL, name TEXT,
    label TEXT, first INTEGER, last INTEGER
);
CREATE TABLE amendments (
    reader TEXT NOT NULL, page INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL,
    amending INTEGER NOT NULL, at INTEGER NOT NULL, until INTEGER NOT NULL,
    PRIMARY KEY (reader, page, start, amending, at)
) WITHOUT ROWID;
