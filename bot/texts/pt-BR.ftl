# Comandos (no máximo 100 caracteres)
menu-ask = Perguntar às regras
menu-rule = Anotar como decisão
command-rules = Pergunte aos livros de regras; a resposta diz o livro e a página
command-library = Os livros de regras do grupo
command-library-books = Lista os livros que podem ser consultados
command-library-page = Lê uma página impressa ou uma seção, só para você
command-help = Como perguntar, e o que mais sei fazer
command-status = Como vai o bot
command-privacy = O que o bot guarda de você
command-privacy-show = Mostra o que o bot guarda das suas perguntas
command-privacy-forget = Apaga tudo o que o bot guarda das suas perguntas
command-gm = Para mestres
command-gm-rules = Pergunte aos livros, também aos do mestre; só você vê a resposta
command-gm-check = Descobre o que está mal configurado e onde clicar
command-gm-channel = Abre tópicos nas respostas deste canal, ou responde nele
option-answers = Onde se continua a partir de uma resposta
option-answers-thread = em um tópico próprio
option-answers-place = neste canal, sem tópicos
command-gm-game = Liga este canal a um jogo; sem jogo, a nenhum
command-library-search = Diz onde os livros falam de algo; sem resposta, só para você
option-search-text = O que procurar, com suas palavras
command-gm-feedback = O que acham das respostas, sem nomes; anote a página que responde
option-export = Como arquivo de perguntas, com que “evaluate” pontua mudanças
option-question = Sua pergunta, com suas palavras
option-book = Só este livro ou jogo
option-private = Só você vê a resposta
option-book-only = Só pelo que está impresso nos livros, sem regras da casa nem decisões da mesa
option-page-book = O livro
option-page-page = O número impresso, como 102 ou iv; em livro sem páginas, a seção
option-game = O jogo que se joga neste canal

# Respostas
working = Consultando os livros…
working-waiting = Esperando a minha vez: há outras perguntas na frente…
asked = ❓ { $question }
answered-there = A resposta: { $link }
sources-more = e mais { $count }
narrowed-in-thread = só { $name } daqui em diante · todos os livros: /rules book:todos
narrowed-once = só { $name }, nesta pergunta
by-print-alone = só pelo que está impresso, sem regras da casa nem decisões da mesa
narrowed-by-channel = só { $name }, o jogo deste canal (/gm game)
books-all = todos
books-all-choice = Todos os livros
thread-name = Uma pergunta de regras
notice-sample-library = Ainda não há aqui nenhum livro seu: este é o jogo de exemplo que vem comigo. Quem hospeda acrescenta livros e me reinicia.
notice-forgotten = Fui reiniciado: esqueci o que foi dito aqui antes.
notice-deleted = Uma resposta desta conversa foi apagada: esqueci o que foi dito aqui antes.
notice-budget-user = Sua cota de respostas escritas de hoje acabou. Até { $renewal }, cito os trechos mais próximos; depois volto a escrever respostas.
notice-budget-server = A cota de respostas escritas deste servidor acabou por hoje. Até { $renewal }, cito os trechos mais próximos; depois volto a escrever respostas.
notice-budget-held-user = Suas perguntas em andamento podem precisar do resto da sua cota de respostas escritas de hoje; por isso, aqui estão os trechos mais próximos. Quando forem respondidas, faça esta pergunta de novo.
notice-budget-held-server = Perguntas em andamento podem precisar do resto da cota de respostas escritas deste servidor para hoje; por isso, aqui estão os trechos mais próximos. Quando forem respondidas, faça esta pergunta de novo.
notice-which-game = O jogo deste canal é um dos que estão abaixo? Aperte o botão dele: se você é mestre, vale para o canal; se não, só para esta conversa.
notice-book-left = { $book } não pode mais ser consultado aqui; por isso, procurei em { $asked ->
    [none] todos os livros
   *[other] { $asked }
}.
missing-threads = Não posso abrir tópicos aqui. Configurações do servidor → Cargos: permita “Criar tópicos públicos” e “Enviar mensagens em tópicos”.
missing-embed-links = Não posso enviar embeds aqui, por isso esta resposta perdeu a forma. Configurações do servidor → Cargos: permita “Inserir links”.
small-talk = Sempre às ordens da mesa! Pergunte quando uma regra não estiver clara.
hint-how-to-ask = Me mencione junto com a pergunta, aperte o botão ou use /rules. Alguma mensagem daqui já faz a pergunta? Segure o dedo nela, ou botão direito → Apps → “Perguntar às regras”.
hint-message-withheld = O Discord não me mostra a mensagem a que você respondeu. Segure o dedo nela, ou botão direito → Apps → “Perguntar às regras”. Ou me mencione junto com a pergunta.
hint-no-text = O Discord não me mostra o que você escreveu. Aperte o botão, me mencione ou use /rules.

