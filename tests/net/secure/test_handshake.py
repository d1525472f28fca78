"""The handshake: versions, codes, keys, key exchange, and all who attack it."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Generic, TypeVar, cast

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.protocol import Versions, agree
from net.protocol.framing import MAX_UNTRUSTED_FRAME_BYTES, Message, decode, pack
from net.secure.code import RoomCode
from net.secure.handshake import (
    HANDSHAKE_CLIENT_KINDS,
    HANDSHAKE_HOST_KINDS,
    PAKE_SHARE_BYTES,
    Accept,
    AuthenticationFailed,
    BadShare,
    ClientHandshake,
    HandshakeFromClient,
    HandshakeFromHost,
    HandshakeRefused,
    HandshakeSide,
    Hello,
    HostClaim,
    HostProof,
    Known,
    Offer,
    OtherVersion,
    PakeSide,
    Proof,
    Purpose,
    Reject,
    Rejection,
    RejectReason,
    ReturnRequest,
    Share,
    SlowDown,
    TableTrust,
    begin_exchange,
    client_mac,
    host_statement,
    join_statement,
    transcript,
    welcome,
)
from net.secure.keys import SeatKey
from net.secure.limits import GuessLimiter
from tests.net.protocol.frames import value_of

CODE, OTHER_CODE = RoomCode("lantern", "tiger"), RoomCode("tiger", "lantern")

TABLE, OTHER_TABLE = b"\x01" * 32, b"\x02" * 32  # fingerprints
V1 = Versions(1, 1)
KEY, OTHER_KEY = SeatKey(b"\x01" * 32), SeatKey(b"\x02" * 32)
SEATED = frozenset({KEY.public})

T = TypeVar("T")
Up = Callable[[HandshakeFromClient], HandshakeFromClient]
Down = Callable[[HandshakeFromHost], HandshakeFromHost]


def table(
    code: RoomCode | None = CODE, versions: Versions = V1, fingerprint: bytes = TABLE
) -> TableTrust:
    return TableTrust(fingerprint, versions, code, GuessLimiter(), SEATED.__contains__)


def join(
    code: RoomCode | None = CODE, versions: Versions = V1, seen: bytes = TABLE, key: SeatKey = KEY
) -> ClientHandshake:
    return ClientHandshake.join(seen, versions, key, code)


class Talk(Generic[T]):
    """One side of a handshake, message by message, until it has `ended`."""

    def __init__(self, side: HandshakeSide[T]) -> None:
        self.ended = False
        self.end: T | None = None
        self._side = side

    def receive(self, answer: object) -> Message | None:
        try:
            step = self._side.send(answer)
            while not isinstance(step, Message):
                step = self._side.send(step())
        except StopIteration as over:
            self.ended, self.end = True, over.value
            return None
        return step


class Host:
    """The host's side of a handshake, and how that ended."""

    def __init__(self, trust: TableTrust, now: float = 0.0) -> None:
        self.outcome: Accept | Reject | None = None
        self._trust = trust
        self._now = now
        self._talk: Talk[Accept | Reject] | None = None

    def receive(self, message: HandshakeFromClient) -> HandshakeFromHost:
        if self._talk is None:
            self._talk = Talk(welcome(self._trust, "", lambda: self._now, message))
            said = self._talk.receive(None)
        else:
            said = self._talk.receive(message)
        self.outcome = self._talk.end
        return cast("HandshakeFromHost", said if self.outcome is None else self.outcome.message)


class Client:
    """The client's side of a handshake: `hello`, whether it trusts its host, or why it does not."""

    def __init__(self, handshake: ClientHandshake) -> None:
        self.why: Rejection | None = None
        self.wait = 0.0
        self.trusts = False
        self._talk = Talk(handshake.run())
        self.hello = cast("Hello", self._talk.receive(None))

    def receive(self, message: HandshakeFromHost) -> HandshakeFromClient | None:
        try:
            said = self._talk.receive(message)
        except AuthenticationFailed as failed:
            self.why, self.wait = failed.why, failed.wait
            return None
        self.trusts = self._talk.ended
        return cast("HandshakeFromClient | None", said)


def play(
    handshake: ClientHandshake,
    trust: TableTrust,
    *,
    up: Up = lambda message: message,
    down: Down = lambda message: message,
    now: float = 0.0,
) -> tuple[Accept | Reject | None, Rejection | None]:
    """Let both sides talk, through whoever sits between them; what each ends with.

    A client ends with the reason why it does not trust its host, `None` if it does.
    """
    client, host = Client(handshake), Host(trust, now)
    said: HandshakeFromClient | None = client.hello
    while said is not None:
        said = client.receive(down(host.receive(up(said))))
    assert client.trusts is (client.why is None)
    return host.outcome, client.why


