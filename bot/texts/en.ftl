# Commands (at most 100 characters)
menu-ask = Ask the rules
menu-rule = Make it a ruling
command-rules = Ask the rulebooks; the answer names book and page
command-library = The group's rulebooks
command-library-books = List the books that can be asked; only you see the list
command-library-page = Read a printed page or a section; only you see it
command-help = How to ask, and what else I can do
command-status = How the bot is doing
command-privacy = What the bot keeps of you
command-privacy-show = Show what the bot keeps of your questions
command-privacy-forget = Delete everything the bot keeps of your questions
command-gm = For game masters
command-gm-rules = Ask the rulebooks, the GM's books included; only you see the answer
command-gm-check = Find what is misconfigured, and what to click
command-gm-channel = Open threads on answers in this channel, or answer in it
option-answers = Where answers are gone on with
option-answers-thread = in a thread of their own
option-answers-place = in this channel, without threads
command-gm-game = Bind this channel to a game; without one, to none
command-library-search = Tell where the books speak of something; no answer, only you see it
option-search-text = What to look for, in your own words
command-gm-feedback = What people think of answers, without names; write down the page that answers
option-export = As a question file, with which “evaluate” scores changes
option-question = Your question, in your own words
option-book = Only this book or game
option-private = Only you see the answer
option-book-only = By the print of the books alone, without house rules and rulings
option-page-book = The book
option-page-page = The printed number, such as 102 or iv; in a book without pages the section
option-game = The game played in this channel

# Answers
working = Looking into the books…
working-waiting = Waiting for my turn: other questions come first…
asked = ❓ { $question }
answered-there = The answer: { $link }
sources-more = and { $count } more
narrowed-in-thread = only { $name } from here on · all books: /rules book:all
narrowed-once = only { $name }, for this question
by-print-alone = by print alone, without house rules and rulings
narrowed-by-channel = only { $name }, this channel's game (/gm game)
books-all = all
books-all-choice = All books
thread-name = A rules question
notice-sample-library = No rulebook of yours is here yet: this is the sample game that comes with me. The host adds rulebooks and restarts me.
notice-forgotten = I was restarted: what was said here before is forgotten.
notice-deleted = An answer of this conversation was deleted: what was said here before is forgotten.
notice-budget-user = You have had your share of written answers for today. Until { $renewal } I quote the closest passages; after that I write answers again.
notice-budget-server = This server has had its share of written answers for today. Until { $renewal } I quote the closest passages; after that I write answers again.
notice-budget-held-user = Your questions at work may need the rest of your share of written answers for today, so here are the closest passages. When they are answered, ask this one again.
notice-budget-held-server = Questions at work may need the rest of this server's share of written answers for today, so here are the closest passages. When they are answered, ask this one again.
notice-which-game = Is this channel's game one of those below? Press it: a GM keeps it for the channel, anybody else for this conversation.
notice-book-left = { $book } can no longer be asked here, so I looked in { $asked ->
    [none] all books
   *[other] { $asked }
}.
missing-threads = I may not open threads here. Server settings → Roles: allow me “Create Public Threads” and “Send Messages in Threads”.
missing-embed-links = I may not send embeds here, so this answer has lost its form. Server settings → Roles: allow me “Embed Links”.
small-talk = Always at your table's service! Ask me whenever a rule is unclear.
hint-how-to-ask = Write your question beside my name, press the button, or use /rules. Does a message here ask it already? Press and hold it, or right click → Apps → “Ask the rules”.
hint-message-withheld = Discord does not show me the message you replied to. Press and hold it, or right click → Apps → “Ask the rules”. Or write your question beside my name.
hint-no-text = Discord does not show me what you wrote. Press the button, mention me, or use /rules.

