"""docs/pictures/reward-curves.png: what answers are rewarded with, step by step, of some runs of train_grpo.py.

python docs/draw_reward_curves.py runs/grpo_small_s1 runs/grpo_small_s2
"""

import json
import sys
from pathlib import Path

from matplotlib import pyplot

SHOWN = {
    "rewards/fairer_f1/mean": "fairer F1 of an item",
    "rewards/clean/mean": "clean",
    "completions/mean_length": "tokens of an answer",
}


def main(folders: list[Path], picture: Path) -> None:
    figure, panels = pyplot.subplots(1, len(SHOWN), figsize=(9, 2.8), layout="constrained")
    for folder in folders:
        run = json.loads((folder / "training_run.json").read_text())
        entries = [entry for entry in run["log"] if "reward" in entry]
        for panel, (key, title) in zip(panels, SHOWN.items()):
            steps = [entry["step"] for entry in entries if key in entry]
            values = [entry[key] for entry in entries if key in entry]
            panel.plot(steps, values, label=f"seed {run['seed']}")
            panel.set(title=title, xlabel="step")
            panel.grid(alpha=0.3)
    panels[0].legend()
    figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    main(list(map(Path, sys.argv[1:])), Path("docs/pictures/reward-curves.png"))
