"""In-context learning: chat models that are shown how other items were answered (BAP v2, 6.4; Kranti et al., 2024)."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import datasets
import numpy as np

from bap_v2_dataset.prompts import render
from bap_v2_metric.notation import format_call, parse_action
from bap_v2_training.in_context import retrieval
from bap_v2_training.in_context.endpoint import Accounts, Endpoint, EndpointError, api_key, checked_url
from bap_v2_training.learning.examples import UsageError

CHAT_VERSION = "1"  # raised whenever a message changes by a character
_TEXTS_A_REQUEST = 256  # for embeddings

_FORMS = {
    "lines": "place COLOUR X Y Z\npick X Y Z",
    "calls": 'place(color="COLOUR", x=X, y=Y, z=Z)\npick(x=X, y=Y, z=Z)',
}
_SYSTEM = """\
You are the Builder in a game of Minecraft. An Architect, who knows the target structure, tells you in a chat what to \
build. You place and remove single blocks.

The board: x and z go from -5 to 5 along the ground, y goes from 1 (the ground) to 9 (up). A Builder with a yaw of 0 \
degrees looks along +z, with 90 along -x, with 180 along -z, with -90 along +x; left and right, in front and behind \
are meant as the Builder sees them. Colours are red, orange, yellow, green, blue and purple. A block can only be \
placed into an empty cell, on the ground or face to face with another block; a floating one needs a supporting block \
that is removed again afterwards.

You read the game so far: what was said, and the actions you took. Answer with the actions you take next, up to where \
you would wait for the Architect again, in their order, one a line, and with nothing else:

