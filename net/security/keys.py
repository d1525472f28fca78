"""The certificate of a table, and the key pairs by which players return to their seats.

A table certificate is self-signed and known by its SHA-256 alone; clients check neither its names
nor its dates, which say nothing about the machine, the player or the time. It uses P-256, which
every TLS 1.3 library has, also those without Ed25519 certificates (browsers, systems in FIPS mode).

A client makes a new Ed25519 seat key for each table, so that nobody can follow a player from table
to table. The private half never leaves the client; the host keeps the public half with the seat.
"""

from __future__ import annotations

import datetime as dt
import secrets
from dataclasses import dataclass
from hashlib import sha256


@dataclass(frozen=True, slots=True, repr=False)
class TableCertificate:
    """A certificate (DER) and its private key (PKCS 8, DER, not encrypted)."""

    certificate: bytes
    private_key: bytes

    def __repr__(self) -> str:
        return f"TableCertificate({self.fingerprint.hex()})"

    @property
    def fingerprint(self) -> bytes:
        """SHA-256 of the certificate, 32 bytes; clients pin it and proofs are bound to it."""
        return sha256(self.certificate).digest()

    @classmethod
    def new(cls) -> TableCertificate:
        """Make a certificate for a new table; to resume the table, keep both fields."""
        from cryptography import x509  # noqa: PLC0415 - heavy, for hosts only
        from cryptography.hazmat.primitives import (  # noqa: PLC0415 - heavy, for hosts only
            hashes,
            serialization,
        )
        from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 - heavy

        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "sabtui")])
        certificate = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(dt.datetime(2000, 1, 1, tzinfo=dt.UTC))
            # RFC 5280, 4.1.2.5: the date of certificates that never expire
            .not_valid_after(dt.datetime(9999, 12, 31, 23, 59, 59, tzinfo=dt.UTC))
            .sign(key, hashes.SHA256())
        )
        return cls(
            certificate.public_bytes(serialization.Encoding.DER),
            key.private_bytes(
                serialization.Encoding.DER,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            ),
        )

    def pem(self, password: bytes) -> bytes:
        """Return certificate and private key as one PEM, the key encrypted with the password."""
        from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - heavy
        from cryptography.x509 import load_der_x509_certificate  # noqa: PLC0415 - heavy

        key = serialization.load_der_private_key(self.private_key, password=None)
        return load_der_x509_certificate(self.certificate).public_bytes(
            serialization.Encoding.PEM
        ) + key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.BestAvailableEncryption(password),
        )


@dataclass(frozen=True, slots=True, repr=False)
class SeatKey:
    """A seat's private key, 32 bytes. Store `secret` in a file that only its owner can read."""

    secret: bytes

    def __repr__(self) -> str:
        return "SeatKey(...)"

    @classmethod
    def new(cls) -> SeatKey:
        """Make a key from the system's randomness."""
        return cls(secrets.token_bytes(32))

    @property
    def public(self) -> bytes:
        """The public key, 32 bytes."""
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - heavy

        key = ed25519.Ed25519PrivateKey.from_private_bytes(self.secret)
        return key.public_key().public_bytes_raw()

    def sign(self, statement: bytes) -> bytes:
        """Return the signature of a statement, 64 bytes."""
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - heavy

        return ed25519.Ed25519PrivateKey.from_private_bytes(self.secret).sign(statement)


def is_signed(public: bytes, signature: bytes, statement: bytes) -> bool:
    """Return True if the holder of this public key (32 bytes) signed the statement."""
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - heavy
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - heavy

    try:
        ed25519.Ed25519PublicKey.from_public_bytes(public).verify(signature, statement)
    except InvalidSignature:
        return False
    return True
