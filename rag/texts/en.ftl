# Answers
answer-not-found = I found nothing on this.
answer-searched = I found nothing on this. Searched for { $queries }; { $pages ->
    [one] one page
   *[other] { $pages } pages
} read.
answer-no-word = None of the books asked has the word “{ $word }”.
answer-nothing-fits = Nothing here fits well.
answer-partly = This is a part of the answer.
answer-dropped = Part of what the model wrote could not be proven and is not claimed.
answer-checking = Still checking the ruling against these lines:
calculated = (calculated, not printed)
answer-unproven = I could not prove a ruling; this is what the books say.
answer-overruled = { $authority ->
    [ruling] Your table has ruled here { $by }.
    [house-rules] Your table has a house rule here { $by }.
   *[book] A correction counts here { $by }.
} The book says otherwise: { $places }.
answer-table-first = { $place }: “{ $quote }” { $by }
answer-further = also: { $places }
answer-footer = { $mode ->
    [first-quotes] No chat model: only quotations ·{" "}
    [quotes] quotations ·{" "}
   *[model] { "" }
}{ NUMBER($seconds, minimumFractionDigits: 1, maximumFractionDigits: 1) } s
answer-missing = The pages I found do not tell: { $missing }.
answer-book-absent = I cannot look in a book called “{ $book }” here.
answer-code-unknown = I cannot tell which book “{ $book }” means here.
answer-page-nowhere = No book that I can look in here has a printed page { $page }.
answer-page-unread = No page of { $book } is known to be printed { $page }. Known are { $printed }; on some pages no number could be read.
answer-page-absent = There is no page { $page } in { $book } (its printed pages: { $printed }).
answer-page-unnumbered = { $numbering ->
    [unread] The page numbers printed in { $book } could not be read,
   *[unnumbered] No printed page numbers were found in { $book },
} so page { $page } cannot be found by its number{ $exists ->
    [yes] { "" }; PDF p. { $page } exists.
   *[no] .
}
answer-page-ambiguous = { $count } books have a page { $page }: { $books }{ $more ->
    [0] { "" }
   *[other] {" "}and { $more } more
}. Name the one you mean.
answer-elsewhere = The quoted rules also point to { $places }, in a book that is not in the library.
answer-unresolved = The quoted rules also point to { $places }; I could not tell which page of the library that is.
answer-game = From: { $games }
answer-other-games = Also in: { $options }
page-printed = { $book }, p. { $page }
page-unnumbered = { $book }, PDF p. { $page }
pages-printed = { $book }, pp. { $first }–{ $last }
pages-of-pdf = { $book }, PDF pp. { $first }–{ $last }
place-house-rule = House rule: { $place }
place-ruling-undated = Table ruling: { $place }
place-ruling = Table ruling, { $day } { $month ->
    [1] January
    [2] February
    [3] March
    [4] April
    [5] May
    [6] June
    [7] July
    [8] August
    [9] September
    [10] October
    [11] November
   *[12] December
} { $year }: { $place }
place-read-by-ocr = { $place } (read by OCR)
footer = { $strategy } · { $hops ->
    [one] 1 hop
   *[other] { $hops } hops
} · { NUMBER($seconds, minimumFractionDigits: 1, maximumFractionDigits: 1) } s
checked-by-code = checked by code
checked-by-code-and-model = checked by code and model

# Why
why-hop = Hop { $hop }
why-searched = { $origin ->
    [judge] Missing so far, so searched: “{ $query }”
    [sub-question] Searched as a part of it: “{ $query }”
   *[asked] Searched: “{ $query }”
}
why-followed = { $changed ->
    [origin] Looked up the change of a rule: { $target } changes { $origin }
    [target] Looked up the rule that is changed: { $origin } changes { $target }
   *[none] Followed a printed reference: { $origin } → { $target }
}
why-judged = { $verdict ->
    [enough] The model judged: this is enough to answer.
    [missing] The model judged: something is still missing.
    [at-a-loss] The model judged: something is missing; it named nothing new to look for.
   *[none] The model did not say whether this is enough.
}
why-missing = Not on the pages found
why-dropped = Not claimed: do not rely on it
why-dropped-statement = “{ $text }” – { $reason ->
    [no-line] it named no line of the books
    [numbers] a number of it stands in none of its lines and is not calculated
    [row] it takes a value of another row or column
    [changed] it repeats its line with a change
    [reason] no line gives its reason
    [overruled] a correction or a rule of the table changes its line
    [page-number] it gave a page number of its own
    [unshowable] empty, too long, or one statement too many
   *[unsupported] its lines may not say it
}
why-calls = { $calls ->
    [0] no model call
    [one] 1 model call
   *[other] { $calls } model calls
}
why-tokens = { $sent } tokens sent, { $received } received{ $estimated ->
    [yes] {" "}(estimated)
   *[no] { "" }
}
why-money = US$ { NUMBER($money, minimumFractionDigits: 2, maximumFractionDigits: 4) }

