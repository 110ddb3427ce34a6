"""More of what was just built, from its last block on: "two more that way", "one more on top", "then 3 up from there".

Neither its color nor a block is said: both are those of the turn before.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from bap_v2_metric.blocks import Cell
from bap_v2_simulators.human_turns import requests
from bap_v2_simulators.human_turns.things import Thing
from bap_v2_simulators.language.lines import direction_of
from bap_v2_simulators.language.references import Scene
from bap_v2_simulators.language.sentences import typed_number
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.shapes import Vector, moved, opposite
from bap_v2_simulators.targets import FACES

_ON = 0.6  # of the runs go on in their own direction


@dataclass(frozen=True, slots=True)
class Continued(requests.Request):
    """So many blocks more, in the color of the last run and from its last block on."""

    way: Vector
    count: int
    single: bool  # the last turn placed one block
    on: bool = False  # as the last run went: the way is not said
    kind: ClassVar[str] = "more"

    @property
    def ways(self) -> tuple[Vector, ...]:
        return () if self.on else (self.way,)

    def change(
        self, thing: Thing | None, pivot: Thing | None, heard: requests.DialogueContext
    ) -> requests.Change | None:
        last = heard.last_cells
        went = run_of(last)
        if not last or self.single != (len(last) == 1) or (len(last) > 1 and went is None):
            return None
        # After one block any way will do; a run goes on, or turns a corner.
        if went is not None and (went != self.way if self.on else self.way in (went, opposite(went))):
            return None
        color = heard.board[last[-1]]
        return requests.Change((), tuple((moved(last[-1], self.way, n), color) for n in range(1, self.count + 1)))

    def said(self, words: Words, named: requests.ReferenceNames, omitted: str | None) -> requests.RequestText:
        number = typed_number(words, self.count)
        if self.on:
            ways, to = "MORE_THAT_WAY", ""
        else:
            direction = named.direction(self.way).value
            ways = "MORE_BESIDE_ONE" if self.single else "MORE_AROUND_A_CORNER"
            to = words.pick(f"{'BESIDE_ONE' if self.single else 'AROUND_A_CORNER'}.{direction}")
        table = f"{ways}.{'one' if self.count == 1 else 'several'}"
        return requests.RequestText(
            (requests.clause(words.pick(table).format(n=number, b=requests.plural("block", self.count), to=to)),)
        )


def run_of(cells: Sequence[Cell]) -> Vector | None:
    """Return the step from each block to the next if they were placed one after the other in a straight line."""
    step = direction_of(cells)
    return step if step in FACES else None


def continuation(rng: Random, scene: Scene) -> Continued | None:
    """Return a way to go on after the last turn; None if nobody could say from where."""
    went, single = run_of(scene.last_cells), len(scene.last_cells) == 1
    if scene.last_removed or scene.last not in scene.board or (went is None and not single):
        return None
    count = rng.choice((1, 1, 1, 2, 2, 3))
    if went is not None and rng.random() < _ON:
        return Continued(went, count, single, on=True)
    return Continued(rng.choice(FACES), count, single)
