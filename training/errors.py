"""The error of a training or prediction run that a user can fix."""

from importlib.util import find_spec

from bap_v2_metric.errors import UserError

_EXTRA = ("torch", "transformers", "trl", "peft", "accelerate")  # of what the extra `training` installs


class UsageError(UserError):
    """A request that cannot be carried out; the message says what to change."""


def check_installed(packages: tuple[str, ...] = _EXTRA, extra: str = "training") -> None:
    """Raises: UsageError if packages of an extra are missing."""
    if missing := [package for package in packages if find_spec(package) is None]:
        raise UsageError(f'this needs {", ".join(missing)}: pip install "bap-v2[{extra}]"')