# Notices
notice-model-failed = The model did not answer, so here are the closest passages. Ask again in a moment.
notice-model-misconfigured = The chat model is not set up rightly, so here are the closest passages. Tell the host.
notice-model-busy = The model is busy, so here are the closest passages. Ask again in a few minutes.
notice-model-balance = The account for the model has no balance, so here are the closest passages. Tell the host.
notice-model-unreachable = The model cannot be reached just now, so here are the closest passages. It is tried again by itself.
notice-model-filtered = The model provider's content filter stopped this answer, so here are the closest passages. Other words may help.
notice-model-reply = The model's reply could not be used, so here are the closest passages. Ask again, or in other words.
notice-model-slow = The model took too long, so here are the closest passages. A shorter question may help.
notice-model-broke-off = The model broke off before it was done. Every sentence here is proven; ask again for the rest.
notice-question-cut = Your question was very long: I read its first 4,000 characters.
notice-prompt-cut = The model's server read only part of the pages, so something may be missing here. Tell the host.
notice-conversation-evicted = Nobody has asked here for a long time: what was said before is forgotten.
error-question-budget-spent = This question took more of the model than one question may, so here are the closest passages. Ask about one thing at a time.
notice-model-unasked = Nothing is claimed here: these are the books' own words.
notice-sample-game = No rulebook in { $folder } yet: answering from the sample game that ships with the bot. Put PDFs into { $folder }, one folder a game, then type: make run (without make: { $program } run)
notice-books-unread = The rulebooks in { $folder } are not read yet: answering from the sample game. To have them read, type: make run (without make: { $program } run)
notice-library-gone = There is no rulebook in { $folder }: answering from what was indexed before. If your books should be there, correct LIBRARY_DIR, or bring that folder back.

# Progress
progress-rewriting = Understanding the question…
progress-searching = Searching{ $target ->
    [none] …
   *[other] { "" }: { $target }
}
progress-judging = Reading what was found…
progress-following = Looking up { $target }…
progress-writing = Writing the answer…

