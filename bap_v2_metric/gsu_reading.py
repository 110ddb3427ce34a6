"""What a model answers, read from its text: a position, a walk, or directions (GSU).

Readers accept any text and never fail. The text after the last marker that can be read counts (see `gsu_markers`);
without one each reader has its own rule.
"""

from .gsu_chains import ReadChain, read_chain
from .gsu_points import read_point
from .gsu_relations import RELATIONS, read_relations

__all__ = ["RELATIONS", "ReadChain", "read_chain", "read_point", "read_relations"]
