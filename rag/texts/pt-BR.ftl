# Respostas
answer-not-found = Não encontrei nada sobre isso.
answer-searched = Não encontrei nada sobre isso. Procurei por { $queries }; { $pages ->
    [one] uma página lida
   *[other] { $pages } páginas lidas
}.
answer-no-word = Nenhum dos livros consultados tem a palavra “{ $word }”.
answer-nothing-fits = Nada aqui responde bem a isso.
answer-partly = Esta é uma parte da resposta.
answer-dropped = Parte do que o modelo escreveu não pôde ser provada e não é afirmada.
answer-checking = Ainda conferindo a decisão com estas linhas:
calculated = (calculado, não impresso)
answer-unproven = Não consegui provar uma decisão; isto é o que os livros dizem.
answer-overruled = { $authority ->
    [ruling] Sua mesa decidiu isto { $by }.
    [house-rules] Sua mesa tem uma regra da casa sobre isto { $by }.
   *[book] Aqui vale uma correção { $by }.
} O livro diz outra coisa: { $places }.
answer-table-first = { $place }: “{ $quote }” { $by }
answer-further = também: { $places }
answer-footer = { $mode ->
    [first-quotes] Sem modelo: só citações ·{" "}
    [quotes] citações ·{" "}
   *[model] { "" }
}{ NUMBER($seconds, minimumFractionDigits: 1, maximumFractionDigits: 1) } s
answer-missing = As páginas que encontrei não dizem: { $missing }.
answer-book-absent = Não posso consultar aqui um livro chamado “{ $book }”.
answer-code-unknown = Não sei qual livro “{ $book }” indica aqui.
answer-page-nowhere = Nenhum livro que posso consultar aqui tem uma página impressa { $page }.
answer-page-unread = Não conheço nenhuma página impressa { $page } em { $book }. Conheço { $printed }; em algumas páginas nenhum número pôde ser lido.
answer-page-absent = Não há página { $page } em { $book } (suas páginas impressas: { $printed }).
answer-page-unnumbered = { $numbering ->
    [unread] Os números de página impressos em { $book } não puderam ser lidos,
   *[unnumbered] Não se achou nenhum número de página impresso em { $book },
} então a página { $page } não pode ser achada pelo número{ $exists ->
    [yes] { "" }; a p. { $page } do PDF existe.
   *[no] .
}
answer-page-ambiguous = { $count } livros têm uma página { $page }: { $books }{ $more ->
    [0] { "" }
   *[other] {" "}e mais { $more }
}. Diga qual deles é.
answer-elsewhere = As regras citadas também apontam para { $places }, em um livro que não está na biblioteca.
answer-unresolved = As regras citadas também apontam para { $places }; não consegui saber que página da biblioteca é.
answer-game = De: { $games }
answer-other-games = Também em: { $options }
page-printed = { $book }, p. { $page }
page-unnumbered = { $book }, p. { $page } do PDF
pages-printed = { $book }, pp. { $first }–{ $last }
pages-of-pdf = { $book }, pp. { $first }–{ $last } do PDF
place-house-rule = Regra da casa: { $place }
place-ruling-undated = Decisão da mesa: { $place }
place-ruling = Decisão da mesa, { $day } de { $month ->
    [1] janeiro
    [2] fevereiro
    [3] março
    [4] abril
    [5] maio
    [6] junho
    [7] julho
    [8] agosto
    [9] setembro
    [10] outubro
    [11] novembro
   *[12] dezembro
} de { $year }: { $place }
place-read-by-ocr = { $place } (lida por OCR)
footer = { $strategy } · { $hops ->
    [one] 1 rodada
   *[other] { $hops } rodadas
} · { NUMBER($seconds, minimumFractionDigits: 1, maximumFractionDigits: 1) } s
checked-by-code = conferido por código
checked-by-code-and-model = conferido por código e modelo

