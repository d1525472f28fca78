"""Certificates and their private keys as bytes, made with cryptography; only hosts need this."""

from __future__ import annotations

import datetime as dt

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


def make_certificate() -> tuple[bytes, bytes]:
    """Return a self-signed certificate (DER) and its private key (PKCS 8, DER, not encrypted)."""
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
    return (
        certificate.public_bytes(serialization.Encoding.DER),
        key.private_bytes(
            serialization.Encoding.DER,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        ),
    )


def write_pem(certificate: bytes, private_key: bytes, password: bytes) -> bytes:
    """Return certificate and private key as one PEM, the key encrypted with the password."""
    key = serialization.load_der_private_key(private_key, password=None)
    return x509.load_der_x509_certificate(certificate).public_bytes(
        serialization.Encoding.PEM
    ) + key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(password),
    )
