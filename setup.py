"""Installs five packages: the metric, the simulators, the dataset, the training scripts and the cards' templates.

`simulators`, `training` and `hub_cards` get their import names here, so that no generic name lands in site-packages.
"""

from pathlib import Path

from setuptools import find_packages, setup

TRAINING = [
    "torch>=2.6",
    "transformers>=5.23,<6",
    "trl>=1.16,<2",  # learning/cpu_trainer.py overrides a method of its trainer
    "peft>=0.19,<1",
    "bitsandbytes>=0.49",
    "accelerate>=1.10",
]
SCALE = ["datatrove>=0.10"]
REPORT = ["matplotlib>=3.9"]
PICTURES = [*REPORT, "plotly>=6"]
EXPLORE = ["gradio>=6,<7"]
ICL = ["httpx2>=2.16", "bm25s>=0.3"]  # huggingface_hub brings httpx2 anyway
DOCS = ["mkdocs-material>=9.6", "mkdocstrings[python]>=0.30"]
DEV = [
    *DOCS,
    *SCALE,
    *PICTURES,
    *EXPLORE,
    *ICL,
    "pytest>=8",
    "pytest-xdist>=3",
    "pytest-timeout>=2",
    "playwright>=1.50",  # without its browsers: tests/support/browser.py uses the Chromium that is installed
    "axe-playwright-python>=0.1.4",
    "hypothesis>=6.100",
    "ruff>=0.6",
    "pre-commit>=3",
]

RENAMED = {"bap_v2_simulators": "simulators", "bap_v2_training": "training", "bap_v2_hub_cards": "hub_cards"}


def rooms_of(folder: str) -> list[str]:
    """The packages inside a folder, each with a dot in front."""
    return [f".{room}" for room in find_packages(folder)]


setup(
    name="bap-v2",
    version="0.1.0",
    description="Builder Action Prediction v2: data, metric, simulators and training for Minecraft building dialogues",
    long_description=Path("README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    license="Apache-2.0",
    python_requires=">=3.11",
    packages=[
        *find_packages(include=["bap_v2_metric*", "bap_v2_dataset*"]),
        *(f"{name}{room}" for name, folder in RENAMED.items() for room in ["", *rooms_of(folder)]),
    ],
    package_dir=RENAMED,
    package_data={
        "bap_v2_metric": ["README.md", "requirements.txt"],
        "bap_v2_dataset": ["data/*"],
        "bap_v2_dataset.pictures": ["*.css", "*.js"],
        "bap_v2_training": ["configs/*.yaml", "accelerate/*.yaml", "LOG.md"],
        "bap_v2_hub_cards": ["*.md", "space/*"],
    },
    install_requires=[
        "datasets>=5.0",
        "evaluate>=0.4.6",
        "numpy>=2.0",
        "orjson>=3.10",
        "pyarrow>=20",
        "msgspec>=0.19",
        "filelock>=4.0",
        "typer>=0.15",
        "rich>=13",
        "jinja2>=3.1",
        "huggingface_hub>=1.0",
        "wrapt>=1.17",
    ],
    extras_require={
        "training": TRAINING,
        "scale": SCALE,
        "report": REPORT,
        "pictures": PICTURES,
        "explore": EXPLORE,
        "icl": ICL,
        "docs": DOCS,
        "dev": DEV,
    },
    entry_points={"console_scripts": ["bap-v2=bap_v2_dataset.cli:main"]},
)
