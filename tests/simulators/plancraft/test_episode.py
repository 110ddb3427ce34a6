"""Episodes of Plancraft: the package's rules, replies and ends, without its pictures."""

import copy
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plancraft_package import evaluator_module, needs_package

from bap_v2_dataset.tasks.plancraft.counts import kinds_of
from bap_v2_dataset.tasks.plancraft.prompts import chat
from bap_v2_dataset.tasks.plancraft.rows import task_row
from bap_v2_dataset.tasks.plancraft.task_files import records
from bap_v2_metric.scoring import InputError
from bap_v2_simulators.plancraft.environment import InventoryError, crafting_environment
from bap_v2_simulators.plancraft.episode import Episode, inventory_of
from bap_v2_simulators.plancraft.package import handlers
from bap_v2_simulators.plancraft.recipes import crafted
from bap_v2_simulators.plancraft.search import search_reply
from bap_v2_simulators.plancraft.turns import TOOLS, first_line, tools_of, written

needs_package()

TASKS = [task_row(record) for record in records("validation_small")]
SOLVABLE = [task for task in TASKS if not task["impossible"]]
LETTERS = ("M S", "M S T", "M S T SE", "M S T I", "M S T SE I")


def noisy_turns(task, seed):
    """Gold actions with thoughts, searches, random and broken turns between them, and sometimes the end of it all."""
    rng = random.Random(seed)
    turns = []
    for action in [*task["plan"], "think: what next"]:
        while rng.random() < 0.4:
            slots = rng.sample(range(46), 2)
            turns.append(
                rng.choice(
                    [
                        written(rng.choice(("move", "smelt")), *slots, rng.choice((1, 1, 2, 64))),
                        f"think: {action}",
                        f"search: {rng.choice((task['target'], 'bread', 'nothing'))}",
                        action[: rng.randint(0, len(action))],
                        f"{action}\nand then more",
                        "impossible: I give up" if rng.random() < 0.1 else "let me see",
                    ]
                )
            )
        turns.append(action)
    return turns


def test_slots_are_those_of_the_package_after_every_random_step():
    from plancraft.environment.env import PlancraftEnvironment

    rng = random.Random(0)
    theirs = PlancraftEnvironment({})
    for task in rng.sample(SOLVABLE, 6):
        inventory = inventory_of(task)
        theirs.reset(copy.deepcopy(inventory))
        theirs.ingredients_idxs = []
        ours = crafting_environment(inventory)
        for _ in range(40):
            filled = sorted(ours.state)
            source = rng.choice(filled) if rng.random() < 0.9 else rng.randrange(46)
            target = rng.randrange(1, 46) if rng.random() < 0.8 else rng.choice(filled)
            action, quantity = rng.choice(("move_item", "move_item", "smelt_item")), rng.choice((1, 1, 2))
            for environment in (ours, theirs):
                getattr(environment, action)(source, target, quantity)
                environment.clean_state()
            assert ours.state == theirs.state
        assert inventory == inventory_of(task)


@pytest.fixture
def evaluator(monkeypatch):
    """The package's Evaluator without pictures; searches are answered by us, with the same random numbers."""
    module = evaluator_module(monkeypatch)
    import plancraft.environment.env as environments

    class NoPicture:
        frame = None

        def __init__(self, resolution):
            pass

        def clear(self):
            pass

        def add_item_to_slot(self, item_name, slot, quantity=1):
            pass

        def remove_item_from_slot(self, slot):
            pass

    monkeypatch.setattr(environments, "CraftingTableGUI", NoPicture)
    return module


class Script:
    """A model that says what it was told to say."""

    def __init__(self, lines):
        self.lines = iter(lines)

    def step(self, observation, dialogue_history):
        return next(self.lines)


def played_by_package(module, record, tools, lines, monkeypatch):
    """The messages, success and steps of the package's Evaluator."""
    actions = [handlers()[tool] for tool in tools]
    example = module.PlancraftExample(**record)

    def search(text, history=None, **_):
        found = re.search(r"search: *(\w+)", text) if "search:" in text else None
        if found:
            return search_reply(found[1], random.Random(f"0/{example.id}/{history.num_steps}"))
        return "Format Error: 'NoneType' object has no attribute 'group'. Correct format: `search: <recipe name>`" * (
            "search:" in text
        )

    monkeypatch.setattr(type(handlers()["search"]), "match", lambda self, text, **more: search(text, **more) or None)
    run = module.Evaluator("run", actions, split="val.small.easy", use_text_inventory=True)
    result = run.eval_example(example, Script(lines))
    return result["model_trace"]["dialogue_history"], result["success"], result["number_of_steps"]


@pytest.mark.slow
@pytest.mark.parametrize("letters", LETTERS)
def test_an_episode_is_that_of_the_packages_evaluator(letters, evaluator, monkeypatch):
    tools, records_of = tools_of(letters), {record["id"]: record for record in records("validation_small")}
    rng = random.Random(letters)
    for number, task in enumerate(rng.sample(TASKS, 12)):
        if task["impossible"] and "impossible" not in tools:
            continue
        lines = [first_line(turn) for turn in noisy_turns(task, f"{letters}/{number}")] + ["move on"] * 30
        episode = Episode(task, tools).play(lines)
        messages, success, steps = played_by_package(evaluator, records_of[task["id"]], tools, lines, monkeypatch)
        assert (episode.dialogue(), episode.success, len(episode.turns)) == (messages, success, steps)


@pytest.mark.parametrize("split", ["validation", "test"])
def test_the_gold_plan_solves_every_task_with_its_last_action(split):
    for task in map(task_row, records(split)):
        if task["impossible"]:
            assert not task["plan"] and task["oracle_length"] == 0
            continue
        episode = Episode(task)
        for action in task["plan"]:
            assert not episode.ended
            episode.take(action)
        assert episode.ended == "success", task["id"]


