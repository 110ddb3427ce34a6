"""The short way with the newest libraries that `pip install` takes, in an environment of its own: `make newest`.

    python3.11 tools/newest.py [--torch torch==2.13.0] [--folder runs/newest] [--no-install]

constraints.txt holds versions that were tested together; users get newer ones. Each step is a command that a user would
type. A step that fails does not end the run: the table says what passed, and FOLDER/log.txt has what all printed.
torch is the one of constraints.txt, unless --torch names another: left to itself, pip may fetch gigabytes of CUDA.

This file needs nothing but Python: the environment is made here.
"""

import argparse
import os
import re
import subprocess
import sys
import time
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent
SHOWN = ("torch", "transformers", "trl", "peft", "accelerate", "bitsandbytes", "tokenizers", "datasets", "evaluate",
         "huggingface_hub", "pyarrow", "numpy", "pandas", "gradio", "httpx2", "gymnasium")  # fmt: skip
FAMILIES = ("llama", "gpt2", "qwen2", "qwen3")
# A tiny model of each family with random weights, and a tokenizer that the smoke training made
MODELS = """
import sys
import torch
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

folder, *families = sys.argv[1:]
tokenizer = AutoTokenizer.from_pretrained(f"{folder}/smoke")
shape = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
         "num_key_value_heads": 2, "max_position_embeddings": 1024, "head_dim": 8}
old = {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 1024}
ends = {f"{name}_token_id": getattr(tokenizer, f"{name}_token_id") for name in ("bos", "eos", "pad")}
for family in families:
    torch.manual_seed(0)
    own = old if family == "gpt2" else shape
    config = AutoConfig.for_model(family, vocab_size=len(tokenizer), initializer_range=0.3, **own, **ends)
    AutoModelForCausalLM.from_config(config).save_pretrained(f"{folder}/{family}")
    tokenizer.save_pretrained(f"{folder}/{family}")
"""
VERSIONS = """
import sys
from importlib.metadata import distributions

installed = {item.name.lower().replace("-", "_"): item.version for item in distributions()}
print(", ".join(f"{name} {installed[name]}" for name in sys.argv[1:] if name in installed))
"""


def constrained_torch() -> str:
    """Return torch as constraints.txt has it: torch==2.13.0."""
    return re.search(r"^torch==.*$", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)[0]


def steps(folder: Path, torch: str) -> list[tuple[str, list[str]]]:
    """Return the steps, each with its command; programs are those of the environment in `folder`."""
    # One file holds pip to this torch, whatever asks for another
    limit = folder / "torch.txt"
    pip = ["pip", "--disable-pip-version-check", "install", "--quiet", "--upgrade"]
    if torch != "torch":
        limit.write_text(f"{torch}\n", encoding="utf-8")
        pip += ["--constraint", str(limit)]
    predict = ["bap-v2", "predict", "--dataset-config", "dss", "--limit", "12", "--max-new-tokens", "24"]
    train = ["bap-v2", "train", "--config", "smoke", "--max_steps", "20", "--output_dir", str(folder / "smoke")]
    answered = folder / "answers"
    return [
        ("install torch", [*pip, torch]),
        ("install the package", [*pip, "--upgrade-strategy", "eager", "--editable", f"{ROOT}[all]"]),
        ("pip check", ["pip", "check"]),
        ("setup", ["bap-v2", "setup", "--config", "dss"]),
        ("score a rule", ["bap-v2", "score", "--baseline", "stack", "--config", "dss"]),
        ("train (smoke)", train),
        ("make tiny models", ["python", "-c", MODELS, str(folder), *FAMILIES]),
        ("predict: adapter", [*predict, "--model", str(folder / "smoke"), "--out", f"{answered}/smoke.jsonl"]),
        *((f"predict: {family}", [*predict, "--representation", "n", "--model", str(folder / family),
                                  "--out", f"{answered}/{family}.jsonl"]) for family in FAMILIES),
        ("predict: samples", [*predict, "--samples", "2", "--limit", "4", "--model", str(folder / "smoke"),
                              "--out", f"{answered}/samples.jsonl"]),
        ("merge", ["bap-v2", "merge", str(folder / "smoke"), str(folder / "merged")]),
        ("predict: merged", [*predict, "--model", str(folder / "merged"), "--out", f"{answered}/merged.jsonl"]),
        ("score the answers", ["bap-v2", "score", f"{answered}/smoke.jsonl", "--partial"]),
        ("push --dry-run", ["bap-v2", "push", "--repo-id", "USER/bap_v2", "--config", "dss", "--metric-space",
                            "USER/bap_v2", "--dry-run"]),
        ("push-model --dry-run", ["bap-v2", "push-model", str(folder / "smoke"), "--repo-id", "USER/smoke",
                                  "--dry-run"]),
    ]  # fmt: skip


def run(folder: Path, torch: str, install: bool = True) -> bool:
    """Make the environment, run all steps (without `install` those after it) and print the table.

    Returns:
        Whether all passed.
    """
    # The environment, which a second run brings up to date, and a clean place for what the steps write
    environment = folder / "venv"
    if not (environment / "bin" / "python").exists():
        venv.create(environment, with_pip=True)
    subprocess.run(["rm", "-rf", *(str(path) for path in folder.iterdir() if path != environment)], check=True)
    (folder / "answers").mkdir()
    env = {**os.environ, "HF_HOME": str(folder / "hf"), "HF_HUB_DISABLE_TELEMETRY": "1", "BAP_V2_MDC": "",
           "PATH": f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}"}  # fmt: skip
    # Each step, with its time; what it printed is in the log
    passed = {}
    for name, command in steps(folder, torch)[0 if install else 2 :]:
        program = str(environment / "bin" / command[0])
        started = time.monotonic()
        with (folder / "log.txt").open("a", encoding="utf-8") as log:
            log.write(f"$ {' '.join(command) if command[1] != '-c' else name}\n")
            log.flush()
            passed[name] = not subprocess.run([program, *command[1:]], stdout=log, stderr=log, env=env).returncode
        print(f"{'passed' if passed[name] else 'FAILED'}  {name:24}{time.monotonic() - started:6.0f} s", flush=True)
    # With which versions
    shown = subprocess.run(
        [str(environment / "bin" / "python"), "-c", VERSIONS, *SHOWN], capture_output=True, text=True
    )
    print(f"Python {sys.version.split()[0]}; {shown.stdout.strip()}")
    failed = [name for name, well in passed.items() if not well]
    print(
        f"{len(failed)} of {len(passed)} failed: {', '.join(failed)}; see {folder}/log.txt" if failed else "all passed"
    )
    return not failed


def main() -> int:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--torch", default=constrained_torch(), help="what pip installs as torch; torch: the newest")
    parser.add_argument("--folder", type=Path, default=ROOT / "runs" / "newest", help="for all that is made")
    parser.add_argument("--no-install", action="store_true", help="take the environment as it is there")
    arguments = parser.parse_args()
    folder = arguments.folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    print(f"with {arguments.torch}, and the newest of everything else; all is in {folder}", flush=True)
    return 0 if run(folder, arguments.torch, not arguments.no_install) else 1


if __name__ == "__main__":
    sys.exit(main())
