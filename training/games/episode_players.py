"""Models that play: on this machine, with transformers or vLLM, or behind an endpoint."""

import asyncio
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from tqdm.auto import tqdm
from transformers import PreTrainedTokenizerBase

from bap_v2_dataset.chat.system_role import in_role
from bap_v2_dataset.tasks.plancraft.prompts import Message
from bap_v2_training.errors import UsageError
from bap_v2_training.games.episode_arguments import PlayArguments
from bap_v2_training.games.episodes import PlayedEpisode, TurnAnswer
from bap_v2_training.in_context.conversation import Conversation, usable
from bap_v2_training.in_context.endpoint import Endpoint, Usage
from bap_v2_training.in_context.endpoint_settings import EndpointRun, request_options
from bap_v2_training.learning.chats import rendered


def loaded_player(arguments: PlayArguments) -> "ModelPlayer":
    """Load the model that plays on this machine."""
    from bap_v2_training.decoding.language_model import tokenizer_and_config  # here: no endpoint needs torch
    from bap_v2_training.decoding.local import loaded_model
    from bap_v2_training.decoding.vllm import Vllm

    tokenizer, config = tokenizer_and_config(arguments.model_folder)
    check_template(tokenizer)
    context = config.max_position_embeddings
    if arguments.backend == "vllm":
        model = Vllm(arguments.model_folder, tokenizer, config, arguments.dtype, context)
        return VllmPlayer(model, tokenizer, context, arguments)
    loaded = loaded_model(arguments.model_folder, tokenizer, arguments.dtype, arguments.load_in_4bit)
    return LocalPlayer(loaded, tokenizer, context, arguments)


def play_at_endpoint(
    arguments: PlayArguments, episodes: Sequence[PlayedEpisode], write: Callable[[PlayedEpisode], None]
) -> None:
    """Play at an endpoint, and print what it used.

    Raises:
        UsageError: episodes failed; the same command plays them.
    """
    run = EndpointEpisodes(arguments)
    try:
        asyncio.run(run.answer_all(episodes, write))
    finally:
        tqdm.write(run.usage.bill(arguments.price_prompt, arguments.price_completion))
    if run.failures:
        raise UsageError(
            f"{len(run.failures)} episodes got no answer, the same command plays them; first {run.failures[0]}"
        )


class FittedChat(NamedTuple):
    """A chat as a model is given it."""

    ids: list[int]
    dropped: int  # messages that did not fit


def fitted_chat(
    tokenizer: PreTrainedTokenizerBase, messages: Sequence[Message], longest: int, system_role: str | None = None
) -> FittedChat:
    """Return the chat in the template of the tokenizer, up to where the answer begins.

    The system text and the newest message stay; of the others the oldest go first, an observation with its answer.

    Args:
        longest: in tokens.
        system_role: of the system text, see `in_role`.
    Raises:
        UsageError: even these two do not fit, or the template does not take them.
    """
    system, others = list(messages[:1]), list(messages[1:])
    for dropped in range(0, len(others), 2):
        text = rendered(in_role([*system, *others[dropped:]], system_role), tokenizer, asked=True)
        ids = tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]  # the template has BOS
        if len(ids) <= longest:
            return FittedChat(ids, dropped)
    raise UsageError(
        f"the context of the model holds {longest} tokens besides an answer, and the system text and one message have "
        f"{len(ids)}: lower --max-new-tokens, or play with another model"
    )


def check_template(tokenizer: PreTrainedTokenizerBase) -> None:
    """Raises: UsageError: the tokenizer has no chat template."""
    if tokenizer.chat_template is None:
        raise UsageError(
            f"{tokenizer.name_or_path} has no chat template: play with a model that has learned chats, such as those "
            "of plancraft_oracle"
        )


class ModelPlayer:
    """A model on this machine.

    Args:
        model: of `decoding.local.loaded_model`, or vLLM.
        tokenizer: with a chat template.
        context: of the model, in tokens.
        arguments: how answers are sampled, and how long they are.
    """

    def __init__(self, model: Any, tokenizer: PreTrainedTokenizerBase, context: int, arguments: PlayArguments):
        self.size = arguments.batch_size
        self._model, self._tokenizer, self._arguments = model, tokenizer, arguments
        self._longest = context - arguments.max_new_tokens

    def _fitted(self, chats: Sequence[Sequence[Message]]) -> list[FittedChat]:
        role = self._arguments.system_role
        return [fitted_chat(self._tokenizer, chat, self._longest, role) for chat in chats]


