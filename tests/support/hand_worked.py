"""Items whose counts were worked out by hand, with the reason for each: the definition of the metric, by example.

Counts are (true positives, false positives, false negatives) per measure. `same` stands for all six measures.
"""

from dataclasses import dataclass, field

RING = [f"orange {x} 1 {z}" for x in range(-2, 3) for z in range(-2, 3) if 2 in (abs(x), abs(z))]  # 5 x 5, 16 blocks
CORNERS = {(-2, -2), (-2, 2), (2, -2), (2, 2)}


@dataclass(frozen=True)
class Case:
    reason: str
    before: list[str]
    after: list[str]
    prediction: list[str]
    counts: dict[str, tuple[int, int, int]]
    interpretations: str = "unique"
    infeasible: int = 0
    unparsed: int = 0
    same: tuple[int, int, int] | None = field(default=None)

    @property
    def expected(self) -> dict[str, tuple[int, int, int]]:
        everywhere = dict.fromkeys(("strict", "fairer", "type", "color", "location", "shape"), self.same)
        return {**everywhere, **self.counts}

    @property
    def reference(self) -> dict:
        return {"before": self.before, "after": self.after, "interpretations": self.interpretations}


def places(*blocks: str) -> list[str]:
    return [f"place {block}" for block in blocks]


def picks(blocks: list[str]) -> list[str]:
    return ["pick " + block.split(maxsplit=1)[1] for block in blocks]


