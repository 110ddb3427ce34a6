"""Packs a pointer transformer that was trained here as the Builder that comes with the package, with its card.

    OMP_NUM_THREADS=1 python tools/pack_builder.py runs/compact_people --compare

Weights are rounded to bfloat16, half of their bytes; it computes with them in float32. What is written then answers all
test sets (runs/packed/compact), for the scores in the card; --compare asks the run, too. Needs the corpora (`bap-v2
setup --mdc PATH`), and no folder `compact` here.
"""

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from bap_v2_dataset.predictions.model_records import COMPACT, DIGESTS
from bap_v2_dataset.publishing.model import model_of
from bap_v2_dataset.publishing.model_card import model_card
from bap_v2_dataset.publishing.model_facts import facts_of_run

ROOT = Path(__file__).parents[1]
PACKED, ANSWERS = ROOT / "training" / "builders" / COMPACT, Path("runs/packed")
TEST_SETS = ("dsb", "dss", "dr", "dh", "written", "mdc_v2")
WEIGHTS = "model.safetensors"


def write_model(run: Path) -> None:
    """Write the files of a run as they would be published, with rounded weights."""
    model = model_of(f"packed/{COMPACT}", run)
    if model.facts.readers:
        sys.exit(f"{model.facts.readers[0]} reads for {run}: a Builder of the package needs no other model")
    shutil.rmtree(PACKED, ignore_errors=True)
    PACKED.mkdir(parents=True)
    for file in model.files:
        (PACKED / file.path).write_bytes(file.content if isinstance(file.content, bytes) else file.content.read_bytes())
    weights = {name: values.to(torch.bfloat16) for name, values in load_file(PACKED / WEIGHTS).items()}
    save_file(weights, PACKED / WEIGHTS, {"format": "pt"})
    (PACKED / WEIGHTS).chmod(0o644)  # torch's own are the user's alone
    write_digests()


def write_digests() -> None:
    """Write the SHA-256 of each file, that of the weights first."""
    files = sorted((path for path in PACKED.iterdir() if path.name != DIGESTS), key=lambda path: path.name != WEIGHTS)
    digests = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (PACKED / DIGESTS).write_text("".join(digests), encoding="utf-8")


def score(model: str, out: Path, limit: list[str]) -> dict[str, Path]:
    """Let a model answer the test sets; returns the files of its scores."""
    bap, files = str(Path(sys.executable).parent / "bap-v2"), {name: out / f"{name}.scores.json" for name in TEST_SETS}
    command = [bap, "predict", "--model", model, "--dataset-config", ",".join(TEST_SETS), "--out", f"{out}/", *limit]
    subprocess.run([*command, "--overwrite"], check=True)
    for name, file in files.items():
        scored = [bap, "score", out / f"{name}.jsonl", "--out", file, "--subset"]
        subprocess.run(scored, check=True, stdout=sys.stderr)
    return files


def write_card(scores: dict[str, Path]) -> None:
    """Write the card, with the commands in the configs of its training, and the digests."""
    stage, commands = f"{COMPACT}_fifth_games", []
    while stage:
        config = (ROOT / "training" / "configs" / f"{stage}.yaml").read_text(encoding="utf-8")
        commands.insert(0, config.partition("\n")[0].removeprefix("# "))
        stage = (re.findall(r"^init_from: runs/(\w+)", config, re.MULTILINE) or [""])[0]
    made = "\n".join([*commands, f"python tools/pack_builder.py RUN  # {WEIGHTS}: bfloat16"])
    note = f"The last of {len(commands)} stages; all commands are below. By samples: `bap-v2 score {COMPACT}_samples`."
    text = str(model_card(facts_of_run(COMPACT, PACKED, scores.values())))
    text = "\n".join(line for line in text.splitlines() if not line.startswith("The network alone"))  # has no such name
    text = text.replace("\n## Training\n", f"\n## Training\n\n{note}\n").replace(
        "\n## Citation\n", f"\nAll commands that made it:\n\n```\n{made}\n```\n\n## Citation\n"
    )
    (PACKED / "README.md").write_text(f"{text}\n", encoding="utf-8")
    write_digests()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("run", type=Path, help="The output_dir of the training.")
    parser.add_argument("--limit", nargs=1, help="Only so many items of each test set, the same ones each time.")
    parser.add_argument("--compare", action="store_true", help="Score the run, too: what rounding changes.")
    given = parser.parse_args()
    if Path(COMPACT).exists():
        sys.exit(f"the folder {COMPACT} here would be asked in place of the package's: move it")
    limit = ["--limit", *given.limit] if given.limit else []
    write_model(given.run)
    scores = score(COMPACT, ANSWERS / COMPACT, limit)
    write_card(scores)
    print(f"{PACKED}: {sum(path.stat().st_size for path in PACKED.iterdir()) / 1e6:.2f} MB")
    for files in (scores, score(str(given.run), ANSWERS / "before", limit) if given.compare else {}):
        of = {name: json.loads(file.read_bytes())["systems"][0]["scores"]["fairer_f1"] for name, file in files.items()}
        print(*(f"{name} {100 * value:.2f}" for name, value in of.items()))  # rounded, and before


if __name__ == "__main__":
    main()
