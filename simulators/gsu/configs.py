"""The configs of GSU: which task asks about which simulator's items (GSU, 3.1 and Table 1)."""

from collections.abc import Mapping
from typing import NamedTuple

from bap_v2_simulators.gsu.combined import Combined
from bap_v2_simulators.gsu.localization import ADJACENT, ALLOCENTRIC, RANDOM, Localization
from bap_v2_simulators.gsu.navigation import Navigation
from bap_v2_simulators.gsu.structure import Structures
from bap_v2_simulators.settings import SettingsError, changed

GsuSimulator = Navigation | Localization | Structures | Combined
SIZES: Mapping[str, int] = {"train": 3_000, "validation": 300, "test": 100}  # items of a split


class GsuConfig(NamedTuple):
    """The task of a config, and the simulator of its items."""

    name: str
    task: str  # follower, instructor, card2ego, localization, structure or combined
    frame: str  # cardinal, egocentric, allocentric or viewer
    simulator: GsuSimulator

    @property
    def dims(self) -> int:
        """2 or 3."""
        return getattr(self.simulator, "dims", 3)


def _navigation(task: str, of: str, frame: str) -> list[GsuConfig]:
    return [GsuConfig(f"gsu_{of}_{dims}d", task, frame, Navigation(dims)) for dims in (2, 3)]


def _localization() -> list[GsuConfig]:
    egocentric = [
        GsuConfig(f"gsu_ego_{distance}{'_distractors' * others}", "localization", "egocentric", simulator)
        for others in (False, True)
        for distance in (ADJACENT, RANDOM)
        for simulator in [Localization(distance=distance, distractors=others)]
    ]
    allocentric = [
        GsuConfig(f"gsu_allo_{heading}_{distance}", "localization", "allocentric", simulator)
        for heading in ("y", "reference")
        for distance in (ADJACENT, RANDOM)
        for simulator in [Localization(ALLOCENTRIC, distance, heading, distractors=True)]
    ]
    return egocentric + allocentric


CONFIGS: Mapping[str, GsuConfig] = {
    config.name: config
    for config in (
        *_navigation("follower", "follower_ego", "egocentric"),
        *_navigation("follower", "follower_cardinal", "cardinal"),
        *_navigation("instructor", "instructor_cardinal", "cardinal"),
        *_navigation("instructor", "instructor_ego", "egocentric"),
        *_navigation("card2ego", "card2ego", "egocentric"),
        *_localization(),
        GsuConfig("gsu_structure", "structure", "viewer", Structures()),
        GsuConfig("gsu_combined", "combined", "allocentric", Combined()),
    )
}


def config_of(name: str, settings: Mapping[str, str] | None = None) -> GsuConfig:
    """Return a config with settings of its simulator other than the published ones.

    Args:
        name: of CONFIGS.
        settings: by name, as text: {"most_steps": "8"}.
    Raises:
        SettingsError: with the names or values that are valid.

    >>> config_of("gsu_follower_ego_2d", {"most_steps": "8"}).simulator.most_steps
    8
    """
    if name not in CONFIGS:
        raise SettingsError(f"unknown GSU config {name!r} (expected one of {', '.join(CONFIGS)})")
    config = CONFIGS[name]
    return config._replace(simulator=changed(config.simulator, settings or {}))
