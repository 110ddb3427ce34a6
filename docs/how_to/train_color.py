"""A learned Builder as small as can be: the example of docs/how_to/extend.md, as it would lie in training/."""

import torch
from torch.nn import Linear
from torch.nn.functional import cross_entropy
from transformers import AutoConfig, AutoModel, PreTrainedConfig, PreTrainedModel, Trainer, TrainingArguments

from bap_v2_metric.notation import parse_structure
from bap_v2_training.commands import run_training
from bap_v2_training.decoding.bayes_risk import Sampled, Sampling, answered, drawn, shares_of
from bap_v2_training.decoding.networks import network_of
from bap_v2_training.learning.data_settings import DataArguments
from bap_v2_training.learning.net_actions import COLORS, board_of, net_of_row
from bap_v2_training.learning.run_record import RunRecord
from bap_v2_training.learning.training_data import load_training_rows, revision_of
from bap_v2_training.learning.training_settings import settings_of

NOTHING = len(COLORS)  # the class of an answer without a block; those before it are colors


class ColorConfig(PreTrainedConfig):
    """What `config.json` holds."""

    model_type = "bap_color"


class ColorModel(PreTrainedModel):
    """The logits of the next color, by the colors that are said."""

    config_class = ColorConfig

    def __init__(self, config):
        super().__init__(config)
        self.colors = Linear(len(COLORS), len(COLORS) + 1)
        self.post_init()

    def forward(self, said, color=None, reduction="mean"):
        logits = self.colors(said)
        return {"loss": None if color is None else cross_entropy(logits, color, reduction=reduction), "logits": logits}


AutoConfig.register(ColorConfig.model_type, ColorConfig, exist_ok=True)
AutoModel.register(ColorConfig, ColorModel, exist_ok=True)


def colors_said(row):
    """Return how often each color is said."""
    return [float(" ".join(row["dialogue"]).count(color.value)) for color in COLORS]


def color_placed(row):
    """Return the number of the first color that is placed; NOTHING: none is."""
    return next((kind for kind, *cell in net_of_row(row) if kind < len(COLORS)), NOTHING)


class ColorBuilder:
    """Loads the model and answers: a `bap_v2_training.decoding.learned_builder.LearnedBuilder`."""

    def __init__(self, model, sampling):
        self.model, self.sampling = model, sampling

    @classmethod
    def load(cls, model, dtype="float32", max_actions=None, feasible_only=False, samples=0, **sampling):
        return cls(network_of(model, ColorModel), Sampling(samples, **sampling) if samples > 1 else None)

    def losses(self, rows):
        said, placed = torch.tensor([*map(colors_said, rows)]), torch.tensor([*map(color_placed, rows)])
        return self.model(said, placed, reduction="none")["loss"].tolist()

    def answers(self, rows):
        boards = [parse_structure(row["before"]) for row in rows]
        return [answered(self.sampling, *one) for one in zip(boards, self.candidates(rows))]

    @torch.inference_mode()
    def candidates(self, rows):
        logits = self.model(torch.tensor([*map(colors_said, rows)]))["logits"]
        found = []
        for row, scores in zip(rows, logits):
            # On top of the newest block, or on the ground: net actions are (color, x, y, z)
            x, y, z = [(0, 0, 0), *board_of(row["before"])][-1]
            answers = [([(color, x, y + 1, z)], True) for color in range(len(COLORS))] + [([], True)]
            # Samples are a function of the item's id and --seed
            drawn_classes = []
            if self.sampling is not None:
                uniform = torch.from_numpy(self.sampling.uniform(row["id"], 1)[:, 0, 0])
                drawn_classes = drawn(scores.repeat(len(uniform), 1), uniform, self.sampling.temperature)
            samples = [answers[number] for number in drawn_classes]
            found.append(Sampled(answers[scores.argmax()], samples, shares_of([actions for actions, _ in samples])))
        return found


def parse_arguments(args=None):
    return settings_of((DataArguments, TrainingArguments), args)


def main(data, training):
    record = RunRecord(data, training, None, None)  # `training_run.json`
    rows = load_training_rows(data, data.train_split, data.max_train_items, training)
    examples = [{"said": torch.tensor(colors_said(row)), "color": color_placed(row)} for row in rows]
    trainer = Trainer(ColorModel(ColorConfig()), training, train_dataset=examples)
    record.begin()
    result = trainer.train()
    trainer.save_model()
    counts = {"train": {"split": data.train_split, "items": len(rows)}}
    record.write(record.finished(trainer, {**revision_of(data, rows), **counts}, result))


if __name__ == "__main__":
    run_training(main, parse_arguments)