# Botões e suas janelas
commands-menu = Outra coisa…
option-yes = Sim
option-no = Não
button-sources = Fontes
button-followup = Continuar
button-more = Mais
button-previous = ◀
button-next = ▶
button-show-page = Mostrar página
button-whole-page = Página inteira
button-page-before = ◀ Página anterior
button-page-after = Próxima página ▶
button-again = Perguntar de novo
button-retry = Tentar de novo
button-other-game = Em { $game }
button-all-books = Em todos os livros
button-show-to-table = Mostrar à mesa
button-ask-in-the-open = Perguntar para todos
sources-menu = Abrir outra fonte…
places-menu = Abrir um trecho…
button-copy-line = Linha para copiar
button-new-topic = Novo assunto
button-delete = Apagar
button-why = Por quê
why-title = Como esta resposta foi encontrada
button-right = Certa
button-wrong = Errada
button-not-asked = Não foi o que perguntei
rating-noted = Anotado, sem seu nome: { $rating ->
    [right] certa
    [wrong] errada
   *[other] não foi o que você perguntou
}. Escolha outra opção para mudar.
followup-title = Continuar
followup-label = Sua pergunta
followup-placeholder = Por exemplo: E se eu estiver caído?
show-gm-answer = Os jogadores verão esta sua pergunta, e o seu nome:
    ❓ { $question }
    Eles não verão esta resposta. Faço a pergunta de novo, só aos livros dos jogadores: nada dos livros do mestre está no que eles leem, então pode dizer menos. Perguntar para todos?
new-topic = Novo assunto: esqueci o que foi dito aqui antes.
more-menu = Esta resposta:{ $private ->
    [yes] {" "}(Os mestres leem as perguntas avaliadas, sem nomes. A sua foi privada.)
   *[no] {""}
}
private-too-late = Uma resposta privada chegou tarde demais para o Discord mostrá-la, e quem perguntou não recebe mensagens diretas. Só essa pessoa pode tê-la: “Perguntar de novo”.
answer-deleted = Apagada.
answer-deleted-privately = Nada dela está mais guardado. Só você vê a resposta, então só você pode tirá-la daqui: “Ignorar mensagem”, abaixo dela.
passage-footer = Fonte { $number } de { $total }
passage-new-edition = Fonte { $number } de { $total } · este livro é outra edição, não a que usei para responder

# A biblioteca
books-title = Livros de regras: { $count }
books-pages = { $count ->
    [one] 1 página
   *[other] { $count } páginas
}
books-sections = { $count ->
    [one] 1 seção
   *[other] { $count } seções
}
books-printed = p. { $first }–{ $last }

places-none = Não encontro nenhum lugar que fale disso. Tente outras palavras, ou pergunte com /rules.