# Buttons and their windows
commands-menu = Something else…
option-yes = Yes
option-no = No
button-sources = Sources
button-followup = Follow up
button-more = More
button-previous = ◀
button-next = ▶
button-show-page = Show page
button-whole-page = Whole page
button-page-before = ◀ Page before
button-page-after = Next page ▶
button-again = Ask again
button-retry = Try again
button-other-game = In { $game }
button-all-books = In all books
button-show-to-table = Show to the table
button-ask-in-the-open = Ask it for all
sources-menu = Open another source…
places-menu = Open a place…
button-copy-line = Line to copy
button-new-topic = New topic
button-delete = Delete
button-why = Why
why-title = How this answer was found
button-right = Right
button-wrong = Wrong
button-not-asked = Not what I asked
rating-noted = Noted, without your name: { $rating ->
    [right] right
    [wrong] wrong
   *[other] not what you asked
}. Choose another to change it.
followup-title = Follow up
followup-label = Your question
followup-placeholder = Like: And while prone?
show-gm-answer = Players will see this question of yours, and your name:
    ❓ { $question }
    They will not see this answer. I ask the question anew, of the players' books alone: nothing of the GM's books is in what they read, so it may say less. Ask it for all?
new-topic = New topic: what was said here before is forgotten.
more-menu = This answer:{ $private ->
    [yes] {" "}(GMs read the questions that are rated, without names. Yours was private.)
   *[no] {""}
}
private-too-late = A private answer came too late for Discord to show it, and whoever asked takes no direct messages. They alone can have it: “Ask again”.
answer-deleted = Deleted.
answer-deleted-privately = Nothing is kept of it any more. The answer is shown to you alone, so only you can take it away: “Dismiss message”, below it.
passage-footer = Source { $number } of { $total }
passage-new-edition = Source { $number } of { $total } · this book is another edition than the one I answered from

# The library
books-title = Rulebooks: { $count }
books-pages = { $count ->
    [one] 1 page
   *[other] { $count } pages
}
books-sections = { $count ->
    [one] 1 section
   *[other] { $count } sections
}
books-printed = pp. { $first }–{ $last }

places-none = I find no place that speaks of this. Try other words, or ask with /rules.

# /help, and the welcome in a server
help-title = What I do
help-ask = **Ask** with /rules, or write your question beside my name. I answer from this group's own rulebooks, with book and printed page, and quote the words.
help-go-on = **Go on** in the thread of an answer: { $plainly ->
    [yes] simply write there, or press “Follow up”.
   *[no] press “Follow up”, mention me there, or reply to me.
}
help-why = **Behind an answer**: “Sources” opens the passages, “Show page” the page with the quotation marked. “More” has “Why”, how it was found, and your rating: right or wrong.
help-message = **Is the question there already?** Press and hold that message, or right click → Apps → “Ask the rules”.
help-look-up = **Look something up**: /library search tells where it stands, /library page shows a printed page, /library books lists the books.
help-private = **For you alone**: /rules with private. “Show to the table”, below the answer, shows it to all.
help-try = **Try, for example:**
help-menu = **No slash commands?** Mention me alone, or write me “help”: below what I say a menu has all of this.
help-keep = **What I keep** of you: /privacy show. It is gone with /privacy forget. /status tells how I am doing.
help-gm = **Game masters**: /gm rules asks the GM's books too, /gm books and /gm page open them; only you see that. /gm game tells me what a channel plays, /gm channel whether I open threads there. /gm ruling writes down what your table decided, /gm feedback shows how answers were rated. /gm check finds what is misconfigured.{ $uploads ->
    [yes] {" "}/gm book adds a rulebook for this server alone.
   *[no] {""}
}
welcome-title = I settle rules questions from your own rulebooks
welcome-books = **1.** Put your rulebooks where I run, into the folder “books”, one folder a game, and restart me.
welcome-list = **2.** /library books lists what I have read; /status tells how far I am.
welcome-ask = **3.** Ask: /rules, or write your question beside my name. The answer names book and printed page.
welcome-check = Something looks wrong? Whoever manages this server asks /gm check in that channel.
welcome-help = /help tells what else I can do.

# /status
status-title = Status
status-version = Version
status-strategy = Strategy
status-mode = Answers
mode-model = written from the books' words
mode-quotes = closest passages, quoted
status-chat-model = Chat model
status-embedding-model = Embedding
status-books = Books
status-index = Index made
status-latency = Latency to Discord
status-uptime = Running for
status-questions = Questions today
status-calls = Model calls today
status-tokens = Tokens today
status-money = Spent today
status-median = Median answer time
status-reading = reading { $book }: { $percent } %
status-reading-unnamed = reading the library: { $percent } %

