"""A player who knows nothing but the lines they read: picks at random from the numbered lists."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

CARD = re.compile(r" ?([0-9]+) \S+ +.*")


class Player:
    """Reads lines and answers prompts. Raises `AssertionError` where lines do not help."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._asked_for_hand = False

    def answer(self, prompt: str, lines: Sequence[str]) -> str:
        """What to type at a prompt, after the lines since the one before."""
        chance = self._rng.random()
        if prompt.startswith("Your turn"):
            _turn, _comma, what = prompt.partition(", ")
            first, *more = map(int, what.split()[1].split("-"))
            last = more[0] if more else first
            numbered = [int(at[1]) for line in lines if (at := CARD.fullmatch(line))]
            if numbered[-last:] != list(range(first, last + 1)):
                assert not self._asked_for_hand, lines
                self._asked_for_hand = True
                return "hand"
            self._asked_for_hand = False
            if what.startswith("card"):
                return f"x{last}" if chance < 0.1 else str(self._rng.randint(first, last))
            return "x" if chance < 0.1 else str(self._rng.randint(first, last))
        if prompt.startswith("Your gold"):
            return self._rng.choice(prompt.removeprefix("Your gold, ").split("/"))
        if prompt.startswith(("Round", "Nobody won round")):
            return ""
        assert prompt == "The game is over", prompt
        return "quit"