# /help, e as boas-vindas em um servidor
help-title = O que faço
help-ask = **Pergunte** com /rules, ou me mencione junto com a pergunta. Respondo com os livros do próprio grupo, digo o livro e a página impressa e cito as palavras.
help-go-on = **Continue** no tópico de uma resposta: { $plainly ->
    [yes] é só escrever lá, ou apertar “Continuar”.
   *[no] aperte “Continuar”, me mencione lá ou responda a mim.
}
help-why = **Por trás de uma resposta**: “Fontes” abre os trechos, “Mostrar página” a página com a citação marcada. “Mais” tem “Por quê”, como ela foi encontrada, e sua avaliação: certa ou errada.
help-message = **A pergunta já está lá?** Segure o dedo na mensagem, ou botão direito → Apps → “Perguntar às regras”.
help-look-up = **Procure algo**: /library search diz onde está, /library page mostra uma página impressa, /library books lista os livros.
help-private = **Só para você**: /rules com private. “Mostrar à mesa”, abaixo da resposta, a mostra a todos.
help-try = **Experimente, por exemplo:**
help-menu = **Sem comandos com barra?** Mencione só o meu nome, ou me escreva “help”: abaixo do que eu digo, um menu tem tudo isto.
help-keep = **O que guardo** de você: /privacy show. Apaga-se com /privacy forget. /status diz como estou.
help-gm = **Mestres**: /gm rules consulta também os livros do mestre, /gm books e /gm page os abrem; só você vê isso. /gm game me diz o que se joga em um canal, /gm channel se abro tópicos nele. /gm ruling anota o que sua mesa decidiu, /gm feedback mostra como as respostas foram avaliadas. /gm check descobre o que está mal configurado.{ $uploads ->
    [yes] {" "}/gm book acrescenta um livro de regras só para este servidor.
   *[no] {""}
}
welcome-title = Resolvo dúvidas de regras com os livros do seu grupo
welcome-books = **1.** Ponha seus livros de regras onde eu rodo, na pasta “books”, uma pasta por jogo, e me reinicie.
welcome-list = **2.** /library books lista o que já li; /status diz quanto falta.
welcome-ask = **3.** Pergunte com /rules, ou me mencione junto com a pergunta. A resposta diz o livro e a página impressa.
welcome-check = Algo parece errado? Quem gerencia este servidor usa /gm check naquele canal.
welcome-help = /help diz o que mais sei fazer.

# /status
status-title = Situação
status-version = Versão
status-strategy = Estratégia
status-mode = Respostas
mode-model = escritas com as palavras dos livros
mode-quotes = trechos mais próximos, citados
status-chat-model = Modelo de chat
status-embedding-model = Embedding
status-books = Livros
status-index = Índice feito
status-latency = Latência até o Discord
status-uptime = No ar há
status-questions = Perguntas hoje
status-calls = Chamadas ao modelo hoje
status-tokens = Tokens hoje
status-money = Gasto de hoje
status-median = Tempo mediano de resposta
status-reading = lendo { $book }: { $percent } %
status-reading-unnamed = lendo a biblioteca: { $percent } %

# /privacy
privacy-kept = { $answers ->
    [0] Não guardo nenhuma pergunta sua
    [one] Guardo 1 pergunta sua, com os trechos da resposta e como foram achados
   *[other] Guardo { $answers } perguntas suas, cada uma com os trechos da resposta e como foram achados
} e { $rated ->
    [0] nenhuma avaliação
    [one] 1 avaliação
   *[other] { $rated } avaliações
}. /privacy forget apaga tudo; o tempo também: veja PRIVACY.md do bot.
privacy-answers = { $answers ->
    [one] Apagadas: 1 resposta e sua conversa.
   *[other] Apagadas: { $answers } respostas e suas conversas.
}
privacy-conversations = Esquecidas: as conversas de que você participou.
privacy-ratings = Apagadas: as avaliações das respostas dadas a você, e as que você fez de outras.
privacy-set-aside = Apagado: um arquivo danificado de respostas ou avaliações antigas, em que podiam estar as suas.
privacy-elsewhere = Funciono em vários processos, cada um com os seus arquivos, e isto vale para os deste lugar: use o comando em cada servidor em que você perguntou, e numa mensagem direta para mim.
privacy-nothing = Nada das suas perguntas estava guardado.
privacy-at-work = Nada ficará guardado da pergunta que estou respondendo.

