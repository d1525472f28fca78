"""The test vectors: what this program makes, and made again here as docs/protocol.md describes it.

What is imported of Sabtui only writes the file (`tests.vectors`); all else follows the page.
"""

from __future__ import annotations

import hmac
import json
from hashlib import blake2b, scrypt, sha256
from itertools import pairwise
from typing import Final, TypeAlias, cast

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from tests import vectors
from tests.docs.page_client import AT_THE_END
from tests.docs.page_formats import Value, commit_to, encode, frame_value, hash_parts, join_parts
from tests.docs.pages import ROOT

VECTORS: Final = json.loads(vectors.FILE.read_text(encoding="utf-8"))
PAGE: Final = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")


def test_the_file_is_what_this_program_makes() -> None:
    assert vectors.FILE.read_text(encoding="utf-8") == vectors.text()
    assert vectors.FILE.relative_to(ROOT).as_posix() in PAGE


def read(value: object) -> Value:
    """Return a value of the protocol that is spelt out in the file."""
    match value:
        case {"bytes": str(digits), **rest} if not rest:
            return bytes.fromhex(digits)
        case dict():
            return {str(key): read(item) for key, item in value.items()}
        case list():
            return [read(item) for item in value]
        case _:
            return cast("Value", value)


def msgpack_of(vector: dict[str, object]) -> bytes:
    """Return the msgpack of a value, once it is seen to be right."""
    packed = encode(read(vector["value"]))
    assert packed.hex() == vector["msgpack"]
    return packed


def digits(vector: dict[str, str], *names: str) -> list[bytes]:
    """Return the bytes with these names."""
    return [bytes.fromhex(vector[name]) for name in names]


@pytest.mark.parametrize(("at", "bytes_", "padded"), [(0, 15, 256), (1, 512, 512), (2, 513, 1024)])
def test_a_frame(at: int, bytes_: int, padded: int) -> None:
    vector = VECTORS["frames"][at]
    frame = frame_value(read(vector["value"]))
    assert (len(msgpack_of(vector)), len(frame)) == (bytes_, 4 + padded)
    assert frame.hex() == vector["frame"]


# The key exchange, in the numbers of the page.

PRIME: Final = 2**255 - 19
ORDER: Final = 2**252 + 27742317777372353535851937790883648493
CURVE: Final = -121665 * pow(121666, -1, PRIME) % PRIME
Point: TypeAlias = tuple[int, int]


