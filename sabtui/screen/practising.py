"""The way to a game against bots: a table in this process, without a link.

Knows how many bots sit there, by which names. What is played there, the room decides.
"""

from __future__ import annotations

from engine.edition import Edition
from sabtui.practise import Setup
from sabtui.screen.doors import Practising, Way


def practise(wish: Practising) -> Way:
    """The way to a game against bots."""
    return way_of(
        Setup(
            wish.name,
            wish.bots,
            Edition.read(wish.edition),
            wish.rounds,
            level=wish.level,
            hasty=False,
        )
    )


def way_of(setup: Setup) -> Way:
    """The way to a game that is set up."""
    return Way(setup.seat, practice=True)
