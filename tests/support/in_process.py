"""What tests need to run our commands in their own process: caches of their own, `bap-v2`, and a Hub."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import datasets
import huggingface_hub
from hub_stand_in import TOKEN, HubStandIn

from bap_v2_dataset import cli


def use_home(patch, home: Path) -> None:
    """Caches below this folder, and no corpus."""
    patch.delenv("BAP_V2_MDC", raising=False)
    patch.setattr(datasets.config, "HF_CACHE_HOME", str(home))
    patch.setattr(datasets.config, "HF_DATASETS_CACHE", home / "datasets")
    patch.setattr(datasets.config, "HF_MODULES_CACHE", home / "modules")


def command(monkeypatch, capsys, home: Path, folder: Path, width: int) -> Callable[..., tuple[int, str, str]]:
    """Runs `bap-v2` in this folder, with caches below `home`, in a terminal `width` columns wide.

    What it returns is called with the arguments, and returns exit code, output and errors.
    """
    monkeypatch.chdir(folder)
    use_home(monkeypatch, home)
    for console in (cli.console, cli.errors):
        monkeypatch.setattr(console, "width", width)

    def run(*args: object) -> tuple[int, str, str]:
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["bap-v2", *map(str, args)])
        try:
            cli.main()
            code = 0
        except SystemExit as end:
            code = end.code or 0
        out, err = capsys.readouterr()
        return code, out, err

    return run


def environment(home: Path, hub: HubStandIn, **variables: str) -> dict[str, str]:
    """The variables of another process that uses this Hub, with caches below `home`."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("HF_", "BAP_V2_")) and "proxy" not in name.lower()
    }
    own = {"HF_HOME": str(home), "HF_ENDPOINT": hub.url, "HF_TOKEN": TOKEN, "HF_HUB_DISABLE_XET": "1"}
    return {**inherited, **own, "HF_HUB_DISABLE_TELEMETRY": "1", "COLUMNS": "200", **variables}


@contextmanager
def pushing(monkeypatch, **settings: object) -> Iterator[HubStandIn]:
    """A Hub that this process pushes to; `settings` are further constants of huggingface_hub."""
    with HubStandIn() as hub:
        settings |= {
            "ENDPOINT": hub.url,
            "HUGGINGFACE_CO_URL_TEMPLATE": hub.url + "/{repo_id}/resolve/{revision}/{filename}",
            "HF_HUB_OFFLINE": False,
            "HF_HUB_DISABLE_XET": True,
        }
        for name, value in settings.items():
            monkeypatch.setattr(huggingface_hub.constants, name, value)
        if transformers_hub := sys.modules.get("transformers.utils.hub"):  # its client keeps the first address it saw
            monkeypatch.setattr(transformers_hub, "_hf_api", None)
        monkeypatch.setenv("HF_TOKEN", TOKEN)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        yield hub
    huggingface_hub.utils.close_session()
