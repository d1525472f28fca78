"""Seat keys: who holds one can sign, and nobody else."""

from net.security.keys import SeatKey, is_signed


def test_a_signature_is_of_one_key_and_one_statement() -> None:
    key, other = SeatKey.new(), SeatKey.new()
    signature = key.sign(b"statement")
    assert is_signed(key.public, signature, b"statement")
    assert not is_signed(key.public, signature, b"statements")
    assert not is_signed(other.public, signature, b"statement")
    assert not is_signed(bytes(32), signature, b"statement")
    assert not is_signed(b"\xff" * 32, signature, b"statement")


def test_a_key_kept_as_bytes_is_the_same_key() -> None:
    key = SeatKey.new()
    assert SeatKey(key.secret).public == key.public


def test_a_key_tells_nothing_of_itself() -> None:
    key = SeatKey.new()
    assert repr(key) == "SeatKey(...)"