# Errors
error-unexpected = Something went wrong on my side. Ask again; if it keeps happening, tell the host.
thanks-answered = You are welcome! Ask me whenever the next rule comes up.
error-nothing-asked = What would you like to know? Ask in your own words, for example: How far can I jump?
error-unknown-word = None of the books asked has the word “{ $word }”. Try the word that your rulebook uses for it.
error-configuration = The setting { $variable } cannot work: { $reason ->
    [switch] write true or false.
    [digits] write it in digits only, without points or commas.
    [number] write a number, with a point before the decimals, as 0.40.
    [too-small] the number is too small; the limit is { $limit }.
    [too-large] the number is too large; the limit is { $limit }.
    [choice] write one of these: { $limit }.
    [server-id] write digits only: in Discord, right-click the server → Copy Server ID.
    [header] a character in it cannot stand in a key. Copy it anew, without blanks, accents or quotation marks.
    [url] it must begin with http:// or https:// and name a server, as http://localhost:8000.
    [database] the path names one database, of 3 or more letters without accents, digits, “.”, “-” or “_”, as http://localhost:8000/my-rules.
    [file] it leads to a file. Write the name of a folder.
    [overrides] write it as prompt=name:tag, with commas between several.
    [no-provider] this model needs a provider. Set OPENAI_API_KEY or OPENAI_BASE_URL, or write embedded.
    [one-price] PRICE_INPUT and PRICE_OUTPUT belong together. Set both, or neither.
    [shards] write the numbers of this process's shards, with commas, from 0 to one below SHARD_COUNT, and set that as well.
   *[other] { $reason }
}
error-env-file-unreadable = The file { $file } cannot be read: save it as UTF-8 (in Notepad: Save as → Encoding → UTF-8), in a place that I may read.
error-env-line = In the file { $file } line { $line } sets nothing. Write a name, “=” and a value: DISCORD_TOKEN=abc
error-no-chat-model = No chat model is configured, and a prompt cannot be tested without one: set OPENAI_API_KEY or OPENAI_BASE_URL.
error-tracing-key-missing = LANGSMITH_TRACING is on, but LangSmith takes no traces without a key: set LANGSMITH_API_KEY, or switch tracing off.
error-empty-library = No readable rulebook is indexed. Put your books into the folder of LIBRARY_DIR and run: { $program } ingest
error-sample-game-unread = No rulebook in { $folder } yet, and the sample game that ships with the bot is not indexed. Put your rulebooks there, then run: { $program } ingest
error-library-absent = There is no folder { $folder }. Correct LIBRARY_DIR, or make that folder and put your rulebooks there.
error-index-damaged = The index is damaged or incomplete ({ $parts }). Make it whole with: { $program } ingest
error-index-outdated = The index was made by another release, which read books differently. Have them read anew with: { $program } ingest
error-not-in-library = { $path } is not in the library: copy it into { $folder }, then run this again.
error-no-such-path = There is no { $path }. Check the name; what is to be indexed lies in { $folder }.
error-unknown-book = There is no book, code or game called “{ $book }” here.{ $nearest ->
    [none] { "" }
   *[other] { "" } Did you mean { $nearest }?
} The books are listed by: { $program } books. A book for the GM needs --as gm; a new one is read by: { $program } ingest
error-ambiguous-page = Several books called “{ $book }” have a page { $page }: { $books }. Name one of them.
error-unknown-page = { $book } has no page printed { $page }. The printed pages of each book are listed by: { $program } books
error-unknown-section = { $book } has no printed page numbers, and no section “{ $section }”. It has, for example: { $nearest }.
error-unnumbered-page = { $numbering ->
    [unread] The page numbers printed in { $book } could not be read.
   *[unnumbered] No printed page numbers were found in { $book }.
} { $exists ->
    [yes] PDF p. { $page } exists: ask for “PDF p. { $page }”.
   *[no] Its pages are called by their place in the file: “PDF p. 1”.
}
error-page-not-drawn = This page of { $file } cannot be drawn. Try again; if that fails, open the file itself and look whether it shows the page.
error-page-without-picture = { $book } cannot be shown as a picture: only PDF books have pages that can. Its text is shown without “-o”.
error-book-file-absent = Pages of { $file } cannot be shown here: this machine has only the index, not the book. Copy the book into the folder of LIBRARY_DIR.
error-book-file-changed = { $file } was changed since it was indexed, so its pages are not shown. Run: { $program } ingest
error-quotation-not-located = It is not sure where on its page this quotation stands, so nothing is marked and no picture is made. The whole page is drawn by: { $program } page BOOK PAGE -o FILE.png
error-nothing-quoted = Nothing is quoted in this answer, so there is nothing to draw.
error-one-picture-alone = A picture goes with one question: write the question in place of “-”.
error-file-unwritable = { $path } cannot be written: check that its folder exists and that you may write there.
error-index-unwritable = The index in { $folder } cannot be written ({ $reason }): free disk space, fix the rights of that folder, or name another one in INDEX_DIR.
error-system-exhausted = The system has no more open files or memory to give ({ $reason }). Close other programs, or raise the limit of open files (ulimit -n), and try again.
error-index-unreachable = The Chroma server at { $url } does not answer: start it, or check CHROMA_URL.
error-index-lost = The Chroma server at { $url } has not this index (any more). Make it anew there with: { $program } ingest
error-model = The model gave no usable answer. Ask again in a moment.
error-key-refused = The model server refuses the key: correct OPENAI_API_KEY.
error-unknown-model = The model server does not know this model, or has nothing at this address: check CHAT_MODEL or EMBEDDING_MODEL, and OPENAI_BASE_URL, which usually ends with /v1.
error-balance-spent = The account has no balance: top it up at the model's provider.
error-model-busy = The model server is busy, or the account's quota is used up: wait, or look at the account.
error-model-unreachable = The model server does not answer: check the network; of a server of your own, OPENAI_BASE_URL and whether it is running.
error-request-refused = The model server refuses the request: check that it offers chat completions, and how long a prompt it takes.
error-reply-filtered = The model provider's content filter stopped the answer.
error-unusable-reply = The model's reply cannot be used: it is empty, or not the JSON that was asked for. Try another model.
error-unusable-vectors = What the embedding's server sends are no vectors of the texts: check EMBEDDING_MODEL and the server.
error-other-embedding = The index was made with another embedding than the one that EMBEDDING_MODEL names by now: empty INDEX_DIR (or the Chroma database) and run ingest again.
error-reply-cut-off = The model's reply was longer than a reply may be, and was cut off. Choose a model that thinks less, or another one.
error-call-timed-out = The model took longer than MODEL_CALL_SECONDS: raise it, or choose a faster model.
error-question-timed-out = The model took longer than MODEL_QUESTION_SECONDS: raise it, or choose a faster model.
error-prompt-cut = The chat model's server read { $read } of about { $sent } tokens of a prompt and left out the rest without a word: its context is too small. Set it larger (Ollama: OLLAMA_CONTEXT_LENGTH), or PROMPT_TOKENS lower.
error-reply-broken-off = The chat model's server broke off in the middle of a reply. If this goes on, look at its log, or at what lies between here and it.

