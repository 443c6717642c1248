-- version 1
CREATE TABLE IF NOT EXISTS spent (
    day INTEGER NOT NULL, kind TEXT NOT NULL, id INTEGER NOT NULL,
    calls INTEGER NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
    estimated INTEGER NOT NULL, money TEXT, PRIMARY KEY (day, kind, id)
);
