"""The table's certificate and the two contexts, tried in memory, and the keys of seats."""

import ssl
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from net.secure import keys
from net.secure.keys import SeatKey, TableCertificate, is_signed


def shake(server: ssl.SSLContext, client: ssl.SSLContext) -> tuple[ssl.SSLObject, ssl.SSLObject]:
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    host = server.wrap_bio(up, down, server_side=True)
    client_end = client.wrap_bio(down, up)
    for end in (client_end, host, client_end, host):
        with suppress(ssl.SSLWantReadError):
            end.do_handshake()
    return host, client_end


def test_neither_end_speaks_less_than_tls_1_3(table: TableCertificate) -> None:
    old_client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    old_client.check_hostname = False
    old_client.verify_mode = ssl.CERT_NONE
    old_client.maximum_version = ssl.TLSVersion.TLSv1_2
    with pytest.raises(ssl.SSLError):
        shake(keys.server_context(table), old_client)
    old_server = keys.server_context(table)
    old_server.minimum_version = ssl.TLSVersion.TLSv1_2
    old_server.maximum_version = ssl.TLSVersion.TLSv1_2
    with pytest.raises(ssl.SSLError):
        shake(old_server, keys.client_context())


def test_another_tls_service_is_no_table_and_a_web_browser_no_guest(
    table: TableCertificate,
) -> None:
    other = keys.server_context(table)
    other.set_alpn_protocols(["h2"])
    _, client_end = shake(other, keys.client_context())
    assert keys.fingerprint_of(client_end) is None
    browser = keys.client_context()
    browser.set_alpn_protocols(["h2"])
    host, _ = shake(keys.server_context(table), browser)
    assert not keys.is_ours(host)
    host, _ = shake(keys.server_context(table), keys.client_context())
    assert keys.fingerprint_of(host) is None, "a client shows no certificate"


def test_the_key_is_never_on_disk_in_the_clear(
    table: TableCertificate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[bytes] = []
    real = Path.write_bytes

    def spy(path: Path, data: bytes) -> int:
        written.append(data)
        return real(path, data)

    monkeypatch.setattr(Path, "write_bytes", spy)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    keys.server_context(table)
    assert [b"ENCRYPTED PRIVATE KEY" in data for data in written] == [True]
    assert list(tmp_path.iterdir()) == []


def test_a_certificate_tells_its_fingerprint_and_a_key_nothing(table: TableCertificate) -> None:
    assert repr(SeatKey.new()) == "SeatKey(...)"
    assert repr(table) == f"TableCertificate({table.fingerprint.hex()})"


def test_a_signature_is_of_one_key_and_one_statement() -> None:
    key, other = SeatKey.new(), SeatKey.new()
    signature = key.sign(b"statement")
    assert is_signed(key.public, signature, b"statement")
    assert not is_signed(key.public, signature, b"statements")
    assert not is_signed(other.public, signature, b"statement")
    assert not is_signed(bytes(32), signature, b"statement")
    assert not is_signed(b"\xff" * 32, signature, b"statement")


def test_what_is_heavy_is_not_imported_before_it_is_needed() -> None:
    heavy = {"cryptography", "spake2", "zeroconf", "textual", "sabtui"}
    modules = "net.secure.connection, net.secure.handshake"
    assert find_imported(heavy, modules) == []


def test_a_process_of_bots_imports_nothing_that_serves_connections_or_looks_for_packages() -> None:
    assert (
        find_imported({"asyncio", "logging", "importlib.metadata"}, "net.server.bot_worker") == []
    )


def find_imported(heavy: set[str], modules: str) -> list[str]:
    script = f"import sys, {modules}; print(*sorted({heavy} & set(sys.modules)))"
    run = subprocess.run(  # noqa: S603 - a fixed command
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    return run.stdout.split()