# Por quê
why-hop = Rodada { $hop }
why-searched = { $origin ->
    [judge] Faltava, então procurado: “{ $query }”
    [sub-question] Procurado como parte da pergunta: “{ $query }”
   *[asked] Procurado: “{ $query }”
}
why-followed = { $changed ->
    [origin] Consultada a mudança de uma regra: { $target } muda { $origin }
    [target] Consultada a regra que é mudada: { $origin } muda { $target }
   *[none] Seguida uma referência impressa: { $origin } → { $target }
}
why-judged = { $verdict ->
    [enough] O modelo julgou: isto basta para responder.
    [missing] O modelo julgou: ainda falta algo.
    [at-a-loss] O modelo julgou: falta algo; ele não indicou nada novo para procurar.
   *[none] O modelo não disse se isto basta.
}
why-missing = Não está nas páginas encontradas
why-dropped = Não afirmado: não confie nisto
why-dropped-statement = “{ $text }” – { $reason ->
    [no-line] não indicou nenhuma linha dos livros
    [numbers] um número dela não está em nenhuma das linhas dela e não foi calculado
    [row] usa um valor de outra linha ou coluna
    [changed] repete a linha dela com uma mudança
    [reason] nenhuma linha dá o motivo
    [overruled] uma correção ou regra da mesa muda a linha dela
    [page-number] deu um número de página por conta própria
    [unshowable] vazia, longa demais, ou uma afirmação a mais
   *[unsupported] as linhas dela talvez não digam isso
}
why-calls = { $calls ->
    [0] nenhuma chamada ao modelo
    [one] 1 chamada ao modelo
   *[other] { $calls } chamadas ao modelo
}
why-tokens = { $sent } tokens enviados, { $received } recebidos{ $estimated ->
    [yes] {" "}(estimados)
   *[no] { "" }
}
why-money = US$ { NUMBER($money, minimumFractionDigits: 2, maximumFractionDigits: 4) }

# Avisos
notice-model-failed = O modelo não respondeu; aqui estão os trechos mais próximos. Pergunte de novo em instantes.
notice-model-misconfigured = O modelo não está bem configurado; aqui estão os trechos mais próximos. Avise quem hospeda o bot.
notice-model-busy = O modelo está ocupado; aqui estão os trechos mais próximos. Pergunte de novo em alguns minutos.
notice-model-balance = A conta do modelo está sem saldo; aqui estão os trechos mais próximos. Avise quem hospeda o bot.
notice-model-unreachable = O modelo está fora do ar agora; aqui estão os trechos mais próximos. Tento de novo sozinho.
notice-model-filtered = O filtro de conteúdo do provedor barrou esta resposta; aqui estão os trechos mais próximos. Outras palavras podem ajudar.
notice-model-reply = A resposta do modelo não pôde ser usada; aqui estão os trechos mais próximos. Pergunte de novo ou com outras palavras.
notice-model-slow = O modelo demorou demais; aqui estão os trechos mais próximos. Uma pergunta mais curta pode ajudar.
notice-model-broke-off = O modelo parou antes de terminar. Cada frase aqui está comprovada; pergunte de novo para saber o resto.
notice-question-cut = Sua pergunta era muito longa: li os primeiros 4.000 caracteres.
notice-prompt-cut = O servidor do modelo leu só uma parte das páginas, então pode faltar algo aqui. Avise quem hospeda o bot.
notice-conversation-evicted = Faz muito tempo que ninguém pergunta aqui: esqueci o que foi dito antes.
error-question-budget-spent = Esta pergunta exigiu do modelo mais do que cabe em uma só; aqui estão os trechos mais próximos. Pergunte uma coisa de cada vez.
notice-model-unasked = Nada é afirmado aqui: estas são as palavras dos próprios livros.
notice-sample-game = Ainda não há livro de regras em { $folder }: as respostas vêm do jogo de exemplo que acompanha o bot. Coloque PDFs em { $folder }, uma pasta por jogo, e digite: make run (sem make: { $program } run)
notice-books-unread = Os livros de regras em { $folder } ainda não foram lidos: as respostas vêm do jogo de exemplo. Para que sejam lidos, digite: make run (sem make: { $program } run)
notice-library-gone = Não há livro de regras em { $folder }: as respostas vêm do que foi indexado antes. Se seus livros deveriam estar ali, corrija LIBRARY_DIR, ou traga a pasta de volta.

