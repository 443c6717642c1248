-- Made when the tables of a segment are filled.
CREATE INDEX pages_by_label ON pages (lower(label), file);
CREATE INDEX words_by_form ON words (language, folded);