{form}"""


@dataclass
class ChatArguments:
    """Of --backend openai: the endpoint, the examples, and what is allowed."""

    base_url: str | None = field(
        default=None, metadata={"help": "Address of the OpenAI-compatible endpoint, e.g. http://localhost:8000/v1."}
    )
    api_key_env: str = field(
        default="OPENAI_API_KEY", metadata={"help": "Environment variable that holds the API key, if one is needed."}
    )
    request_options: str | None = field(
        default=None,
        metadata={"help": "JSON with further fields of a request; null removes one. For reasoning models, for example: "
                  '\'{"max_tokens": null, "temperature": null, "max_completion_tokens": 4096}\'.'},
    )  # fmt: skip
    answer_form: str = field(
        default="lines",
        metadata={"help": "How examples are answered: lines of the notation, or calls.", "choices": list(_FORMS)},
    )
    history_lines: int | None = field(
        default=None, metadata={"help": "Newest history entries of the item that are shown; all by default."}
    )
    shots: int = field(default=5, metadata={"help": "Examples shown with each item."})
    shot_history_lines: int = field(default=8, metadata={"help": "Newest history entries of an example."})
    shots_config: str | None = field(
        default=None, metadata={"help": "Config whose train split the examples are from; that of the items by default."}
    )
    shots_path: str | None = field(
        default=None, metadata={"help": "Own data instead: a folder with a train split, or a file of train items."}
    )
    retrieval: str = field(
        default="lexical",
        metadata={"help": "Which examples: alike by words (BM25), by embeddings, or random ones.",
                  "choices": ["lexical", "embedding", "random"]},
    )  # fmt: skip
    retrieval_seed: int = field(default=0, metadata={"help": "Of --retrieval random."})
    embedding_model: str | None = field(default=None, metadata={"help": "Model for --retrieval embedding."})
    embedding_base_url: str | None = field(
        default=None,
        metadata={"help": "Endpoint that gives embeddings; by default sentence-transformers does, on this machine."},
    )
    embedding_api_key_env: str | None = field(
        default=None,
        metadata={"help": "Its API key, if it is on another host than --base_url; else --api_key_env holds for both."},
    )
    concurrency: int = field(default=8, metadata={"help": "Requests at a time."})
    timeout: float = field(default=120.0, metadata={"help": "Seconds for one attempt."})
    max_retries: int = field(default=6, metadata={"help": "Further attempts when the endpoint fails."})
    retry_delay: float = field(default=1.0, metadata={"help": "Seconds before the first one; doubled each time."})
    max_failures: int = field(default=5, metadata={"help": "Stop after so many items without an answer."})
    price_prompt: float = field(default=0.0, metadata={"help": "Of a million prompt tokens, in any currency."})
    price_completion: float = field(default=0.0, metadata={"help": "Of a million completion tokens."})
    max_cost: float | None = field(default=None, metadata={"help": "Stop when this run has cost so much."})
    cache: str | None = field(
        default=None, metadata={"help": "Folder of responses; bap_v2_responses in HF_HOME by default."}
    )


# What answers do not depend on: a run may be continued with other values.
NO_MATTER = ("api_key_env", "embedding_api_key_env", "concurrency", "timeout", "max_retries", "retry_delay",
             "max_failures", "price_prompt", "price_completion", "max_cost", "cache")  # fmt: skip


class Question(NamedTuple):
    """What a chat model is asked about one item."""

    id: str
    messages: list[dict]
    exemplars: list[str]  # their ids
    history_lines_dropped: int


def checked(wanted: ChatArguments) -> None:
    """Raises: UsageError for values that do not go together."""
    if wanted.base_url is None:
        raise UsageError("--backend openai needs --base_url, for example https://api.openai.com/v1")
    wanted.base_url = checked_url(wanted.base_url)
    if wanted.embedding_base_url is not None:
        wanted.embedding_base_url = checked_url(wanted.embedding_base_url)
    if wanted.retrieval == "embedding" and wanted.shots and wanted.embedding_model is None:
        raise UsageError("--retrieval embedding needs --embedding_model")
    if wanted.retrieval != "embedding" and (wanted.embedding_model or wanted.embedding_base_url):
        raise UsageError("--embedding_model is for --retrieval embedding")
    least = {
        **dict.fromkeys(("shots", "shot_history_lines", "history_lines", "max_retries", "retry_delay"), 0),
        **dict.fromkeys(("concurrency", "max_failures"), 1),
        **dict.fromkeys(("price_prompt", "price_completion"), 0),
        "timeout": 0.001,
    }
    for name, value in least.items():
        if getattr(wanted, name) is not None and getattr(wanted, name) < value:
            raise UsageError(f"--{name} is {getattr(wanted, name)}: expected at least {value}")
    if wanted.max_cost is not None and not (wanted.price_prompt or wanted.price_completion):
        raise UsageError("--max_cost needs --price_prompt and --price_completion")
    request_options(wanted)


def request_options(wanted: ChatArguments) -> dict:
    """The further fields of a request."""
    try:
        options = json.loads(wanted.request_options or "{}")
    except ValueError as error:
        raise UsageError(f"--request_options is not JSON ({error}): {wanted.request_options}") from error
    if not isinstance(options, dict):
        raise UsageError(f"--request_options is not a JSON object: {wanted.request_options}")
    return options


async def questions(
    wanted: ChatArguments, representation: str, rows: Sequence[Mapping], pool: Sequence[Mapping]
) -> list[Question]:
    """What is asked about each row, with the examples it is shown.

    Args:
        rows: of the dataset, to be answered.
        pool: train rows. Empty without examples.
    """
    if wanted.shots and pool:
        chosen = list(retrieval.retrieved(rows, pool, wanted.shots, await similarities(wanted, rows, pool)))
    else:
        chosen = [[] for _ in rows]
    return [
        question(row, [pool[position] for position in positions], representation, wanted)
        for row, positions in zip(rows, chosen, strict=True)
    ]


def question(row: Mapping, exemplars: Sequence[Mapping], representation: str, wanted: ChatArguments) -> Question:
    """What is asked about one row: the rules, the examples as earlier turns of the chat, and the row's prompt."""
    form = wanted.answer_form
    messages = [{"role": "system", "content": _SYSTEM.format(form=_FORMS[form])}]
    for exemplar in exemplars:
        messages.append({"role": "user", "content": _prompt(exemplar, representation, wanted.shot_history_lines)})
        messages.append({"role": "assistant", "content": _answer(exemplar, form)})
    messages.append({"role": "user", "content": _prompt(row, representation, wanted.history_lines)})
    shown = len(row["history"]) if wanted.history_lines is None else wanted.history_lines
    dropped = max(0, len(row["history"]) - shown)
    return Question(row["id"], messages, [exemplar["id"] for exemplar in exemplars], dropped)


def _prompt(row: Mapping, representation: str, history_lines: int | None) -> str:
    history = row["history"]
    if history_lines is not None:
        history = history[max(0, len(history) - history_lines) :]
    return render({**row, "history": history}, representation)


def _answer(row: Mapping, form: str) -> str:
    if form == "lines":
        return row["completion"]
    return "\n".join(format_call(parse_action(line, anywhere=True)) for line in row["completion"].splitlines())


async def similarities(wanted: ChatArguments, rows: Sequence[Mapping], pool: Sequence[Mapping]):
    """For each row the similarity of every pool row, as --retrieval asks."""
    if wanted.retrieval == "random":
        return retrieval.at_random((row["id"] for row in rows), len(pool), wanted.retrieval_seed)
    texts, pool_texts = ([retrieval.compared_text(row) for row in members] for members in (rows, pool))
    if wanted.retrieval == "lexical":
        return retrieval.by_words(texts, pool_texts)
    embedded = await embeddings(wanted, [*pool_texts, *texts])
    return retrieval.by_vectors(embedded[len(pool) :], embedded[: len(pool)])


