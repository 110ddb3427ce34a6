"""docs/pictures/reward-curves.png: what answers are rewarded with, step by step, of some runs of train_grpo.py.

python docs/draw_reward_curves.py runs/grpo_small_s1 runs/grpo_small_s2
python docs/draw_reward_curves.py runs/pointer_rewards_1 runs/pointer_rewards_2 runs/pointer_rewards_control

The second line is of train_pointer.py, and draws reward-curves-pointer.png: of samples, means of the last 40 updates.
"""

import json
import sys
from pathlib import Path
from statistics import mean

from matplotlib import pyplot

TEXT = {
    "rewards/fairer_f1/mean": "fairer F1 of an item",
    "rewards/clean/mean": "clean",
    "completions/mean_length": "tokens of an answer",
}
POINTER = {
    "micro_fairer_f1": "F1 of samples, train items",
    "eval_mdc_v2_f1": "greedy F1, human validation items",
    "actions/mean": "net actions of a sample",
}


def main(folders: list[Path]) -> None:
    runs = [json.loads((folder / "training_run.json").read_text()) for folder in folders]
    pointer = runs[0].get("model_type") == "bap_pointer"
    shown = POINTER if pointer else TEXT
    figure, panels = pyplot.subplots(1, len(shown), figsize=(9, 2.8), layout="constrained")
    for run in runs:
        for panel, (key, title) in zip(panels, shown.items()):
            entries = [entry for entry in run["log"] if key in entry]
            steps, values = [entry["step"] for entry in entries], [entry[key] for entry in entries]
            if pointer and not key.startswith("eval"):  # batches are of equally long items: some are harder
                values = [mean(values[max(0, last - 7) : last + 1]) for last in range(len(values))]
                steps, values = steps[7:], values[7:]
            panel.plot(steps, values, label="control" if pointer and "rewards" not in run else f"seed {run['seed']}")
            panel.set(title=title, xlabel="update" if pointer else "step")
            panel.grid(alpha=0.3)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(runs))
    figure.savefig(f"docs/pictures/reward-curves{'-pointer' if pointer else ''}.png", dpi=110)


if __name__ == "__main__":
    main(list(map(Path, sys.argv[1:])))