CASES = [
    # --- nothing at all
    Case("empty against empty adds nothing to any count", [], [], [], {}, same=(0, 0, 0)),
    Case("a prediction where nothing was to be done is wrong throughout", [], [], ["place red 0 1 0"], {},
         same=(0, 1, 0)),
    Case("no prediction misses every net action", [], ["red 0 1 0", "red 1 1 0"], [], {}, same=(0, 0, 2)),
    Case("undoing what one does leaves no net action, so it is the same as doing nothing",
         [], ["red 0 1 0"], ["place red 0 1 0", "pick 0 1 0"], {}, same=(0, 0, 1)),
    # --- duplicates, order, feasibility
    Case("the same placement twice: the second finds the cell full and is a no-op; it is not counted twice",
         [], ["red 0 1 0"], ["place red 0 1 0", "place red 0 1 0"], {}, same=(1, 0, 0), infeasible=1),
    Case("a removal twice: the second finds the cell empty",
         ["red 0 1 0"], [], ["pick 0 1 0", "pick 0 1 0"], {}, same=(1, 0, 0), infeasible=1),
    Case("placing a block where it already stands changes nothing, and so predicts nothing",
         ["red 0 1 0"], ["red 0 1 0", "red 1 1 0"], ["place red 0 1 0"], {}, same=(0, 0, 1), infeasible=1),
    Case("a full cell cannot be overwritten: recoloring needs a removal first",
         ["red 0 1 0"], ["blue 0 1 0"], ["place blue 0 1 0"], {}, same=(0, 0, 2), infeasible=1),
    Case("order matters: the upper block comes before its support and is lost",
         [], ["red 0 1 0", "red 0 2 0"], places("red 0 2 0", "red 0 1 0"), {}, same=(1, 0, 1), infeasible=1),
    Case("the same two blocks in the other order are both placed",
         [], ["red 0 1 0", "red 0 2 0"], places("red 0 1 0", "red 0 2 0"), {}, same=(2, 0, 0)),
    Case("blocks on the ground need no support, so their order is free",
         [], ["red 0 1 0", "red 3 1 3"], places("red 3 1 3", "red 0 1 0"), {}, same=(2, 0, 0)),
    Case("a block may hang from a side or from above, not only stand on one",
         ["red 0 3 0"], ["red 0 3 0", "red 1 3 0", "red 0 2 0"], places("red 1 3 0", "red 0 2 0"), {}, same=(2, 0, 0)),
    Case("touching at an edge is no support: the block is lost",
         ["red 0 1 0"], ["red 0 1 0"], ["place red 1 2 0"], {}, same=(0, 0, 0), infeasible=1),
    Case("cells outside the BuildRegion are read, but nothing can be placed there",
         [], ["red 5 1 0"], places("red 5 1 0", "red 6 1 0", "red 5 0 0", "red 5 10 0"), {}, same=(1, 0, 0),
         infeasible=3),
    Case("the top corner of the BuildRegion is inside", ["red 5 8 5"], ["red 5 8 5", "red 5 9 5"], ["place red 5 9 5"],
         {}, same=(1, 0, 0)),
    # --- scaffolds
    Case("a scaffold that is removed again leaves no trace: only the floating block counts",
         [], ["red 0 2 0"], ["place blue 0 1 0", "place red 0 2 0", "pick 0 1 0"], {}, same=(1, 0, 0)),
    Case("another scaffold gives the same net actions",
         [], ["red 0 2 0"], ["place red 1 1 0", "place red 1 2 0", "place red 0 2 0", "pick 1 2 0", "pick 1 1 0"], {},
         same=(1, 0, 0)),
    Case("a scaffold left standing is one action too many",
         [], ["red 0 2 0"], ["place blue 0 1 0", "place red 0 2 0"], {"color": (1, 1, 0)}, same=(1, 1, 0)),
    # --- removals and colors
    Case("a removal names a cell; its color comes from the world and counts in Color F1",
         ["red 0 1 0", "blue 1 1 0"], ["blue 1 1 0"], ["pick 1 1 0"],
         {"strict": (0, 1, 1), "fairer": (0, 1, 1), "type": (1, 0, 0), "color": (0, 1, 1), "location": (0, 1, 1),
          "shape": (0, 1, 1)}),
    Case("recoloring is two net actions, a removal and a placement, and puts its cell twice into Location",
         ["red 0 1 0"], ["blue 0 1 0"], ["pick 0 1 0", "place blue 0 1 0"], {}, same=(2, 0, 0)),
    Case("recolored to the wrong color: the removal is right, the placement is not; both cells are",
         ["red 0 1 0"], ["blue 0 1 0"], ["pick 0 1 0", "place green 0 1 0"],
         {"type": (2, 0, 0), "location": (2, 0, 0)}, same=(1, 1, 1)),
    Case("only removed, not recolored: of the cell that Location holds twice one is found",
         ["red 0 1 0"], ["blue 0 1 0"], ["pick 0 1 0"], {}, same=(1, 0, 1)),
    Case("removing a block and putting the same one back is no net action",
         ["red 0 1 0"], [], ["pick 0 1 0", "place red 0 1 0"], {}, same=(0, 0, 1)),
    Case("right cell, wrong color: right in Type and Location only",
         [], ["red 0 1 0"], ["place blue 0 1 0"],
         {"type": (1, 0, 0), "location": (1, 0, 0)}, same=(0, 1, 1)),
    Case("a placement where a removal was due: no type, color or shape in common, but the cell is",
         ["red 0 1 0", "red 1 1 0"], ["red 0 1 0"], ["pick 0 1 0"],
         {"type": (1, 0, 0), "color": (1, 0, 0), "shape": (1, 0, 0)}, same=(0, 1, 1)),
    # --- alignment
    Case("on a unique item the place is part of the answer; Shape alone forgives it",
         [], ["red 0 1 0"], ["place red 3 1 -2"],
         {"type": (1, 0, 0), "color": (1, 0, 0), "shape": (1, 0, 0)}, same=(0, 1, 1)),
    Case("on a multiple item any place on the ground is as good",
         [], ["red 0 1 0"], ["place red 3 1 -2"], {"strict": (0, 1, 1)}, "multiple", same=(1, 0, 0)),
    Case("a quarter turn is forgiven: a row along x for a row along z",
         [], [f"red 0 1 {z}" for z in range(4)], places(*(f"red {x} 1 -3" for x in range(-2, 2))),
         {"strict": (0, 4, 4), "fairer": (4, 0, 0), "location": (4, 0, 0)}, "multiple", same=(4, 0, 0)),
    Case("three quarter turns: an L that only the last rotation brings home",
         [], ["red 0 1 0", "red 1 1 0", "blue 2 1 0", "green 0 1 1"],
         places("red -4 1 4", "red -4 1 3", "blue -4 1 2", "green -3 1 4"),
         {"strict": (0, 4, 4)}, "multiple", same=(4, 0, 0)),
    Case("a mirror image is not a rotation: the best alignment keeps the row and loses the foot",
         [], ["red 0 1 0", "blue 1 1 0", "green 2 1 0", "yellow 0 1 1"],
         places("red 0 1 0", "blue 1 1 0", "green 2 1 0", "yellow 0 1 -1"),
         {"type": (4, 0, 0), "color": (4, 0, 0)}, "multiple", same=(3, 1, 1)),
    Case("height is never forgiven: there is no vertical translation",
         [], ["red 0 2 0"], ["place red 0 1 0"], {"type": (1, 0, 0), "color": (1, 0, 0)}, "multiple", same=(0, 1, 1)),
    Case("the aligned structure must stay in the BuildRegion: a row of eleven cannot give way sideways",
         [], ["red 5 1 0", "blue 5 1 1"],
         places(*(f"{'red' if x == -5 else 'blue' if x == 5 else 'green'} {x} 1 0" for x in range(-5, 6))),
         {"strict": (0, 11, 2), "type": (2, 9, 0), "color": (2, 9, 0), "fairer": (1, 10, 1), "location": (1, 10, 1),
          "shape": (1, 10, 1)}, "multiple"),
    Case("structures at the border can be turned into each other's corner",
         [], ["red -5 1 -5", "red -4 1 -5"], places("red 5 1 5", "red 5 1 4"), {"strict": (0, 2, 2)}, "multiple",
         same=(2, 0, 0)),
    Case("ties: every rotation can match the red block; the one that also shares the other cell is taken",
         [], ["red 0 1 0", "blue 1 1 0"], places("red 3 1 0", "green 3 1 1"),
         {"strict": (0, 2, 2), "type": (2, 0, 0), "color": (1, 1, 1), "location": (2, 0, 0)}, "multiple",
         same=(1, 1, 1)),
    Case("nothing can be matched, yet all cells can: Location is full, Color and fairer F1 are 0",
         [], ["red 0 1 0", "red 1 1 0"], places("blue 0 1 3", "blue 0 1 4"),
         {"type": (2, 0, 0), "location": (2, 0, 0)}, "multiple", same=(0, 2, 2)),
    Case("scaffolds do not disturb the alignment: the structure is aligned, not the actions",
         [], ["red 0 2 0"], ["place blue 4 1 4", "place red 4 2 4", "pick 4 1 4"], {"strict": (0, 1, 1)}, "multiple",
         same=(1, 0, 0)),
    Case("a multiple item that is already right is left where it is",
         [], ["red 0 1 0", "red 0 1 1"], places("red 0 1 0", "red 0 1 1"), {}, "multiple", same=(2, 0, 0)),
    Case("Shape aligns what was done, not what stands there: the old blocks do not hold it back",
         ["green 0 1 0"], ["green 0 1 0", "red 1 1 0", "red 2 1 0"], places("red 0 1 1", "red 0 1 2"),
         {"type": (2, 0, 0), "color": (2, 0, 0), "shape": (2, 0, 0)}, same=(0, 2, 2)),
    Case("Shape tells removals from placements",
         ["red 0 1 0", "red 1 1 0"], ["red 0 1 0", "red 1 1 0", "red 2 1 0", "red 3 1 0"], picks(["red 0 1 0"]), {},
         same=(0, 1, 2)),
    # --- reading
    Case("lines that are no action are counted and otherwise ignored; blank lines and fences are not counted",
         [], ["red 0 1 0"], ["```text", "Sure! Here you go:", "", "PLACE  Red 0 1 0  # the corner", "```"], {},
         same=(1, 0, 0), unparsed=1),
    # --- the paper's own examples, as far as its text gives their numbers (BAP v2, 7.2)
    Case("Figure 11 A: 12 blocks removed, three of the four corners among them: F1 = 6/16 = 0.38",
         RING, [b for b in RING if (int(b.split()[1]), int(b.split()[3])) not in CORNERS],
         picks([b for b in RING if b != "orange 2 1 2"][:12]),
         {"strict": (3, 9, 1), "fairer": (3, 9, 1), "location": (3, 9, 1), "type": (4, 8, 0), "color": (4, 8, 0),
          "shape": (3, 9, 1)}),
    Case("Figure 11 B: one red block, two below instead of below and left: Type and Color 1.0, overall 0.0",
         ["red 0 4 0", "red 1 3 0", "red 1 2 0", "red -1 4 0"],
         ["red 0 4 0", "red 1 3 0", "red 1 2 0", "red -1 4 0", "red -1 3 0"], ["place red 0 2 0"],
         {"type": (1, 0, 0), "color": (1, 0, 0)}, same=(0, 1, 1)),
    Case("Figure 11 C: a copy of five blocks with one misplaced: Type and Color 1.0, Location and Shape 0.8",
         [], ["blue 0 1 0", "blue 1 1 0", "blue 2 1 0", "blue 0 1 1", "blue 0 1 2"],
         places("blue 0 1 0", "blue 1 1 0", "blue 2 1 0", "blue 0 1 1", "blue 4 1 4"),
         {"type": (5, 0, 0), "color": (5, 0, 0)}, same=(4, 1, 1)),
    Case("Figure 12 D, Llama-CRAFTS: an upright square one row too high: 0.77 in every measure",
         ["red 0 1 0", "red 1 1 0", "red 2 1 0", "red 0 2 0"],
         ["red 0 1 0", "red 1 1 0", "red 2 1 0", "red 0 2 0", "red 1 2 0", "red 2 2 0", "red 0 3 0", "red 1 3 0",
          "red 2 3 0"],
         places("red 1 2 0", "red 2 2 0", "red 0 3 0", "red 1 3 0", "red 2 3 0", "red 0 4 0", "red 1 4 0", "red 2 4 0"),
         {}, same=(5, 3, 0)),
    Case("Figure 12 D, Nebula: a flat square: Type and Color 0.77, the others 0.31",
         ["red 0 1 0", "red 1 1 0", "red 2 1 0", "red 0 2 0"],
         ["red 0 1 0", "red 1 1 0", "red 2 1 0", "red 0 2 0", "red 1 2 0", "red 2 2 0", "red 0 3 0", "red 1 3 0",
          "red 2 3 0"],
         places("red 1 2 0", "red 2 2 0", "red 0 2 1", "red 1 2 1", "red 2 2 1", "red 0 2 2", "red 1 2 2", "red 2 2 2"),
         {"type": (5, 3, 0), "color": (5, 3, 0)}, same=(2, 6, 3)),
    Case("Figure 12 E, Nebula: no net actions: 0.0 in every measure",
         ["green 5 1 5"], ["green 5 1 5", "red 4 1 4", "red 3 1 3"], [], {}, same=(0, 0, 2)),
    Case("Figure 12 E, Llama-CRAFTS: the right diagonal on the wrong side: Type, Color and Shape 0.88, overall 0.0",
         ["green 5 1 5"], ["green 5 1 5", *(f"red {n} 1 {n}" for n in range(-4, 5))],
         places(*(f"red {n} 1 {-n - 1}" for n in range(-4, 3))),
         {"type": (7, 0, 2), "color": (7, 0, 2), "shape": (7, 0, 2)}, same=(0, 7, 9)),
    Case("Figure 13 F, Nebula: three loose blocks for a diagonal of four: Type and Color 0.86, Shape 0.57, overall 0.0",
         ["green 5 1 5"], ["green 5 1 5", *(f"red {n} 1 {n}" for n in range(4))],
         places("red -1 1 3", "red 1 1 5", "red 4 1 -2"),
         {"type": (3, 0, 1), "color": (3, 0, 1), "shape": (2, 1, 2)}, same=(0, 3, 4)),
    Case("Figure 13 F, Llama-CRAFTS: a straight row and one more block: Type and Color 0.89, the others 0.22",
         ["green -5 1 -5"], ["green -5 1 -5", *(f"red {n} 1 {n}" for n in range(4))],
         places("red 0 1 0", "red 1 1 0", "red 2 1 0", "red 3 1 0", "red 5 1 5"),
         {"type": (4, 1, 0), "color": (4, 1, 0)}, same=(1, 4, 3)),
    Case("Figure 13 G: a flat row of two where one block was right: 0.5, with Type and Color 1.0",
         ["red -1 1 0"], ["red -1 1 0", "green 0 1 0", "green 0 2 0"], places("green 0 1 0", "green 1 1 0"),
         {"type": (2, 0, 0), "color": (2, 0, 0)}, same=(1, 1, 1)),
]  # fmt: skip
