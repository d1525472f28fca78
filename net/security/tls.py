"""TLS 1.3 for both ends, without authorities: who the host is, its fingerprint tells.

The client's context takes any certificate: whoever connects must pin the fingerprint, or have the
room code proven for it.
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
"""The ALPN name: tells a stranger's TLS service on our port from a table. It has no version, as
that is agreed on, with an answer that people can use, in the handshake."""


def server_context(table: TableCertificate) -> ssl.SSLContext:
    """Make the host's context.

    The ssl module loads keys from files alone. So one exists for a moment, in a folder that only
    this user may enter, and the key in it is encrypted with a password that was never stored.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    _harden(context)
    # Nothing is resumed below our own handshake, which is what ties a link to a seat; and no
    # ticket, which costs 2 x 250 bytes and a write, goes to a stranger.
    context.num_tickets = 0
    password = secrets.token_urlsafe(32)
    with TemporaryDirectory(prefix="sabtui-") as folder:
        path = Path(folder, "table.pem")
        path.write_bytes(table.pem(password.encode()))
        context.load_cert_chain(path, password=password)
    return context


def client_context() -> ssl.SSLContext:
    """Make the client's context; what it connects to is nobody until its fingerprint is known."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    _harden(context)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _harden(context: ssl.SSLContext) -> None:
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.set_alpn_protocols([ALPN_PROTOCOL])


def is_ours(tls: ssl.SSLObject) -> bool:
    """Tell whether the other side asked for a table of Sabtui."""
    return tls.selected_alpn_protocol() == ALPN_PROTOCOL


def fingerprint_of(tls: ssl.SSLObject) -> bytes | None:
    """Give the SHA-256 of the host's certificate, or None: whatever it is, it is no table."""
    der = tls.getpeercert(binary_form=True)
    return sha256(der).digest() if der is not None and is_ours(tls) else None
