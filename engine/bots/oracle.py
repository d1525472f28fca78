"""A player that sees everything: the ceiling that bots are measured against.

It is no bot: it is given the whole round, with all that is secret in it, and so only measurements
and tests may call it.
"""

from __future__ import annotations

from engine.bots.playout import Playout
from engine.cards import Role
from engine.moves import Play
from engine.round import Round


def oracle(now: Round) -> Play:
    """The move after which the round, played out in haste with its true cards, ends best."""
    seat = now.table.turn
    assert seat is not None
    start = Playout(now, [role is Role.SABOTEUR for role in now.roles])
    sign = 1 if now.roles[seat] is Role.MINER else -1
    return max(now.legal_moves(), key=lambda move: sign * start.after(move).run())