# Andamento
progress-rewriting = Entendendo a pergunta…
progress-searching = Procurando{ $target ->
    [none] …
   *[other] { "" }: { $target }
}
progress-judging = Lendo o que foi encontrado…
progress-following = Consultando { $target }…
progress-writing = Escrevendo a resposta…

# Erros
error-unexpected = Algo deu errado do meu lado. Pergunte de novo; se continuar, avise quem hospeda o bot.
thanks-answered = De nada! É só perguntar quando surgir a próxima regra.
error-nothing-asked = O que você gostaria de saber? Pergunte com suas palavras, por exemplo: Até onde consigo pular?
error-unknown-word = Nenhum dos livros consultados tem a palavra “{ $word }”. Tente a palavra que o seu livro de regras usa.
error-configuration = A configuração { $variable } não funciona: { $reason ->
    [switch] escreva true ou false.
    [digits] escreva só dígitos, sem pontos nem vírgulas.
    [number] escreva um número, com ponto antes dos decimais, como 0.40.
    [too-small] o número é pequeno demais; o limite é { $limit }.
    [too-large] o número é grande demais; o limite é { $limit }.
    [choice] escreva um destes: { $limit }.
    [server-id] escreva só dígitos: no Discord, clique com o botão direito no servidor → Copiar ID do servidor.
    [header] há nela um caractere que não cabe em uma chave. Copie de novo, sem espaços, acentos nem aspas.
    [url] ela precisa começar com http:// ou https:// e nomear um servidor, como http://localhost:8000.
    [database] o caminho nomeia um banco de dados, com 3 ou mais letras sem acento, dígitos, “.”, “-” ou “_”, como http://localhost:8000/minhas-regras.
    [file] ela leva a um arquivo. Escreva o nome de uma pasta.
    [overrides] escreva como prompt=nome:tag, com vírgulas entre vários.
    [no-provider] esse modelo precisa de um provedor. Defina OPENAI_API_KEY ou OPENAI_BASE_URL, ou escreva embedded.
    [one-price] PRICE_INPUT e PRICE_OUTPUT andam juntas. Defina as duas, ou nenhuma.
    [shards] escreva os números dos shards deste processo, com vírgulas, de 0 até um abaixo de SHARD_COUNT, e defina também essa.
   *[other] { $reason }
}
error-env-file-unreadable = O arquivo { $file } não pode ser lido: salve-o como UTF-8 (no Bloco de Notas: Salvar como → Codificação → UTF-8), em um lugar que eu possa ler.
error-env-line = No arquivo { $file }, a linha { $line } não define nada. Escreva um nome, “=” e um valor: DISCORD_TOKEN=abc
error-no-chat-model = Nenhum modelo de chat está configurado, e sem ele não dá para testar um prompt: defina OPENAI_API_KEY ou OPENAI_BASE_URL.
error-tracing-key-missing = LANGSMITH_TRACING está ligado, mas o LangSmith não aceita registros sem chave: defina LANGSMITH_API_KEY ou desligue o registro.
error-empty-library = Nenhum livro legível está indexado. Coloque seus livros na pasta de LIBRARY_DIR e execute: { $program } ingest
error-sample-game-unread = Ainda não há livro de regras em { $folder }, e o jogo de exemplo que acompanha o bot não está indexado. Coloque seus livros ali e execute: { $program } ingest
error-library-absent = A pasta { $folder } não existe. Corrija LIBRARY_DIR, ou crie a pasta e coloque seus livros ali.
error-index-damaged = O índice está danificado ou incompleto ({ $parts }). Refaça-o com: { $program } ingest
error-index-outdated = O índice foi feito por outra versão do programa, que lia os livros de outro modo. Releia-os com: { $program } ingest
error-not-in-library = { $path } não está na biblioteca: copie-o para { $folder } e execute de novo.
error-no-such-path = { $path } não existe. Confira o nome; o que se indexa fica em { $folder }.
error-unknown-book = Não há livro, código ou jogo chamado “{ $book }” aqui.{ $nearest ->
    [none] { "" }
   *[other] { "" } Você quis dizer { $nearest }?
} Os livros são listados por: { $program } books. Um livro do mestre pede --as gm; um novo se lê com: { $program } ingest
error-ambiguous-page = Vários livros chamados “{ $book }” têm uma página { $page }: { $books }. Escreva qual deles.
error-unknown-page = { $book } não tem página impressa { $page }. As páginas de cada livro são listadas por: { $program } books
error-unknown-section = { $book } não tem páginas numeradas nem uma seção “{ $section }”. Tem, por exemplo: { $nearest }.
error-unnumbered-page = { $numbering ->
    [unread] Os números de página impressos em { $book } não puderam ser lidos.
   *[unnumbered] Não se achou nenhum número de página impresso em { $book }.
} { $exists ->
    [yes] A p. { $page } do PDF existe: peça “PDF p. { $page }”.
   *[no] Suas páginas se chamam pelo lugar no arquivo: “PDF p. 1”.
}
error-page-not-drawn = Esta página de { $file } não pode ser desenhada. Tente de novo; se falhar, abra o próprio arquivo e veja se ele mostra a página.
error-page-without-picture = { $book } não pode ser mostrado como imagem: só livros em PDF têm páginas para isso. O texto aparece sem “-o”.
error-book-file-absent = As páginas de { $file } não podem ser mostradas aqui: esta máquina tem só o índice, não o livro. Copie o livro para a pasta de LIBRARY_DIR.
error-book-file-changed = { $file } foi alterado depois de indexado, por isso suas páginas não são mostradas. Execute: { $program } ingest
error-quotation-not-located = Não é certo onde esta citação está na página, por isso nada é marcado e nenhuma imagem é feita. A página inteira é desenhada por: { $program } page LIVRO PÁGINA -o ARQUIVO.png
error-nothing-quoted = Nada é citado nesta resposta, por isso não há o que desenhar.
error-one-picture-alone = Uma imagem acompanha uma só pergunta: escreva a pergunta no lugar de “-”.
error-file-unwritable = { $path } não pode ser gravado: verifique se a pasta existe e se você pode gravar nela.
error-index-unwritable = O índice em { $folder } não pode ser gravado ({ $reason }): libere espaço em disco, corrija as permissões da pasta ou indique outra em INDEX_DIR.
error-system-exhausted = O sistema não tem mais arquivos abertos ou memória para dar ({ $reason }). Feche outros programas ou aumente o limite de arquivos abertos (ulimit -n) e tente de novo.
error-index-unreachable = O servidor Chroma em { $url } não responde: inicie-o ou verifique CHROMA_URL.
error-index-lost = O servidor Chroma em { $url } não tem (mais) este índice. Refaça-o com: { $program } ingest
error-model = O modelo não deu uma resposta utilizável. Pergunte de novo em instantes.
error-key-refused = O servidor do modelo recusa a chave: corrija OPENAI_API_KEY.
error-unknown-model = O servidor não conhece este modelo ou não tem nada nesse endereço: verifique CHAT_MODEL ou EMBEDDING_MODEL, e OPENAI_BASE_URL, que costuma terminar em /v1.
error-balance-spent = A conta está sem saldo: recarregue-a no provedor do modelo.
error-model-busy = O servidor do modelo está ocupado, ou a cota da conta acabou: espere ou verifique a conta.
error-model-unreachable = O servidor do modelo não responde: verifique a rede; se o servidor é seu, OPENAI_BASE_URL e se ele está em execução.
error-request-refused = O servidor do modelo recusa o pedido: verifique se ele oferece chat completions e o tamanho de prompt que aceita.
error-reply-filtered = O filtro de conteúdo do provedor do modelo barrou a resposta.
error-unusable-reply = A resposta do modelo não serve: está vazia ou não é o JSON pedido. Tente outro modelo.
error-unusable-vectors = O que o servidor de embeddings envia não são vetores dos textos: verifique EMBEDDING_MODEL e o servidor.
error-other-embedding = O índice foi feito com outro modelo de embedding do que o que EMBEDDING_MODEL nomeia agora: esvazie INDEX_DIR (ou o banco do Chroma) e execute ingest de novo.
error-reply-cut-off = A resposta do modelo passou do tamanho permitido e foi cortada. Escolha um modelo que pense menos, ou outro.
error-call-timed-out = O modelo demorou mais que MODEL_CALL_SECONDS: aumente-o ou escolha um modelo mais rápido.
error-question-timed-out = O modelo demorou mais que MODEL_QUESTION_SECONDS: aumente-o ou escolha um modelo mais rápido.
error-prompt-cut = O servidor do modelo leu { $read } de cerca de { $sent } tokens de um prompt e deixou o resto de fora sem avisar: o contexto dele é pequeno demais. Aumente-o (Ollama: OLLAMA_CONTEXT_LENGTH) ou diminua PROMPT_TOKENS.
error-reply-broken-off = O servidor do modelo parou no meio de uma resposta. Se isso continuar, veja o log dele, ou o que há entre ele e este computador.

