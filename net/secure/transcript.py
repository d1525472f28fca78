"""What both sides of a handshake have seen, as one hash, and what is proven under it.

In it: the host's certificate as each side sees it, both ranges of versions, the version, the
purpose, both nonces, and whether the table is open. A man in the middle who changes any of these
(say, offers an older version, or his own certificate) leaves the two with different transcripts,
and no proof made under one is worth anything under the other. Knows no key but those passed in.
"""

from __future__ import annotations

import hmac
from hashlib import sha256

import msgspec

from net.secure.messages import Hello, Offer


def transcript(fingerprint: bytes, hello: Hello, offer: Offer) -> bytes:
    """Hash what was said before any proof: 32 bytes."""
    parts = (fingerprint, msgspec.msgpack.encode(hello), msgspec.msgpack.encode(offer))
    return _hash(b"sabtui handshake", *parts)


def join_statement(seen: bytes, client_share: bytes, host_share: bytes) -> bytes:
    """Make what a joining client signs with its new seat key."""
    return _hash(b"sabtui join", seen, client_share, host_share)


def return_statement(seen: bytes) -> bytes:
    """Make what a returning client signs with its seat key."""
    return _hash(b"sabtui return", seen)


def client_mac(secret: bytes, statement: bytes, key: bytes, signature: bytes) -> bytes:
    """Make the client's proof of the room code."""
    said = _hash(b"sabtui client", statement, key, signature)
    return hmac.digest(secret, said, "sha256")


def host_mac(secret: bytes, proof: bytes) -> bytes:
    """Make the host's proof of the room code, an answer to the client's."""
    return hmac.digest(secret, _hash(b"sabtui host", proof), "sha256")


def _hash(*parts: bytes) -> bytes:
    """Hash parts so that no two lists of them give the same input."""
    return sha256(b"".join(len(part).to_bytes(4, "big") + part for part in parts)).digest()