def read_point(data: bytes) -> Point:
    """Return the point that these 32 bytes encode."""
    y = int.from_bytes(data, "little") & (2**255 - 1)
    square = (y * y - 1) * pow(CURVE * y * y + 1, -1, PRIME) % PRIME
    x = pow(square, (PRIME + 3) // 8, PRIME)
    if x * x % PRIME != square:
        x = x * pow(2, (PRIME - 1) // 4, PRIME) % PRIME
    assert x * x % PRIME == square
    return (x if x % 2 == data[31] >> 7 else PRIME - x), y


def write_point(point: Point) -> bytes:
    """Return the 32 bytes that encode a point."""
    return (point[1] | point[0] % 2 << 255).to_bytes(32, "little")


def add(one: Point, other: Point) -> Point:
    """Return the sum of two points."""
    (a, b), (c, d) = one, other
    product = CURVE * a * b * c * d % PRIME
    x = (a * d + b * c) * pow(1 + product, -1, PRIME) % PRIME
    return x, (b * d + a * c) * pow(1 - product, -1, PRIME) % PRIME


def times(number: int, point: Point) -> Point:
    """Return a multiple of a point."""
    sum_, number = (0, 1), number % ORDER
    while number:
        sum_ = add(sum_, point) if number & 1 else sum_
        number, point = number >> 1, add(point, point)
    return sum_


def minus(point: Point) -> Point:
    """Return a point of the other sign."""
    return PRIME - point[0], point[1]


BASE: Final = read_point(b"\x58" + b"\x66" * 31)
M: Final = read_point(
    bytes.fromhex("15cfd18e385952982b6a8f8c7854963b58e34388c8e6dae891db756481a02312")
)
N: Final = read_point(
    bytes.fromhex("f04f2e7eb734b2a8f8b472eaf9c3c632576ac64aea650b496a8a20ff00e583c3")
)


def hash_exchange(vector: dict[str, dict[str, object]], fingerprint: bytes) -> bytes:
    """Return H of what both sides have seen before any proof."""
    hello, offer = msgpack_of(vector["hello"]), msgpack_of(vector["offer"])
    return hash_parts(b"sabtui handshake", fingerprint, hello, offer)


def test_the_key_exchange_and_both_proofs_of_a_handshake() -> None:
    whole = VECTORS["handshake"]
    vector, password = whole["join"], whole["code"].encode()
    fingerprint, private, public = digits(whole, "fingerprint", "private key", "key")
    seen = hash_exchange(vector, fingerprint)
    assert seen.hex() == vector["seen"]

    w = int.from_bytes(
        HKDF(SHA256(), length=48, salt=None, info=b"SPAKE2 pw").derive(password), "big"
    )
    x, y = int(vector["x"], 16), int(vector["y"], 16)
    assert max(x, y) < ORDER
    ours, theirs = add(times(x, BASE), times(w, M)), add(times(y, BASE), times(w, N))
    shares = b"A" + write_point(ours), b"B" + write_point(theirs)
    assert [share.hex() for share in shares] == [vector["client's share"], vector["host's share"]]
    shared = times(x, add(theirs, minus(times(w, N))))
    assert shared == times(y, add(ours, minus(times(w, M))))
    parts = [sha256(part).digest() for part in (password, b"sabtui client", seen)]
    points = [write_point(point) for point in (ours, theirs, shared)]
    secret = sha256(b"".join([*parts, *points])).digest()
    assert secret.hex() == vector["secret"]

    statement = hash_parts(b"sabtui join", seen, *shares)
    assert statement.hex() == vector["join statement"]
    key = Ed25519PrivateKey.from_private_bytes(private)
    assert key.public_key().public_bytes_raw() == public
    signature = key.sign(statement)
    assert signature.hex() == vector["signature"]
    mac = hmac.digest(secret, hash_parts(b"sabtui client", statement, public, signature), "sha256")
    assert mac.hex() == vector["client's mac"]
    host = hmac.digest(secret, hash_parts(b"sabtui host", mac), "sha256")
    assert host.hex() == vector["host's mac"]


def test_the_secret_of_an_open_table() -> None:
    whole = VECTORS["handshake"]
    vector = whole["join an open table"]
    seen = hash_exchange(vector, *digits(whole, "fingerprint"))
    assert seen.hex() == vector["seen"]
    shares = digits(vector, "client's share", "host's share")
    assert sha256(b"".join([b"sabtui open table", seen, *shares])).hexdigest() == vector["secret"]


def test_the_signature_of_a_return() -> None:
    whole = VECTORS["handshake"]
    vector = whole["return"]
    fingerprint, private = digits(whole, "fingerprint", "private key")
    seen = hash_exchange(vector, fingerprint)
    statement = hash_parts(b"sabtui return", seen)
    assert statement.hex() == vector["return statement"]
    signature = Ed25519PrivateKey.from_private_bytes(private).sign(statement)
    assert signature.hex() == vector["signature"]


def test_the_running_hash_of_each_step() -> None:
    running, steps = bytes(16), VECTORS["running hash"]
    assert all(after["step"] == before["step"] + 1 for before, after in pairwise(steps))
    for step in steps:
        events, news = read(step["public events"]), cast("list[list[Value]]", step["lobby_events"])
        told = [read(event) for event in news if event[0] not in AT_THE_END]
        past = encode((step["step"], told, events))
        assert past.hex() == step["msgpack"]
        running = blake2b(running + past, digest_size=16).digest()
        assert running.hex() == step["running hash"]


def test_the_six_words_of_a_round() -> None:
    vector = VECTORS["words"]
    told = sha256(msgpack_of(vector["[names, edition]"])).digest()
    for heard in vector["told"]:
        told = sha256(told + msgpack_of(heard)).digest()
    assert told.hex() == vector["hash"]
    words = (ROOT / "net" / "secure" / "words.txt").read_text(encoding="ascii").split()
    made = scrypt(told, salt=b"sabtui words 2", n=32768, r=8, p=1, maxmem=1 << 26, dklen=24)
    places = (int.from_bytes(made[at : at + 4], "big") % 1026 for at in range(0, 24, 4))
    assert [words[place] for place in places] == vector["six words"]


@pytest.mark.parametrize("at", range(2), ids=["lobby", "game"])
def test_the_state_hash(at: int) -> None:
    vector = VECTORS["state hash"][at]
    state = msgpack_of(vector["[lobby, public]"])
    assert blake2b(state, digest_size=8).hexdigest() == vector["hash"]


def test_the_seed_of_a_draw() -> None:
    vector = VECTORS["draw"]
    nonce, draw = digits(vector, "nonce", "id")
    facts = msgpack_of(vector["[round, edition, rounds, youngest, players, members, public]"])
    bound = join_parts(b"sabtui draw 1", nonce, sha256(facts).digest())
    assert draw == sha256(bound).digest()[:16]
    parts = [b"sabtui seed 1", draw]
    for person in (vector["host"], *vector["members"], *vector["absent"]):
        commitment, share = digits(person, "commitment", "share")
        if share:
            assert commitment == commit_to(draw, person["name"], share)
        is_host = person is vector["host"]
        parts += [person["name"].encode(), commitment, *(() if is_host else (share,))]
    (host_share,) = digits(vector["host"], "share")
    assert hmac.digest(host_share, join_parts(*parts), "sha256").hex() == vector["seed"]