# O terminal
chat-prompt = { "> " }
chat-hint = Pergunte com suas palavras. “jogos” lista os jogos, “ajuda” diz o que mais se pode digitar, “sair” termina.
chat-try = Por exemplo:
chat-game = De agora em diante: { $game ->
    [all] todos os jogos
   *[other] { $game }
}.
chat-games = { $unknown ->
    [none] { "" }
   *[other] Não há jogo “{ $unknown }” aqui.{" "}
}Jogos: { $games }. Para perguntar só a um, digite “jogo” e o nome ou número; “jogo todos” volta a perguntar a todos.
chat-help =
    • Faça uma pergunta de regras com suas palavras, em português ou inglês: Até onde consigo pular?
    • O que se segue pode ser curto: E com mochila pesada?
    • Cite uma página: O que diz a p. 12 de um livro?
    • Digite o número de um trecho depois de “também” para lê-lo, ou o de um jogo depois de “Também em” para perguntar a ele.
    • jogos: os jogos. jogo NOME, ou o número antes dele: perguntar só a esse jogo. jogo todos: perguntar a todos de novo.
    • sair, quit ou exit: o fim.
    Livros que você puser na biblioteca enquanto isso são lidos antes da próxima pergunta.
try-heading = Quais são as regras de { $heading }?
try-row = Qual é o { $column } de { $row }?
chat-books-changed = Os livros em { $folder } mudaram: lendo…
picture-saved = { $place }: { $path }
column-game = Jogo
column-title = Livro
column-pages = Páginas
column-printed = Impressas
column-language = Idioma
language-unknown = desconhecido
column-codes = Códigos
column-audience = Para
audience-gm = mestre
audience-player = todos
column-references = Refs.
column-health = Saúde
health-well = boa
health-text = texto { $percent } %
health-words = palavras { $percent } %
health-labels = números { $percent } %
health-ocr = OCR { $percent } %
pages-uncounted = nenhuma achada
pages-unread = ilegíveis
pages-sections = por seção