# /gm
feedback-title = Avaliações
feedback-none = Nenhuma resposta daqui foi avaliada ainda. Qualquer pessoa pode: abaixo de uma resposta, “Mais”, depois “Certa”, “Errada” ou “Não foi o que perguntei”.
feedback-question = Pergunta
feedback-ratings = Avaliada como
feedback-counts = certa: { $right } · errada: { $wrong } · não era a pergunta: { $not_asked }
feedback-sources = Fontes
feedback-page = Página que responde, segundo um mestre
feedback-exported = { $count ->
    [one] 1 pergunta
   *[other] { $count } perguntas
}. Para pontuar: { $program } evaluate { $file }
feedback-nothing-to-export = Ainda não há o que pontuar: nenhuma resposta daqui foi avaliada como certa, e para nenhuma outra foi anotada uma página.
button-write-page = Anotar a página
button-remove = Remover
page-window-title = A página que responde
page-window-book = Livro
page-window-page = Página impressa, ou seção
game-bound = Neste canal se joga { $game }: as perguntas daqui consultam os livros dele.
channel-in-place = Respondo neste canal e não abro tópicos. Para continuar, responda a uma resposta ou aperte “Continuar”.
channel-in-threads = Cada resposta neste canal abre um tópico.
game-kept = De agora em diante, esta conversa consulta { $game }. Para o canal inteiro, um mestre aperta o botão ou usa /gm game.
game-unbound = Este canal não está ligado a nenhum jogo.
check-title = Verificação
check-permissions-fine = Tenho aqui todas as permissões de que preciso.
permission-view-channel = Não vejo este canal. Configurações do canal → Permissões: permita “Ver canal”.
permission-send-messages = Não posso escrever aqui. Configurações do canal → Permissões: permita “Enviar mensagens”.
permission-embed-links = As respostas perdem a forma aqui. Configurações do canal → Permissões: permita “Inserir links”.
permission-attach-files = Não posso mostrar páginas como imagens aqui. Configurações do canal → Permissões: permita “Anexar arquivos”.
permission-read-history = Não posso responder a mensagens aqui. Configurações do canal → Permissões: permita “Ver histórico de mensagens”.
permission-create-threads = Não posso abrir tópicos aqui. Configurações do canal → Permissões: permita “Criar tópicos públicos”.
permission-send-in-threads = Não posso escrever em tópicos aqui. Configurações do canal → Permissões: permita “Enviar mensagens em tópicos”.
check-intent-on = Leio as mensagens comuns nos meus tópicos.
check-intent-off = Leio só o que é dirigido a mim: MESSAGE_CONTENT está desligado.
check-intent-missing = MESSAGE_CONTENT está ligado, mas o portal não o concede. discord.com/developers → sua aplicação → Bot: ligue “Message Content Intent” e me reinicie.
check-budget-left = Tokens deste servidor hoje: { $spent } de { $limit }.
check-budget-spent = Tokens deste servidor hoje: { $spent } de { $limit }. As respostas são citações até a meia-noite (UTC); quem hospeda o bot define o limite com DAILY_TOKENS_SERVER.
check-budget-none = Tokens deste servidor hoje: { $spent }. Não há limite: DAILY_TOKENS_SERVER é 0.
check-server-games = Este servidor vê: { $games }.
check-rulings-of-no-game = Há decisões sobre “{ $game }”, e nenhum jogo da biblioteca se chama assim: ninguém as vê. Dê à pasta esse nome outra vez, ou anote-as de novo com /gm ruling add.
check-server-unlisted = Este servidor não tem entrada no library.toml, então ninguém pode perguntar aqui. Quem me hospeda acrescenta [[server]] com id = "{ $server }" e games = ["…"], as pastas dos seus jogos, e me reinicia.
check-gm-role = GM_ROLE é “{ $role }”, e nenhum cargo deste servidor tem esse nome ou id: por isso ninguém é mestre aqui. { $nearest ->
    [none] { "" }
   *[other] Seria “{ $nearest }”?{ " " }
}Quem me hospeda corrige GM_ROLE e me reinicia.
check-gm-closed = Atendo vários servidores, e o library.toml não diz qual deles joga o quê: por isso os livros do mestre estão fechados para todos, e cada um desses servidores tem todos os livros dos jogadores. Quem me hospeda escreve para cada um [[server]] com o id dele (aqui id = "{ $server }") e games = ["…"], as pastas dos seus jogos, e me reinicia.
data-set-aside = Não consigo usar { $file } em DATA_DIR: passei a chamá-lo de { $file }.set-aside e comecei um novo. { $kind ->
    [answers] Os botões de respostas antigas não funcionam mais.
    [budgets] As cotas de hoje recomeçam.
    [feedback] As avaliações das respostas, e as páginas anotadas para elas, se perderam para mim.
    [channel-games] Nenhum canal está ligado a um jogo: um mestre liga de novo com /gm game.
    [welcomed-servers] Posso dar as boas-vindas a um servidor uma segunda vez.
    [rulings] As decisões sobre esse jogo não valem mais: um mestre as anota de novo com /gm ruling add.
    [served-servers] Enquanto qualquer um puder me convidar, só respondo onde ALLOWED_GUILDS ou library.toml disser: escreva lá os ids dos seus servidores.
    [channels-in-place] Volto a abrir tópicos em todos os canais: um mestre muda isso com /gm channel.
   *[other] O que havia nele se perdeu para mim.
} Apague esse arquivo quando não precisar mais dele.
check-index-missing = Ainda não há livro indexado. Veja /status; ou execute: { $program } ingest
check-index-fine = Todos os livros estão indexados.
discord-health-text = { $title }: { $percent } % das páginas têm texto; nas outras nada é encontrado.
discord-health-words = { $title }: { $percent } % das palavras estão no dicionário; as outras podem ter sido lidas errado.
discord-health-labels = { $title }: o número impresso de { $percent } % das páginas é conhecido; as outras são citadas pela posição no arquivo.
discord-health-ocr = { $title }: { $percent } % das páginas são imagens; suas palavras foram lidas por OCR e podem estar erradas.

