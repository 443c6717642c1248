-- Made when the tables of the links are filled.
CREATE INDEX references_by_page ON page_references (reader, page);
CREATE INDEX amendments_by_amending ON amendments (reader, amending);
CREATE INDEX references_by_first ON page_references (reader, first);