# Hosting
run-reading = Lendo os livros de regras…
check-version = Versão { $version }
check-books = { $count ->
    [0] Nenhum livro está indexado ainda. Rode: { $program } ingest
    [one] 1 livro está indexado.
   *[other] { $count } livros estão indexados.
}
model-offered = { $priced ->
    [none] { $name }, { $model }: na sua própria máquina
   *[other] { $name }, { $model }: cerca de US$ { NUMBER($cost, minimumFractionDigits: 2, maximumFractionDigits: 2) } por { $questions } perguntas (preços de { $priced })
}
model-which = Qual, de 1 a { $last }?{" "}
model-none-chosen = Nenhum provedor foi escolhido, e nada mudou. Digite o número dele.
model-no-key = Nenhuma chave foi digitada, e nada mudou.
model-of-your-own = { $name } roda na sua própria máquina: instale-o, inicie-o, baixe o modelo (ollama pull { $model }) e escolha-o de novo.
model-of-a-provider = Nada mudou. Verifique se esta máquina chega à internet e a sua chave em { $page }; depois escolha { $name } de novo.
model-key = A chave dele, de { $page } (ela não aparece enquanto você cola):{" "}
model-written = Está escrito em { $file }; inicie o programa de novo. { $prices ->
    [none] { "" }
   *[other] Preços mudam: { $prices }
}
error-mcp-absent = O que serve os livros a um assistente não está instalado. { $program ->
    [rules-bot] Na pasta do código do programa digite: pipx install --force ".[mcp]" (com uv: uv tool install --force ".[mcp]")
   *[other] Rode: make mcp (sem make: veja “Scans and an assistant” em docs/installation.md)
}
mcp-error-unknown-book = Não há livro, código ou jogo chamado “{ $book }” aqui.{ $nearest ->
    [none] { "" }
   *[other] { "" } Você quis dizer { $nearest }?
} Os livros são os recursos deste servidor.
mcp-error-unknown-page = { $book } não tem página impressa { $page }. O recurso do livro diz qual é a primeira e qual a última; search encontra páginas pelo texto.
mcp-error-page-without-picture = { $book } não pode ser mostrado como imagem: só livros em PDF têm páginas para isso. O texto é dado pela ferramenta page.
mcp-error-quotation-not-located = Não é certo onde esta citação está na página, por isso nada é marcado e nenhuma imagem é feita. Sem citação a página inteira é desenhada.
check-model-none = Nenhum modelo de chat está configurado: as respostas são citações. Para tê-las escritas, quem hospeda digita: make model (sem make: { $program } model).
check-model-works = O modelo de chat responde.
check-embedding-works = O modelo de embeddings responde.