# /privacy
privacy-kept = { $answers ->
    [0] I keep none of your questions
    [one] I keep 1 question of yours, with the passages of its answer and how they were found
   *[other] I keep { $answers } questions of yours, each with the passages of its answer and how they were found
}, and { $rated ->
    [0] no rating
    [one] 1 rating
   *[other] { $rated } ratings
}. /privacy forget deletes all of it; so does time: see PRIVACY.md of the bot.
privacy-answers = { $answers ->
    [one] Deleted: 1 answer and its conversation.
   *[other] Deleted: { $answers } answers and their conversations.
}
privacy-conversations = Forgotten: the conversations that you took part in.
privacy-ratings = Deleted: how answers to you were rated, and how you rated others.
privacy-set-aside = Deleted: a damaged file of older answers or ratings, in which yours may have been.
privacy-elsewhere = I run as several processes, each with its own files, and this holds for those of this place: use the command in every server that you asked in, and in a direct message to me.
privacy-nothing = Nothing was kept of your questions.
privacy-at-work = Nothing will be kept of the question that I am working on.

# /gm
feedback-title = Feedback
feedback-none = No answer here is rated yet. Anybody can: under an answer “More”, then “Right”, “Wrong” or “Not what I asked”.
feedback-question = Question
feedback-ratings = Rated
feedback-counts = right: { $right } · wrong: { $wrong } · not what was asked: { $not_asked }
feedback-sources = Sources
feedback-page = Page that answers, by a GM
feedback-exported = { $count ->
    [one] 1 question
   *[other] { $count } questions
}. To score: { $program } evaluate { $file }
feedback-nothing-to-export = There is nothing to score yet: no answer here is rated right, and no page is written down for another.
button-write-page = Write down the page
button-remove = Remove
page-window-title = The page that answers
page-window-book = Book
page-window-page = Printed page, or section
game-bound = This channel plays { $game }: questions here ask its books.
channel-in-place = I answer in this channel and open no threads. To go on, reply to an answer or press “Follow up”.
channel-in-threads = Every answer in this channel opens a thread.
game-kept = From now on this conversation asks { $game }. For the whole channel a GM presses the button, or uses /gm game.
game-unbound = This channel is bound to no game.
check-title = Check
check-permissions-fine = I have every permission I need here.
permission-view-channel = I cannot see this channel. Channel settings → Permissions: allow me “View Channel”.
permission-send-messages = I cannot write here. Channel settings → Permissions: allow me “Send Messages”.
permission-embed-links = Answers lose their form here. Channel settings → Permissions: allow me “Embed Links”.
permission-attach-files = I cannot show pages as pictures here. Channel settings → Permissions: allow me “Attach Files”.
permission-read-history = I cannot reply to messages here. Channel settings → Permissions: allow me “Read Message History”.
permission-create-threads = I cannot open threads here. Channel settings → Permissions: allow me “Create Public Threads”.
permission-send-in-threads = I cannot write in threads here. Channel settings → Permissions: allow me “Send Messages in Threads”.
check-intent-on = I read plain messages in my threads.
check-intent-off = I read only what is meant for me: MESSAGE_CONTENT is off.
check-intent-missing = MESSAGE_CONTENT is on, but the portal does not grant it. discord.com/developers → your application → Bot: switch on “Message Content Intent”, then restart me.
check-budget-left = Tokens of this server today: { $spent } of { $limit }.
check-budget-spent = Tokens of this server today: { $spent } of { $limit }. Answers are quotations until midnight (UTC); the host sets the budget with DAILY_TOKENS_SERVER.
check-budget-none = Tokens of this server today: { $spent }. There is no budget: DAILY_TOKENS_SERVER is 0.
check-server-games = This server sees: { $games }.
check-rulings-of-no-game = Rulings were written on “{ $game }”, and no game of the library is called so: nobody hears of them. Give its folder that name again, or write them down anew with /gm ruling add.
check-server-unlisted = This server has no entry in library.toml, so nobody can ask here. The host adds [[server]] with id = "{ $server }" and games = ["…"], the folders of its games, and restarts me.
check-gm-role = GM_ROLE is “{ $role }”, and no role of this server has that name or id: so nobody is a GM here. { $nearest ->
    [none] { "" }
   *[other] Is “{ $nearest }” meant?{ " " }
}The host corrects GM_ROLE and restarts me.
check-gm-closed = I serve several servers, and library.toml does not say which of them plays what: so the GM's books are closed to everyone, and each of these servers has all books for players. The host writes for each of them [[server]] with its id (here id = "{ $server }") and games = ["…"], the folders of its games, and restarts me.
data-set-aside = { $file } in DATA_DIR cannot be used: I call it { $file }.set-aside and begin a new one. { $kind ->
    [answers] Buttons under older answers do not work any more.
    [budgets] Today's budgets begin anew.
    [feedback] How answers were rated, and the pages written down for them, is lost to me.
    [channel-games] No channel is bound to a game any more: a GM binds them again with /gm game.
    [welcomed-servers] I may welcome a server a second time.
    [rulings] The rulings on that game hold no more: a GM writes them down anew with /gm ruling add.
    [served-servers] While anybody may invite me, I answer only where ALLOWED_GUILDS or library.toml says so: write the ids of your servers there.
    [channels-in-place] I open threads in every channel again: a GM changes it with /gm channel.
   *[other] What it held is lost to me.
} Delete that file when you no longer need it.
check-index-missing = No book is indexed yet. See /status; or run: { $program } ingest
check-index-fine = Every book is indexed.
discord-health-text = { $title }: { $percent } % of its pages have text; nothing is found on the others.
discord-health-words = { $title }: { $percent } % of its words are in a dictionary; the others may have been read wrongly.
discord-health-labels = { $title }: the printed number of { $percent } % of its pages is known; the others are cited by their place in the file.
discord-health-ocr = { $title }: { $percent } % of its pages are pictures; their words were read by OCR and may be wrong.

