"""Models as Builders of full games: learned Builders, language models on this machine, and chat models."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from bap_v2_dataset.games.play import Answers
from bap_v2_dataset.games.talk import LEAST, Reply, Talker
from bap_v2_dataset.predictions.builder_kinds import BUILDER_KINDS
from bap_v2_dataset.sentences import counted
from bap_v2_metric.notation import format_action, parse_structure
from bap_v2_training.decoding.chat import ChatRun
from bap_v2_training.decoding.output_file import batches
from bap_v2_training.decoding.predict_arguments import PredictArguments
from bap_v2_training.decoding.predict_settings import builder_of
from bap_v2_training.errors import UsageError
from bap_v2_training.in_context.questions import questions
from bap_v2_training.learning.dataset_rows import load_rows
from bap_v2_training.learning.net_actions import actions_of, net_of, numbers_of_line
from bap_v2_training.learning.vocabulary import tokens_of
from bap_v2_training.tasks.table import texts_of

TALK_SAMPLES = 16  # of a turn that somebody waits for
Row = Mapping[str, Any]  # id, history, dialogue, pose, before


def load_builder(arguments: PredictArguments) -> Answers:
    """Load the model that builds."""
    if arguments.backend == "openai":
        return ChatBuilder(arguments)
    if arguments.model_type is None:
        return language_model(arguments)
    builder = builder_of(arguments)
    return lambda rows: [text for text, _ in builder.answers(rows)]


def language_model(arguments: PredictArguments) -> Answers:
    """Load a language model: each turn is asked for as an item is, and its oldest history may be dropped."""
    from bap_v2_training.decoding.language_model import loaded_backend, prompts_of, tokenizer_and_config
    from bap_v2_training.decoding.text_builder import TextBuilder  # here: models at an endpoint need no torch

    task_texts = texts_of(arguments)
    tokenizer, config = tokenizer_and_config(arguments.model_folder)
    context = config.max_position_embeddings

    # Several samples of a turn vote, as for an item.
    if arguments.samples is not None:
        builder = TextBuilder(arguments, tokenizer, config)
        return lambda rows: [
            text for batch in batches(rows, arguments.batch_size) for text, _ in builder.answers(batch)
        ]

    # Otherwise the turns are answered in batches, which may come in another order.
    answer, size = loaded_backend(arguments, tokenizer, config, context - arguments.max_new_tokens)

    def texts(rows: Sequence[Row]) -> list[str]:
        shown = ({"id": row["id"], **task_texts.texts(row)} for row in rows)
        answered = {}
        for batch in batches(prompts_of(arguments, shown, tokenizer, context), size):
            for prompt, (text, _) in zip(batch, answer([prompt.text for prompt in batch]), strict=True):
                answered[prompt.id] = text
        return [task_texts.prediction(answered[row["id"]], row) for row in rows]

    return texts


class ChatBuilder:
    """A chat model behind an endpoint, which is shown items of the train split as shots.

    Attributes:
        run: what was used so far.
    """

    def __init__(self, arguments: PredictArguments):
        self._arguments = arguments
        texts = texts_of(arguments)
        self.run = ChatRun(arguments, arguments.model, texts, arguments.max_new_tokens)
        self._pool = []
        if arguments.shots:
            self._pool = load_rows(arguments.shots_config, "train", arguments.shots_path).to_list()

    def __call__(self, rows: Sequence[Row]) -> list[str]:
        """Return the text of each turn.

        Raises:
            UsageError: a turn got no answer; games that ended are kept.
        """
        self.run.failures.clear()  # a talk goes on after one
        lines = asyncio.run(self._answered(rows))
        if missing := [row["id"] for row in rows if row["id"] not in lines]:
            raise UsageError(
                f"{counted(len(missing), 'turn')} got no answer (of games, the same command plays them again); first "
                f"{self.run.failures[0]}"
            )
        return [lines[row["id"]] for row in rows]

    async def _answered(self, rows: Sequence[Row]) -> dict[str, str]:
        answered: dict[str, str] = {}
        asked = await questions(self._arguments, self._arguments.representation, rows, self._pool)
        await self.run.answer_all(asked, lambda line: answered.update({line["id"]: line["prediction"]}))
        return answered


def talker(arguments: PredictArguments, as_asked: bool) -> Talker:
    """Load a model that one talks to; those that give samples say how likely actions are, and have other answers.

    Args:
        as_asked: somebody chose a number of samples, perhaps 0: networks do not draw TALK_SAMPLES by themselves.
    """
    if arguments.backend == "openai" or (arguments.model_type is None and arguments.samples is None):
        answers = load_builder(arguments)
        return Talker(arguments.model, lambda row: Reply(answers([row])[0]))
    if arguments.model_type is None:
        from bap_v2_training.decoding.language_model import tokenizer_and_config
        from bap_v2_training.decoding.text_builder import TextBuilder

        builder = TextBuilder(arguments, *tokenizer_and_config(arguments.model_folder))
    else:
        if arguments.samples is None and not as_asked and not BUILDER_KINDS[arguments.model_type].members:
            arguments.samples = TALK_SAMPLES
        builder = builder_of(arguments)
    return Talker(arguments.model, lambda row: _reply(builder, row), lambda text: _unseen(builder, text))


def _reply(builder: Any, row: Row) -> Reply:
    """Return the answer to a row, what else the samples build, and how likely net actions are."""
    from bap_v2_training.decoding.bayes_risk import answered, text_of

    if not hasattr(builder, "members") and not builder.sampling:  # greedy
        return Reply(builder.answers([row])[0][0])
    board = parse_structure(row["before"])
    (found,) = builder.candidates([row])
    text, _ = answered(getattr(builder, "sampling", None), board, found)

    # Answers that build the same are one; those that build nothing are none.
    nets = [(frozenset(net_of(board, numbers)), numbers) for numbers, _ in (found.greedy, *found.samples)]
    texts = {net: text_of(board, numbers) for net, numbers in reversed(nets)}
    said = frozenset(net_of(board, map(numbers_of_line, text.splitlines())))
    counts = Counter(net for net, _ in nets if net not in (said, frozenset()))
    others = tuple(texts[net] for net, _ in counts.most_common())
    likely = {action: share for action, share in found.probability.items() if share >= LEAST}
    return Reply(text, others, dict(zip(map(format_action, actions_of(likely)), likely.values(), strict=True)))


def _unseen(builder: Any, text: str) -> list[int]:
    """Return which words of a text, counted from 1, no member of a Builder has learned; language models know all."""
    members = getattr(builder, "members", [builder])
    if not all(hasattr(member, "vocabulary") for member in members):
        return []
    return [
        place
        for place, word in enumerate(text.split(), 1)
        if not any(all(token in member.vocabulary for token in tokens_of(word)) for member in members)
    ]
