"""The handshake under attack: men in the middle, fakes, replays, and what comes out of order."""

from dataclasses import replace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.secure.code import RoomCode
from net.secure.handshake import (
    Accept,
    ClientHandshake,
    HandshakeFromClient,
    HandshakeFromHost,
    HandshakeRefused,
    Hello,
    HostProof,
    Known,
    Offer,
    PakeSide,
    Proof,
    Purpose,
    Reject,
    Rejection,
    RejectReason,
    ReturnRequest,
    Share,
    TableTrust,
    begin_exchange,
    client_mac,
    join_statement,
    transcript,
)
from tests.net.secure.handshakes import (
    CODE,
    KEY,
    OTHER_CODE,
    OTHER_KEY,
    OTHER_TABLE,
    TABLE,
    V1,
    Client,
    Host,
    expect_reject,
    join,
    noting,
    play,
    table,
)


def test_a_man_in_the_middle_of_a_join_gets_nothing_by_passing_on() -> None:
    away, rejected = play(join(seen=OTHER_TABLE), table())
    assert away == expect_reject(RejectReason.WRONG_CODE)
    assert rejected is Rejection.WRONG_CODE


def test_a_man_in_the_middle_of_a_return_gets_a_signature_worth_nothing() -> None:
    away, rejected = play(ClientHandshake.come_back(OTHER_TABLE, V1, KEY), table())
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


def test_who_knows_the_code_cannot_join_with_a_key_that_is_not_theirs() -> None:
    host, hello = Host(table()), Hello(1, 1, Purpose.JOIN, bytes(32))
    offer = host.hear(hello)
    assert isinstance(offer, Offer)
    seen = transcript(TABLE, hello, offer)
    run = begin_exchange(PakeSide.CLIENT, CODE, seen)
    ours = run.share()
    share = host.hear(Share(ours))
    assert isinstance(share, Share)
    secret, statement = run.key(share.share), join_statement(seen, ours, share.share)
    signature = OTHER_KEY.sign(statement)
    mac = client_mac(secret, statement, KEY.public, signature)
    host.hear(Proof(KEY.public, signature, mac))
    assert host.outcome == expect_reject(RejectReason.NOT_UNDERSTOOD)


def record_client(client: ClientHandshake, trust: TableTrust) -> list[HandshakeFromClient]:
    record: list[HandshakeFromClient] = []
    assert play(client, trust, up=noting(record))[1] is None
    return record


def replay(record: list[HandshakeFromClient], trust: TableTrust) -> Accept | Reject | None:
    host = Host(trust)
    for message in record:
        host.hear(message)
    return host.outcome


@pytest.mark.parametrize("code", [CODE, None], ids=["code", "open"])
def test_a_replayed_join_is_refused(code: RoomCode | None) -> None:
    trust = table(code)
    assert replay(record_client(join(code), trust), trust) == expect_reject(RejectReason.WRONG_CODE)


def test_a_replayed_return_is_refused() -> None:
    trust = table()
    record = record_client(ClientHandshake.come_back(TABLE, V1, KEY), trust)
    assert replay(record, trust) == expect_reject(RejectReason.NOT_SEATED)


def test_a_return_signed_for_another_table_is_refused_at_this_one() -> None:
    record = record_client(
        ClientHandshake.come_back(OTHER_TABLE, V1, KEY), table(fingerprint=OTHER_TABLE)
    )
    assert replay(record, table()) == expect_reject(RejectReason.NOT_SEATED)


def test_a_host_that_answers_with_an_old_nonce_gets_nothing_it_could_use_later() -> None:
    offers: list[HandshakeFromHost] = []
    claims: list[HandshakeFromClient] = []

    def again(message: HandshakeFromHost) -> HandshakeFromHost:
        offers.append(message)
        return offers[0] if isinstance(message, Offer) else message

    for _ in range(2):
        play(ClientHandshake.come_back(TABLE, V1, KEY), table(), up=noting(claims), down=again)
    assert len({msgspec.msgpack.encode(m) for m in claims if isinstance(m, ReturnRequest)}) == 2


def test_an_unknown_key_and_a_bad_signature_are_refused_alike() -> None:
    unknown, _ = play(ClientHandshake.come_back(TABLE, V1, OTHER_KEY), table())
    forged, _ = play(
        ClientHandshake.come_back(TABLE, V1, OTHER_KEY),
        table(),
        up=lambda m: ReturnRequest(KEY.public, m.signature) if isinstance(m, ReturnRequest) else m,
    )
    assert unknown == forged == expect_reject(RejectReason.NOT_SEATED)


def test_whose_seat_a_key_is_is_not_asked_before_it_is_signed_with() -> None:
    asked: list[bytes] = []

    def is_seated(key: bytes) -> bool:
        asked.append(key)
        return True

    trust = replace(table(), is_seated=is_seated)
    forged, _ = play(
        ClientHandshake.come_back(TABLE, V1, OTHER_KEY),
        trust,
        up=lambda m: ReturnRequest(KEY.public, m.signature) if isinstance(m, ReturnRequest) else m,
    )
    assert forged == expect_reject(RejectReason.NOT_SEATED)
    assert asked == []


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
    host.hear(HELLO)
    assert isinstance(host.hear(Share(begin_exchange(PakeSide.CLIENT, CODE, b"").share())), Share)
    host.hear(HELLO)
    assert host.outcome == expect_reject(RejectReason.NOT_UNDERSTOOD)


@pytest.mark.parametrize(
    "message",
    [Share(b"B" + bytes(32)), HostProof(bytes(32)), Known()],
    ids=lambda message: type(message).__name__,
)
def test_a_host_that_does_not_keep_to_the_order_is_left(message: HandshakeFromHost) -> None:
    client = Client(join())
    assert client.hear(message) is None
    assert client.why is Rejection.NOT_UNDERSTOOD


@pytest.mark.parametrize(
    "message",
    [OFFER, Known(), HostProof(bytes(32)), Share(b"B" + bytes(32))],
    ids=lambda message: type(message).__name__,
)
def test_a_host_that_goes_wrong_later_is_left_too(message: HandshakeFromHost) -> None:
    client = Client(join())
    assert isinstance(client.hear(OFFER), Share)
    assert client.hear(message) is None
    assert client.why is Rejection.NOT_UNDERSTOOD


def test_a_returning_client_takes_no_share_and_a_joining_one_no_known() -> None:
    back = Client(ClientHandshake.come_back(TABLE, V1, KEY))
    back.hear(OFFER)
    back.hear(HostProof(bytes(32)))
    assert back.why is Rejection.NOT_UNDERSTOOD
    _, rejected = play(join(), table(), down=lambda m: Known() if isinstance(m, HostProof) else m)
    assert rejected is Rejection.NOT_UNDERSTOOD


from_client = st.sampled_from([HELLO, HELLO_AGAIN, SHARE, PROOF, CLAIM])


@given(st.lists(from_client, max_size=5))
def test_a_stranger_without_code_or_key_never_gets_in(messages: list[HandshakeFromClient]) -> None:
    host = Host(table())
    for message in messages:
        if host.outcome is None:
            host.hear(message)
    assert not isinstance(host.outcome, Accept)
