"""The key exchange: one key for one code, none for anything else."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.secure.code import RoomCode
from net.secure.handshake import PAKE_SHARE_BYTES, BadShare, PakeSide, begin_exchange

CODE = RoomCode("lantern", "tiger")


def keys(
    client: tuple[RoomCode | None, bytes], host: tuple[RoomCode | None, bytes]
) -> tuple[bytes, bytes]:
    a, b = begin_exchange(PakeSide.CLIENT, *client), begin_exchange(PakeSide.HOST, *host)
    share_a, share_b = a.share(), b.share()
    assert len(share_a) == len(share_b) == PAKE_SHARE_BYTES
    return a.key(share_b), b.key(share_a)


@pytest.mark.parametrize("code", [CODE, None], ids=["code", "open"])
def test_two_who_hold_the_same_end_with_one_key(code: RoomCode | None) -> None:
    one, other = keys((code, b"seen"), (code, b"seen"))
    assert one == other
    assert len(one) == 32
    assert one != keys((code, b"seen"), (code, b"seen"))[0]


@pytest.mark.parametrize(
    ("client", "host"),
    [
        ((CODE, b"seen"), (RoomCode("tiger", "lantern"), b"seen")),
        ((CODE, b"seen"), (CODE, b"other")),
        ((None, b"seen"), (None, b"other")),
    ],
    ids=["another code", "another transcript", "another transcript of an open table"],
)
def test_two_who_differ_end_with_two_keys(
    client: tuple[RoomCode | None, bytes], host: tuple[RoomCode | None, bytes]
) -> None:
    one, other = keys(client, host)
    assert one != other


@pytest.mark.parametrize("code", [CODE, None], ids=["code", "open"])
@pytest.mark.parametrize("side", list(PakeSide))
def test_a_share_of_the_same_side_or_our_own_sent_back_is_refused(
    code: RoomCode | None, side: PakeSide
) -> None:
    run = begin_exchange(side, code, b"seen")
    ours = run.share()
    with pytest.raises(BadShare):
        run.key(ours)
    run, reflected = (
        begin_exchange(side, code, b"seen"),
        begin_exchange(side, code, b"seen").share(),
    )
    run.share()
    with pytest.raises(BadShare):
        run.key(reflected)


@pytest.mark.parametrize("code", [CODE, None], ids=["code", "open"])
def test_our_own_point_under_the_other_name_is_refused_where_there_is_a_code(
    code: RoomCode | None,
) -> None:
    run = begin_exchange(PakeSide.CLIENT, code, b"seen")
    reflected = b"B" + run.share()[1:]
    if code is None:
        assert run.key(reflected)  # nothing is proven there
    else:
        with pytest.raises(BadShare):
            run.key(reflected)


# Points of order 1, 2, 4 and 8, and two that are not on the curve
@pytest.mark.parametrize(
    "point",
    [
        (1).to_bytes(32, "little"),
        (2**255 - 20).to_bytes(32, "little"),
        bytes(32),
        bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
        (2).to_bytes(32, "little"),
        b"\xff" * 32,
    ],
    ids=["1", "2", "4", "8", "off", "all ones"],
)
def test_a_point_outside_the_group_is_refused(point: bytes) -> None:
    run = begin_exchange(PakeSide.HOST, CODE, b"seen")
    run.share()
    with pytest.raises(BadShare):
        run.key(b"A" + point)


@given(
    st.binary(min_size=PAKE_SHARE_BYTES, max_size=PAKE_SHARE_BYTES)
    | st.binary(min_size=32, max_size=32)
)
def test_any_bytes_are_a_share_or_a_bad_share(theirs: bytes) -> None:
    run = begin_exchange(PakeSide.HOST, CODE, b"seen")
    run.share()
    with suppress(BadShare):
        assert len(run.key((b"A" + theirs)[:PAKE_SHARE_BYTES])) == 32
