"""What a player of Plancraft is told: the system text, the examples, and the part of the dialogue that it sees.

All texts are those of the package; only the grids that a search tells in the examples are drawn again, the same
everywhere.
"""

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from bap_v2_simulators.plancraft.package import handlers, module
from bap_v2_simulators.plancraft.search import search_reply
from bap_v2_simulators.plancraft.turns import TOOLS

WINDOW = 40  # messages of the examples and the dialogue, as in the released configs

Message = dict[str, str]


@lru_cache(maxsize=64)
def system_text(tools: tuple[str, ...]) -> str:
    """Return the system text for a set of tools. Raises: PlancraftMissing: without the package."""
    message = module("environment.prompts").get_system_prompt([handlers()[tool] for tool in tools])
    return str(message["content"])


@lru_cache(maxsize=64)
def examples(tools: tuple[str, ...], seed: int = 0) -> tuple[Message, ...]:
    """Return two solved tasks as messages: 8 without other tools, 16 with thoughts, 20 with searches too.

    Args:
        seed: of the grids that the searches tell.
    """
    told = module("environment.prompts").get_prompt_example([handlers()[tool] for tool in tools if tool != "search"])
    messages: list[Message] = []
    searches = iter(module("environment.prompts").SEARCH_STEPS)
    for message in told:
        messages.append(message)
        if "search" in tools and message["role"] == "user" and _is_observation(message):
            searched = next(searches)
            if searched is not None:
                item = searched.partition(": ")[2]
                reply = search_reply(item, Random(f"{seed}/shots/{item}"))
                messages += [{"role": "assistant", "content": searched}, {"role": "user", "content": reply}]
    return tuple(messages)


def _is_observation(message: Message) -> bool:
    return message["content"].startswith(module("environment.env").get_objective_str(""))


def chat(
    dialogue: Sequence[Message],
    tools: tuple[str, ...] = TOOLS,
    few_shot: bool = True,
    window: int = WINDOW,
    seed: int = 0,
) -> list[Message]:
    """Return what a model is sent: the system text, then the last messages of the examples and the dialogue.

    Args:
        dialogue: of `Episode.dialogue`.
        few_shot: whether the examples are shown; they are the first to leave the window.
        window: how many messages are sent besides the system text; one of the assistant at their beginning is left out.
        seed: of `examples`.
    """
    messages = [*(examples(tools, seed) if few_shot else ()), *dialogue][-window:]
    if messages and messages[0]["role"] == "assistant":
        messages = messages[1:]
    return [{"role": "system", "content": system_text(tools)}, *messages]
