"""Seat keys: the Ed25519 key pair a client makes for one table, and comes back with.

A new one for each table, so that nobody can follow a player from table to table. The private half
never leaves the client; the host keeps the public one with the seat. Knows bytes alone.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, repr=False)
class SeatKey:
    """A private key, 32 bytes. Store `secret` readable by its owner alone."""

    secret: bytes

    def __repr__(self) -> str:
        return "SeatKey(...)"

    @classmethod
    def new(cls) -> SeatKey:
        """Make one from the system's randomness."""
        return cls(secrets.token_bytes(32))

    @property
    def public(self) -> bytes:
        """The public key, 32 bytes."""
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - heavy

        key = ed25519.Ed25519PrivateKey.from_private_bytes(self.secret)
        return key.public_key().public_bytes_raw()

    def sign(self, statement: bytes) -> bytes:
        """Sign; the signature is 64 bytes."""
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - heavy

        return ed25519.Ed25519PrivateKey.from_private_bytes(self.secret).sign(statement)


def is_signed(public: bytes, signature: bytes, statement: bytes) -> bool:
    """Tell whether the holder of this public key (32 bytes) signed the statement."""
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - heavy
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - heavy

    try:
        ed25519.Ed25519PublicKey.from_public_bytes(public).verify(signature, statement)
    except InvalidSignature:
        return False
    return True
