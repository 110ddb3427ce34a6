"""The settings of --backend openai: the endpoint, the shots, and the limits of a run."""

from dataclasses import dataclass, fields
from urllib.parse import urlsplit

from bap_v2_dataset.chat import tools
from bap_v2_dataset.chat.messages import ANSWER_FORMS, CHAT_VERSIONS, PROMPTS, SHOT_HISTORY_LINES
from bap_v2_training.errors import UsageError
from bap_v2_training.in_context import endpoint_settings
from bap_v2_training.in_context.connection import checked_url
from bap_v2_training.in_context.endpoint import Endpoint
from bap_v2_training.in_context.endpoint_settings import (
    EndpointArguments,
    check_endpoint,
    check_written,
    endpoint_at,
    unrecorded_role,
)
from bap_v2_training.learning.options import check_least, option


@dataclass
class MessageArguments(EndpointArguments):
    """Options of the messages to a chat model."""

    prompt: str = option("direct", choices=list(PROMPTS))
    tools: bool = False
    max_tool_rounds: int = 10
    keep_messages: bool = False
    answer_form: str = option("lines", choices=list(ANSWER_FORMS))
    history_lines: int | None = None


@dataclass
class ShotArguments:
    """Options of the solved items that are shown with an item."""

    shots: int | None = None
    shot_history_lines: int = SHOT_HISTORY_LINES
    shots_config: str | None = None
    shots_path: str | None = None
    retrieval: str = option("lexical", choices=["lexical", "embedding", "random"])
    retrieval_seed: int = 0
    embedding_model: str | None = None
    embedding_base_url: str | None = None
    embedding_api_key_env: str | None = None


@dataclass
class ChatArguments(ShotArguments, MessageArguments):
    """The fields of the command line that are for --backend openai."""


# Answers do not depend on these: a run may be resumed with other values.
NOT_IN_ANSWERS = (*endpoint_settings.NOT_IN_ANSWERS, "embedding_api_key_env", "keep_messages")
OF_ENDPOINTS = tuple(option.name for option in fields(ChatArguments) if option.name not in ("history_lines", "shots"))
# How the messages about an item are composed, where its prompt is not all that is sent.
COMPOSED = tuple(
    name for name in OF_ENDPOINTS if name not in ("base_url", "request_options", "keep_messages", *NOT_IN_ANSWERS)
)
_OF_REASONING = {"tools": False, "max_tool_rounds": 10}  # with their defaults


def check(arguments: ChatArguments) -> None:
    """Bring the addresses into one form, and fill in what depends on the prompt.

    Raises:
        UsageError: values do not go together.
    """
    # The endpoints, of the model and of embeddings.
    reasons = arguments.prompt == "reasoning"
    check_endpoint(arguments, timeout=1800.0 if reasons else 600.0)
    if arguments.embedding_base_url is not None:
        for variable in filter(None, (arguments.api_key_env, arguments.embedding_api_key_env)):
            check_written(arguments, variable, ("base_url", "embedding_base_url", "request_options"))
        arguments.embedding_base_url = checked_url(arguments.embedding_base_url)
    if arguments.retrieval == "embedding" and arguments.shots and arguments.embedding_model is None:
        raise UsageError("--retrieval embedding needs --embedding-model")
    if arguments.retrieval != "embedding" and (arguments.embedding_model or arguments.embedding_base_url):
        raise UsageError("--embedding-model is for --retrieval embedding")

    # Numbers, and what reasoning alone has.
    least = {**dict.fromkeys(("shots", "shot_history_lines", "history_lines"), 0), "max_tool_rounds": 1}
    check_least(arguments, least)
    for name, default in _OF_REASONING.items():
        if not reasons and getattr(arguments, name) != default:
            raise UsageError(f"--{name.replace('_', '-')} is for --prompt reasoning")


def check_representation(arguments: ChatArguments, representation: str) -> None:
    """Raises: UsageError if tools would tell what the representation does not."""
    if arguments.tools and representation not in tools.SUFFICIENT:
        raise UsageError(
            f"--tools tells what --representation {representation} does not: the blocks on the board and where the "
            f"Builder looks; use {' or '.join(tools.SUFFICIENT)}"
        )


def answer_settings(arguments: ChatArguments) -> dict:
    """Return what of the prompt answers depend on: with `direct` no more than before there was another prompt."""
    settings = {"chat_version": CHAT_VERSIONS[arguments.prompt]}
    return settings | ({"tools_version": tools.TOOLS_VERSION} if arguments.tools else {})


def not_in_answers(arguments: ChatArguments) -> set[str]:
    """Return the options that answers do not depend on: a run may be resumed with other values."""
    others = {"prompt", *_OF_REASONING} if arguments.prompt == "direct" else set()
    others |= set() if arguments.tools else {"max_tool_rounds"}
    return {*NOT_IN_ANSWERS, *others, *unrecorded_role(arguments)}


def endpoint_of(arguments: ChatArguments, embeddings: bool = False) -> Endpoint:
    """Return the endpoint of the chat model, or of the embeddings; an API key is sent to its own host only."""
    address, variable = arguments.base_url, arguments.api_key_env
    if embeddings:
        address = arguments.embedding_base_url
        same_host = urlsplit(address).netloc == urlsplit(arguments.base_url).netloc
        variable = arguments.embedding_api_key_env or (variable if same_host else "")
    return endpoint_at(address, variable, arguments)