# Indexação
ingest-wait = esperando outra execução que está indexando…
ingest-read = lendo { $file }
ingest-embed = indexando { $file }
ingest-build = montando o índice
ingest-new-model = O índice foi feito com o modelo de embeddings { $before }; foi refeito com { $now }.
ingest-damaged = Danificado ou ausente no índice, e refeito: { $parts }
book-unreadable = { $file }: não pode ser lido. Baixe ou exporte o arquivo de novo.
book-too-slow = { $file }: nenhuma página pôde ser lida em dez minutos, e a leitura foi abandonada. Baixe ou exporte o arquivo de novo.
book-needs-password = { $file }: precisa de senha para abrir. Salve uma cópia sem senha e coloque-a no lugar.
book-truncated = { $file }: o arquivo termina cedo demais, como após um download interrompido. Copie-o de novo.
book-empty = { $file }: o arquivo está vazio. Copie-o de novo.
book-not-pdf = { $file }: não é um PDF, apesar do nome. Troque-o pelo arquivo verdadeiro.
book-without-text = { $file }: nenhum texto foi encontrado nele, nem palavras em suas imagens. Baixe ou exporte de novo.
book-scanned = { $file }: não tem texto, só imagens de páginas. Instale o OCR com: make ocr (sem make: veja “Livros escaneados” em docs/books.pt-BR.md) e rode de novo: { $program } ingest
book-pages-missing = { $file }: { $missing } de { $pages } páginas são imagens que ninguém leu, e nada nelas é encontrado. Instale o OCR com: make ocr (sem make: veja “Livros escaneados” em docs/books.pt-BR.md) e rode: { $program } ingest
book-pages-empty = { $file }: a maioria de suas { $pages } páginas não tem texto que se possa ler, e nada nelas é encontrado. Abra em um leitor de PDF e tente copiar uma frase: se não funcionar, baixe ou exporte o livro de novo.
book-text-hidden = { $file }: { $hidden } de { $pages } páginas são imagens com texto que um programa de OCR leu antes; as citações delas podem ter erros dele.
book-words-unknown = { $file }: quase nenhuma de suas palavras está no dicionário; as letras devem estar gravadas com códigos errados. Abra em um leitor de PDF e copie uma frase: se ela também sair truncada, exporte ou baixe o livro de novo.
book-not-text = { $file }: não é um texto, apesar do nome. Troque-o pelo arquivo verdadeiro.
book-without-words = { $file }: não tem texto. Abra-o para conferir; o que está só nas figuras não pode ser lido.
book-too-large = { $file }: é maior que qualquer livro de regras (mais de { $limit } MB de texto). Divida-o, ou troque-o pelo arquivo verdadeiro.
book-not-its-format = { $file }: está danificado ou não é um arquivo { $format }, apesar do nome. Baixe ou exporte o arquivo de novo.
book-protected = { $file }: tem proteção contra cópia, então o texto não pode ser lido. Coloque no lugar uma cópia sem proteção.
book-format-unread = { $file }: arquivos deste tipo não são lidos; são lidos PDF, DOCX, EPUB, HTML, Markdown e texto simples. { $target ->
    [docx] Abra-o no editor de texto, escolha “Salvar como” → DOCX e coloque esse arquivo aqui.
    [epub] Converta-o para EPUB, por exemplo com o Calibre, e coloque esse arquivo aqui.
    [unpacked] Descompacte-o e coloque aqui os arquivos que estão dentro.
   *[pdf] Abra-o, exporte ou imprima como PDF e coloque esse arquivo aqui.
}
book-changing = { $file } ainda está mudando: será indexado quando parar de mudar.
file-name-unreadable = { $file }: o caminho tem letras que não podem ser lidas aqui (? está no lugar delas). Renomeie o arquivo, ou a pasta que as tem.
file-not-opened = { $file }: não pode ser aberto. Dê a este usuário o direito de lê-lo.
file-link-broken = { $file }: é um link para um arquivo que não existe. Ponha o próprio livro no lugar.
folder-not-opened = { $folder }: a pasta não pode ser aberta. Dê a este usuário o direito de lê-la.
book-declared-missing = { $file }: está descrito em library.toml, mas não há esse arquivo. Corrija o nome ali.
book-amends-missing = { $file }: library.toml diz que ele corrige { $amends }, mas não há esse arquivo. Corrija o nome ali.
book-page-beyond = { $file }: library.toml fala da página { $page } (on_pdf_page), mas o arquivo tem { $pages } páginas. Conte as páginas como o leitor de PDF, a partir de 1.
book-code-shared = { $file }: library.toml lhe dá o código { $code }, que { $other }, do mesmo jogo, já tem. Dê a cada livro um código próprio.
book-code-unusable = { $file }: library.toml lhe dá o código “{ $code }”, que não pode vir antes de um número de página. Um código tem de uma a cinco letras, a primeira maiúscula, como "B" ou "MA"; pode vir um algarismo depois.
folder-looks-gm = { $folder }: parece ser só para o mestre, mas os jogadores leem os livros dali. Mude o nome da pasta para “gm”, ou escreva audience = "gm" ou "everyone" para cada livro em library.toml.
book-numbers-unread = { $file }: os números de página impressos não puderam ser lidos, então as páginas são citadas pelo lugar no arquivo (PDF p. 20). Onde está um número pode ser declarado em library.toml: first_printed_page e on_pdf_page.
book-references-unresolved = { $file }: “{ $text }” em { $place } não leva a nenhuma página{ $more ->
    [0] { "" }
    [one] , como outra referência assim
   *[other] , como outras { $more } referências assim
}: { $why ->
    [code] não se sabe que livro “{ $name }” indica. Se esse livro está aqui, acrescente ao [[book]] dele em library.toml: codes = ["{ $name }"]
   *[page] não se conhece aqui uma página impressa { $page } em { $name }. Se há, diga onde no [[book]] dele em library.toml: first_printed_page e on_pdf_page.
}
book-copied = { $copy }: é o mesmo arquivo que { $file }, por isso só um é listado e buscado. Você pode apagar um deles.
book-same-title = { $file }: outro livro tem o mesmo título, por isso o nome do arquivo foi acrescentado. Dê-lhe um título em library.toml.
server-game-unknown = library.toml dá ao servidor { $server } o jogo “{ $game }”, mas a biblioteca não tem esse jogo, ou tem vários parecidos. Escreva o nome da pasta dele; "" são os livros que não estão em pasta nenhuma.

