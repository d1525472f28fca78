"""Services that every interface uses; nothing here draws or reads keys.

    autopilot      a bot that plays a person's seat, and hints
    errors         `UserError`, and one-line complaints
    features       packages outside the core, and what each adds to it
    joining        finding a table, and choosing the credentials to join it with
    launcher       starting a table in a process of its own, with the doors that can be opened here
    lesson         the lesson, a scripted game as a session
    log            the log file, and the log of servers
    preferences    the player's settings file, and the player's name
    practice       the unfinished practice game, to be resumed
    records        records of finished games, and pictures of them
    requests       hosting, joining and practising as values; invitations
    table_process  the program that runs a table
    tables         opening, joining and resuming tables; taking over one whose host is gone
    terminal       facts about the terminal: size, colours, glyphs, and whether screens can be shown

Rules of the game are in `engine`, tables and connections in `net`.
"""

from enum import StrEnum
from typing import Final

BOT_LEVELS: Final = ("easy", "medium", "hard")
"""The names of `engine.bots.LEVELS`, to avoid loading the engine."""

DEFAULT_BOT_LEVEL: Final = "medium"  # level of a bot unless another is chosen


class Speed(StrEnum):
    """Speed of bots; the value is the word that players type."""

    SLOW = "slow"
    NORMAL = "normal"
    FAST = "fast"
    INSTANT = "instant"


RULES_TOPICS: Final = (
    *("aim", "turn", "tunnels", "laying", "tools", "actions", "goals", "gold", "next"),
    *("editions", "deck", "notation", "mine", "places", "players", "tips"),
)
"""Words for the pages of `sabtui.text.rules`, in their order."""


def topic_typed(word: str) -> str:
    """Return the topic of the rules that a typed word or number means, else the word itself."""
    if word.isdecimal() and len(word) < 3 and 1 <= int(word) <= len(RULES_TOPICS):
        return RULES_TOPICS[int(word) - 1]
    return word.casefold()
