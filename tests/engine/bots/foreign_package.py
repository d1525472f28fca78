"""A package with bots, as somebody else could have installed it: a module and its dist-info."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from textwrap import dedent

import pytest

from engine.bots.installed import _find_bots, installed_bots, load_bot, refused_bots
from sabtui.kit.arena import bot_to_measure

MODULE = "their_bots"
"""The module of the package."""

UNMADE = "their_unmade_bots"
"""Another module of it, which imports what is not there."""

CODE = dedent(
    """
    import os
    import time
    from random import Random

    from engine import Discard
    from engine.bots import SpokenMove
    from engine.bots.talk import GoldAt, WhoMe
    from engine.cards import CARDS


    class Thrower:
        def __call__(self, view, rng, budget):
            moves = view.legal_moves()  # of a card, or of gold
            return next((move for move in moves if isinstance(move, Discard)), moves[0])


    thrower = Thrower()


    def slow(view, rng, budget):
        while True:
            time.sleep(0.01)


    def raising(view, rng, budget):
        raise RuntimeError(f"seat {view.seat} holds {view.hand}")


    def nonsense(view, rng, budget):
        return "any card will do"


    def cheating(view, rng, budget):
        return Discard(next(card for card in CARDS if card not in view.hand))


    def chatty(view, rng, budget):
        print("I hold", view.hand, flush=True)
        return thrower(view, rng, budget)


    seats = set()


    def faithful(view, rng, budget):
        seats.add(view.seat)
        assert len(seats) == 1, "it has played for another seat"
        return thrower(view, rng, budget)


    def thoughtful(view, rng, budget):
        assert budget.count == 7
        return thrower(view, rng, budget)


    def dying(view, rng, budget):
        os._exit(3)


    def hungry(view, rng, budget):
        eaten = bytearray(1 << 30)
        return thrower(view, rng, budget)


    def silent(view, rng, budget):
        thrower(view, rng, budget)


    def attentive(view, rng, budget, *, talk, depth=3):
        return thrower(view, rng, budget)


    def telling(view, rng, budget, talk):
        heard = " ".join(line.text for line in talk.lines) or "nothing"
        move, claims = thrower(view, rng, budget), (WhoMe(), WhoMe(), WhoMe())
        return SpokenMove(move, claims, f"I heard {heard}\x1b")


    def babbling(view, rng, budget):
        return SpokenMove(thrower(view, rng, budget), (), 5)


    def misplacing(view, rng, budget):
        return SpokenMove(thrower(view, rng, budget), (GoldAt((0, 0)),))


    def two(view, rng):
        return rng.choice(view.legal_moves())


    def four(view, rng, budget, depth):
        return rng.choice(view.legal_moves())


    class Found(Exception):
        pass


    def spying(view, rng, budget):
        for name in ("mem", "environ", "fd/0"):
            try:
                with open(f"/proc/{os.getppid()}/{name}", "rb"):
                    raise Found
            except PermissionError:
                pass
        return thrower(view, rng, budget)
    """
)

NAMES = (
    *("attentive", "babbling", "chatty", "dying", "faithful", "hungry", "misplacing", "nonsense"),
    *("raising", "silent", "slow", "spying", "telling", "thoughtful", "thrower"),
)
"""Their bots, all of which are offered."""

ENTRY_POINTS = (
    *(f"{name} = {MODULE}:{name}" for name in NAMES),
    f"missing = {MODULE}:no_such_bot",
    f"unmade = {UNMADE}:bot",
    "nowhere = no_such_module_of_theirs:bot",
    "no-module = their_bots.no_such_module:bot",
    f"a-class = {MODULE}:Thrower",
    f"no-function = {MODULE}:seats",
    f"hard = {MODULE}:thrower",
    f"medium = {MODULE}:thrower",
    f"two = {MODULE}:two",
    f"four = {MODULE}:four",
    f"twin = {MODULE}:thrower",
    f"Shouting = {MODULE}:thrower",
    f"far-too-long-a-name = {MODULE}:thrower",
    f"\x1b[31mred = {MODULE}:thrower",
)
"""All that the package offers, be it a bot or not; another package offers a `twin`, too."""


@pytest.fixture(autouse=True)
def package(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Install the package for a while, here and for processes that are started meanwhile.

    Every test of a module that imports this has it.
    """
    folder = tmp_path_factory.mktemp("theirs")
    info = folder / "their_bots-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-bots\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("\n".join(["[sabtui.bots]", *ENTRY_POINTS, ""]))
    other = folder / "other_bots-1.0.dist-info"
    other.mkdir()
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: other-bots\nVersion: 1.0\n")
    (other / "entry_points.txt").write_text(f"[sabtui.bots]\ntwin = {MODULE}:chatty\n")
    (folder / f"{MODULE}.py").write_text(CODE)
    (folder / f"{UNMADE}.py").write_text("from no_such_module_of_theirs import bot\n")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", str(folder))
    forget_bots()
    yield
    forget_bots()
    sys.modules.pop(MODULE, None)


def forget_bots() -> None:
    """Look for bots again the next time."""
    for look in (_find_bots, refused_bots, installed_bots):
        look.cache_clear()
    load_bot.cache_clear()
    bot_to_measure.cache_clear()
