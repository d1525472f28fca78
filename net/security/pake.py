"""The key exchange that only two who hold the same room code finish with the same key.

The only module that knows the spake2 package, which ships no types. SPAKE2 over Ed25519: who
takes part learns whether one guess was right and nothing to try more guesses on, and who listens
learns nothing. Slow, being plain Python: about 10 ms a side, to be run off the event loop. At an
open table the same two shares are plain random numbers, and the key they give proves nothing.
"""

from __future__ import annotations

import secrets
from enum import StrEnum
from hashlib import sha256
from typing import Final, Protocol

from net.security.code import RoomCode

SHARE_BYTES: Final = 33
"""Bytes in a share: the side, and a point of the curve."""


class PakeSide(StrEnum):
    """Whose share it is; a share sent back to its sender is refused."""

    CLIENT = "A"
    HOST = "B"


class BadShare(Exception):
    """The other side's share is no point that an honest side sends."""


class Exchange(Protocol):
    """One run. Each method is called once, in this order."""

    def share(self) -> bytes:
        """Make our share, SHARE bytes."""

    def key(self, theirs: bytes) -> bytes:
        """Make the key, 32 bytes, from their share; raises BadShare."""


def begin_exchange(side: PakeSide, code: RoomCode | None, binding: bytes) -> Exchange:
    """Begin a run; without a code, that of an open table.

    Args:
        side: our side.
        code: what both have to know.
        binding: what both have to see alike, such as the transcript with the certificate.
    """
    return OpenExchange(side, binding) if code is None else CodeExchange(side, code, binding)


class _Spake2(Protocol):
    def start(self) -> bytes: ...
    def finish(self, inbound_side_and_message: bytes) -> bytes: ...


class CodeExchange:
    """SPAKE2 on the room code."""

    __slots__ = ("_run",)

    def __init__(self, side: PakeSide, code: RoomCode, binding: bytes) -> None:
        import spake2  # type: ignore[import-untyped] # noqa: PLC0415 - heavy, and without types

        kind = spake2.SPAKE2_A if side is PakeSide.CLIENT else spake2.SPAKE2_B
        self._run: _Spake2 = kind(str(code).encode(), idA=b"sabtui client", idB=binding)

    def share(self) -> bytes:
        """Make our share, SHARE bytes."""
        return self._run.start()

    def key(self, theirs: bytes) -> bytes:
        """Make the key, 32 bytes, from their share.

        Raises:
            BadShare: not a point, not of the right group, from our own side, or our own.
        """
        from spake2 import SPAKEError  # noqa: PLC0415 - heavy
        from spake2.ed25519_basic import NotOnCurve  # type: ignore[import-untyped] # noqa: PLC0415 - heavy, and without types

        try:
            return self._run.finish(theirs)
        except (SPAKEError, NotOnCurve, ValueError):
            raise BadShare from None


class OpenExchange:
    """Random shares, and a key that anyone who sees them can make."""

    __slots__ = ("_binding", "_ours", "_side")

    def __init__(self, side: PakeSide, binding: bytes) -> None:
        self._side = side
        self._binding = binding
        self._ours = side.encode() + secrets.token_bytes(SHARE_BYTES - 1)

    def share(self) -> bytes:
        """Make our share, SHARE bytes."""
        return self._ours

    def key(self, theirs: bytes) -> bytes:
        """Make the key, 32 bytes, from their share.

        Raises:
            BadShare: from our own side.
        """
        first, second = sorted((self._ours, theirs))
        if first[:1] != PakeSide.CLIENT.encode() or second[:1] != PakeSide.HOST.encode():
            raise BadShare
        return sha256(b"sabtui open table" + self._binding + first + second).digest()
