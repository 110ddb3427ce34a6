"""What the licenses of Meta's Llama 3 models ask of who publishes a model that was made from one.

Section 1.b of the Meta Llama 3 Community License: a name that begins with "Llama 3", the sentence "Built with Meta
Llama 3", a copy of the license, and a file "Notice" with an attribution. Those of Llama 3.1 to 3.3 ask for "Llama" and
"Built with Llama". A new entry of _LICENSES is for another family of models.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class BaseLicense:
    """The license of a base model."""

    identifier: str  # in the front matter of a card
    name: str
    link: str
    prefix: str  # with which the name of a model that was made from it begins
    built_with: str  # what its card says
    attribution: str  # what the file Notice says

    def begins_right(self, repo_id: str) -> bool:
        """Return whether the name of a repository begins as the license asks, whatever stands for the blank.

        >>> license = base_license("meta-llama/Meta-Llama-3-8B")
        >>> [license.begins_right(name) for name in ("USER/Llama-3-crafts", "llama3-crafts", "USER/Llama-crafts")]
        [True, True, False]
        """
        name = re.sub(r"[-_.]", "", repo_id.rpartition("/")[2]).lower()
        return name.startswith(self.prefix.replace("-", "").lower())


def _license(version: str, prefix: str, company: str = "") -> BaseLicense:
    model, number = f"{company}Llama {version}", version.replace(".", "_")
    folder, file = ("llama3", "LICENSE") if version == "3" else ("llama-models", f"models/llama{number}/LICENSE")
    license = f"{model} Community License"
    return BaseLicense(
        f"llama{version}",
        license,
        f"https://github.com/meta-llama/{folder}/blob/main/{file}",
        prefix,
        f"Built with {model if company else 'Llama'}",
        f"{model} is licensed under the {license}, Copyright © Meta Platforms, Inc. All Rights Reserved.",
    )


_LICENSES = {
    "3": _license("3", "Llama-3", "Meta "),
    **{version: _license(version, "Llama") for version in ("3.1", "3.2", "3.3")},
}
# A number of parameters is no version: open_llama_3b, llama-30b.
_LLAMA_3 = re.compile(r"llama[-_ ]?(3(?:[._][123](?![\db]))?)(?![\db])", re.IGNORECASE)


def base_license(base_model: str | None) -> BaseLicense | None:
    """Return the license of a base model of the Llama 3 family, by its name on the Hub; None for any other.

    >>> base_license("meta-llama/Meta-Llama-3-8B").built_with, base_license("meta-llama/Llama-3.2-1B").built_with
    ('Built with Meta Llama 3', 'Built with Llama')
    >>> base_license("openlm-research/open_llama_3b") is base_license("Qwen/Qwen3-8B") is base_license(None) is None
    True
    """
    match = _LLAMA_3.search((base_model or "").rpartition("/")[2])
    return _LICENSES[match[1].replace("_", ".")] if match else None


def left_to_do(repo_id: str, base_model: str | None) -> list[str]:
    """Return what the license of the base model asks of the publisher, in sentences; none for another license."""
    license = base_license(base_model)
    if license is None:
        return []
    source = f"{base_model} is under the {license.name}"
    sentences = [f"{source}, which asks for a copy of it: add it to {repo_id} from {license.link}"]
    if not license.begins_right(repo_id):
        owner, slash, name = repo_id.rpartition("/")
        sentences.append(
            f"{source}, which asks for a name that begins with {license.prefix.replace('-', ' ')} (1.b.i): rename "
            f"{repo_id}, e.g. --repo-id {owner}{slash}{license.prefix}-{name}"
        )
    return sentences