# Falhas
incident = id { $id }
error-not-here = Este bot é de outra mesa e não responde nada aqui. Quem o hospeda decide onde ele responde (ALLOWED_GUILDS).
error-membership-unknown = O Discord não me diz agora em quais servidores você está, e só respondo a quem está nos meus. Pergunte de novo daqui a um minuto.
error-restarting = Estou sendo reiniciado. Pergunte de novo em um minuto.
error-interrupted = Fui interrompido antes de responder a isto. Aperte “Tentar de novo”.
error-interrupted-in-private = Fui interrompido antes de responder a esta sua pergunta privada. Faça-a de novo onde a fez.
error-still-reading = Ainda estou lendo os livros: { $percent } %. Pergunte de novo em alguns minutos; /status mostra quanto falta.
error-too-soon = Foram muitas perguntas de uma vez. Pergunte de novo em { $seconds } s.
error-too-busy = Já há muitas perguntas esperando. Pergunte de novo em um minuto.
error-already-asked = Já estou respondendo a essa sua pergunta.
error-not-gm = Só mestres podem fazer isto, e em um servidor: quem o gerencia, ou quem tem o cargo de mestre, se quem hospeda definiu um (GM_ROLE).
error-gm-books-closed = Os livros do mestre estão fechados: atendo vários servidores, e ninguém me disse para qual deles eles são. O /gm check diz o que quem me hospeda escreve no library.toml.
error-no-games-here = Nenhum livro da minha biblioteca está aberto para este servidor, nem para um servidor seu. Quem me hospeda abre jogos para um servidor no library.toml; o /gm check diz como.
error-not-yours = Só quem perguntou e os moderadores podem fazer isto.
error-other-game = Neste canal se joga { $game }, e { $book } não é um dos livros dele. Pergunte em outro canal, ou um mestre o muda com /gm game.
error-game-gone = Neste canal se joga { $game }, que já não está na biblioteca. Um mestre o liga a outro jogo, ou a nenhum, com /gm game.
error-game-closed = Este canal está ligado a um jogo que este servidor não vê. Um mestre o liga a outro jogo, ou a nenhum, com /gm game.
error-other-game-gone = Esse jogo já não está na biblioteca. Pergunte de novo e diga qual livro você quer.
error-answer-gone = Esta resposta já não está guardada. Pergunte de novo com /rules.
error-why-not-kept = Não está guardado como esta resposta foi encontrada: ela é de antes de eu guardar isso. “Perguntar de novo” dá uma que o diz.
error-button-outdated = Este botão é de uma versão anterior minha. Use um abaixo da resposta ou pergunte de novo com /rules.
error-page-gone = Esta página já não está na biblioteca. /library books lista o que está.
error-pages-not-shown = As páginas não são mostradas como imagens aqui: quem me hospeda desligou isso (PAGE_IMAGES). “Fontes” mostra o texto.
error-may-not-attach-files = Não posso anexar arquivos aqui, e isto seria um. Configurações do canal → Permissões: permita “Anexar arquivos”. O texto de uma página também está em “Fontes”.
discord-error-page-not-drawn = Esta página de { $file } não pode ser desenhada. “Fontes” mostra o texto; avise quem me hospeda.
discord-error-page-without-picture = { $book } não pode ser mostrado como imagem: só livros em PDF têm páginas para isso. “Fontes” mostra o texto.
discord-error-book-file-absent = As páginas deste livro não podem ser mostradas aqui: tenho só o índice, não o livro. “Fontes” mostra o texto; quem me hospeda pode copiar o livro para junto de mim.
discord-error-book-file-changed = O arquivo deste livro foi alterado e ainda não o li de novo. Tente outra vez quando /status não disser mais que estou lendo; se não adiantar, avise quem me hospeda.
discord-error-quotation-not-located = Não é certo onde a citação está nesta página, por isso nenhuma imagem dela é feita: marcar a frase errada seria pior que nenhuma.
error-passage-gone = { $book } já não está na biblioteca. Pergunte de novo com /rules: outros livros talvez respondam.
error-unknown-game = Não há jogo chamado “{ $game }” na biblioteca. Escolha um dos que aparecem enquanto você digita; são as pastas de LIBRARY_DIR.
error-question-too-long = São { $length } caracteres, e aceito { $longest }. Pergunte só a regra de que precisa.
error-no-text = Não encontro texto nessa mensagem. Use /rules.
error-may-not-write-here = Você não pode escrever aqui, então não escrevo aqui por você. Alguém que possa faz isso, ou pergunta com /rules.
error-discord-failed = O Discord não aceitou o que eu quis enviar. Tente de novo em um minuto; discordstatus.com diz se há algo errado lá. Se não houver, o /gm check descobre o que não posso fazer aqui.
error-cannot-write-here = Não consigo escrever lá: o tópico pode estar trancado, ou me falta “Enviar mensagens”. Um mestre vê o que falta com /gm check.