async def embeddings(wanted: ChatArguments, texts: Sequence[str]) -> np.ndarray:
    """A vector [dimensions] of each text."""
    if wanted.embedding_base_url is None:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise UsageError(
                "--retrieval embedding needs --embedding_base_url, or sentence-transformers on this machine "
                f"(pip install sentence-transformers): {error}"
            ) from error
        return np.asarray(SentenceTransformer(wanted.embedding_model).encode(list(texts), show_progress_bar=False))

    async with endpoint(wanted, embeddings=True) as asked:
        limit = asyncio.Semaphore(wanted.concurrency)

        async def vectors(part: Sequence[str]) -> list[list[float]]:
            request = {"model": wanted.embedding_model, "input": list(part)}

            def usable(response: dict) -> bool:
                data = response.get("data")
                return isinstance(data, list) and len(data) == len(part) and all("embedding" in one for one in data)

            async with limit:
                response = await asked.response("embeddings", request, usable)
            return [one["embedding"] for one in sorted(response["data"], key=lambda one: one.get("index", 0))]

        parts = [texts[start : start + _TEXTS_A_REQUEST] for start in range(0, len(texts), _TEXTS_A_REQUEST)]
        found = await asyncio.gather(*map(vectors, parts))
        print(f"embeddings of {len(texts):,} texts: {bill(wanted, asked.accounts, prices=False)}")
    return np.array([vector for part in found for vector in part], dtype=np.float32)


@asynccontextmanager
async def endpoint(wanted: ChatArguments, embeddings: bool = False) -> AsyncIterator[Endpoint]:
    """The endpoint that was asked for; a key is sent to its own host only."""
    address, variable = wanted.base_url, wanted.api_key_env
    if embeddings:
        address = wanted.embedding_base_url
        same_host = urlsplit(address).netloc == urlsplit(wanted.base_url).netloc
        variable = wanted.embedding_api_key_env or (variable if same_host else "")
    cache = Path(wanted.cache or Path(datasets.config.HF_CACHE_HOME) / "bap_v2_responses")
    limits = {"timeout": wanted.timeout, "max_retries": wanted.max_retries, "first_delay": wanted.retry_delay}
    async with Endpoint(address, api_key(variable), cache, **limits) as opened:
        yield opened


async def answered(
    wanted: ChatArguments,
    model: str,
    max_new_tokens: int,
    asked: Sequence[Question],
    write: Callable[[dict], None],
    took: Accounts,
    failures: list[str],
) -> None:
    """Ask all questions, `concurrency` at a time, and write each answer when it comes.

    Args:
        took: is filled with what it took.
        failures: is filled with the items that got no answer, and why.
    Raises:
        EndpointError: nothing more can be answered, or too many items got no answer, or --max_cost is reached.
    """
    request = {"model": model, "temperature": 0, "max_tokens": max_new_tokens, **request_options(wanted)}
    request = {name: value for name, value in request.items() if value is not None}
    left = iter(asked)  # shared: each worker takes the next one

    async def worker(opened: Endpoint) -> None:
        for one in left:
            cost = opened.accounts.cost(wanted.price_prompt, wanted.price_completion)
            if wanted.max_cost is not None and cost >= wanted.max_cost:
                raise EndpointError(f"this run has cost {cost:.4f}, and --max_cost is {wanted.max_cost:g}", True)
            try:
                response = await opened.response("chat/completions", {**request, "messages": one.messages}, _usable)
            except EndpointError as error:
                failures.append(f"{one.id}: {error}")
                if error.hopeless:
                    raise
                if len(failures) >= wanted.max_failures:
                    raise EndpointError(f"{len(failures)} items got no answer; the last: {error}", True) from error
                continue
            choice, usage = response["choices"][0], response.get("usage") or {}
            write(
                {
                    "id": one.id,
                    "prediction": choice["message"].get("content") or "",
                    "finished": choice.get("finish_reason") == "stop",
                    "history_lines_dropped": one.history_lines_dropped,
                    "exemplars": one.exemplars,
                    "prompt_tokens": usage.get("prompt_tokens"),
                    "completion_tokens": usage.get("completion_tokens"),
                }
            )

    async with endpoint(wanted) as opened:
        opened.accounts = took
        try:
            async with asyncio.TaskGroup() as workers:
                for _ in range(min(wanted.concurrency, len(asked))):
                    workers.create_task(worker(opened))
        except* EndpointError as group:
            raise group.exceptions[0] from None


def bill(wanted: ChatArguments, took: Accounts, prices: bool = True) -> str:
    """What a run took, in a sentence."""
    said = (
        f"{took.responses} responses of the endpoint and {took.from_cache} from the cache, {took.retries} retries; "
        f"{took.prompt_tokens:,} prompt and {took.completion_tokens:,} completion tokens"
    )
    if took.without_usage:
        said += f", not counting {took.without_usage} responses that did not say how many"
    if prices and (wanted.price_prompt or wanted.price_completion):
        said += f"; cost {took.cost(wanted.price_prompt, wanted.price_completion):.4f}"
    return said


def _usable(response: dict) -> bool:
    """Whether a response is a chat completion; its content may be null, if the model would not answer."""
    try:
        message = response["choices"][0]["message"]
        return isinstance(message, dict) and isinstance(message.get("content"), str | None)
    except (KeyError, IndexError, TypeError):
        return False