def noting(said: list[T]) -> Callable[[T], T]:
    """Return what passes all on, and notes it."""

    def note(message: T) -> T:
        said.append(message)
        return message

    return note


def expect_reject(why: RejectReason) -> Reject:
    return Reject(HandshakeRefused(why))


@pytest.mark.parametrize("code", [CODE, None], ids=["code", "open"])
def test_somebody_who_knows_the_code_joins_with_a_key(code: RoomCode | None) -> None:
    welcome, trusted = play(join(code), table(code))
    assert isinstance(welcome, Accept)
    assert welcome.key == KEY.public
    assert trusted is None


@pytest.mark.parametrize("code", [CODE, None], ids=["code", "open"])
def test_a_player_with_the_key_of_a_seat_comes_back_without_code(code: RoomCode | None) -> None:
    welcome, trusted = play(ClientHandshake.rejoin(TABLE, V1, KEY), table(code))
    assert welcome == Accept(Known(), KEY.public)
    assert trusted is None


def test_both_speak_the_newest_version_that_both_have() -> None:
    said: list[HandshakeFromHost] = []
    welcome, trusted = play(
        join(versions=Versions(2, 7)), table(versions=Versions(1, 4)), down=noting(said)
    )
    assert isinstance(welcome, Accept)
    assert trusted is None
    assert [message.version for message in said if isinstance(message, Offer)] == [4]


def test_every_message_is_of_one_length_on_the_wire_and_reads_back() -> None:
    seen: list[int] = []

    def up(message: HandshakeFromClient) -> HandshakeFromClient:
        frame = pack(message, MAX_UNTRUSTED_FRAME_BYTES)
        seen.append(len(frame))
        return decode(value_of(frame, MAX_UNTRUSTED_FRAME_BYTES), *HANDSHAKE_CLIENT_KINDS)

    def down(message: HandshakeFromHost) -> HandshakeFromHost:
        frame = pack(message, MAX_UNTRUSTED_FRAME_BYTES)
        seen.append(len(frame))
        return decode(value_of(frame, MAX_UNTRUSTED_FRAME_BYTES), *HANDSHAKE_HOST_KINDS)

    for client in (join(), ClientHandshake.rejoin(TABLE, V1, KEY)):
        assert play(client, table(), up=up, down=down)[1] is None
    assert set(seen) == {260}
    assert len(seen) == 10


@pytest.mark.parametrize("ours", [Versions(1, 1), Versions(4, 5)])
def test_sides_without_a_common_version_do_not_understand_each_other(ours: Versions) -> None:
    away, rejected = play(join(versions=ours), table(versions=Versions(2, 3)))
    assert away == Reject(OtherVersion(2, 3))
    assert rejected is Rejection.NOT_UNDERSTOOD


def test_a_host_that_picks_another_version_than_the_newest_is_left() -> None:
    _, rejected = play(
        join(versions=Versions(1, 3)),
        table(versions=Versions(1, 3)),
        down=lambda m: msgspec.structs.replace(m, version=1) if isinstance(m, Offer) else m,
    )
    assert rejected is Rejection.NOT_UNDERSTOOD


@pytest.mark.parametrize("code", [CODE, None], ids=["code", "open"])
def test_a_downgrade_on_the_way_is_noticed_before_trust(code: RoomCode | None) -> None:
    def lower_hello(message: HandshakeFromClient) -> HandshakeFromClient:
        return msgspec.structs.replace(message, high=1) if isinstance(message, Hello) else message

    def lower_offer(message: HandshakeFromHost) -> HandshakeFromHost:
        return msgspec.structs.replace(message, high=1) if isinstance(message, Offer) else message

    both = Versions(1, 3)
    away, rejected = play(join(code, both), table(code, both), up=lower_hello, down=lower_offer)
    assert away == expect_reject(RejectReason.WRONG_CODE)
    assert rejected is Rejection.WRONG_CODE
    back = ClientHandshake.rejoin(TABLE, both, KEY)
    away, _ = play(back, table(code, both), up=lower_hello, down=lower_offer)
    assert away == expect_reject(RejectReason.NOT_SEATED)


