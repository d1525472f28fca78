"""Traits that tell bots of one level apart: nerve, talkativeness, the wish to frame, and care.

Each seat's temper is drawn for a whole game from the seed of its first round. It does not depend on
what the seat holds, so it gives nothing away about that.
"""

from __future__ import annotations

from hashlib import sha256
from random import Random
from typing import Final, NamedTuple


class Temper(NamedTuple):
    """Traits that distinguish a bot from others of its level."""

    nerve: float = 1.0
    """Factor on how much it hides as a saboteur."""
    words: int = 5
    """Number of claims in a round after which it only reports goals and answers accusations."""
    frame: float = 0.2
    """It accuses somebody as a saboteur if the table suspects them with more than this."""
    care: float = 1.0
    """At some tables, miners with less than a certain care overlook closed ways."""


USUAL_TEMPER: Final = Temper()

NERVES: Final = (0.4, 1.6)
"""Minimum and maximum nerve."""

WORDS: Final = (2, 6)
"""Minimum and maximum number of claims after which a bot falls silent."""

FRAMES: Final = (0.1, 0.4)
"""Minimum and maximum suspicion above which a saboteur accuses."""


def draw_temper(seed: bytes, seat: int) -> Temper:
    """Return the temper of the bot on a seat. The seed of a deal cannot be found from it."""
    rng = Random(sha256(b"temper %d " % seat + seed).digest())
    return Temper(
        rng.uniform(*NERVES),
        rng.randint(*WORDS),
        rng.uniform(*FRAMES),
        rng.random(),
    )
