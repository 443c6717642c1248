"""The rival: expand, search, judge and generate one after the other, of LangChain's own parts."""

from collections.abc import Sequence

from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever

from rag.nodes.rewrite import Rewrite
from rag.state import Sufficiency
from rag.strategies.model_calls import SubQuestions

MAX_HOPS = 3

REWRITE = ChatPromptTemplate.from_template(
    "Rewrite the question so that it stands alone.\n\nConversation:\n{history}\n\nQuestion: {question}"
)
EXPAND = ChatPromptTemplate.from_template("Write 3 to 5 search queries for this question: {question}")
JUDGE = ChatPromptTemplate.from_template(
    "Do these pages answer the question completely? If not, what is to be searched next?\n\n"
    "Question: {question}\n\n<searched>{searched}</searched>\n\n{pages}"
)
GENERATE = ChatPromptTemplate.from_template(
    "Answer the question from these pages alone.\n\n{pages}\n\n{history}\n\nQuestion: {question}"
)


class PlainPipeline:
    """Answers a question in up to three rounds of search; each step waits for the one before."""

    def __init__(self, model: BaseChatModel, retriever: BaseRetriever) -> None:
        self._retriever = retriever
        self._rewrite = REWRITE | model.with_structured_output(Rewrite, method="json_schema")
        self._expand = EXPAND | model.with_structured_output(SubQuestions, method="json_schema")
        self._judge = JUDGE | model.with_structured_output(Sufficiency, method="json_schema")
        self._generate = GENERATE | model | StrOutputParser()

    async def ask(self, question: str, history: str = "") -> str:
        """The answer; a question with a history is rewritten first."""
        if history:
            rewritten = Rewrite.model_validate(
                await self._rewrite.ainvoke({"question": question, "history": history})
            )
            question = question if rewritten.standalone else rewritten.question
        expanded = SubQuestions.model_validate(await self._expand.ainvoke({"question": question}))
        searched = [question, *expanded.sub_questions]
        pages = await self._search(searched)
        for hop in range(1, MAX_HOPS + 1):
            verdict = await self._verdict(question, searched, pages)
            if verdict.sufficient or hop == MAX_HOPS:
                break
            searched += verdict.new_queries
            pages += await self._search(verdict.new_queries)
        return await self._generate.ainvoke({"question": question, "history": history, "pages": _text(pages)})

    async def _search(self, queries: Sequence[str]) -> list[Document]:
        return [page for query in queries for page in await self._retriever.ainvoke(query)]

    async def _verdict(
        self, question: str, searched: Sequence[str], pages: Sequence[Document]
    ) -> Sufficiency:
        values = {"question": question, "searched": "\n".join(searched), "pages": _text(pages)}
        return Sufficiency.model_validate(await self._judge.ainvoke(values))


def _text(pages: Sequence[Document]) -> str:
    """The pages, each once."""
    return "\n\n".join(dict.fromkeys(page.page_content for page in pages))