class LocalPlayer(ModelPlayer):
    """A model in transformers: all chats are one batch."""

    @cached_property
    def _ends(self) -> set[int]:
        from bap_v2_training.decoding.local import end_tokens

        return end_tokens(self._model.generation_config, self._tokenizer)

    def answers(self, chats: Sequence[Sequence[Message]], seeds: Sequence[int]) -> list[TurnAnswer]:
        """Answer each chat. Raises: UsageError: the memory does not hold them."""
        from bap_v2_training.decoding.local import SeededSampling, continuations, texts_of

        settings, fitted = self._arguments, self._fitted(chats)
        pad = self._tokenizer.pad_token_id if self._tokenizer.pad_token_id is not None else min(self._ends)
        sampling = SeededSampling(seeds, settings.temperature, settings.top_p) if settings.temperature else None
        new_tokens = continuations(
            self._model, [one.ids for one in fitted], settings.max_new_tokens, pad, self._has_ended, sampling,
            prompts_name="chats",
        )  # fmt: skip
        texts = texts_of(self._tokenizer, new_tokens)
        return [
            TurnAnswer(text, len(one.ids), len(tokens), self._finished(tokens), one.dropped)
            for text, tokens, one in zip(texts, new_tokens, fitted, strict=True)
        ]

    def _has_ended(self, tokens: list[int]) -> bool:
        """At a token that ends texts; without thoughts, also behind the first line that is not empty."""
        if tokens[-1] in self._ends:
            return True
        return not self._arguments.reasoning and "\n" in self._tokenizer.decode(tokens).lstrip()

    def _finished(self, tokens: Sequence[int]) -> bool:
        return len(tokens) < self._arguments.max_new_tokens or not self._ends.isdisjoint(tokens[-1:])


class VllmPlayer(ModelPlayer):
    """A model in vLLM, which schedules the chats itself."""

    def answers(self, chats: Sequence[Sequence[Message]], seeds: Sequence[int]) -> list[TurnAnswer]:
        """Answer each chat."""
        settings, fitted = self._arguments, self._fitted(chats)
        sampled = self._model.sampled(
            [one.ids for one in fitted], settings.max_new_tokens, seeds, settings.temperature, settings.top_p,
            () if settings.reasoning else ("\n",),
        )  # fmt: skip
        return [
            TurnAnswer(text, len(one.ids), tokens, finished, one.dropped)
            for (text, tokens, finished), one in zip(sampled, fitted, strict=True)
        ]


class EndpointEpisodes(EndpointRun[PlayedEpisode]):
    """Plays episodes at an endpoint. One that fails is no episode in which the model gave up."""

    unanswered = "episodes failed"

    def __init__(self, arguments: PlayArguments):
        request: dict = {"model": arguments.model, "temperature": arguments.temperature}
        if arguments.reasoning:  # models that reason refuse other fields
            request = {"model": arguments.model, "max_completion_tokens": arguments.max_new_tokens}
        else:
            request |= {"max_tokens": arguments.max_new_tokens, "stop": ["\n"]}
        if arguments.top_p < 1.0:
            request["top_p"] = arguments.top_p
        super().__init__(arguments, request)
        self._seeded = bool(arguments.temperature) and "seed" not in request_options(arguments)

    def name_of(self, asked: PlayedEpisode) -> str:
        return f"{asked.episode.task['id']}, run {asked.run}"

    async def answered(self, endpoint: Endpoint, asked: PlayedEpisode) -> PlayedEpisode:
        while not asked.episode.ended:
            self.check_cost()
            asked.take(await self._answer(endpoint, asked))
        return asked

    async def _answer(self, endpoint: Endpoint, game: PlayedEpisode) -> TurnAnswer:
        request = {**self.request, "messages": in_role(game.chat, self.arguments.system_role)}
        if self._seeded:
            request["seed"] = game.turn_seed  # so that each turn has a cached response of its own
        response = await endpoint.response("chat/completions", request, usable)
        conversation, used = Conversation(response), Usage()
        used.add(response)
        tokens = (None, None) if used.without_usage else (used.prompt_tokens, used.completion_tokens)
        return TurnAnswer(conversation.text, *tokens, conversation.finished)
