"""A worker whose bots misbehave: `python -m tests.net.server.bad_bots HOW [FILE]`."""

import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from random import Random

from engine import Discard, Move, View
from engine.bots import Budget, random_bot
from engine.cards import CARDS
from net.server.bot_worker import worker_main


def raises(view: View, rng: Random, budget: Budget) -> Move:
    raise RuntimeError(f"{view.hand} {rng} {budget}")


def dies(view: View, rng: Random, budget: Budget) -> Move:
    del view, rng, budget
    os._exit(3)


def hangs(view: View, rng: Random, budget: Budget) -> Move:
    """Tell in a file, if one is named, that it thinks; and do so for ever."""
    del view, rng, budget
    if sys.argv[2:]:
        Path(sys.argv[2]).touch()
    while True:
        time.sleep(0.01)


def cheats(view: View, rng: Random, budget: Budget) -> Move:
    del rng, budget
    return Discard(next(card for card in CARDS if card not in view.hand))


def chats(view: View, rng: Random, budget: Budget) -> Move:
    """Print, read and list what is open; then move as it should."""
    print("let me think ... " * 100, flush=True)  # noqa: T201 - a bot may
    os.write(1, b"and " * 100)
    assert not sys.stdin.read(), "the questions are not for bots to read"
    return random_bot(view, rng, budget)


def rambles(view: View, rng: Random, budget: Budget) -> Move:
    _write(b"let me think ...\n" * 100)
    return hangs(view, rng, budget)


def forks(view: View, rng: Random, budget: Budget) -> Move:
    """Hang in two processes, both with our pipes."""
    if sys.platform != "win32":
        os.fork()
    return hangs(view, rng, budget)


def escapes(view: View, rng: Random, budget: Budget) -> Move:
    """Hang, and leave a process with our pipes that no signal to our group reaches; tell its id."""
    if sys.platform != "win32" and os.fork() == 0:
        os.setsid()
        Path(sys.argv[2]).write_text(str(os.getpid()))
    return hangs(view, rng, budget)


def confuses(view: View, rng: Random, budget: Budget) -> Move:
    _write(b'{"is":"spoken"}\n')
    return hangs(view, rng, budget)


def _write(said: bytes) -> None:
    """Write to whatever can be written to: a worker keeps its own pipe, but cannot hide it."""
    for descriptor in range(1, 32):
        with suppress(OSError):
            os.write(descriptor, said)


BOTS = {
    bot.__name__: bot
    for bot in (raises, dies, hangs, cheats, chats, rambles, forks, escapes, confuses)
}


if __name__ == "__main__":
    how = sys.argv[1]
    worker_main(dict.fromkeys(("random", "greedy"), BOTS[how]))
