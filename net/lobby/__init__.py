"""The lobby: the public state of a table beside its game, and the events that change it.

`model` holds people, chairs, settings and claims; `events` the lobby events and `apply`; `chat` the
last lines of chat; `permissions` who may do what at the table, and why not; `validation` the
client's checks on what a host sends. The host's room and every client hold the same `Lobby`, apply
the same events to it, and find the same reasons against a request. The package does no I/O and
holds no secret of the game.
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
