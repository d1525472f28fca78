"""A game as plain values in a journal: what it follows from, with every secret."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from engine.assembling import RoundSoFar
from engine.dealing import Deal
from net.protocol.events import MoveWire, read_move, write_move
from net.protocol.fields import (
    ALL_GOALS,
    HAND,
    NUGGETS,
    ROLE,
    ROLES,
    SEAT,
    SMALL,
    Codec,
    OnWire,
    WireRow,
    each,
)
from net.protocol.views import EDITION, GOLD_EVENT

_DEAL: Final = WireRow(
    Deal,
    {
        "roles": ROLES,
        "spare": ROLE,
        "goals": ALL_GOALS,
        "hands": each(HAND),
        "pile": HAND,
        "gold": NUGGETS,
        "starter": SEAT,
    },
)
_SO_FAR: Final = WireRow(
    RoundSoFar,
    {
        "edition": EDITION,
        "rounds": SMALL,
        "wins": ROLES,
        "ledger": each(GOLD_EVENT, 1000),
        "deal": Codec[Deal](_DEAL.form, _DEAL.write, _DEAL.read),
        "moves": each(Codec(MoveWire, write_move, read_move), 1000),
    },
)
if TYPE_CHECKING:
    SoFarWire: TypeAlias = OnWire[RoundSoFar]
else:  # the type that msgspec checks
    SoFarWire = _SO_FAR.form


def write_so_far(so_far: RoundSoFar) -> SoFarWire:
    """Return the wire value of what a game follows from."""
    return _SO_FAR.write(so_far)


def read_so_far(wire: SoFarWire) -> RoundSoFar:
    """Return what a game follows from. Raises `BadFrame` for codes that do not exist."""
    return _SO_FAR.read(wire)
