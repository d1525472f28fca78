"""The password-authenticated key exchange: both sides get the same key if their codes are the same.

SPAKE2 over Ed25519: a participant learns whether one guess was right and nothing to test further
guesses on, and an eavesdropper learns nothing. It is plain Python and slow, about 10 ms a side: run
it off the event loop. At an open table the two shares are random numbers instead, and the key made
of them proves nothing. This is the only module that uses the spake2 package, which has no types.
"""

from __future__ import annotations

import secrets
from enum import StrEnum
from hashlib import sha256
from typing import Final, Protocol, TypeAlias

from net.secure.code import RoomCode

PAKE_SHARE_BYTES: Final = 33  # bytes in a share: one for the side, 32 for a point of the curve


class PakeSide(StrEnum):
    """The side that made a share; a share sent back to its sender is refused."""

    CLIENT = "A"
    HOST = "B"


class BadShare(Exception):
    """Raised for a share from the other side that no honest side sends."""


def begin_exchange(side: PakeSide, code: RoomCode | None, binding: bytes) -> Exchange:
    """Begin a run of the exchange; without a code, the run of an open table.

    Args:
        side: our side.
        code: the room code, which both sides have to know.
        binding: bytes that both sides have to share, such as the transcript.
    """
    if code is None:
        return OpenExchange(side, binding)
    return CodeExchange(side, str(code).encode(), binding)


class _Spake2(Protocol):
    def start(self) -> bytes: ...
    def finish(self, inbound_side_and_message: bytes) -> bytes: ...


class CodeExchange:
    """The exchange of two who know the same words, such as a room code: SPAKE2."""

    __slots__ = ("_run",)

    def __init__(self, side: PakeSide, words: bytes, binding: bytes) -> None:
        import spake2  # type: ignore[import-untyped] # noqa: PLC0415 - heavy, and without types

        kind = spake2.SPAKE2_A if side is PakeSide.CLIENT else spake2.SPAKE2_B
        self._run: _Spake2 = kind(words, idA=b"sabtui client", idB=binding)

    def share(self) -> bytes:
        """Return our share, PAKE_SHARE_BYTES long."""
        return self._run.start()

    def key(self, theirs: bytes) -> bytes:
        """Return the key, 32 bytes, made from their share.

        Raises:
            BadShare: their share is no point, not of the right group, or of our own side.
        """
        from spake2 import SPAKEError  # noqa: PLC0415 - heavy
        from spake2.ed25519_basic import NotOnCurve  # type: ignore[import-untyped] # noqa: PLC0415 - heavy, and without types

        try:
            return self._run.finish(theirs)
        except (SPAKEError, NotOnCurve, ValueError):
            raise BadShare from None


class OpenExchange:
    """The exchange of an open table: random shares, whose key anyone who sees them can make."""

    __slots__ = ("_binding", "_ours", "_side")

    def __init__(self, side: PakeSide, binding: bytes) -> None:
        self._side = side
        self._binding = binding
        self._ours = side.encode() + secrets.token_bytes(PAKE_SHARE_BYTES - 1)

    def share(self) -> bytes:
        """Return our share, PAKE_SHARE_BYTES long."""
        return self._ours

    def key(self, theirs: bytes) -> bytes:
        """Return the key, 32 bytes, made from their share.

        Raises:
            BadShare: their share is of our own side.
        """
        first, second = sorted((self._ours, theirs))
        if first[:1] != PakeSide.CLIENT.encode() or second[:1] != PakeSide.HOST.encode():
            raise BadShare
        return sha256(b"sabtui open table" + self._binding + first + second).digest()


Exchange: TypeAlias = CodeExchange | OpenExchange
"""One run of the exchange. Each method is called once, in this order: `share`, `key`."""