# The terminal
chat-prompt = { "> " }
chat-hint = Ask in your own words. “games” lists the games, “help” says what else you can type, “quit” ends.
chat-try = For example:
chat-game = From now on: { $game ->
    [all] all games
   *[other] { $game }
}.
chat-games = { $unknown ->
    [none] { "" }
   *[other] There is no game “{ $unknown }” here.{" "}
}Games: { $games }. To ask one alone, type “game” and its name or number; “game all” asks all of them again.
chat-help =
    • Ask a rules question in your own words, in English or Portuguese: How far can I jump?
    • What belongs to it may be short: And with a heavy pack?
    • Name a page: What does p. 12 of a book say?
    • Type the number of a passage behind “also” to read it, or that of a game behind “Also in” to ask it.
    • games: the games. game NAME, or the number before it: ask that game alone. game all: ask all again.
    • quit, exit or sair: the end.
    Books that you put into the library meanwhile are read before your next question.
try-heading = What are the rules for { $heading }?
try-row = What { $column } does { $row } have?
chat-books-changed = The books in { $folder } have changed: reading them…
picture-saved = { $place }: { $path }
column-game = Game
column-title = Book
column-pages = Pages
column-printed = Printed
column-language = Lang.
language-unknown = unknown
column-codes = Codes
column-audience = For
audience-gm = GM
audience-player = all
column-references = Refs
column-health = Health
health-well = good
health-text = text { $percent } %
health-words = words { $percent } %
health-labels = numbers { $percent } %
health-ocr = OCR { $percent } %
pages-uncounted = none found
pages-unread = not readable
pages-sections = by section

# Hosting
run-reading = Reading the rulebooks…
check-version = Version { $version }
check-books = { $count ->
    [0] No book is indexed yet. Run: { $program } ingest
    [one] 1 book is indexed.
   *[other] { $count } books are indexed.
}
model-offered = { $priced ->
    [none] { $name }, { $model }: on your own machine
   *[other] { $name }, { $model }: about ${ NUMBER($cost, minimumFractionDigits: 2, maximumFractionDigits: 2) } for { $questions } questions (prices of { $priced })
}
model-which = Which one, 1 to { $last }?{" "}
model-none-chosen = No provider was chosen, and nothing was changed. Type its number.
model-no-key = No key was typed, and nothing was changed.
model-of-your-own = { $name } runs on your own machine: install it, start it, fetch its model (ollama pull { $model }), then choose it again.
model-of-a-provider = Nothing was changed. Check that this machine reaches the internet, and your key at { $page }; then choose { $name } again.
model-key = Its key, from { $page } (it is not shown while you paste it):{" "}
model-written = It is written into { $file }; start the program again. { $prices ->
    [none] { "" }
   *[other] Prices change: { $prices }
}
error-mcp-absent = What serves the books to an assistant is not installed. { $program ->
    [rules-bot] In the folder of the program’s source type: pipx install --force ".[mcp]" (with uv: uv tool install --force ".[mcp]")
   *[other] Run: make mcp (without make: see “Scans and an assistant” in docs/installation.md)
}
mcp-error-unknown-book = There is no book, code or game called “{ $book }” here.{ $nearest ->
    [none] { "" }
   *[other] { "" } Did you mean { $nearest }?
} The books are this server’s resources.
mcp-error-unknown-page = { $book } has no page printed { $page }. The book’s resource tells the first and the last one; search finds pages by their text.
mcp-error-page-without-picture = { $book } cannot be shown as a picture: only PDF books have pages that can. Its text is given by the tool page.
mcp-error-quotation-not-located = It is not sure where on its page this quotation stands, so nothing is marked and no picture is made. Without a quotation the whole page is drawn.
check-model-none = No chat model is configured: answers are quotations. To have written ones, the host types: make model (without make: { $program } model).
check-model-works = The chat model answers.
check-embedding-works = The embedding model answers.

