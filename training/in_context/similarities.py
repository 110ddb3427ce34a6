"""How similar train items are to an item: by words, by embeddings, or at random."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from bap_v2_dataset.chat.retrieval import at_random, by_vectors, by_words, compared_text
from bap_v2_training.errors import UsageError
from bap_v2_training.in_context.chat_settings import ChatArguments, endpoint_of

_TEXTS_A_REQUEST = 256  # for embeddings


async def similarities(
    arguments: ChatArguments, rows: Sequence[Mapping], pool: Sequence[Mapping]
) -> Iterator[np.ndarray]:
    """For each row the similarities [len(pool)] of the pool rows, by what --retrieval names."""
    if arguments.retrieval == "random":
        return at_random((row["id"] for row in rows), len(pool), arguments.retrieval_seed)
    texts, pool_texts = ([compared_text(row) for row in members] for members in (rows, pool))
    if arguments.retrieval == "lexical":
        return by_words(texts, pool_texts)
    embedded = await embeddings(arguments, [*pool_texts, *texts])
    return by_vectors(embedded[len(pool) :], embedded[: len(pool)])


async def embeddings(arguments: ChatArguments, texts: Sequence[str]) -> np.ndarray:
    """A vector [dimensions] of each text."""
    if arguments.embedding_base_url is None:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise UsageError(
                "--retrieval embedding needs --embedding_base_url, or sentence-transformers on this machine "
                f"(pip install sentence-transformers): {error}"
            ) from error
        return np.asarray(SentenceTransformer(arguments.embedding_model).encode(list(texts), show_progress_bar=False))

    async with endpoint_of(arguments, embeddings=True) as endpoint:
        limit = asyncio.Semaphore(arguments.concurrency)

        async def vectors(part: Sequence[str]) -> list[list[float]]:
            request = {"model": arguments.embedding_model, "input": list(part)}

            def usable(response: dict) -> bool:
                data = response.get("data")
                return isinstance(data, list) and len(data) == len(part) and all("embedding" in entry for entry in data)

            async with limit:
                response = await endpoint.response("embeddings", request, usable)
            return [entry["embedding"] for entry in sorted(response["data"], key=lambda entry: entry.get("index", 0))]

        parts = [texts[start : start + _TEXTS_A_REQUEST] for start in range(0, len(texts), _TEXTS_A_REQUEST)]
        vectors_of_parts = await asyncio.gather(*map(vectors, parts))
        print(f"embeddings of {len(texts):,} texts: {endpoint.usage.bill()}")
    return np.array([vector for part in vectors_of_parts for vector in part], dtype=np.float32)
