"""What training knows of a task: what a language model reads and writes of its rows, its settings, and its rewards.

Trainings and predictions ask a `TrainingTask`, and know none by its name. A task with texts of its own has a room
beside this file, a line in `table`, and its inputs in `settings.REPRESENTATIONS_HELP`; of any other the columns
`prompt` and `completion` are learned as they are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from datasets import Dataset
from transformers import PreTrainedTokenizerBase

from bap_v2_training.errors import UsageError
from bap_v2_training.in_context.chat_settings import COMPOSED, ChatArguments, check
from bap_v2_training.in_context.questions import Question, prompt_questions
from bap_v2_training.learning.dataset_rows import check_columns, sources_of
from bap_v2_training.learning.options import check_unused
from bap_v2_training.learning.rewards import Reward
from bap_v2_training.learning.tokenization import LearnedText, tokenized

if TYPE_CHECKING:
    from trl import SFTConfig

PredictArguments = Any  # of `decoding.predict_arguments`, which stands above
BapArguments = Any  # of `learning.training_settings`, too

Row = Mapping[str, Any]

TEXT_SETTINGS = ("representation", "history_lines", "shots", "reasoning")  # that say what the text of an item is
_NEW_TOKENS_OF_CHATS = 2_048  # chat models are not brief


@dataclass(frozen=True)
class ItemTexts:
    """The way from rows to text and from answers to predictions: prompts and completions as they stand in the rows."""

    representation: str = "prompt"  # of the situation, or of blocks

    columns: ClassVar[tuple[str, ...]] = ("id", "prompt")  # that texts are made of
    optional: ClassVar[tuple[str, ...]] = ()  # that are taken along if they are there

    @property
    def version(self) -> str:
        """Of the prompts."""
        return "of the rows"

    @property
    def read_with(self) -> tuple[str, ...]:
        """The columns that an answer is read with."""
        return ()

    def texts(self, row: Row) -> dict[str, Any]:
        """`prompt` and `history` (the lines of the prompt that may be dropped), and `completion` if it is another."""
        return {"prompt": row["prompt"], "history": []}

    def prompted(self, rows: Dataset, others: Sequence[str] = ()) -> Dataset:
        """Return the rows as `id`, `prompt`, `history` and `others`; of these, `completion` is what is learned.

        Raises:
            UsageError: the rows lack what their prompts are made of.
        """
        check_columns(rows, [*self.columns, *others])
        optional = [name for name in self.optional if name in rows.column_names]
        taken = list(dict.fromkeys([*self.columns, *optional, *others]))
        return rows.select_columns(taken).map(
            _with_texts,
            fn_kwargs={"texts": self, "version": self.version},
            remove_columns=[name for name in taken if name not in ("id", *others)],
            desc="Rendering prompts",
        )

    def learned(self, rows: Dataset) -> Dataset:
        """Return the columns that `tokenized` takes."""
        return self.prompted(rows, ["completion"])

    def tokenized(
        self, batch: Mapping[str, list], tokenizer: PreTrainedTokenizerBase, longest_prompt: int | None,
        longest: int | None,
    ) -> list[LearnedText]:  # fmt: skip
        """Rows of `learned` in tokens. Args: longest_prompt, longest: in tokens, `longest` with what is learned."""
        texts = (batch[name] for name in ("prompt", "history", "completion"))
        return tokenized(*texts, tokenizer, longest_prompt, longest)

    def prediction(self, text: str, row: Row) -> str:
        """Return the prediction in a model's text. Args: row: with the columns `read_with`."""
        return text


def _with_texts(row: dict, texts: ItemTexts, version: str) -> dict:
    """Return a row's texts; `version` only makes that new versions are not read from the cache."""
    return texts.texts(row)