# Indexing
ingest-wait = waiting for another run that is indexing…
ingest-read = reading { $file }
ingest-embed = indexing { $file }
ingest-build = building the index
ingest-new-model = The index was made with the embedding model { $before }; it has been made anew with { $now }.
ingest-damaged = Damaged or missing in the index, and made anew: { $parts }
book-unreadable = { $file }: cannot be read. Download or export it again.
book-too-slow = { $file }: no page of it could be read for ten minutes, so reading was given up. Download or export it again.
book-needs-password = { $file }: needs a password to open. Save a copy without one and put it in its place.
book-truncated = { $file }: the file ends too soon, as after a broken download. Copy it again.
book-empty = { $file }: the file is empty. Copy it again.
book-not-pdf = { $file }: is not a PDF in spite of its name. Replace it by the real file.
book-without-text = { $file }: no text was found in it, and no words in its pictures. Download or export it again.
book-scanned = { $file }: has no text, only pictures of pages. Install OCR with: make ocr (without make: see “Scans and an assistant” in docs/installation.md), then run this again: { $program } ingest
book-pages-missing = { $file }: { $missing } of { $pages } pages are pictures that nobody has read, so nothing on them is found. Install OCR with: make ocr (without make: see “Scans and an assistant” in docs/installation.md), then run: { $program } ingest
book-pages-empty = { $file }: most of its { $pages } pages have no text that could be read, so nothing on them is found. Open it in a PDF reader and try to copy a sentence: if that does not work, download or export the book anew.
book-text-hidden = { $file }: { $hidden } of { $pages } pages are pictures with text that an OCR program read before; quotations from them may hold its mistakes.
book-words-unknown = { $file }: hardly any of its words are in a dictionary, so its letters are probably stored under wrong codes. Open it in a PDF reader and copy a sentence: if that is garbled too, export or download the book anew.
book-not-text = { $file }: is no text in spite of its name. Replace it by the real file.
book-without-words = { $file }: has no text in it. Open it and look; what is only in its pictures cannot be read.
book-too-large = { $file }: is larger than any rulebook (more than { $limit } MB of text). Split it, or replace it by the real file.
book-not-its-format = { $file }: is damaged, or no { $format } file in spite of its name. Download or export it again.
book-protected = { $file }: is copy-protected, so its text cannot be read. Put a copy without protection in its place.
book-format-unread = { $file }: files of this kind are not read; PDF, DOCX, EPUB, HTML, Markdown and plain text are. { $target ->
    [docx] Open it in your word processor, choose “Save as” → DOCX, and put that file here.
    [epub] Convert it to EPUB, for example with Calibre, and put that file here.
    [unpacked] Unpack it, and put the files that are in it here.
   *[pdf] Open it, export or print it as PDF, and put that file here.
}
book-changing = { $file } still changes: it is indexed once it stays as it is.
file-name-unreadable = { $file }: its path has letters that cannot be read here (? stands for them). Rename the file, or the folder that has them.
file-not-opened = { $file }: may not be opened. Give this user the right to read it.
file-link-broken = { $file }: is a link to a file that is not there. Put the book itself in its place.
folder-not-opened = { $folder }: the folder may not be opened. Give this user the right to read it.
book-declared-missing = { $file }: is described in library.toml, but there is no such file. Correct the name there.
book-amends-missing = { $file }: library.toml says that it amends { $amends }, but there is no such file. Correct the name there.
book-page-beyond = { $file }: library.toml speaks of its page { $page } (on_pdf_page), but the file has { $pages } pages. Count the pages as your PDF reader does, from 1.
book-code-shared = { $file }: library.toml gives it the code { $code }, which { $other } of the same game has already. Give each book a code of its own.
book-code-unusable = { $file }: library.toml gives it the code “{ $code }”, which cannot stand before a page number. A code is one to five letters, the first a capital, as in "B" or "MA"; a digit may follow.
folder-looks-gm = { $folder }: looks meant for the GM, but players read its books. Rename the folder to “gm”, or say audience = "gm" or "everyone" for each book in library.toml.
book-numbers-unread = { $file }: its printed page numbers could not be read, so pages are cited by their place in the file (PDF p. 20). Where a number stands can be declared in library.toml: first_printed_page and on_pdf_page.
book-references-unresolved = { $file }: “{ $text }” on { $place } leads to no page{ $more ->
    [0] { "" }
    [one] , nor does another like it
   *[other] , nor do { $more } others like it
}: { $why ->
    [code] it is not known which book “{ $name }” means. If that book is here, add to its [[book]] in library.toml: codes = ["{ $name }"]
   *[page] no page here is known to be printed { $page } in { $name }. If one is, say under its [[book]] in library.toml where: first_printed_page and on_pdf_page.
}
book-copied = { $copy }: the same file as { $file }, so it is listed and searched once. You can delete one of them.
book-same-title = { $file }: another book has the same title, so its file name is added. Give it a title in library.toml.
server-game-unknown = library.toml gives the server { $server } the game “{ $game }”, but the library has no such game, or several alike. Write the name of its folder; "" stands for the books that lie in no folder.

