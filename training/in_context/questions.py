"""What a chat model is asked about each item of a run, with the shots that --retrieval chooses (BAP v2, 6.4)."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from bap_v2_dataset.chat import retrieval
from bap_v2_dataset.chat.messages import chat_messages
from bap_v2_dataset.chat.retrieval import at_random, by_vectors, by_words, compared_text
from bap_v2_dataset.items.prompts import shown_history
from bap_v2_training.errors import UsageError
from bap_v2_training.in_context.chat_settings import ChatArguments, endpoint_of


class Question(NamedTuple):
    """Messages that ask a chat model about one item."""

    id: str
    messages: list[dict]
    shots: list[str] | None  # their ids; None: the prompt tells which they are
    history_lines_dropped: int
    row: Mapping


async def questions(
    arguments: ChatArguments, representation: str, rows: Sequence[Mapping], pool: Sequence[Mapping]
) -> list[Question]:
    """Compose the question about each row, with its shots.

    Args:
        rows: of the dataset, to be answered.
        pool: train rows; empty without shots.
    """
    if arguments.shots and pool:
        chosen = list(retrieval.retrieved(rows, pool, arguments.shots, await similarities(arguments, rows, pool)))
    else:
        chosen = [[] for _ in rows]
    return [
        question(row, [pool[position] for position in positions], representation, arguments)
        for row, positions in zip(rows, chosen, strict=True)
    ]


def question(row: Mapping, shots: Sequence[Mapping], representation: str, arguments: ChatArguments) -> Question:
    """Compose the question about one row, in the form that the arguments name."""
    messages = chat_messages(
        row, shots, representation, prompt=arguments.prompt, tools=arguments.tools, answer_form=arguments.answer_form,
        history_lines=arguments.history_lines, shot_history_lines=arguments.shot_history_lines,
    )  # fmt: skip
    dropped = len(shown_history(row, representation)) - len(shown_history(row, representation, arguments.history_lines))
    return Question(row["id"], messages, [shot["id"] for shot in shots], dropped, row)


def prompt_questions(rows: Iterable[Mapping]) -> list[Question]:
    """Compose the questions about rows whose prompts say all: each is the one message.

    Args:
        rows: with `id` and `prompt`.
    """
    return [Question(row["id"], [{"role": "user", "content": row["prompt"]}], None, 0, row) for row in rows]


_TEXTS_A_REQUEST = 256  # for embeddings


async def similarities(
    arguments: ChatArguments, rows: Sequence[Mapping], pool: Sequence[Mapping]
) -> Iterator[np.ndarray]:
    """Return an iterator: for each row the similarities [len(pool)] of the pool rows, by what --retrieval names."""
    if arguments.retrieval == "random":
        return at_random((row["id"] for row in rows), len(pool), arguments.retrieval_seed)
    texts, pool_texts = ([compared_text(row) for row in members] for members in (rows, pool))
    if arguments.retrieval == "lexical":
        return by_words(texts, pool_texts)
    embedded = await embeddings(arguments, [*pool_texts, *texts])
    return by_vectors(embedded[len(pool) :], embedded[: len(pool)])


async def embeddings(arguments: ChatArguments, texts: Sequence[str]) -> np.ndarray:
    """Return a vector [dimensions] of each text."""
    # Without an endpoint, a model on this machine.
    if arguments.embedding_base_url is None:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise UsageError(
                "--retrieval embedding needs --embedding-base-url, or sentence-transformers on this machine "
                f"(pip install sentence-transformers): {error}"
            ) from error
        return np.asarray(SentenceTransformer(arguments.embedding_model).encode(list(texts), show_progress_bar=False))

    # Some hundred texts a request, several requests at a time.
    async with endpoint_of(arguments, embeddings=True) as endpoint:
        limit = asyncio.Semaphore(arguments.concurrency)

        async def vectors(part: Sequence[str]) -> list[list[float]]:
            request = {"model": arguments.embedding_model, "input": list(part)}

            def usable(response: dict) -> bool:
                data = response.get("data")
                whole = isinstance(data, list) and len(data) == len(part)
                return whole and all(isinstance(entry, dict) and "embedding" in entry for entry in data)

            async with limit:
                response = await endpoint.response("embeddings", request, usable)
            return [entry["embedding"] for entry in sorted(response["data"], key=lambda entry: entry.get("index", 0))]

        parts = [texts[start : start + _TEXTS_A_REQUEST] for start in range(0, len(texts), _TEXTS_A_REQUEST)]
        vectors_of_parts = await asyncio.gather(*map(vectors, parts))
        print(f"embeddings of {len(texts):,} texts: {endpoint.usage.bill()}")
    return np.array([vector for part in vectors_of_parts for vector in part], dtype=np.float32)
