"""docs/pictures/*-curves.png: how some runs of one script went, update by update.

python docs/draw_curves.py runs/smollm2                                   # loss-curves.png, of train_sft.py
python docs/draw_curves.py runs/grpo_small_s1 runs/grpo_small_s2          # reward-curves.png, of train_grpo.py
python docs/draw_curves.py runs/pointer_rewards_1 runs/pointer_rewards_2  # reward-curves-pointer.png
python docs/draw_curves.py runs/people_none runs/turns_1600_people        # people-curves.png, of train_pointer.py

Loss and token accuracy, and what pointer transformers sample, are means of the last 400 items or 40 updates.
"""

import json
import sys
from pathlib import Path
from statistics import mean

from matplotlib import pyplot

SHOWN = {
    "loss-curves": {"loss": "loss of the answers' tokens", "mean_token_accuracy": "right tokens, given those before"},
    "reward-curves": {
        "rewards/fairer_f1/mean": "fairer F1 of an item",
        "rewards/clean/mean": "clean",
        "completions/mean_length": "tokens of an answer",
    },
    "reward-curves-pointer": {
        "micro_fairer_f1": "F1 of samples, train items",
        "eval_mdc_v2_f1": "greedy F1, human validation items",
        "actions/mean": "net actions of a sample",
    },
    "people-curves": {
        "eval_mdc_v2_loss": "loss, human validation items",
        "eval_mdc_v2_f1": "greedy F1, human validation items",
    },
}


def main(folders: list[Path]) -> None:
    runs = [json.loads((folder / "training_run.json").read_text()) for folder in folders]
    kind = kind_of(runs[0])
    figure, panels = pyplot.subplots(1, len(SHOWN[kind]), figsize=(9, 2.8), layout="constrained")
    for folder, run in zip(folders, runs, strict=True):
        for panel, (key, title) in zip(panels, SHOWN[kind].items()):
            entries = [entry for entry in run["log"] if key in entry]
            steps, values = [entry["step"] for entry in entries], [entry[key] for entry in entries]
            averaged = {"reward-curves-pointer": 8, "loss-curves": 10}.get(kind, 1)
            if not key.startswith("eval"):  # batches are of equally long items: some are harder
                values = [mean(values[last - averaged + 1 : last + 1]) for last in range(averaged - 1, len(values))]
                steps = steps[averaged - 1 :]
            panel.plot(steps, values, label=label_of(kind, folder, run))
            panel.set(title=title, xlabel="step" if kind == "reward-curves" else "update")
            panel.grid(alpha=0.3)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=min(len(runs), 4))
    figure.savefig(f"docs/pictures/{kind}.png", dpi=110)


def kind_of(run: dict) -> str:
    """Which picture a run is for."""
    if run.get("model_type") == "bap_pointer":
        return "reward-curves-pointer" if any("micro_fairer_f1" in entry for entry in run["log"]) else "people-curves"
    return "reward-curves" if any("reward" in entry for entry in run["log"]) else "loss-curves"


def label_of(kind: str, folder: Path, run: dict) -> str:
    """What a run is called in the picture."""
    if kind in ("loss-curves", "people-curves"):
        return folder.name
    return "control" if kind == "reward-curves-pointer" and "rewards" not in run else f"seed {run['seed']}"


if __name__ == "__main__":
    main(list(map(Path, sys.argv[1:])))
