"""Shares of a key, shares for one seat key each, and sealed values."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.protocol.fields import KEY_BYTES, SEALED_SHARE_BYTES, TAG_BYTES
from net.secure.keys import SeatKey
from net.secure.sealing import (
    BUCKET_BYTES,
    SealBroken,
    _inverse,
    _times,
    check_of,
    exchange_key,
    join_key,
    open_share,
    pad,
    seal,
    seal_share,
    split_key,
    threshold,
    unpad,
    unseal,
)
from tests.samples import first

BYTES = st.integers(0, 255)


@pytest.mark.parametrize("holders", first(7, range(1, 10), thorough=9))
def test_any_majority_of_the_shares_opens_a_key_and_no_fewer_do(holders: int, rng: Random) -> None:
    key = rng.randbytes(KEY_BYTES)
    shares = dict(enumerate(split_key(key, holders), 1))
    assert len(shares) == holders
    needed = threshold(holders)
    assert needed == holders // 2 + 1
    for some in combinations(shares, needed):
        assert join_key({one: shares[one] for one in reversed(some)}) == key
    for some in combinations(shares, needed - 1):
        assert not some or join_key({one: shares[one] for one in some}) != key


def test_more_shares_than_are_needed_open_a_key_too() -> None:
    key = bytes(range(KEY_BYTES))
    shares = split_key(key, 10)
    assert join_key(dict(enumerate(shares, 1))) == key
    assert not threshold(0)


def test_the_only_holder_has_the_key() -> None:
    key = bytes(range(KEY_BYTES))
    assert join_key({1: split_key(key, 1)[0]}) == key


@given(BYTES, st.integers(1, 255))
def test_one_share_fits_every_key_equally(share: int, holder: int) -> None:
    keys = {share ^ _times(slope, holder) for slope in range(256)}
    assert len(keys) == 256


def test_a_key_is_split_differently_each_time() -> None:
    key = bytes(KEY_BYTES)
    assert split_key(key, 3) != split_key(key, 3)


@given(BYTES, BYTES, BYTES)
def test_bytes_multiply_as_in_a_field(a: int, b: int, c: int) -> None:
    assert _times(a, b) == _times(b, a)
    assert _times(a, b ^ c) == _times(a, b) ^ _times(a, c)
    assert _times(_times(a, b), c) == _times(a, _times(b, c))
    if a:
        assert _times(a, _inverse(a)) == 1


def test_the_field_is_that_of_aes() -> None:
    assert _times(0x57, 0x83) == 0xC1  # FIPS 197, section 4.2


def test_seat_keys_are_converted_as_libsodium_does_it() -> None:
    # Its own test vector, of crypto_sign_ed25519_pk_to_curve25519.
    seed = "421151a459faeade3d247115f94aedae42318124095afabe4d1451a559faedee"
    public = bytes.fromhex("b5076a8474a832daee4dd5b4040983b6623b5f344aca57d4d6ee4baf3f259e6e")
    assert SeatKey(bytes.fromhex(seed)).public == public
    expected = "f1814f0e8ff1043d8a44d25babff3cedcae6c22c3edaa48f857ae70de2baae50"
    assert exchange_key(public).hex() == expected


def test_a_share_opens_with_the_seat_key_that_it_was_encrypted_to() -> None:
    key, share = SeatKey.new(), bytes(range(KEY_BYTES))
    sealed = seal_share(key.public, share)
    assert len(sealed) == SEALED_SHARE_BYTES
    assert open_share(key, sealed) == share


def test_a_share_opens_with_no_other_key_nor_once_altered() -> None:
    key, share = SeatKey.new(), bytes(range(KEY_BYTES))
    sealed = seal_share(key.public, share)
    for wrong_key, wrong_bytes in (
        (SeatKey.new(), sealed),
        (key, sealed[:-1] + bytes([sealed[-1] ^ 1])),
        (key, bytes(32) + sealed[32:]),  # a public key with which no secret is agreed
        (key, b""),
    ):
        with pytest.raises(SealBroken):
            open_share(wrong_key, wrong_bytes)


@pytest.mark.parametrize("public", [(1).to_bytes(32, "little"), bytes(32)])
def test_a_public_key_that_no_client_has_is_refused(public: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        seal_share(public, bytes(KEY_BYTES))


def test_a_check_tells_shares_apart_and_holds_none_of_them() -> None:
    one, other = split_key(bytes(range(KEY_BYTES)), 2)
    assert check_of(one) != check_of(other)
    assert check_of(one) not in one


@given(st.binary(max_size=200), st.binary(max_size=20), st.integers(0, 2**31))
def test_a_sealed_value_opens_with_key_number_and_clear_bytes(
    value: bytes, clear: bytes, number: int
) -> None:
    key = bytes(range(KEY_BYTES))
    sealed = seal(key, number, value, clear)
    assert unseal(key, number, sealed, clear) == value
    for other in (
        (bytes(KEY_BYTES), number, sealed, clear),
        (key, number + 1, sealed, clear),
        (key, number, sealed[:-1] + bytes([sealed[-1] ^ 1]), clear),
        (key, number, sealed, clear + b"!"),
    ):
        with pytest.raises(SealBroken):
            unseal(*other)


@given(st.binary(max_size=300))
def test_padding_comes_off_again(value: bytes) -> None:
    assert unpad(pad(value)) == value


def test_short_values_are_of_one_length_when_padded_and_sealed() -> None:
    lengths = {len(seal(bytes(KEY_BYTES), 1, pad(bytes(size)))) for size in range(BUCKET_BYTES - 3)}
    assert lengths == {BUCKET_BYTES + TAG_BYTES}
    assert {len(pad(bytes(size))) for size in range(BUCKET_BYTES - 3, 125)} == {128}
