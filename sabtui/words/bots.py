"""What bots are called by how good they are: the levels that people choose from, and others."""

from __future__ import annotations

from engine.bots import LEVELS
from sabtui.words.tongue import pgettext


def level_name(level: str) -> str:
    """What bots of a level are called; a level that is new to us by its own name."""
    names = {
        "random": pgettext("bot", "random"),
        "greedy": pgettext("bot", "greedy"),
        "wary": pgettext("bot", "wary"),
        "search": pgettext("bot", "cunning"),
        "easy": pgettext("bot", "easy"),
        "fair": pgettext("bot", "fair"),
        "hard": pgettext("bot", "hard"),
    }
    return names.get(level, level)


def next_level(level: str) -> str:
    """The level after this one, and after the best the first again."""
    levels = tuple(LEVELS)
    return levels[(levels.index(level) + 1) % len(levels)] if level in levels else levels[0]
