"""`bap-v2 info`: what is installed and set up. Reads files only: it imports none of the libraries that it names."""

import importlib.metadata
import importlib.util
import json as json_format
import os
import platform
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.markup import escape
from rich.table import Table

from bap_v2_dataset.caches import datasets_cache, home, modules_cache
from bap_v2_dataset.cli.terminal import app, console, print_json
from bap_v2_dataset.interface.table import TASKS, all_configs, item_configs, require_task

LIBRARIES = ("datasets", "evaluate", "huggingface_hub", "numpy", "pyarrow", "torch", "transformers", "trl", "gradio")
USER_EXTRAS = ("training", "report", "pictures", "explore", "icl", "scale", "play", "harness")
_MOST_LINES = 8  # of configs that are not set up


@dataclass(frozen=True)
class ConfigInfo:
    """A config as it lies in the cache."""

    name: str
    rows: dict[str, int] | None  # by split; None if it is not set up
    problem: str | None = None  # why it cannot be used, and the fix
    labels: str | None = None  # of the test items, if it has them


def version_of(package: str) -> str | None:
    """Return the version of an installed package; None if it is not installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def missing_of_extras() -> dict[str, list[str]]:
    """Return for each extra the packages that are not installed; empty if the package's metadata cannot be found."""
    try:
        required = importlib.metadata.requires("bap-v2") or []
    except importlib.metadata.PackageNotFoundError:
        return {}
    missing: dict[str, list[str]] = {name: [] for name in USER_EXTRAS}
    for requirement in required:
        package = re.match(r"[A-Za-z0-9._-]+", requirement)
        extra = re.search(r"extra == [\"']([^\"']+)[\"']", requirement)
        if package and extra and extra[1] in missing and version_of(package[0]) is None:
            missing[extra[1]].append(package[0])
    return missing