def test_a_wrong_code_is_refused_and_tells_nothing_else() -> None:
    answers: list[HandshakeFromHost] = []
    away, rejected = play(join(OTHER_CODE), table(), down=noting(answers))
    assert away == expect_reject(RejectReason.WRONG_CODE)
    assert rejected is Rejection.WRONG_CODE
    assert [type(answer) for answer in answers] == [Offer, Share, HandshakeRefused]


def test_the_fifth_wrong_code_is_told_and_the_sixth_has_to_wait() -> None:
    trust = table()
    ends = [play(join(OTHER_CODE), trust)[0] for _ in range(6)]
    assert ends[:4] == [expect_reject(RejectReason.WRONG_CODE)] * 4
    assert ends[4] == Reject(HandshakeRefused(RejectReason.WRONG_CODE), 5)
    assert ends[5] == Reject(SlowDown(10_000))
    back = play(ClientHandshake.rejoin(TABLE, V1, KEY), trust)
    assert back == (Accept(Known(), KEY.public), None), "for a seat nobody has to wait"
    assert play(join(), trust, now=1) == (Reject(SlowDown(9_000)), Rejection.SLOW_DOWN)
    client = Client(join())
    client.receive(SlowDown(9_000))
    assert (client.why, client.wait) == (Rejection.SLOW_DOWN, 9)
    assert play(join(), trust, now=10)[1] is None


def test_an_open_table_slows_nobody_down_and_raises_no_alarm() -> None:
    trust = table(None)
    for _ in range(9):
        away, _ = play(join(None, seen=OTHER_TABLE), trust)
        assert away == expect_reject(RejectReason.WRONG_CODE)
    assert play(join(None), trust)[1] is None


def test_without_a_code_one_does_not_try() -> None:
    assert play(join(None), table()) == (None, Rejection.CODE_NEEDED)


def test_a_code_is_never_dropped_for_a_host_that_says_it_is_open() -> None:
    assert play(join(), table(None)) == (None, Rejection.TABLE_IS_OPEN)


# Going on at another computer: the host there signs with a seat key that the others know.


def claim_of(key: SeatKey, *, term: int = 19, fingerprint: bytes = TABLE) -> HostClaim:
    statement = host_statement("0123456789abcdef", term, fingerprint)
    return HostClaim(term, key.public, key.sign(statement))


def follow() -> ClientHandshake:
    def trusts(offer: Offer) -> bool:
        claim = offer.host
        has_seat = claim is not None and claim.key == OTHER_KEY.public and claim.term > 10
        return claim is not None and has_seat and claim.is_signed("0123456789abcdef", TABLE)

    return ClientHandshake.follow(TABLE, V1, KEY, trusts)


def test_somebody_who_follows_returns_to_a_host_that_signs_with_the_key_of_a_seat() -> None:
    welcome, trusted = play(follow(), replace(table(), claim=claim_of(OTHER_KEY)))
    assert welcome == Accept(Known(), KEY.public)
    assert trusted is None


@pytest.mark.parametrize(
    "claim",
    [
        None,
        claim_of(SeatKey(b"\x03" * 32)),
        claim_of(OTHER_KEY, term=10),
        claim_of(OTHER_KEY, fingerprint=OTHER_TABLE),
        msgspec.structs.replace(claim_of(OTHER_KEY), term=29),
    ],
    ids=["none", "by a stranger", "of an old term", "of another computer", "with a changed term"],
)
def test_somebody_who_follows_tells_no_seat_to_any_other_host(claim: HostClaim | None) -> None:
    client, host = Client(follow()), Host(replace(table(), claim=claim))
    assert client.receive(host.receive(client.hello)) is None
    assert client.why is Rejection.NOT_OUR_HOST


def test_a_host_that_went_on_is_joined_by_the_code_like_any_other() -> None:
    welcome, trusted = play(join(), replace(table(), claim=claim_of(OTHER_KEY)))
    assert isinstance(welcome, Accept)
    assert trusted is None


# The key exchange: one key for one code, none for anything else.


@pytest.mark.parametrize("code", [CODE, None], ids=["code", "open"])
@pytest.mark.parametrize("bindings", [(b"seen", b"seen"), (b"seen", b"other")])
def test_two_end_with_one_key_if_they_have_seen_the_same(
    bindings: tuple[bytes, bytes], code: RoomCode | None
) -> None:
    client = begin_exchange(PakeSide.CLIENT, code, bindings[0])
    host = begin_exchange(PakeSide.HOST, code, bindings[1])
    clients, hosts = client.share(), host.share()
    assert (client.key(hosts) == host.key(clients)) is (bindings[0] == bindings[1])


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


