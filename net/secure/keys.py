"""The certificate of a table, its TLS contexts, and the key pairs of players who return.

A table certificate is self-signed and known only by its SHA-256; clients check neither its names
nor its dates, which say nothing about the machine, the player or the time. It uses P-256, which
every TLS 1.3 library has, even those without Ed25519 certificates (browsers, systems in FIPS mode).
The client's TLS context accepts any certificate: the caller must pin its fingerprint, or make the
host prove the room code for it.

A client makes a new Ed25519 seat key for each table, so that nobody can track a player from table
to table. The private half never leaves the client; the host keeps the public half with the seat.
"""

from __future__ import annotations

import secrets
import ssl
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

import net.secure

if TYPE_CHECKING:
    import net.secure.certificates
    import net.secure.curves

ALPN_PROTOCOL: Final = "sabtui"
"""ALPN name, which tells a table from another TLS service on our port. It has no version:
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
        return cls(*net.secure.certificates.make_certificate())


def server_context(table: TableCertificate) -> ssl.SSLContext:
    """Make the host's context.

    The ssl module loads keys only from files. So a file exists for a moment, in a folder that only
    this user may enter, and the key in it is encrypted with a password that is never stored.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    _harden(context)
    # No TLS session is resumed: our own handshake ties a connection to a seat. And strangers get no
    # tickets, which are 2 x 250 bytes and a write.
    context.num_tickets = 0
    password = secrets.token_urlsafe(32)
    pem = net.secure.certificates.write_pem(table.certificate, table.private_key, password.encode())
    with TemporaryDirectory(prefix="sabtui-") as folder:
        path = Path(folder, "table.pem")
        path.write_bytes(pem)
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
    """Return the SHA-256 of the host's certificate, 32 bytes; None if no Sabtui table is there."""
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
        return cls(secrets.token_bytes(32))

    @property
    def public(self) -> bytes:
        return net.secure.curves.public_key(self.secret)

    def sign(self, statement: bytes) -> bytes:
        return net.secure.curves.sign(self.secret, statement)


def is_signed(public: bytes, signature: bytes, statement: bytes) -> bool:
    return net.secure.curves.is_signed(public, signature, statement)
