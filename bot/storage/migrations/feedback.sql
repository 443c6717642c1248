-- version 1
CREATE TABLE rated_answers (
    message INTEGER PRIMARY KEY, channel INTEGER NOT NULL, home INTEGER NOT NULL, guild INTEGER,
    asker INTEGER, audience TEXT NOT NULL, book TEXT, question TEXT NOT NULL,
    standalone_question TEXT NOT NULL, sources TEXT NOT NULL, has_statements INTEGER NOT NULL,
    created REAL NOT NULL, page TEXT
);
CREATE TABLE ratings (
    message INTEGER NOT NULL REFERENCES rated_answers ON DELETE CASCADE, person INTEGER, rating TEXT NOT NULL,
    UNIQUE (message, person)
);
