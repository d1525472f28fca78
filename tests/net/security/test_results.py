"""Results of an evening: signed by their table, and refused if anybody has changed them."""

from __future__ import annotations

import msgspec
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519
from msgspec.structs import replace

from net.protocol.framing import MAX_HOST_FRAME_BYTES, pack
from net.security.handshake import SignedResults
from net.security.keys import TableCertificate, is_signed_by
from net.security.results import (
    MAX_SHARED_GAMES,
    BadResults,
    GameResult,
    PlayerResult,
    ResultsFault,
    TableResults,
    read_results,
    sign_results,
)

TABLE = TableCertificate.new()
PLAYERS = (
    PlayerResult("Ann", b"12345678", b"\0\1", 5),
    PlayerResult("Ben", b"87654321", b"\1\0", 0),
    PlayerResult("Borin", b"", b"\0\0", 3),
)
NAMELESS = replace(PLAYERS[0], name="")
GAME = GameResult(bytes(16), b"\0\1", PLAYERS)
RESULTS = TableResults("0123456789abcdef", "Gold Rush", "club", 0, (GAME,))
SIGNED = sign_results(RESULTS, TABLE)


def signed(results: TableResults) -> SignedResults:
    """Return results that are signed as they should be."""
    return sign_results(results, TABLE)


def test_results_that_nobody_changed_are_read() -> None:
    assert read_results(SIGNED) == RESULTS


def test_any_changed_byte_of_what_was_signed_is_found_out() -> None:
    for at in range(len(SIGNED.statement)):
        changed = bytearray(SIGNED.statement)
        changed[at] ^= 1
        with pytest.raises(BadResults, match="forged"):
            read_results(replace(SIGNED, statement=bytes(changed)))


@pytest.mark.parametrize(
    "forged",
    [
        replace(SIGNED, certificate=TableCertificate.new().certificate),
        replace(SIGNED, certificate=b"no certificate"),
        replace(SIGNED, signature=SIGNED.signature[:-1]),
        replace(SIGNED, signature=b""),
    ],
    ids=["another table's", "no certificate", "cut short", "none"],
)
def test_another_certificate_or_signature_is_found_out(forged: SignedResults) -> None:
    with pytest.raises(BadResults, match="forged"):
        read_results(forged)


@pytest.mark.parametrize(
    "results",
    [
        replace(RESULTS, name="\x1b[2J"),
        replace(RESULTS, games=(GAME, GAME)),
        replace(RESULTS, games=(replace(GAME, winners=b"\0"),)),
        replace(RESULTS, games=(replace(GAME, winners=b"\0\7"),)),
        replace(RESULTS, games=(replace(GAME, players=(NAMELESS, *PLAYERS[1:])),)),
        replace(RESULTS, games=(replace(GAME, players=(PLAYERS[0], *PLAYERS[:2])),)),
    ],
    ids=["escape codes", "a game twice", "more rounds", "no such side", "no name", "a name twice"],
)
def test_what_no_honest_table_tells_is_refused_though_it_is_signed(results: TableResults) -> None:
    with pytest.raises(BadResults, match="damaged"):
        read_results(signed(results))


def test_what_is_no_results_at_all_is_refused_though_it_is_signed() -> None:
    for value in ([], {"a": 1}, [*msgspec.to_builtins(RESULTS, builtin_types=(bytes,)), 1]):
        statement = msgspec.msgpack.encode(value)
        signature = TABLE.sign(b"sabtui results 1" + statement)
        with pytest.raises(BadResults) as refused:
            read_results(SignedResults(TABLE.certificate, statement, signature))
        assert refused.value.why is ResultsFault.DAMAGED


def test_a_signature_of_another_kind_of_key_is_none() -> None:
    key = ed25519.Ed25519PrivateKey.generate()
    ours = x509.load_der_x509_certificate(TABLE.certificate)
    name = ours.subject
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(ours.not_valid_before_utc)
        .not_valid_after(ours.not_valid_after_utc)
        .sign(key, None)
    )
    certificate = made.public_bytes(serialization.Encoding.DER)
    assert not is_signed_by(certificate, key.sign(b"hello"), b"hello")


def test_the_longest_results_fit_one_frame() -> None:
    longest = tuple(PlayerResult("n" * 56, bytes(8), bytes(3), 127) for _ in range(10))
    games = tuple(
        GameResult(number.to_bytes(16, "big"), bytes(3), longest)
        for number in range(MAX_SHARED_GAMES)
    )
    message = signed(replace(RESULTS, games=games))
    frame = pack(message, MAX_HOST_FRAME_BYTES)
    assert len(frame) == 4 + MAX_HOST_FRAME_BYTES
    assert len(message.statement) < 56 * 1024
