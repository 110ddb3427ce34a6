"""`preset=paper`: the rules of sections 5 and 10 of BAP v2, and nothing that the paper does not have."""

import re
from itertools import count, islice

import pytest

from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.tasks.building.baselines.symbolic_reader import symbolic
from bap_v2_metric import score_item
from bap_v2_simulators.corpora import PRESETS, simulator_of
from bap_v2_simulators.settings import SettingsError
from bap_v2_simulators.simulation import play

# No rule of 10.2 to 10.4 needs these words, and every corpus has some of them without the preset.
NOT_IN_THE_PAPER = re.compile(
    r"\b(between|corner|other|opposite|end|middle|center|parallel|perpendicular|gap|skip|leave|leaving|empty|second|third"
    r"|2nd|3rd|4th|by distance|same|another|again|more|hi|hello|hey|welcome|see|perfect|great|nice|awesome|good"
    r"|beautiful|yes|yep|yeah|yup|like (this|that)|so it|that makes|going to (make|build) an? [ltu]\b|[ltu] shape"
    r"|switch to|square|rectangle|platform|stack of|stacked|no wait|i meant)\b"
)
ACTS = {"mission", "instruction", "clarification question", "answer", "confirmation"}
RULES = {"none", "last", "ellipsis", "unique", "superlative"}


def items_of(simulator):
    games = (play(simulator, "train", index) for index in count())
    return islice((item for game in games for item in items(game)), 1000)


def beyond_the_paper(item) -> list[str]:
    """What an item says or does for which sections 5 and 10 have no rule."""
    plan, acts = item.metadata["plan"], item.metadata["dialogue_acts"]
    text = "\n".join(map(str, item.dialogue)).lower()
    found = [match[0] for match in NOT_IN_THE_PAPER.finditer(text)]
    found += sorted(set(acts) - ACTS) + ["two lines"] * (acts.count("instruction") != 1)
    found += [rule for rule in (plan["reference_rule"],) if rule not in RULES]
    found += [place for place in (plan.get("place"),) if place not in (None, "beside")]
    if plan["color"] not in text and not (plan["action"] == "remove" and plan["reference_rule"] == "none"):
        found.append("no color")
    return found


@pytest.mark.parametrize("name", PRESETS)
def test_the_preset_of_the_paper_says_nothing_that_the_paper_does_not_have(name):
    found = {
        item.item_id: beyond
        for item in items_of(simulator_of(name, {"preset": "paper"}))
        if (beyond := beyond_the_paper(item))
    }
    assert not found
    usual = [beyond for item in islice(items_of(simulator_of(name)), 200) if (beyond := beyond_the_paper(item))]
    assert len(usual) > 60  # so that the test can fail


@pytest.mark.parametrize("name", PRESETS)
def test_items_of_the_preset_are_read_by_rule_and_say_their_settings(name):
    for item in islice(items_of(simulator_of(name, {"preset": "paper"})), 100):
        columns = row(item)
        scores = score_item(symbolic(columns), {key: columns[key] for key in ("before", "after", "interpretations")})
        assert scores["fairer"]["fp"] == scores["fairer"]["fn"] == 0, columns["dialogue"]
        settings = item.metadata["settings"]
        assert settings["depth"] == 1.0 and settings["talk.landmarks"] == 0.0 and settings["talk.corners"] is False


def test_other_settings_override_a_preset_and_unknown_ones_are_listed():
    simulator = simulator_of("dr", {"talk.landmarks": "0.5", "preset": "paper", "removal": "0.2"})
    assert (simulator.talk.landmarks, simulator.removal, simulator.depth) == (0.5, 0.2, 1.0)
    with pytest.raises(SettingsError, match=r"unknown preset 'people' of dsb \(expected paper\)"):
        simulator_of("dsb", {"preset": "people"})
    with pytest.raises(SettingsError, match=r"unknown preset 'paper' of dh \(it has none\)"):
        simulator_of("dh", {"preset": "paper"})