# Falhas que o terminal explica a quem hospeda
discord-error-configuration = Uma configuração minha não funciona. Quem hospeda a encontra no meu log.
discord-error-empty-library = Ainda não há livro de regras na biblioteca. Quem hospeda acrescenta livros, que eu percebo sozinho; /gm check diz o que há de errado com algum.
discord-error-library-absent = Não tenho livros de regras: a pasta indicada em LIBRARY_DIR não existe. Quem hospeda corrige LIBRARY_DIR, ou traz a pasta de volta; eu continuo procurando.
discord-error-index-damaged = O índice dos livros está danificado, e não consigo consultá-los. Já o estou refazendo: pergunte de novo em alguns minutos; /status mostra quanto falta. Se continuar assim, quem hospeda me reinicia.
discord-error-index-outdated = Os livros estão sendo relidos para esta minha versão. Pergunte de novo em alguns minutos; /status mostra quanto falta.
discord-error-unknown-book = Não há livro, código ou jogo chamado “{ $book }” aqui.{ $nearest ->
    [none] { "" }
   *[other] { "" } Você quis dizer { $nearest }?
} Veja /library books.
discord-error-unknown-page = { $book } não tem página impressa { $page }. /library books diz que páginas cada livro tem.
discord-error-system-exhausted = Minha máquina não tem mais arquivos abertos ou memória para dar. Pergunte de novo daqui a pouco; o log dela diz mais.
discord-error-index-unwritable = Meu índice não pode ser gravado. Quem hospeda encontra o motivo no meu log.
discord-error-index-unreachable = Não alcanço meu índice agora. Pergunte de novo em um minuto; se continuar, avise quem hospeda.
discord-error-index-lost = Meu índice não está mais onde era guardado. Já o estou refazendo: pergunte de novo em alguns minutos; /status mostra quanto falta. Se continuar assim, quem hospeda me reinicia.