# Failures
incident = id { $id }
error-not-here = This bot belongs to another table and answers nothing here. Its host decides where it does (ALLOWED_GUILDS).
error-membership-unknown = Discord does not tell me just now which servers you are in, and I answer people of my servers alone. Ask again in a minute.
error-restarting = I am being restarted. Ask again in a minute.
error-interrupted = I was interrupted before I could answer this. Press “Try again”.
error-interrupted-in-private = I was interrupted before I could answer this private question of yours. Ask it again where you asked it.
error-still-reading = I am still reading the books: { $percent } %. Ask again in a few minutes; /status shows how far I am.
error-too-soon = That was a lot at once. Ask again in { $seconds } s.
error-too-busy = Many questions are waiting already. Ask again in a minute.
error-already-asked = I am answering this question of yours already.
error-not-gm = Only game masters can do this, in a server: whoever manages it, or has the role for them where the host set one (GM_ROLE).
error-gm-books-closed = The GM's books are closed: I serve several servers, and nobody has told me which of them they are for. /gm check tells what the host writes in library.toml.
error-no-games-here = No book of my library is open to this server, or to a server of yours. The host opens games to a server in library.toml; /gm check tells how.
error-not-yours = Only whoever asked, and moderators, can do this.
error-other-game = This channel plays { $game }, and { $book } is not one of its books. Ask in another channel, or a GM changes it with /gm game.
error-game-gone = This channel plays { $game }, which is no longer in the library. A GM binds it to another game, or to none, with /gm game.
error-game-closed = This channel is bound to a game that this server does not see. A GM binds it to another game, or to none, with /gm game.
error-other-game-gone = That game is no longer in the library. Ask again, and name the book you mean.
error-answer-gone = This answer is no longer kept. Ask again with /rules.
error-why-not-kept = How this answer was found is not kept: it is from before I kept that. “Ask again” gives one that tells.
error-button-outdated = This button is from an earlier version of me. Use one under the answer, or ask again with /rules.
error-page-gone = This page is no longer in the library. /library books lists what is.
error-pages-not-shown = Pages are not shown as pictures here: the host has switched that off (PAGE_IMAGES). “Sources” shows their text.
error-may-not-attach-files = I may not attach files here, and this would be one. Channel settings → Permissions: allow me “Attach Files”. The text of a page is also under “Sources”.
discord-error-page-not-drawn = This page of { $file } cannot be drawn. “Sources” shows its text; tell the host.
discord-error-page-without-picture = { $book } cannot be shown as a picture: only PDF books have pages that can. “Sources” shows its text.
discord-error-book-file-absent = Pages of this book cannot be shown here: I have only its index, not the book. “Sources” shows the text; the host can copy the book beside me.
discord-error-book-file-changed = The file of this book was changed, and I have not read it anew yet. Try again when /status no longer says that I am reading; if that does not help, tell the host.
discord-error-quotation-not-located = It is not sure where on this page the quotation stands, so no picture of it is made: the wrong sentence marked would be worse than none.
error-passage-gone = { $book } is no longer in the library. Ask again with /rules: other books may tell.
error-unknown-game = There is no game called “{ $game }” in the library. Choose one of those offered while you type; they are the folders in LIBRARY_DIR.
error-question-too-long = That is { $length } characters long, and I take { $longest }. Ask the rule alone that you need.
error-no-text = I find no text in that message. Use /rules.
error-may-not-write-here = You may not write here, so I do not write here for you. Somebody who may can do it, or ask there with /rules.
error-discord-failed = Discord did not let me through just now. Try again in a minute; discordstatus.com tells whether something is wrong there. If not, /gm check finds what I may not do here.
error-cannot-write-here = I cannot write there: the thread may be locked, or I lack “Send Messages”. A GM sees what is missing with /gm check.

