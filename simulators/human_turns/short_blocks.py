"""Blocks in as few words as people use: "red on top of that", "2 blues to the left of it"."""

from dataclasses import dataclass, fields

from bap_v2_simulators.language.block_instructions import BlockInstruction
from bap_v2_simulators.language.references import Scene
from bap_v2_simulators.language.sentences import article, typed_number
from bap_v2_simulators.language.words import Words

_SHORT = 0.4  # of those whose place takes few words
_FEW = 6
_BEGINS = frozenset(("on", "to", "above", "below", "under", "beneath", "behind", "in", "left", "right", "beside"))


@dataclass(frozen=True, slots=True)
class ShortBlocks(BlockInstruction):
    """The same instruction without a verb, now and then."""

    @classmethod
    def of(cls, plain: BlockInstruction) -> "ShortBlocks":
        """Return the same instruction."""
        return cls(**{field.name: getattr(plain, field.name) for field in fields(plain)})

    def _own_sentence(self, words: Words, scene: Scene) -> str:
        if self.omitted is None and self.step is not None and self.place is None and words.chance(_SHORT):
            pp = self._place(words, scene, by_itself=False)
            if len(pp.split()) <= _FEW and pp.split()[0] in _BEGINS:
                ways = "SHORT_BLOCKS.one" if self.count == 1 else "SHORT_BLOCKS.several"
                number = typed_number(words, self.count)
                return article(words.pick(ways).format(n=number, c=self.color.value, pp=pp))
        return BlockInstruction._own_sentence(self, words, scene)