# Ao iniciar
error-discord-unreachable = O Discord não pode ser alcançado: verifique a rede desta máquina e discordstatus.com e me inicie de novo.
servers-without-entries = Atendo { $count } servidores ({ $servers }), e o library.toml não diz qual deles joga o quê: por isso os livros do mestre estão fechados para todos, e cada um desses servidores tem todos os livros dos jogadores. Escreva para cada um deles no library.toml: [[server]], abaixo id = "…" e games = ["…"], as pastas dos seus jogos; depois me reinicie. Ou me restrinja a um servidor com ALLOWED_GUILDS.
server-unlisted = O servidor { $server } não tem entrada no library.toml, então ninguém pode perguntar lá. Se não é essa a intenção: acrescente [[server]] com id = "{ $server }" e games = ["…"], as pastas dos seus jogos, e me reinicie.
application-public = Qualquer pessoa pode convidar esta aplicação para um servidor dela. Onde eu for convidado de agora em diante, não respondo nada até que ALLOWED_GUILDS ou uma entrada de library.toml cite esse servidor; os que já atendo continuo a atender. Para que estranhos não me convidem, desligue discord.com/developers → sua aplicação → Bot → Public Bot.
server-not-served = Alguém me convidou para o servidor { $server }, e nada diz que ele pode perguntar: não respondo nada lá. Se ele é seu: escreva o id dele, com os dos seus outros servidores, em ALLOWED_GUILDS, ou dê a ele uma entrada em library.toml, e me reinicie.
gm-books-shared = Os livros do mestre { $game ->
    [none] fora de todos os jogos
   *[other] de { $game }
} estão abertos aos mestres de vários servidores ({ $servers }): quem joga em um deles e é mestre em outro os lê lá. Se não é essa a intenção: dê cada jogo do library.toml a um só desses servidores e me reinicie.
sync-forbidden-guild = Os comandos não foram registrados: não estou no servidor { $guild } de DISCORD_GUILD_ID ({ $refusal }). Corrija esse número (Discord → botão direito no servidor → Copiar ID do servidor) ou me convide para lá com o link do README e me reinicie. Sigo sem comandos novos.
sync-forbidden = Os comandos não foram registrados ({ $refusal }). Preciso ser convidado de novo com o link do README, que tem o escopo “applications.commands”, e me reinicie. Sigo sem comandos novos.
sync-failed = Os comandos não foram registrados ({ $refusal }). Preciso ser reiniciado mais tarde para tentar de novo. Sigo com os registrados antes.
token-missing = não está definida. Crie um bot em discord.com/developers → New Application → Bot → Reset Token e defina DISCORD_TOKEN com esse token
token-reset = o Discord não o aceita mais: foi redefinido enquanto eu funcionava. Copie o novo em discord.com/developers → sua aplicação → Bot e me inicie de novo
token-wrong = o Discord não o aceita. Copie-o de novo em discord.com/developers → sua aplicação → Bot → Reset Token
intent-not-granted = MESSAGE_CONTENT está ligado, mas não concedido: discord.com/developers → sua aplicação → Bot → ligue “Message Content Intent”. Sigo sem ele.

