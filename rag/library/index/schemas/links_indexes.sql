-- Made when the tables of the links are filled.
CREATE INDEX references_by_page ON page_references (page);
CREATE INDEX references_by_player_page ON page_references (player_page);
CREATE INDEX amendments_by_amending ON amendments (reader, amending);
CREATE INDEX references_by_gm_page ON page_references (gm_page);
