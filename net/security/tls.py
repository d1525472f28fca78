"""TLS 1.3 contexts for both sides, without certificate authorities.

The client's context accepts any certificate: the caller must pin its fingerprint, or have the host
prove the room code for it.
"""

from __future__ import annotations

import secrets
import ssl
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from net.security.keys import TableCertificate

ALPN_PROTOCOL: Final = "sabtui"
"""ALPN name, by which a table is told from another TLS service on our port. It has no version:
versions are agreed on in the handshake, whose answer can tell a player what to update."""


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
