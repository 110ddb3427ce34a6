"""Rows and their variants made with a symmetry, for tests of the robust scores."""

import random
from fractions import Fraction

from bap_v2_metric import score_item
from bap_v2_metric.blocks import Color
from bap_v2_metric.notation import format_action, format_structure, parse_structure, read_prediction
from bap_v2_metric.symmetry import IDENTITY, Symmetry

MEASURES = ("strict", "fairer", "type", "color", "location", "shape")


def original(number, before=(), after=("red 0 1 0",), interpretations="unique"):
    """A dataset row, of what scores need."""
    return {
        "id": f"g{number}/1",
        "before": list(before),
        "after": list(after),
        "interpretations": interpretations,
        "metadata": {"source": "simulated"},
    }


def transformed(lines, symmetry):
    return format_structure(symmetry.structure(parse_structure(lines)))


def answer_in(symmetry, text):
    """The actions of an answer in the transformed world, one per line."""
    return "\n".join(format_action(symmetry.action(action)) for action in read_prediction(text).actions)


def variant_of(row, family, number, symmetry=IDENTITY):
    """The row of a variant, as the dataset has it."""
    game, item = row["id"].split("/")
    perturbation = {
        "parent": row["id"],
        "config": "dss",
        "family": family,
        "variant": number,
        "transform": symmetry.to_json(),
        "version": "1.0.0",
    }
    return {
        **row,
        "id": f"{game}~{family}-{number}/{item}",
        "before": transformed(row["before"], symmetry),
        "after": transformed(row["after"], symmetry),
        "metadata": {**row["metadata"], "perturbation": perturbation},
    }


def answer(right, wrong=0):
    """Text with so many right placements in `wanting` items, and so many wrong ones."""
    return "\n".join([f"place red {x} 1 0" for x in range(right)] + [f"place blue {x} 1 4" for x in range(wrong)])


def wanting(number, wanted=3, board=()):
    """A row that wants so many red blocks."""
    return original(number, board, [*board, *(f"red {x} 1 0" for x in range(wanted))])


def random_answers(seed, n_items=10, families=(("spl", 3), ("spp_history", 1), ("sa_color", 2))):
    """Rows of items and of their variants, and answers to them; not every item has variants of every family."""
    rng = random.Random(seed)
    rows, answers = [], []
    for number in range(n_items):
        luck = rng.random()
        parent = wanting(number, rng.randint(1, 4), ["green 5 1 5"] if rng.random() < 0.6 else [])
        wanted = len(parent["after"]) - len(parent["before"])
        own = [(parent, IDENTITY)]
        for family, most in families:
            for variant in range(1, rng.choice([0, most, most]) + 1):
                symmetry = Symmetry(colors=tuple(rng.sample(list(Color), 6))) if family == "sa_color" else IDENTITY
                own.append((variant_of(parent, family, variant, symmetry), symmetry))
        for row, symmetry in own:
            text = answer(sum(rng.random() < luck for _ in range(wanted)), rng.choice([0, 0, 1, 2]))
            rows.append(row)
            answers.append(answer_in(symmetry, text))
    return answers, rows


def by_measure(prediction, row):
    """The counts of the six measures."""
    item = score_item(prediction, row)
    return {measure: item[measure] for measure in MEASURES}


def perturbed(groups):
    """The micro F1 of the variants, which stand behind originals; each item counts by the mean of its variants."""
    right = both = Fraction(0)
    for _, *variants in groups:
        right += Fraction(2 * sum(counts.tp for counts in variants), len(variants))
        both += Fraction(sum(counts.n_predicted + counts.n_reference for counts in variants), len(variants))
    return float(right / both) if both else 0.0


def consistency(groups):
    """The mean over the items of the share of their variants that are consistent, by definition."""
    return float(sum(Fraction(sum(group), len(group)) for group in groups) / len(groups)) if groups else 0.0
