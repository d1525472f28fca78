"""Signatures and the key exchange on Curve25519, by cryptography and spake2."""

from __future__ import annotations

from typing import Final, Protocol

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from spake2 import SPAKE2_A, SPAKE2_B, SPAKEError
from spake2.ed25519_basic import NotOnCurve

SPAKE2_ERRORS: Final = (SPAKEError, NotOnCurve, ValueError)
"""What `Spake2.finish` raises for a share that no honest side sends."""


def public_key(secret: bytes) -> bytes:
    """Return the public key of a private one, 32 bytes each."""
    return Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def sign(secret: bytes, statement: bytes) -> bytes:
    """Return the signature of a statement, 64 bytes."""
    return Ed25519PrivateKey.from_private_bytes(secret).sign(statement)


def is_signed(public: bytes, signature: bytes, statement: bytes) -> bool:
    """Return True if the holder of this public key (32 bytes) signed the statement."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, statement)
    except InvalidSignature:
        return False
    return True


class Spake2(Protocol):
    """One side of a run of SPAKE2."""

    def start(self) -> bytes:
        """Return our share, to be sent to the other side."""

    def finish(self, inbound_side_and_message: bytes) -> bytes:
        """Return the key; raises one of `SPAKE2_ERRORS`."""


def begin_spake2(words: bytes, binding: bytes, *, is_client: bool) -> Spake2:
    """Begin our side of SPAKE2: both have to know the same words, and the same binding."""
    kind = SPAKE2_A if is_client else SPAKE2_B
    run: Spake2 = kind(words, idA=b"sabtui client", idB=binding)
    return run
