"""A table beside its game: who is there, on which terms, and what is said. All of it public.

The host's room and every client hold the same `Lobby` and fold it by the same `LobbyEvent`.
"""

from net.lobby.chat import (
    BEFORE_ALL,
    ChatHistory,
    ChatLine,
    Moment,
    chat_after,
    chat_line_of,
    in_order,
    moment,
)
from net.lobby.events import LobbyEvent, apply
from net.lobby.model import (
    Absence,
    BotChair,
    Chair,
    Free,
    Lobby,
    Person,
    Presence,
    Settings,
    Stage,
    TableClaim,
    Taken,
    Topic,
    clean_text,
)

__all__ = [
    "BEFORE_ALL",
    "Absence",
    "BotChair",
    "Chair",
    "ChatHistory",
    "ChatLine",
    "Free",
    "Lobby",
    "LobbyEvent",
    "Moment",
    "Person",
    "Presence",
    "Settings",
    "Stage",
    "TableClaim",
    "Taken",
    "Topic",
    "apply",
    "chat_after",
    "chat_line_of",
    "clean_text",
    "in_order",
    "moment",
]
