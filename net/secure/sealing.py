"""Sealing: a table's key split into shares (Shamir), shares for one seat key each, sealed values.

More than half of the shares of a key open it, and fewer say nothing about it. With one holder the
key is that person's alone. Each share is encrypted to a seat key as age encrypts to SSH keys: the
Ed25519 key of the seat is converted to X25519 (RFC 7748, section 4.1), and a fresh key agrees with
it. So a share can lie in the journal from the same commit on as what it opens: a client stores
nothing but its seat key, and there is no instant at which a kill leaves a table that cannot be
opened.

Why not a library: those on PyPI that split keys are little used and not reviewed, or bring a second
library of cryptography. Ciphers, hashes and curves are those of `cryptography`.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from functools import cache
from hashlib import sha256, sha512
from typing import TYPE_CHECKING, Final

from net.protocol.fields import KEY_BYTES
from net.secure.keys import SeatKey

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

MAX_HOLDERS: Final = 255

CHECK_BYTES: Final = 16
BUCKET_BYTES: Final = 64  # least length of a padded value; beyond it, lengths are powers of two
_LENGTH_BYTES: Final = 4
_PRIME: Final = 2**255 - 19


class SealBroken(Exception):
    """Raised if a sealed value does not open: another key, or altered bytes."""


# Shamir's secret sharing, byte by byte over GF(256), with the polynomial of AES.


def _times(a: int, b: int) -> int:
    """Multiply in GF(256)."""
    product = 0
    while b:
        if b & 1:
            product ^= a
        a = (a << 1) ^ (0x11B if a & 0x80 else 0)
        b >>= 1
    return product


def _inverse(a: int) -> int:
    """Return 1/a in GF(256): a to the power of 254."""
    power = 1
    for _ in range(254):
        power = _times(power, a)
    return power


def threshold(holders: int) -> int:
    """Return the number of shares that open a key: more than half, 0 if nobody holds any."""
    return holders // 2 + 1 if holders else 0


def split_key(key: bytes, holders: int) -> tuple[bytes, ...]:
    """Split a key into a share for each holder; holder number n (from 1) has the value at n.

    Each byte of the key is the value at 0 of a random polynomial that as many points determine as
    shares are needed: to fewer points every value at 0 is equally likely. A single holder's share
    is the key.
    """
    assert 1 <= holders <= MAX_HOLDERS, holders
    others = [secrets.token_bytes(len(key)) for _ in range(threshold(holders) - 1)]
    polynomials = list(zip(key, *others, strict=True))
    return tuple(
        bytes(_value_at(n, polynomial) for polynomial in polynomials) for n in range(1, holders + 1)
    )


def _value_at(n: int, polynomial: tuple[int, ...]) -> int:
    """Return the value of a polynomial, the coefficient of the lowest power first."""
    value = 0
    for coefficient in reversed(polynomial):
        value = _times(value, n) ^ coefficient
    return value


def join_key(shares: Mapping[int, bytes]) -> bytes:
    """Return the key of which these are shares, by their holders' numbers: as many as it needs."""
    key = bytes(KEY_BYTES)
    for n, share in shares.items():
        weight = 1  # of this share at 0 (Lagrange); subtraction is addition
        for m in shares.keys() - {n}:
            weight = _times(weight, _times(m, _inverse(m ^ n)))
        key = bytes(byte ^ _times(weight, at) for byte, at in zip(key, share, strict=True))
    return key


def check_of(share: bytes) -> bytes:
    """Return a hash by which a wrong share is found out at once, and whose it is.

    A share is 32 random bytes, so that its hash says nothing about it.
    """
    return sha256(b"sabtui key share" + share).digest()[:CHECK_BYTES]


# A share for one seat key.


def exchange_key(public: bytes) -> bytes:
    """Return the X25519 public key of an Ed25519 public key: the same point on the other curve.

    Raises:
        ValueError: there is none.
    """
    y = int.from_bytes(public, "little") & (2**255 - 1)  # the highest bit is the sign of x
    u = (1 + y) * pow(1 - y, -1, _PRIME) % _PRIME
    return u.to_bytes(32, "little")


def seal_share(public: bytes, share: bytes) -> bytes:
    """Encrypt a share to the seat key with this public half; SEALED_SHARE_BYTES long.

    Raises:
        ValueError: no honest client has such a public key.
    """
    from cryptography.hazmat.primitives.asymmetric import x25519  # noqa: PLC0415 - heavy

    fresh = x25519.X25519PrivateKey.generate()
    mine = fresh.public_key().public_bytes_raw()
    secret = fresh.exchange(x25519.X25519PublicKey.from_public_bytes(exchange_key(public)))
    return mine + seal(_share_key(secret, mine, public), 0, share)  # a key for this share alone


def open_share(key: SeatKey, sealed: bytes) -> bytes:
    """Return the share that was encrypted to a seat key.

    Raises:
        SealBroken: it was encrypted to another key, or altered.
    """
    from cryptography.hazmat.primitives.asymmetric import x25519  # noqa: PLC0415 - heavy

    # Ed25519 signs with the same number (RFC 8032, section 5.1.5); X25519 clamps it itself.
    private = x25519.X25519PrivateKey.from_private_bytes(sha512(key.secret).digest()[:32])
    theirs = sealed[:32]
    try:
        secret = private.exchange(x25519.X25519PublicKey.from_public_bytes(theirs))
    except ValueError:
        raise SealBroken from None
    return unseal(_share_key(secret, theirs, key.public), 0, sealed[32:])


def _share_key(secret: bytes, fresh: bytes, public: bytes) -> bytes:
    return sha256(b"sabtui share key" + secret + fresh + public).digest()


# Sealed values.


def seal(key: bytes, number: int, value: bytes, clear: bytes = b"") -> bytes:
    """Encrypt and authenticate a value; `clear` is authenticated with it.

    A key must not seal two values with the same number: it is the nonce.
    """
    return _cipher()(key).encrypt(number.to_bytes(12, "big"), value, clear)


def unseal(key: bytes, number: int, sealed: bytes, clear: bytes = b"") -> bytes:
    """Return the value that was sealed with the same key, number and clear bytes.

    Raises:
        SealBroken: one of them is another, or the sealed bytes were altered.
    """
    from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - heavy

    try:
        return _cipher()(key).decrypt(number.to_bytes(12, "big"), sealed, clear)
    except InvalidTag:
        raise SealBroken from None


@cache
def _cipher() -> type[ChaCha20Poly1305]:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305  # noqa: PLC0415 - heavy

    return ChaCha20Poly1305


def pad(value: bytes) -> bytes:
    """Put a value's length in front, and zeroes behind up to BUCKET_BYTES or a power of two."""
    length = _LENGTH_BYTES + len(value)
    bucket = max(BUCKET_BYTES, 1 << (length - 1).bit_length())
    return (len(value).to_bytes(_LENGTH_BYTES, "big") + value).ljust(bucket, b"\0")


def unpad(padded: bytes) -> bytes:
    """Return the value that `pad` was given."""
    length = int.from_bytes(padded[:_LENGTH_BYTES], "big")
    return padded[_LENGTH_BYTES : _LENGTH_BYTES + length]