def config_info(name: str) -> ConfigInfo:
    """Read what the newest folder of a config in the cache holds."""
    from bap_v2_dataset.items.versions import DATA_VERSION

    root = datasets_cache() / "bap_v2" / name
    folders = [info.parent for info in root.glob("*/*/dataset_info.json")]
    if not folders:
        return ConfigInfo(name, None)
    # The rows by split, and whether all files are there.
    folder = max(folders, key=lambda path: path.stat().st_mtime)
    fix = f"run `bap-v2 setup --config {name} --rebuild`"
    try:
        info = json_format.loads((folder / "dataset_info.json").read_text(encoding="utf-8"))
        splits = {split: (part["num_examples"], part.get("shard_lengths")) for split, part in info["splits"].items()}
        rows = {split: int(number) for split, (number, _) in splits.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        return ConfigInfo(name, None, f"{folder / 'dataset_info.json'} is damaged ({error}): {fix}")
    for split, (_, shards) in splits.items():
        if len(list(folder.glob(f"bap_v2-{split}*.arrow"))) < len(shards or [0]):
            return ConfigInfo(name, rows, f"rows of {split} are missing in {folder}: {fix}")
    # Rows of another version are not loaded.
    if folder.parent.name != DATA_VERSION:
        command = require_task(name).setup_command(name)
        return ConfigInfo(name, rows, f"made with data {folder.parent.name}, this is {DATA_VERSION}: run `{command}`")
    return ConfigInfo(name, rows, labels=_labels() if name in item_configs("labels") else None)


def corpus() -> str | None:
    """Return where the games of the last setup were read from; None if no human corpus is set up."""
    return _last_setup().get("corpus")


def metric_version() -> str | None:
    """Return the version of the metric that `evaluate.load("bap_v2")` finds; None if it is not set up."""
    folders = (modules_cache() / "evaluate_modules" / "metrics" / "evaluate-metric--bap_v2").glob(f"{64 * '?'}")
    for folder in sorted(folders, key=lambda path: path.stat().st_mtime, reverse=True):
        try:
            text = (folder / "scoring.py").read_text(encoding="utf-8")
        except (OSError, ValueError):
            continue
        if version := re.search(r"METRIC_VERSION = \"([^\"]+)\"", text):
            return version[1]
    return None


def _labels() -> str | None:
    from bap_v2_dataset.labels.label import AnnotationError
    from bap_v2_dataset.labels.label_file import OUR_LABELS, labels_name

    chosen = _last_setup().get("labels")
    try:
        return labels_name(home() / "bap_v2_games" / chosen if chosen else OUR_LABELS)
    except AnnotationError as error:
        return str(error)


def _last_setup() -> dict[str, str]:
    """Read what the last setup with a human corpus chose."""
    try:
        record = json_format.loads((home() / "bap_v2_games" / "mdc.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def _accelerator() -> str | None:
    """Return the GPUs that are there, from the driver's files: torch, which knows more, takes seconds to import."""
    try:
        cards = sorted(Path("/proc/driver/nvidia/gpus").glob("*/information"))
        names = [re.search(r"Model:\s*(.+)", card.read_text(encoding="utf-8")) for card in cards]
    except (OSError, ValueError):
        return None
    return ", ".join(name[1].strip() for name in names if name) or None


def facts() -> dict:
    """Return all that `info` prints, as plain values."""
    from bap_v2_metric.scoring import METRIC_VERSION

    # What the environment says, and where this is installed.
    offline = {name: os.environ[name] for name in ("HF_HUB_OFFLINE", "HF_EVALUATE_OFFLINE") if name in os.environ}
    module = importlib.util.find_spec("bap_v2_dataset")
    # From the files of packages, the driver and the caches.
    return {
        "bap-v2": version_of("bap-v2"),
        "installed_in": str(Path(module.origin).parent.parent) if module and module.origin else None,
        "python": platform.python_version(),
        "platform": platform.platform(terse=True) + " " + platform.machine(),
        "libraries": {name: version_of(name) for name in LIBRARIES},
        "gpu": _accelerator(),
        "extras": {name: {"installed": not names, "missing": names} for name, names in missing_of_extras().items()},
        "hf_home": str(home()),
        "datasets_cache": str(datasets_cache()),
        "offline": offline,
        "configs": [asdict(config_info(name)) for name in all_configs()],
        "corpus": corpus(),
        "corpus_variable": os.environ.get("BAP_V2_MDC") or None,
        "metric": {"installed": METRIC_VERSION, "set_up": metric_version()},
    }


@app.command()
def info(
    json: bool = False,
) -> None:
    """Show what is installed and set up: versions, extras, configs, labels, caches."""
    record = facts()
    if json:
        print_json(record)
        return
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for row in (*_lines_of_installation(record), *_lines_of_configs(record["configs"]), *_lines_of_setup(record)):
        table.add_row(*row)
    console.print(table, highlight=False)


def _lines_of_installation(record: dict) -> Iterator[tuple[str, str]]:
    """Yield what is installed: each fact's name and text."""
    # The package and what it runs on.
    yield "bap-v2", escape(f"{record['bap-v2'] or 'not installed as a package'}, in {record['installed_in']}")
    yield "Python", f"{record['python']} on {record['platform']}"
    yield "libraries", ", ".join(f"{name} {version}" for name, version in record["libraries"].items() if version)
    yield "GPU", escape(record["gpu"] or "none found")
    # The extras, with what installs the rest.
    extras = record["extras"]
    yield "extras", ", ".join(name for name, extra in extras.items() if extra["installed"]) or "none"
    yield from (("", escape(f'{name}: pip install "bap-v2[{name}]"')) for name in extras if extras[name]["missing"])
    # Where it keeps things.
    yield "HF_HOME", escape(record["hf_home"])
    set_by = ", ".join(f"{name}={value}" for name, value in record["offline"].items())
    yield "offline", escape(set_by) if set_by else "HF_HUB_OFFLINE is not set"


def _lines_of_setup(record: dict) -> Iterator[tuple[str, str]]:
    """Yield what the last setup chose: each fact's name and text."""
    # The labels and the corpus.
    if labels := {config["labels"] for config in record["configs"] if config["labels"]}:
        yield "labels", escape(", ".join(sorted(labels)))
    yield "corpus", escape(record["corpus"] or "not set up: bap-v2 setup --mdc PATH, or --mdc auto")
    if variable := record["corpus_variable"]:
        yield "", escape(f"BAP_V2_MDC={variable}")
    # The metric.
    metric = record["metric"]
    is_new = metric["set_up"] == metric["installed"]
    state = "set up" if is_new else f"{metric['set_up'] or 'not'} set up: run `bap-v2 setup`"
    yield "metric", f"{metric['installed']}, {state}"


def _lines_of_configs(configs: Sequence[dict]) -> Iterator[tuple[str, str]]:
    """Yield each config and its state; configs of a task that are not set up stand in one line if there are many."""
    for task in TASKS.values():
        of_task = [config for config in configs if config["name"] in task.configs]
        missing = [config for config in of_task if config["rows"] is None and not config["problem"]]
        if len(missing) <= _MOST_LINES:
            missing = []
        yield from ((config["name"], _row_of(config)) for config in of_task if config not in missing)
        if missing:
            state = _row_of(missing[0]).removeprefix("[dim]")
            yield f"{task.name}*", f"[dim]{len(missing)} configs are {state}"


def _row_of(config: dict) -> str:
    if config["problem"]:
        return f"[yellow]{escape(config['problem'])}[/yellow]"
    if config["rows"] is None:
        command = require_task(config["name"]).setup_command(config["name"])
        return f"[dim]not set up{f': {command}' if command != 'bap-v2 setup' else ''}[/dim]"
    return " / ".join(f"{number:,} {split}" for split, number in config["rows"].items())
