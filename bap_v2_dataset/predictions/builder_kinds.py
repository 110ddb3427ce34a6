"""The kinds of learned Builders that are not language models: an entry for each, which is all that names it."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class BuilderKind:
    """A kind of Builder that learns and reads rows, not prompts.

    Args:
        model_type: of its `config.json`, as transformers has it; recorded with trainings and predictions.
        name: of one, in tables and sentences.
        builder: "MODULE:CLASS", a `bap_v2_training.decoding.learned_builder.LearnedBuilder`: loads it and answers.
        network: the module that registers its classes of config and model with transformers; None: it has none.
        sentence: of its card: how it works.
        command: that trains it, with the settings in `--config`.
        plans: it says what changes, and rules plan actions for that, all of which can be executed.
        samples: it gives samples, for minimum Bayes risk decoding and ensembles.
        own_probabilities: it says how probable an action is; else that is the share of the samples.
        vocabulary: its words are in `vocabulary.json`.
        members: it answers with others, each in a folder of its own in its folder.
        of_paper: it is the architecture of the paper's Tables 1 and 4.
    """

    model_type: str
    name: str
    builder: str
    network: str | None
    sentence: str
    command: str
    plans: bool = True
    samples: bool = True
    own_probabilities: bool = False
    vocabulary: bool = True
    members: bool = False
    of_paper: bool = False

    @property
    def with_article(self) -> str:
        """The name of one with its article.

        >>> BUILDER_KINDS["bap_gru"].with_article, BUILDER_KINDS["bap_ensemble"].with_article
        ('a GRU', 'an ensemble')
        """
        return f"{'an' if self.name[0] in 'aeiou' else 'a'} {self.name}"


_ENTRIES = (
    BuilderKind(
        "bap_gru",
        "GRU",
        builder="bap_v2_training.gru.decoding:GruBuilder",
        network="bap_v2_training.gru.model",
        sentence="GRUs read the words and the actions so far, a convolutional network the board, as in "
        "[Jayannavar et al. (2020)](https://aclanthology.org/2020.acl-main.232).",
        command="python training/train_gru.py",
        plans=False,
        of_paper=True,
    ),
    BuilderKind(
        "bap_pointer",
        "pointer transformer",
        builder="bap_v2_training.pointer.decoding:PointerBuilder",
        network="bap_v2_training.pointer.model",
        sentence="A pointer transformer: its encoder reads words, blocks and the last actions as the Builder sees "
        "them, its decoder gives each action a reference, such as a block, and the offset from there.",
        command="python training/train_pointer.py",
        own_probabilities=True,
    ),
    BuilderKind(
        "bap_ensemble",
        "ensemble",
        builder="bap_v2_training.ensemble.builder:EnsembleBuilder",
        network=None,
        sentence="An ensemble of the Builders in the folders `member-1`, `member-2` and so on: each gives samples, and "
        "a logistic regression, learned on validation items, says how probable each action is (stacking).",
        command="bap-v2 ensemble",
        own_probabilities=True,
        members=True,
    ),
)
BUILDER_KINDS = {kind.model_type: kind for kind in _ENTRIES}


def any_of(kinds: Iterable[BuilderKind]) -> str:
    """Return the kinds in a sentence.

    >>> any_of(BUILDER_KINDS.values())
    'a GRU, a pointer transformer or an ensemble'
    """
    return " or ".join(", ".join(kind.with_article for kind in kinds).rsplit(", ", 1))
