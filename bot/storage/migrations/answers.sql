-- version 1
CREATE TABLE IF NOT EXISTS answers (
    message INTEGER PRIMARY KEY, channel INTEGER NOT NULL, home INTEGER NOT NULL, guild INTEGER,
    conversation TEXT NOT NULL,
    asker INTEGER NOT NULL, audience TEXT NOT NULL, private INTEGER NOT NULL, book TEXT,
    question TEXT NOT NULL, standalone_question TEXT NOT NULL, outcome TEXT NOT NULL,
    sources TEXT NOT NULL, hops INTEGER NOT NULL, queries TEXT NOT NULL, followed TEXT NOT NULL,
    seconds REAL NOT NULL, created REAL NOT NULL
);
CREATE INDEX IF NOT EXISTS answers_by_asker ON answers (asker);
CREATE INDEX IF NOT EXISTS answers_by_conversation ON answers (conversation);
CREATE INDEX IF NOT EXISTS answers_by_created ON answers (created);

-- version 2
ALTER TABLE answers ADD COLUMN trace TEXT;

-- version 3
ALTER TABLE answers ADD COLUMN book_only INTEGER NOT NULL DEFAULT 0;

-- version 4
ALTER TABLE answers ADD COLUMN locale TEXT;