class TrainingTask:
    """A task, as training and prediction see it; what a room does not say is as here."""

    representations: tuple[str, ...] = ("prompt",)  # that can be chosen; (): the prompts themselves are checked
    usual: str = "prompt"  # of the representations
    text_settings: tuple[str, ...] = ()  # of TEXT_SETTINGS, those that its texts have besides the representation
    column: str | None = None  # that only its rows have, in whatever file they are
    has_history: bool = False  # prompts have lines that may be dropped
    has_variants: bool = False  # so variants can be learned beside items
    answers_actions: bool = False  # answers are lines of the notation
    # Settings of predict.py that answers do not depend on, and those that do not count for models that run here.
    unrecorded: tuple[str, ...] = ()
    unrecorded_here: tuple[str, ...] = ("constrained",)
    rewards: Mapping[str, Reward] = {}  # by name, besides `ended`
    usual_rewards: str = ""
    unrewarded: str = "no reward reads such answers"

    def __init__(self, name: str, title: str | None = None, items: str | None = None):
        """
        Args:
            name: in settings and records.
            title: in sentences and help texts.
            items: what its rows are called in sentences.
        """
        self.name, self.title = name, title or name
        self.items = items or f"items of {self.title}"

    def check_config(self, config: str) -> None:
        """Raises: UsageError for a config that is not asked item by item."""

    # --- Texts.
    def texts(self, settings: Any) -> ItemTexts:
        """Return what a model reads and writes, as the settings of a training or a prediction say.

        Args:
            settings: with TEXT_SETTINGS.
        """
        return ItemTexts(settings.representation or self.usual)

    def complete_texts(self, settings: Any) -> None:
        """Fills in and checks TEXT_SETTINGS. Raises: UsageError for those that its texts do not have."""
        if self.representations and settings.representation not in (None, *self.representations):
            raise UsageError(
                f"representation is {settings.representation!r}: {self.items} have {', '.join(self.representations)}"
            )
        for name in TEXT_SETTINGS[1:]:
            if name not in self.text_settings and getattr(settings, name) is not None:
                raise UsageError(f"{name} is not for {self.items}")
        settings.representation = settings.representation or self.usual

    # --- Training.
    def complete_training(self, settings: Any) -> None:
        """Fills in and checks the text settings of a training. Raises: UsageError, as `complete_texts`."""
        self.complete_texts(settings)

    def check_training(self, bap: BapArguments, training: "SFTConfig") -> None:
        """Raises: UsageError for settings of train_sft.py that its rows do not have."""
        if bap.robust and not self.has_variants:
            raise UsageError(f"robust training is for Builder Action Prediction: {self.items} have no variants")
        if bap.learn_observations:
            raise UsageError("learn_observations is for dialogues: prompts of items are not learned")
        if bap.system_role is not None:
            raise UsageError("system_role is for dialogues: prompts of items have no system text")

    def prepare(self, tokenizer: PreTrainedTokenizerBase) -> dict[str, str]:
        """Give a tokenizer what its texts need, and return what is to be recorded of it."""
        return {}

    def sources(self, rows: Dataset, examples: int, own: bool) -> list[str]:
        """Return the source of each of the examples that were made of rows. Args: own: of the user's own data."""
        return sources_of(rows)

    # --- Prediction.
    def complete_prediction(self, arguments: PredictArguments) -> None:
        """Fills in and checks the settings of a prediction with a model that runs here. Raises: UsageError."""
        self.complete_texts(arguments)
        if not self.answers_actions:
            reason = "permits only actions, and these items ask for something else"
            check_unused(arguments, ["constrained"], reason)

    def complete_question(self, arguments: PredictArguments) -> None:
        """Fills in and checks the settings of a prediction at an endpoint: the prompt is all that is sent.

        Raises:
            UsageError: for settings of messages that are composed.
        """
        check_unused(arguments, COMPOSED, f"is for Builder Action Prediction: {self.items} are asked by their prompts")
        self.complete_texts(arguments)
        check(arguments)
        arguments.max_new_tokens = arguments.max_new_tokens or _NEW_TOKENS_OF_CHATS
        if arguments.dataset_path is not None:
            arguments.dataset_config = None
        elif arguments.dataset_config is None:
            raise UsageError("set dataset_config or dataset_path")

    def complete_test_set(self, arguments: PredictArguments) -> None:
        """Fills in what depends on the one config that is asked at an endpoint."""

    def question_settings(self, arguments: ChatArguments) -> dict[str, Any]:
        """Return what answers of an endpoint depend on besides the settings."""
        return {}

    def questions(self, arguments: PredictArguments, rows: Dataset) -> list[Question]:
        """Return the question about each row."""
        return prompt_questions(self.texts(arguments).prompted(rows))