@pytest.mark.parametrize(
    ("client", "host", "version"),
    [
        ((1, 1), (1, 1), 1),
        ((1, 3), (2, 5), 3),
        ((2, 5), (1, 3), 3),
        ((1, 9), (4, 5), 5),
        ((1, 1), (2, 3), None),
        ((4, 5), (2, 3), None),
        ((3, 2), (2, 3), None),
    ],
)
def test_two_ranges_have_a_newest_common_version_or_none(
    client: tuple[int, int], host: tuple[int, int], version: int | None
) -> None:
    assert agree(Versions(*client), Versions(*host)) == version


# Men in the middle, fakes, replays, and what comes out of order.


def test_a_man_in_the_middle_of_a_join_gets_nothing_by_passing_on() -> None:
    away, rejected = play(join(seen=OTHER_TABLE), table())
    assert away == expect_reject(RejectReason.WRONG_CODE)
    assert rejected is Rejection.WRONG_CODE


def test_a_man_in_the_middle_of_a_return_gets_a_signature_worth_nothing() -> None:
    away, rejected = play(ClientHandshake.rejoin(OTHER_TABLE, V1, KEY), table())
    assert away == expect_reject(RejectReason.NOT_SEATED)
    assert rejected is Rejection.NOT_SEATED


def test_a_fake_host_that_says_yes_is_not_believed() -> None:
    _, rejected = play(
        join(OTHER_CODE),
        table(),
        down=lambda m: HostProof(bytes(32)) if isinstance(m, HandshakeRefused) else m,
    )
    assert rejected is Rejection.HOST_UNPROVEN


def test_a_fake_host_cannot_send_the_clients_proof_back() -> None:
    macs: list[bytes] = []

    def take(message: HandshakeFromClient) -> HandshakeFromClient:
        if isinstance(message, Proof):
            macs.append(message.mac)
        return message

    _, rejected = play(
        join(),
        table(),
        up=take,
        down=lambda m: HostProof(macs[0]) if isinstance(m, HostProof) else m,
    )
    assert rejected is Rejection.HOST_UNPROVEN


@pytest.mark.parametrize("field", ["key", "signature", "mac"])
def test_nothing_in_a_proof_can_be_changed_on_the_way(field: str) -> None:
    def change(message: HandshakeFromClient) -> HandshakeFromClient:
        if isinstance(message, Proof):
            changed = bytes(len(getattr(message, field)))
            return msgspec.structs.replace(message, **{field: changed})
        return message

    assert play(join(), table(), up=change)[0] == expect_reject(RejectReason.WRONG_CODE)


def test_somebody_who_knows_the_code_cannot_join_with_a_key_that_is_not_theirs() -> None:
    host, hello = Host(table()), Hello(1, 1, Purpose.JOIN, bytes(32))
    offer = host.receive(hello)
    assert isinstance(offer, Offer)
    seen = transcript(TABLE, hello, offer)
    run = begin_exchange(PakeSide.CLIENT, CODE, seen)
    ours = run.share()
    share = host.receive(Share(ours))
    assert isinstance(share, Share)
    secret, statement = run.key(share.share), join_statement(seen, ours, share.share)
    signature = OTHER_KEY.sign(statement)
    mac = client_mac(secret, statement, KEY.public, signature)
    host.receive(Proof(KEY.public, signature, mac))
    assert host.outcome == expect_reject(RejectReason.NOT_UNDERSTOOD)


def record_client(client: ClientHandshake, trust: TableTrust) -> list[HandshakeFromClient]:
    record: list[HandshakeFromClient] = []
    assert play(client, trust, up=noting(record))[1] is None
    return record


def replay(record: list[HandshakeFromClient], trust: TableTrust) -> Accept | Reject | None:
    host = Host(trust)
    for message in record:
        host.receive(message)
    return host.outcome


@pytest.mark.parametrize("code", [CODE, None], ids=["code", "open"])
def test_a_replayed_join_is_refused(code: RoomCode | None) -> None:
    trust = table(code)
    assert replay(record_client(join(code), trust), trust) == expect_reject(RejectReason.WRONG_CODE)


def test_a_replayed_return_is_refused() -> None:
    trust = table()
    record = record_client(ClientHandshake.rejoin(TABLE, V1, KEY), trust)
    assert replay(record, trust) == expect_reject(RejectReason.NOT_SEATED)


def test_a_return_signed_for_another_table_is_refused_at_this_one() -> None:
    record = record_client(
        ClientHandshake.rejoin(OTHER_TABLE, V1, KEY), table(fingerprint=OTHER_TABLE)
    )
    assert replay(record, table()) == expect_reject(RejectReason.NOT_SEATED)


