"""The package `plancraft` as a reference: its Evaluator, without the libraries that an episode does not need."""

import importlib
import sys
import types

import pytest


def needs_package():
    """Skips a test module where the package is not installed."""
    pytest.importorskip("plancraft", reason="needs the package: pip install --no-deps plancraft==0.4.9")


def evaluator_module(monkeypatch):
    """`plancraft.evaluator`, with stand-ins for what it imports and an episode does not use.

    Those are wandb, imageio, torch (by `plancraft.models`) and the reading of settings from the environment.
    """
    from pydantic import BaseModel

    class Settings(BaseModel):
        pass

    for name, attributes in {
        "wandb": {"run": None},
        "imageio": {},
        "pydantic_settings": {"BaseSettings": Settings, "SettingsConfigDict": dict},
        "plancraft.models": {"__path__": []},
        "plancraft.models.base": {"PlancraftBaseModel": object, "PlancraftModelOutput": type("Output", (), {})},
    }.items():
        module = types.ModuleType(name)
        module.__dict__.update(attributes)
        monkeypatch.setitem(sys.modules, name, module)
    for name in ("plancraft.config", "plancraft.evaluator", "plancraft.utils"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return importlib.import_module("plancraft.evaluator")