def test_an_episode_ends_when_it_is_given_up_or_has_no_turns_left():
    impossible = next(task for task in TASKS if task["impossible"])
    for task, right in ((impossible, True), (SOLVABLE[0], False)):
        episode = Episode(task, "M S I")
        assert episode.take("impossible: no recipe") is None
        assert (episode.ended, episode.success) == ("impossible", right)
    episode = Episode(SOLVABLE[0], "M S T", max_steps=3)
    assert [episode.take("think: hm") for _ in range(3)] == ["Ok", "Ok", None]
    assert (episode.ended, episode.success) == ("max_steps", False)
    with pytest.raises(InputError, match="has ended"):
        episode.take("think: hm")


def test_a_fork_is_not_seen_by_the_other():
    task = next(task for task in SOLVABLE if task["oracle_length"] > 6)
    episode = Episode(task).play(task["plan"][:2])
    other = episode.fork()
    before = copy.deepcopy(episode.state), list(episode.turns), episode.dialogue()
    assert other.play(task["plan"][2:]).success and not episode.ended
    assert (episode.state, episode.turns, episode.dialogue()) == before
    assert episode.play(task["plan"][2:]).success


def test_the_lenient_reading_plays_what_is_meant_and_logs_all_of_it():
    task = next(task for task in SOLVABLE if task["recipe_type"] == "smelting")
    (action,) = task["plan"]
    loose = "I smelt it.\n- " + action.replace("[", "").replace("]", "").replace(" with quantity 1", "")
    assert Episode(task).take(loose) is not None
    episode = Episode(task, reading="lenient")
    assert episode.take(loose) is None and episode.success and episode.turns == [loose]


def test_what_cannot_be_played_is_an_error():
    impossible = next(task for task in TASKS if task["impossible"])
    with pytest.raises(InputError, match=f"{impossible['id']} is impossible"):
        Episode(impossible, "M S")
    with pytest.raises(InputError, match="reading='strict'"):
        Episode(SOLVABLE[0], reading="strict")
    for slot, item, said in (
        (0, "bread", "begins with items in"),
        (46, "bread", "begins with items in"),
        (10, "brot", "unknown item 'brot'"),
        (10, "bread", "quantity 65"),
    ):
        with pytest.raises(InventoryError, match=said):
            crafting_environment({slot: {"type": item, "quantity": 65 if "quantity" in said else 1}})


def test_a_search_has_the_same_answer_on_every_machine():
    assert search_reply("andesite", random.Random("0/shots/andesite")) == (
        "Recipes to craft andesite:\nrecipe 1:\ndiorite at [C3]\ncobblestone at [C2]\n"
    )
    reply = search_reply("iron_ingot", random.Random("0/shots/iron_ingot"))
    assert reply.splitlines()[2:5] == ["smelt {'iron_ore'}", "recipe 2:", "iron_block at [A2]"]
    assert "Could not" in search_reply("brot", random.Random(0))


def test_the_model_sees_the_newest_messages():
    task = SOLVABLE[0]
    episode = Episode(task, TOOLS).play(f"think: {number}" for number in range(25))
    for window in (40, 5, 4, 1):
        messages = chat(episode.dialogue(), TOOLS, window=window)
        assert messages[0]["role"] == "system" and messages[1]["role"] == "user"
        assert messages[-1] == {"role": "user", "content": "Ok"} and len(messages) <= window + 1
    first = chat(Episode(task, TOOLS).dialogue(), TOOLS)
    assert len(first) == 1 + 20 + 1 and len(chat(Episode(task).dialogue(), ("move", "smelt"))) == 1 + 8 + 1
    assert chat(Episode(task).dialogue(), ("move", "smelt"), few_shot=False)[1:] == Episode(task).dialogue()


def test_grids_of_recipes_make_what_the_package_makes_of_them():
    from plancraft.environment.env import PlancraftEnvironment
    from plancraft.environment.recipes import RECIPES

    rng = random.Random(1)
    random.seed(1)  # of the package's grids
    theirs = PlancraftEnvironment({})
    crafts = [recipe for recipes in RECIPES.values() for recipe in recipes if recipe.recipe_type != "smelting"]
    for recipe in rng.sample(crafts, 120):
        state = {item["slot"]: {"type": item["type"], "quantity": 1} for item in recipe.sample_input_crafting_grid()}
        if rng.random() < 0.3:  # one thing too many, or too few
            slot = rng.randint(1, 9)
            if state.pop(slot, None) is None:
                state[slot] = {"type": rng.choice(sorted(RECIPES)), "quantity": 1}
        theirs.state, theirs.ingredients_idxs = copy.deepcopy(state), []
        theirs.populate_craft_slot_craft_item()
        made = crafted(tuple(state[slot]["type"] if slot in state else None for slot in range(1, 10)))
        output = theirs.state.get(0)
        assert (made.item, made.count) == (output["type"], output["quantity"]) if output else made is None
        assert sorted(made.used if made else ()) == sorted(theirs.ingredients_idxs)


@given(
    st.lists(
        st.one_of(st.sampled_from(["think: hm", "search: bread", "impossible", "impossible: x"]), st.text()), max_size=6
    )
)
def test_an_impossible_task_succeeds_only_by_giving_it_up(turns):
    episode = Episode(next(task for task in TASKS if task["impossible"]), "M S T SE I").play(turns)
    assert episode.success == (kinds_of(episode.turns)[-1:] == ["impossible"]) and episode.success == (
        episode.ended == "impossible"
    )
