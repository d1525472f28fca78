"""A game against bots in this process: what it is made of, for every face.

It is played at a table like any other (`net.client.alone`).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from engine.bots import Playouts
from engine.edition import INTERNATIONAL, Edition
from engine.game import ROUNDS
from net.client.alone import Alone, Company
from net.client.seat import Hear
from net.lobby import Settings
from net.lobby.dwarves import dwarves
from sabtui.dwarves import LEVEL
from sabtui.plain.console import Console
from sabtui.plain.table import at_table
from sabtui.words.cast import Cast
from sabtui.words.editions import edition_name
from sabtui.words.tongue import _, listed

HASTE: Final = Playouts(120)
"""How much bots think that do not let one wait: a tenth of a second or two where they are hard."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a practice game is to be. Without a `seed` there is a new deal each time.

    Bots that are `hasty` move at once: in lines, one reads afterwards what they did. Those that are
    `polite` say nothing in the player's turn: nothing comes between a prompt and its answer.
    """

    name: str
    bots: int = 4
    edition: Edition = INTERNATIONAL
    rounds: int = ROUNDS
    seed: bytes | None = None
    level: str = LEVEL
    hasty: bool = True
    polite: bool = False

    @property
    def name_shown(self) -> str:
        """What the player is called at the table."""
        return Cast.of((self.name,), 0).names[0]

    @property
    def company(self) -> Company:
        """The bots."""
        names = dwarves(self.bots, {self.name_shown.casefold()})
        if not self.hasty:
            return Company(names, self.level, seeds=self._seeds())
        return Company(names, self.level, (0.0, 0.0), HASTE, self._seeds(), self.polite)

    def seat(self, hear: Hear) -> Alone:
        """The player's seat at the table."""
        settings = Settings(edition=self.edition.text, rounds=self.rounds, seats=self.bots + 1)
        return Alone(self.name_shown, settings, self.company, hear)

    def _seeds(self) -> Callable[[], bytes]:
        """What gives a seed for the bots' chance, for the first deal, and for each deal after it.

        The first two are what was asked for; the rest follow from it.
        """
        if self.seed is None:
            return lambda: secrets.token_bytes(32)
        chance, first = Random(self.seed), iter((self.seed, self.seed))
        return lambda: next(first, None) or chance.randbytes(32)


def practise(setup: Setup, console: Console) -> int:
    """Play in lines until the player leaves, or the input ends, and return the exit code."""
    told = _("A practice game, {edition}: you and {bots}. Type ? for help.").format(
        edition=edition_name(setup.edition.text), bots=listed(setup.company.names)
    )
    setup = replace(setup, polite=not console.is_eager)
    return at_table(setup.seat, console, greeting=[told], from_deal=True)