# library.toml
library-toml-encoding = library.toml is not in UTF-8: open it in your editor and save it as UTF-8.
library-toml-not-opened = library.toml cannot be read ({ $reason }). Give this user the right to read it.
library-toml-not-toml = library.toml is not written as TOML: { $reason }. Look at that place for a missing quotation mark or bracket.
library-toml-shape = library.toml: “{ $name }” is not written as it must be. Each book begins with the line [[book]] in double brackets; what is said of it follows, as in file = "gurps/powers.pdf".
library-toml-unknown-key = library.toml, book { $book }: there is no key “{ $name }”. A book may have: { $allowed }.
library-toml-no-file = library.toml, book { $book }: its file is missing. Add its path in the library, as in file = "gurps/powers.pdf".
library-toml-page-alone = library.toml, book { $book }: first_printed_page and on_pdf_page belong together. Add the other one.
library-toml-twice = library.toml: { $file } is declared twice. Write one [[book]] for it.
library-toml-game-shape = library.toml: the entry of a game is not written as it must be. Each begins with the line [[game]] in double brackets; below it stand folder = "…", and name = "…" or aliases = ["…"].
library-toml-game-unknown-key = library.toml, game { $game }: there is no key “{ $name }”. A game has: { $allowed }.
library-toml-game-value = library.toml, game { $game }: “{ $name }” is missing or not as it must be, as in folder = "gurps", name = "GURPS", aliases = ["g4e"].
library-toml-server-shape = library.toml: the entry of a server is not written as it must be. Each begins with the line [[server]] in double brackets; below it stand id = "…" and games = ["gurps"].
library-toml-server-unknown-key = library.toml, server { $server }: there is no key “{ $name }”. A server has: { $allowed }.
library-toml-server-twice = library.toml: the server { $id } has two entries. Write one [[server]] for it, with all its games.
library-toml-server-value = library.toml, server { $server }: “{ $name }” must be { $name ->
    [id] the server's number, as in id = "1049381029381029381": Discord → Settings → Advanced → Developer Mode, then right click on the server → Copy Server ID.
   *[other] a list of the folders of its games, as in games = ["gurps"].
}
library-toml-value = library.toml, book { $book }: “{ $name }” must be { $name ->
    [codes] a list of texts, as in codes = ["P"].
    [audience] "gm" or "everyone", in quotation marks.
    [first_printed_page] a whole number from 1, as in first_printed_page = 1.
    [on_pdf_page] a whole number from 1, as in on_pdf_page = 3.
   *[other] a text in quotation marks, as in { $name } = "…".
}

# Evaluation
error-question-file = { $file }{ $line ->
    [0] { "" }
   *[other] { "" }, line { $line }
}: { $reason }
evaluation-progress = asking
evaluation-unknown-book = { $id }: there is no book or game “{ $book }” to ask it in, so it is asked in all books. Correct the name, or leave it out.
evaluation-quote-elsewhere = { $id }: the quote does not stand there, or you may not see it: { $file }, { $place }. Correct the quote, the printed page or the place; of a book for the GM run this with: --as gm
evaluation-misses = { $count ->
    [0] No misses
    [one] 1 miss
   *[other] { $count } misses
}

# Prompts
error-hub-silent = LangSmith's hub did not answer.
error-hub-prompt-unknown = LangSmith's hub has no prompt { $override } that this key may read. Check PROMPT_OVERRIDES and LANGSMITH_API_KEY.
error-prompt-form-unfit = { $override } is not a chat prompt of plain texts with places in single braces. Save it in that form (f-string).
error-prompt-places-differ = { $override } does not have the places of the file. It needs exactly: { $places }
prompt-from-file = file
prompt-from-hub = hub { $hub }
prompt-from-file-because = file: { $reason }