def test_a_host_that_answers_with_an_old_nonce_gets_nothing_it_could_use_later() -> None:
    offers: list[HandshakeFromHost] = []
    claims: list[HandshakeFromClient] = []

    def again(message: HandshakeFromHost) -> HandshakeFromHost:
        offers.append(message)
        return offers[0] if isinstance(message, Offer) else message

    for _ in range(2):
        play(ClientHandshake.rejoin(TABLE, V1, KEY), table(), up=noting(claims), down=again)
    assert len({msgspec.msgpack.encode(m) for m in claims if isinstance(m, ReturnRequest)}) == 2


def test_an_unknown_key_and_a_bad_signature_are_refused_alike() -> None:
    asked: list[bytes] = []

    def is_seated(key: bytes) -> bool:
        asked.append(key)
        return key == KEY.public

    trust, stranger = replace(table(), is_seated=is_seated), OTHER_KEY
    unknown, _ = play(ClientHandshake.rejoin(TABLE, V1, stranger), trust)
    forged, _ = play(
        ClientHandshake.rejoin(TABLE, V1, stranger),
        trust,
        up=lambda m: ReturnRequest(KEY.public, m.signature) if isinstance(m, ReturnRequest) else m,
    )
    assert unknown == forged == expect_reject(RejectReason.NOT_SEATED)
    assert asked == [stranger.public], "for no seat before its key has signed"


HELLO = Hello(1, 1, Purpose.JOIN, bytes(32))
HELLO_AGAIN = Hello(1, 1, Purpose.RETURN, bytes(32))
SHARE = Share(b"A" + bytes(32))
PROOF = Proof(bytes(32), bytes(64), bytes(32))
CLAIM = ReturnRequest(bytes(32), bytes(64))
OFFER = Offer(1, 1, 1, is_open=False, nonce=bytes(32))


@pytest.mark.parametrize(
    "messages",
    [
        [SHARE],
        [PROOF],
        [CLAIM],
        [HELLO, HELLO],
        [HELLO, PROOF],
        [HELLO, CLAIM],
        [HELLO_AGAIN, SHARE],
        [HELLO_AGAIN, PROOF],
        [HELLO, SHARE],  # which is no point of the group
    ],
)
def test_a_client_that_does_not_keep_to_the_order_is_turned_away(
    messages: list[HandshakeFromClient],
) -> None:
    assert replay(messages, table()) == expect_reject(RejectReason.NOT_UNDERSTOOD)


def test_a_client_that_follows_its_share_by_no_proof_is_turned_away() -> None:
    host = Host(table())
    host.receive(HELLO)
    assert isinstance(
        host.receive(Share(begin_exchange(PakeSide.CLIENT, CODE, b"").share())), Share
    )
    host.receive(HELLO)
    assert host.outcome == expect_reject(RejectReason.NOT_UNDERSTOOD)


@pytest.mark.parametrize("has_offered", [False, True])
@pytest.mark.parametrize(
    "message",
    [Share(b"B" + bytes(32)), HostProof(bytes(32)), Known(), OFFER],
    ids=lambda message: type(message).__name__,
)
def test_a_host_that_does_not_keep_to_the_order_is_left(
    message: HandshakeFromHost, *, has_offered: bool
) -> None:
    client = Client(join())
    if has_offered or message is OFFER:
        assert isinstance(client.receive(OFFER), Share)
    assert client.receive(message) is None
    assert client.why is Rejection.NOT_UNDERSTOOD


def test_a_returning_client_takes_no_share_and_a_joining_one_no_known() -> None:
    back = Client(ClientHandshake.rejoin(TABLE, V1, KEY))
    back.receive(OFFER)
    back.receive(HostProof(bytes(32)))
    assert back.why is Rejection.NOT_UNDERSTOOD
    _, rejected = play(join(), table(), down=lambda m: Known() if isinstance(m, HostProof) else m)
    assert rejected is Rejection.NOT_UNDERSTOOD


from_client = st.sampled_from([HELLO, HELLO_AGAIN, SHARE, PROOF, CLAIM])


@given(st.lists(from_client, max_size=5))
def test_a_stranger_without_code_or_key_never_gets_in(messages: list[HandshakeFromClient]) -> None:
    host = Host(table())
    for message in messages:
        if host.outcome is None:
            host.receive(message)
    assert not isinstance(host.outcome, Accept)
