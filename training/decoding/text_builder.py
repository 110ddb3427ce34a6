"""A language model that answers by samples, as the other Builders can: it says what it would do, several times."""

from collections.abc import Sequence
from typing import Any, Self

from transformers import PreTrainedConfig, PreTrainedTokenizerBase

from bap_v2_dataset.predictions.builder_kinds import BUILDER_KINDS, any_of
from bap_v2_metric.actions import execute
from bap_v2_metric.answers import read_prediction
from bap_v2_metric.blocks import Structure
from bap_v2_metric.notation import parse_structure
from bap_v2_training.decoding.bayes_risk import Candidate, Sampled, Sampling, answered, shares_of
from bap_v2_training.decoding.language_model import Prompt, loaded_here, prompts_of, tokenizer_and_config
from bap_v2_training.decoding.learned_builder import Row
from bap_v2_training.decoding.output_file import batches
from bap_v2_training.decoding.predict_arguments import PredictArguments
from bap_v2_training.decoding.trained_model import learned_texts, training_run
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.net_actions import Numbers, colors_of, net_in_order
from bap_v2_training.tasks.building import NEW_TOKENS
from bap_v2_training.tasks.table import USUAL, texts_of

_ROWS = 512  # answers that are written together: each has keys and values of its own, of the prompt too


class TextBuilder:
    """A language model whose samples are net actions, so that `bayes_risk` can choose among them."""

    def __init__(
        self, arguments: PredictArguments, tokenizer: PreTrainedTokenizerBase, config: PreTrainedConfig,
        max_actions: int | None = None,
    ):  # fmt: skip
        """Load the model of these arguments. Args: see `load`; tokenizer, config: of `tokenizer_and_config`."""
        self._max_actions = max_actions
        self.arguments, self._tokenizer, self._context = arguments, tokenizer, config.max_position_embeddings
        self.texts = texts_of(arguments)
        self.sampling = Sampling(
            arguments.samples,
            arguments.temperature or 1.0,
            arguments.seed or 0,
            arguments.min_probability,
            arguments.whole_answers,
        )
        self._answer = loaded_here(arguments, tokenizer)

    @classmethod
    def load(cls, model: str, dtype: str, max_actions: int | None = None, **options: Any) -> Self:
        """Return the model in a folder, which reads what it has learned to read.

        Args:
            dtype: of weights and computation.
            max_actions: net actions of an answer; None: all.
            options: of `PredictArguments`, `samples` among them.

        Raises:
            UsageError: it is not a whole model that train_sft.py has taught Builder Action Prediction.
        """
        return cls(settings_in(model, dtype=dtype, **options), *tokenizer_and_config(model), max_actions)

    def candidates(self, rows: Sequence[Row]) -> list[Sampled]:
        """Return the greedy answer to each row and the samples; the rows are one batch."""
        shown = ({"id": row["id"], **self.texts.texts(row)} for row in rows)
        prompts = {prompt.id: prompt for prompt in prompts_of(self.arguments, shown, self._tokenizer, self._context)}
        return self._candidates([prompts[row["id"]] for row in rows], rows)

    def _candidates(self, prompts: Sequence[Prompt], rows: Sequence[Row]) -> list[Sampled]:
        """Return the same for prompts. Args: rows: with `before` and the columns that an answer is read with."""
        # The texts of all, `_ROWS` of them at a time
        each, texts = 1 + self.sampling.samples, []
        for some in batches(prompts, max(1, _ROWS // each)):
            seeds = [[None, *self.sampling.seeds(prompt.id)] for prompt in some]
            texts += self._answer([prompt.text for prompt in some], seeds=seeds, temperature=self.sampling.temperature)
        # The net actions of each
        found = []
        for row, own in zip(rows, batches(texts, each), strict=True):
            board = parse_structure(row["before"])
            greedy, *samples = (
                self._candidate(_net(board, self.texts.prediction(text, row)), ended) for text, ended in own
            )
            found.append(Sampled(greedy, samples, shares_of([numbers for numbers, _ in samples])))
        return found

    def _candidate(self, numbers: tuple[Numbers, ...], ended: bool) -> Candidate:
        limit = len(numbers) if self._max_actions is None else self._max_actions
        return numbers[:limit], ended and len(numbers) <= limit

    def answers(self, rows: Sequence[Row], prompts: Sequence[Prompt] | None = None) -> list[tuple[str, bool]]:
        """Return the answer to each row, one action per line, and whether it ended. Args: prompts: of the rows."""
        found = self.candidates(rows) if prompts is None else self._candidates(prompts, rows)
        boards = [parse_structure(row["before"]) for row in rows]
        return [answered(self.sampling, board, of_row) for board, of_row in zip(boards, found, strict=True)]


def settings_in(model: str, **options: Any) -> PredictArguments:
    """The settings of answers of the model in a folder, as it has learned to read. Raises: UsageError: it has not."""
    learned = learned_of(model, model)
    arguments = PredictArguments(model=model, output="", max_new_tokens=NEW_TOKENS, **learned, **options)
    arguments.model_folder = model
    return arguments


def learned_of(model: str, name: str) -> dict[str, Any]:
    """Return what a model in a folder has learned to read: settings of `PredictArguments`.

    Args:
        name: what the error calls it.
    Raises:
        UsageError: it has not learned Builder Action Prediction.
    """
    learned = learned_texts(training_run(model)).get(USUAL.name)
    if learned is None:
        builders = any_of(kind for kind in BUILDER_KINDS.values() if kind.samples and not kind.members)
        raise UsageError(
            f"{name} is neither {builders}, nor a language model that train_sft.py has taught {USUAL.title}"
        )
    return {name: value for name, value in learned.items() if value is not None}


def _net(board: Structure, text: str) -> tuple[Numbers, ...]:
    """Return what a text changes, as the metric reads it: what cannot be carried out changes nothing."""
    actions = read_prediction(text).actions
    old, new = map(colors_of, (board, execute(board, actions).after))
    return net_in_order(old, new, [action.cell for action in actions])
