"""The certificate of a table, TLS by it, and the key pairs by which players return to their seats.

A table certificate is self-signed and known by its SHA-256 alone; clients check neither its names
nor its dates, which say nothing about the machine, the player or the time. It uses P-256, which
every TLS 1.3 library has, also those without Ed25519 certificates (browsers, systems in FIPS mode).
The client's TLS context accepts any certificate: the caller must pin its fingerprint, or have the
host prove the room code for it.

A client makes a new Ed25519 seat key for each table, so that nobody can follow a player from table
to table. The private half never leaves the client; the host keeps the public half with the seat.
"""

from __future__ import annotations

import datetime as dt
import secrets
import ssl
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ALPN_PROTOCOL: Final = "sabtui"
"""ALPN name, by which a table is told from another TLS service on our port. It has no version:
versions are agreed on in the handshake, whose answer can tell a player what to update."""


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
        from cryptography.hazmat.primitives import hashes, serialization  # noqa: PLC0415 - heavy, for hosts only
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


def server_context(table: TableCertificate) -> ssl.SSLContext:
    """Make the host's context.

    The ssl module loads keys only from files. So a file exists for a moment, in a folder that only
    this user may enter, and the key in it is encrypted with a password that is never stored.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    _harden(context)
    # No TLS session is resumed: our own handshake ties a connection to a seat. And no tickets,
    # 2 x 250 bytes and a write, go to a stranger.
    context.num_tickets = 0
    password = secrets.token_urlsafe(32)
    with TemporaryDirectory(prefix="sabtui-") as folder:
        path = Path(folder, "table.pem")
        path.write_bytes(table.pem(password.encode()))
        context.load_cert_chain(path, password=password)
    return context


def client_context() -> ssl.SSLContext:
    """Make the client's context, which trusts any certificate: check its fingerprint afterwards."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    _harden(context)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _harden(context: ssl.SSLContext) -> None:
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.set_alpn_protocols([ALPN_PROTOCOL])


def is_ours(tls: ssl.SSLObject) -> bool:
    """Return True if both sides agreed on our ALPN name: the other side speaks Sabtui."""
    return tls.selected_alpn_protocol() == ALPN_PROTOCOL


def fingerprint_of(tls: ssl.SSLObject) -> bytes | None:
    """Return the SHA-256 of the host's certificate, 32 bytes, or None if it is no Sabtui table."""
    der = tls.getpeercert(binary_form=True)
    return sha256(der).digest() if der is not None and is_ours(tls) else None


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
