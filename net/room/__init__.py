"""The host's side of a table, without socket, clock or file: `Room`, and what it asks of a shell.

    say -> net.room.decide -> Step -> net.room.state.apply -> events -> net.room.tell -> frames
                               '-> journal, on disk before any frame of it leaves

Everything about fairness and losing links is in here, and tested without a network.
"""

from net.room.outcome import BotCue, BotTurn, Cue, Do, Due, End, Numbered, Outcome, Send
from net.room.room import Room
from net.room.step import Founding, write

__all__ = [
    "BotCue",
    "BotTurn",
    "Cue",
    "Do",
    "Due",
    "End",
    "Founding",
    "Numbered",
    "Outcome",
    "Room",
    "Send",
    "write",
]
