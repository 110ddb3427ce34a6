"""Chats for models that know no message of the system: their rules stand at the start of the user's first message."""

from collections.abc import Mapping, Sequence
from typing import Any

SYSTEM_ROLES = ("system", "user")
FIX = "pass --system-role user (in YAML system_role: user), which puts the system text into the user's first message"


def in_role(messages: Sequence[Mapping[str, Any]], role: str | None) -> list[dict[str, Any]]:
    """Return the messages with a leading system text in this role.

    Args:
        role: one of SYSTEM_ROLES; None: "system".

    >>> in_role([{"role": "system", "content": "Rules."}, {"role": "user", "content": "Hi"}], "user")
    [{'role': 'user', 'content': 'Rules.\\n\\nHi'}]
    """
    chat = [dict(message) for message in messages]
    if role == "user" and chat and chat[0]["role"] == "system":
        chat[0]["role"] = "user"
        if chat[1:] and chat[1]["role"] == "user":
            chat[0]["content"] += f"\n\n{chat.pop(1)['content']}"
    return chat
