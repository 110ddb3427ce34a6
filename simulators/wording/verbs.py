"""Verbs, with their -ing forms: people place and put a block, and build and make a row or a wall."""

from bap_v2_simulators.wording.phrases import table

PLACE_VERBS = table("PLACE_VERBS")
STACK_VERBS = table("STACK_VERBS")
BUILD_VERBS = table("BUILD_VERBS")
REMOVE_VERBS = table("REMOVE_VERBS")
