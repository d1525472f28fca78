"""The host's side of a table, without socket, clock or file: `Room`, and what it asks of a shell.

    say -> net.room.commands -> Step -> net.room.state.apply_step -> events -> net.room.broadcast ->
    frames
                               '-> journal, on disk before any frame of it leaves

Everything about fairness and losing links is in here, and tested without a network.
"""

from net.room.effects import (
    BotClaimDue,
    BotClaimRequest,
    BotMoveDue,
    BotMoveRequest,
    CloseConnection,
    Effects,
    JournalStep,
    Output,
    SendFrame,
)
from net.room.room import Room
from net.room.state import TableCreated, write

__all__ = [
    "BotClaimDue",
    "BotClaimRequest",
    "BotMoveDue",
    "BotMoveRequest",
    "CloseConnection",
    "Effects",
    "JournalStep",
    "Output",
    "Room",
    "SendFrame",
    "TableCreated",
    "write",
]