# Livros só de um servidor
command-gm-book = Livros só deste servidor, que nenhum outro vê
command-gm-book-add = Enviar um livro só para este servidor: PDF, DOCX, EPUB ou Markdown
command-gm-book-remove = Tirar um livro enviado aqui
option-book-file = Um livro de regras: PDF, DOCX, EPUB ou Markdown
option-book-game = O jogo a que pertence; sem ele, o próprio deste servidor
option-book-remove = O livro
book-added = Foi lido e já responde a perguntas. Quem o enviou não fica guardado.
book-removed = Tirado: { $book }.
error-upload-not-book = { $file } não é um arquivo PDF, DOCX, EPUB ou Markdown, ou não é o que o nome diz. Salve-o em um desses formatos e envie esse.
error-upload-too-large = Esse arquivo é grande demais, ou este servidor não tem mais espaço: aceito { $limit } MB por arquivo e { $room } MB por servidor. Divida-o, ou tire outros com /gm book remove.
error-upload-unread = Não foi possível ler { $file }, então nada mudou. Um arquivo chamado README ou LICENSE não conta como livro: dê outro nome a ele. Senão, tente de novo; se continuar assim, quem hospeda acha o motivo no meu log.
uploads-shared = com vários processos (SHARD_IDS) em um só servidor Chroma (CHROMA_URL) cada um tiraria o que os outros receberam. Deixe um dos três de fora

# Decisões
command-gm-ruling = O que sua mesa decidiu: vale antes dos livros
command-gm-ruling-add = Anotar uma decisão
command-gm-ruling-list = Listar as decisões que valem e as que valeram
command-gm-ruling-end = Fazer uma decisão deixar de valer
command-gm-ruling-export = Receber as decisões em um arquivo
option-ruling-game = O jogo a que pertence; sem isto, o que se joga neste canal
option-ruling = A decisão
button-ruling = Anotar decisão
ruling-title = Decisão da mesa: os jogadores a leem
ruling-rule = A regra que ela muda, e sua página
ruling-rule-hint = Por exemplo: Sangramento – B420. Deixe vazio se não está em nenhum livro.
ruling-question = A pergunta que ela resolve
ruling-text = A decisão
ruling-held = Por quanto tempo vale
ruling-for-good = Para sempre
ruling-for-session = Nesta sessão: 12 horas, ou até você encerrar
ruling-kept = Anotada: **{ $heading }**. De agora em diante ela vem primeiro nas respostas.{ $superseded ->
    [yes] {" "}A anterior sobre a mesma regra deixou de valer.
   *[no] { "" }
}
ruling-against = Ela pode contradizer a decisão **{ $heading }**, que também vale. Leia as duas; /gm ruling end faz uma deixar de valer.
ruling-ended = Deixou de valer: **{ $heading }**.
ruling-superseded = substituída
ruling-over = encerrada
ruling-until = até { $time }
rulings-title = Decisões{ $game ->
    [none] { "" }
   *[other] : { $game }
}
rulings-exported = Todas as decisões deste jogo, também as que já não valem.
error-game-unnamed = Jogam-se vários jogos aqui. Diga a qual ela pertence (opção “game”), ou ligue este canal a um com /gm game.
error-nothing-ruled = Nenhuma decisão está anotada para este jogo. /gm ruling add anota uma.
error-ruling-gone = Nenhuma decisão chamada “{ $ruling }” vale neste jogo.{ $nearest ->
    [none] { "" }
   *[other] { "" } Você quis dizer { $nearest }?
} /gm ruling list mostra todas.