# Failures that the terminal words for the host
discord-error-configuration = A setting of mine cannot work. The host finds it in my log.
discord-error-empty-library = There is no rulebook in the library yet. The host adds rulebooks, which I notice by myself; /gm check says what is wrong with one.
discord-error-library-absent = I have no rulebooks: the folder that LIBRARY_DIR names is not there. The host corrects LIBRARY_DIR, or brings that folder back; I keep looking for it.
discord-error-index-damaged = The index of the books is damaged, so I cannot look into them. I am making it anew: ask again in a few minutes; /status shows how far I am. If it stays so, the host restarts me.
discord-error-index-outdated = The books are being read anew for this release of mine. Ask again in a few minutes; /status shows how far I am.
discord-error-unknown-book = There is no book, code or game called “{ $book }” here.{ $nearest ->
    [none] { "" }
   *[other] { "" } Did you mean { $nearest }?
} See /library books.
discord-error-unknown-page = { $book } has no page printed { $page }. /library books tells which pages each book has.
discord-error-system-exhausted = My host has no more open files or memory to give. Ask again in a moment; its log tells more.
discord-error-index-unwritable = My index cannot be written. The host finds the reason in my log.
discord-error-index-unreachable = I cannot reach my index just now. Ask again in a minute; if it keeps happening, tell the host.
discord-error-index-lost = My index is gone from where it was kept. I am making it anew: ask again in a few minutes; /status shows how far I am. If it stays so, the host restarts me.

