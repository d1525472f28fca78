"""A worker whose bots misbehave: `python -m tests.net.host.bad_bots HOW`."""

import os
import sys
import time
from random import Random

from engine import Discard, Move, View
from engine.bots import Budget
from engine.cards import CARDS
from net.host.worker import work


def raises(view: View, rng: Random, budget: Budget) -> Move:
    raise RuntimeError(f"{view.hand} {rng} {budget}")


def dies(view: View, rng: Random, budget: Budget) -> Move:
    del view, rng, budget
    os._exit(3)


def hangs(view: View, rng: Random, budget: Budget) -> Move:
    del view, rng, budget
    while True:
        time.sleep(0.01)


def cheats(view: View, rng: Random, budget: Budget) -> Move:
    del rng, budget
    return Discard(next(card for card in CARDS if card not in view.hand))


def rambles(view: View, rng: Random, budget: Budget) -> Move:
    print("let me think ... " * 100, flush=True)  # noqa: T201 - where no bot may print
    return hangs(view, rng, budget)


BOTS = {bot.__name__: bot for bot in (raises, dies, hangs, cheats, rambles)}

if __name__ == "__main__":
    work(dict.fromkeys(("random", "greedy"), BOTS[sys.argv[1]]))