# library.toml
library-toml-encoding = library.toml não está em UTF-8: abra-o no seu editor e salve como UTF-8.
library-toml-not-opened = library.toml não pode ser lido ({ $reason }). Dê a este usuário o direito de lê-lo.
library-toml-not-toml = library.toml não está escrito como TOML: { $reason }. Veja se falta ali uma aspa ou um colchete.
library-toml-shape = library.toml: “{ $name }” não está escrito como deve ser. Cada livro começa com a linha [[book]], em colchetes duplos; depois vem o que se diz dele, como em file = "gurps/powers.pdf".
library-toml-unknown-key = library.toml, livro { $book }: não existe a chave “{ $name }”. Um livro pode ter: { $allowed }.
library-toml-no-file = library.toml, livro { $book }: falta o arquivo. Acrescente o caminho dele na biblioteca, como em file = "gurps/powers.pdf".
library-toml-page-alone = library.toml, livro { $book }: first_printed_page e on_pdf_page andam juntos. Acrescente o outro.
library-toml-twice = library.toml: { $file } foi declarado duas vezes. Escreva um só [[book]] para ele.
library-toml-game-shape = library.toml: a entrada de um jogo não está escrita como deve. Cada uma começa com a linha [[game]] em colchetes duplos; abaixo dela ficam folder = "…", e name = "…" ou aliases = ["…"].
library-toml-game-unknown-key = library.toml, jogo { $game }: não existe a chave “{ $name }”. Um jogo tem: { $allowed }.
library-toml-game-value = library.toml, jogo { $game }: “{ $name }” falta ou não está como deve, como em folder = "gurps", name = "GURPS", aliases = ["g4e"].
library-toml-server-shape = library.toml: a entrada de um servidor não está escrita como deve. Cada uma começa com a linha [[server]] em colchetes duplos; abaixo dela ficam id = "…" e games = ["gurps"].
library-toml-server-unknown-key = library.toml, servidor { $server }: não existe a chave “{ $name }”. Um servidor tem: { $allowed }.
library-toml-server-twice = library.toml: o servidor { $id } tem duas entradas. Escreva um só [[server]] para ele, com todos os seus jogos.
library-toml-server-value = library.toml, servidor { $server }: “{ $name }” tem de ser { $name ->
    [id] o número do servidor, como em id = "1049381029381029381": Discord → Configurações → Avançado → Modo de desenvolvedor, depois clique com o botão direito no servidor → Copiar ID do servidor.
   *[other] uma lista das pastas dos seus jogos, como em games = ["gurps"].
}
library-toml-value = library.toml, livro { $book }: “{ $name }” deve ser { $name ->
    [codes] uma lista de textos, como em codes = ["P"].
    [audience] "gm" ou "everyone", entre aspas.
    [first_printed_page] um número inteiro a partir de 1, como em first_printed_page = 1.
    [on_pdf_page] um número inteiro a partir de 1, como em on_pdf_page = 3.
   *[other] um texto entre aspas, como em { $name } = "…".
}