# At the start
error-discord-unreachable = Discord cannot be reached: check the network of this host and discordstatus.com, then start me again.
servers-without-entries = I serve { $count } servers ({ $servers }), and library.toml does not say which of them plays what: so the GM's books are closed to everyone, and each of these servers has all books for players. Write for each of them in library.toml: [[server]], below it id = "…" and games = ["…"], the folders of its games; then restart me. Or keep me to one server with ALLOWED_GUILDS.
server-unlisted = The server { $server } has no entry in library.toml, so nobody can ask there. If that is not meant: add [[server]] with id = "{ $server }" and games = ["…"], the folders of its games, and restart me.
application-public = Anybody may invite this application to a server of theirs. Where I am invited from now on I answer nothing until ALLOWED_GUILDS or an entry of library.toml names that server; those that I serve already I go on serving. To keep strangers from inviting me, switch off discord.com/developers → your application → Bot → Public Bot.
server-not-served = Somebody invited me to the server { $server }, and nothing says that it may ask: I answer nothing there. If it is yours: write its id, with those of your other servers, into ALLOWED_GUILDS, or give it an entry in library.toml, and restart me.
gm-books-shared = The GM's books { $game ->
    [none] outside of all games
   *[other] of { $game }
} are open to the GMs of several servers ({ $servers }): whoever plays in one of them and is a GM of another reads them there. If that is not meant: give each game of library.toml to one of these servers, and restart me.
sync-forbidden-guild = The commands were not registered: I am not in the server { $guild } of DISCORD_GUILD_ID ({ $refusal }). Correct that number (Discord → right click on the server → Copy Server ID) or invite me there with the link in the README, then restart me. Going on without new commands.
sync-forbidden = The commands were not registered ({ $refusal }). Invite me again with the link in the README, which has the scope “applications.commands”, then restart me. Going on without new commands.
sync-failed = The commands were not registered ({ $refusal }). Restart me later to try again. Going on with those registered before.
token-missing = it is not set. Create a bot at discord.com/developers → New Application → Bot → Reset Token, and set DISCORD_TOKEN to that token
token-reset = Discord no longer accepts it: it was reset while I was running. Copy the new one at discord.com/developers → your application → Bot, and start me again
token-wrong = Discord does not accept it. Copy it again at discord.com/developers → your application → Bot → Reset Token
intent-not-granted = MESSAGE_CONTENT is on, but not granted: discord.com/developers → your application → Bot → switch on “Message Content Intent”. Going on without it.

# Books of a server's own
command-gm-book = Books of this server's own, which no other server sees
command-gm-book-add = Upload a book for this server alone: PDF, DOCX, EPUB or Markdown
command-gm-book-remove = Take out a book that was uploaded here
option-book-file = A rulebook: PDF, DOCX, EPUB or Markdown
option-book-game = The game it belongs to; without it this server's own
option-book-remove = The book
book-added = It is read and can be asked. Who uploaded it is not kept.
book-removed = Taken out: { $book }.
error-upload-not-book = { $file } is no PDF, DOCX, EPUB or Markdown file, or not what its name says. Save it as one of these and upload that.
error-upload-too-large = That file is too large, or this server has no more room: I take { $limit } MB a file and { $room } MB a server. Split it, or take others out with /gm book remove.
error-upload-unread = { $file } could not be read, so nothing has changed. A file called README or LICENSE is taken for no book: give it another name. Otherwise try again; if it stays so, the host finds the reason in my log.
uploads-shared = with several processes (SHARD_IDS) on one Chroma server (CHROMA_URL) each would take out what the others were sent. Leave one of the three out

# Rulings
command-gm-ruling = What your table decided: it comes before the books
command-gm-ruling-add = Write down a ruling
command-gm-ruling-list = List the rulings that hold, and those that did
command-gm-ruling-end = Let a ruling hold no longer
command-gm-ruling-export = Get the rulings as a file
option-ruling-game = The game it belongs to; without it the one played in this channel
option-ruling = The ruling
button-ruling = Write a ruling
ruling-title = A ruling of this table: players read it
ruling-rule = The rule it changes, and its page
ruling-rule-hint = Like: Bleeding – B420. Leave it empty if no book has one.
ruling-question = The question it settles
ruling-text = The ruling
ruling-held = How long it holds
ruling-for-good = For good
ruling-for-session = For this session: 12 hours, or until you end it
ruling-kept = Kept: **{ $heading }**. From now on it comes first in answers.{ $superseded ->
    [yes] {" "}The one before on the same rule no longer holds.
   *[no] { "" }
}
ruling-against = It may contradict the ruling **{ $heading }**, which holds as well. Read both; /gm ruling end lets one hold no longer.
ruling-ended = No longer holds: **{ $heading }**.
ruling-superseded = superseded
ruling-over = ended
ruling-until = until { $time }
rulings-title = Rulings{ $game ->
    [none] { "" }
   *[other] : { $game }
}
rulings-exported = Every ruling of this game, those that no longer hold included.
error-game-unnamed = Several games are played here. Name the one it belongs to (option “game”), or bind this channel to one with /gm game.
error-nothing-ruled = No ruling is kept for this game. /gm ruling add writes one down.
error-ruling-gone = No ruling called “{ $ruling }” holds in this game.{ $nearest ->
    [none] { "" }
   *[other] { "" } Did you mean { $nearest }?
} /gm ruling list shows all.
