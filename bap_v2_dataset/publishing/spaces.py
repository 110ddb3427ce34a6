"""The Spaces: the metric, the explorer of a published dataset, full games, and a Builder to talk to.

spaces/USER/bap_v2               the folder bap_v2_metric
spaces/USER/bap_v2_explorer      the folder hub_cards/space, and our packages but training
spaces/USER/bap_v2_games         the folder hub_cards/games, and the same packages
spaces/USER/bap_v2_talk          the folder hub_cards/talk, all packages, and the Builder if it comes with them
"""

from importlib.resources import files
from pathlib import Path

import bap_v2_hub_cards
import bap_v2_metric
from bap_v2_dataset.predictions.model_records import packaged_builder
from bap_v2_dataset.publishing.hub import File, Publication, Repository

_PACKAGES = ("bap_v2_metric", "bap_v2_simulators", "bap_v2_dataset")
_NOT_IN_SPACE = ("cli", "data", "builders")
_CODE = (".py", ".json", ".jsonl", ".css", ".js", ".md", ".yaml", ".toml", ".bib")  # modules, and what they read


def metric_of(repository: Repository) -> Publication:
    """Return the Space of the metric: its folder as it is, but the card loads it by its name there.

    Other files of the Space stay.
    """
    folder = Path(bap_v2_metric.__file__).parent
    paths = [path for path in sorted(folder.iterdir()) if path.is_file() and not path.name.startswith(".")]
    named = (
        (folder / "README.md").read_text(encoding="utf-8").replace('.load("bap_v2"', f'.load("{repository.repo_id}"')
    )
    contents = [File(path.name, named.encode() if path.name == "README.md" else path) for path in paths]
    return Publication(repository, lambda card: contents, lambda path: False)


def explorer_of(repository: Repository, dataset_id: str) -> Publication:
    """Return the Space of the dataset: the explorer's page, and our packages.

    Args:
        repository: where it goes.
        dataset_id: the dataset that it shows, USER/NAME.
    """
    return _with_packages(repository, _page("space", dataset=dataset_id))


def games_of(repository: Repository) -> Publication:
    """Return the Space of full games: its page, and our packages."""
    return _with_packages(repository, _page("games"))


def talk_of(repository: Repository, model: str) -> Publication:
    """Return the Space of talks: its page, and our packages. Args: model: who builds, as for `talk.talker_of`."""
    packaged = packaged_builder(model)
    paths = sorted(packaged.iterdir()) if packaged else []
    own = [File(f"bap_v2_training/builders/{model}/{path.name}", path) for path in paths]
    return _with_packages(repository, [*_page("talk", model=model), *own], (*_PACKAGES, "bap_v2_training"))


def _page(space: str, **shown: str) -> list[File]:
    """Return the files of a page: those of its folder, and the license.

    Args:
        shown: what it shows, a repository or a model by its name in the card, and in a file of that name.
    """
    folder = Path(bap_v2_hub_cards.__file__).parent
    readme = (folder / space / "README.md").read_text(encoding="utf-8")
    for name, repo_id in shown.items():
        readme = readme.replace(f"{{{{ {name} }}}}", repo_id)
    own = folder / space / "requirements.txt"
    requirements = own if own.is_file() else folder / "space" / "requirements.txt"
    return [
        File("README.md", readme.encode()),
        *(File(f"{name}.txt", f"{repo_id}\n".encode()) for name, repo_id in shown.items()),
        File("app.py", folder / space / "app.py"),
        File("requirements.txt", requirements),
        File("LICENSE", Path(str(files("bap_v2_dataset") / "data" / "LICENSE"))),
    ]


def _with_packages(repository: Repository, page: list[File], packages: tuple[str, ...] = _PACKAGES) -> Publication:
    """Return a Space with these files and our packages, from where they are installed."""
    contents = [*page]
    for package in packages:
        folder = Path(str(files(package)))
        for path in sorted(folder.rglob("*")):
            parts = path.relative_to(folder).parts
            if path.suffix in _CODE and parts[0] not in _NOT_IN_SPACE:
                contents.append(File("/".join((package, *parts)), path))
    folders = tuple(f"{package}/" for package in packages)
    return Publication(repository, lambda card: contents, lambda path: path.startswith(folders))