# Avaliação
error-question-file = { $file }{ $line ->
    [0] { "" }
   *[other] { "" }, linha { $line }
}: { $reason }
evaluation-progress = perguntando
evaluation-unknown-book = { $id }: não existe livro ou jogo “{ $book }” em que perguntar, então ela é feita a todos os livros. Corrija o nome, ou deixe-o fora.
evaluation-quote-elsewhere = { $id }: a citação não está lá, ou você não pode vê-la: { $file }, { $place }. Corrija a citação, a página impressa ou o lugar; de um livro do mestre, execute isto com: --as gm
evaluation-misses = { $count ->
    [0] Nenhuma falha
    [one] 1 falha
   *[other] { $count } falhas
}

# Prompts
error-hub-silent = O hub do LangSmith não respondeu.
error-hub-prompt-unknown = O hub do LangSmith não tem um prompt { $override } que esta chave possa ler. Confira PROMPT_OVERRIDES e LANGSMITH_API_KEY.
error-prompt-form-unfit = { $override } não é um prompt de chat feito de textos com lugares entre chaves simples. Salve-o nessa forma (f-string).
error-prompt-places-differ = { $override } não tem os lugares do arquivo. Precisa exatamente de: { $places }
prompt-from-file = arquivo
prompt-from-hub = hub { $hub }
prompt-from-file-because = arquivo: { $reason }
