"""Trainings that end in the middle, as after a kill."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from transformers import Trainer


class Killed(Exception):
    """The training is no more."""


@contextmanager
def killed_after(steps: int, trainer: type[Trainer]) -> Iterator[None]:
    """What is trained in the block by such a trainer ends after so many steps."""
    step = trainer.training_step

    def killed(self: Trainer, *given):
        if self.state.global_step == steps:
            raise Killed
        return step(self, *given)

    with pytest.MonkeyPatch.context() as patch, pytest.raises(Killed):
        patch.setattr(trainer, "training_step", killed)
        yield
