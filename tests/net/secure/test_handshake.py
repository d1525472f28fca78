"""The handshake, message by message and without a network: who gets in, and how others do not."""

from collections.abc import Callable
from dataclasses import replace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.frames import BEFORE_TRUST, Deframer, decode, pack
from net.secure.client import ClientHandshake, ClientStep, Rejected, Rejection, Trusted
from net.secure.code import RoomCode
from net.secure.guesses import GuessLimiter, WrongCodes
from net.secure.host import HostHandshake, HostStep, TableTrust, TurnAway, Welcome
from net.secure.messages import (
    CLIENT_KINDS,
    HOST_KINDS,
    Claim,
    Confirm,
    FromClient,
    FromHost,
    Hello,
    Known,
    Offer,
    OtherVersion,
    Proof,
    Purpose,
    Refusal,
    Refused,
    Say,
    Share,
    SlowDown,
    Work,
)
from net.secure.pake import Side, exchange
from net.secure.seatkey import SeatKey
from net.secure.transcript import client_mac, join_statement, transcript
from net.secure.versions import Versions

CODE, OTHER_CODE = RoomCode("lantern", "tiger"), RoomCode("tiger", "lantern")
TABLE, OTHER_TABLE = b"\x01" * 32, b"\x02" * 32  # fingerprints
V1 = Versions(1, 1)
KEY, OTHER_KEY = SeatKey(b"\x01" * 32), SeatKey(b"\x02" * 32)
SEATED = frozenset({KEY.public})

Up = Callable[[FromClient], FromClient]
Down = Callable[[FromHost], FromHost]


def table(
    code: RoomCode | None = CODE, versions: Versions = V1, fingerprint: bytes = TABLE
) -> TableTrust:
    return TableTrust(fingerprint, versions, code, GuessLimiter(), SEATED.__contains__)


def join(
    code: RoomCode | None = CODE, versions: Versions = V1, seen: bytes = TABLE, key: SeatKey = KEY
) -> ClientHandshake:
    return ClientHandshake.join(seen, versions, key, code)


def host_step(step: HostStep) -> Say[Offer] | Say[Share] | Welcome | TurnAway:
    return step.run() if isinstance(step, Work) else step


def client_step(
    step: ClientStep,
) -> Say[Hello] | Say[Share] | Say[Proof] | Say[Claim] | Trusted | Rejected:
    return step.run() if isinstance(step, Work) else step


def play(
    client: ClientHandshake,
    trust: TableTrust,
    *,
    up: Up = lambda message: message,
    down: Down = lambda message: message,
    now: float = 0.0,
) -> tuple[Welcome | TurnAway | None, Trusted | Rejected]:
    """Let both sides talk, through whoever sits between them; what each ends with."""
    host = HostHandshake(trust)
    outcome: Welcome | TurnAway | None = None
    step = client_step(client.start())
    while isinstance(step, Say):
        answer = host_step(host.receive(up(step.message), now))
        if not isinstance(answer, Say):
            outcome = answer
        step = client_step(client.receive(down(answer.message)))
    return outcome, step


def turned_away(why: Refusal) -> TurnAway:
    return TurnAway(Refused(why))


# Getting in


@pytest.mark.parametrize("code", [CODE, None], ids=["code", "open"])
def test_who_knows_the_code_joins_with_a_key(code: RoomCode | None) -> None:
    welcome, trusted = play(join(code), table(code))
    assert isinstance(welcome, Welcome)
    assert (welcome.purpose, welcome.key, welcome.version) == (Purpose.JOIN, KEY.public, 1)
    assert trusted == Trusted(1)


@pytest.mark.parametrize("code", [CODE, None], ids=["code", "open"])
def test_who_holds_the_key_of_a_seat_comes_back_without_the_code(code: RoomCode | None) -> None:
    welcome, trusted = play(ClientHandshake.come_back(TABLE, V1, KEY), table(code))
    assert welcome == Welcome(Known(), Purpose.RETURN, KEY.public, 1)
    assert trusted == Trusted(1)


def test_both_speak_the_newest_version_that_both_have() -> None:
    welcome, trusted = play(join(versions=Versions(2, 7)), table(versions=Versions(1, 4)))
    assert isinstance(welcome, Welcome)
    assert welcome.version == 4
    assert trusted == Trusted(4)


def test_every_message_is_of_one_length_on_the_wire_and_reads_back() -> None:
    seen: list[int] = []

    def up(message: FromClient) -> FromClient:
        frame = pack(message, BEFORE_TRUST)
        seen.append(len(frame))
        (value,) = Deframer(BEFORE_TRUST).feed(frame)
        return decode(value, *CLIENT_KINDS)

    def down(message: FromHost) -> FromHost:
        frame = pack(message, BEFORE_TRUST)
        seen.append(len(frame))
        (value,) = Deframer(BEFORE_TRUST).feed(frame)
        return decode(value, *HOST_KINDS)

    for client in (join(), ClientHandshake.come_back(TABLE, V1, KEY)):
        assert isinstance(play(client, table(), up=up, down=down)[1], Trusted)
    assert set(seen) == {260}
    assert len(seen) == 10


# Versions


def test_a_client_that_is_too_old_is_told_to_update() -> None:
    away, rejected = play(join(versions=Versions(1, 1)), table(versions=Versions(2, 3)))
    assert away == TurnAway(OtherVersion(2, 3))
    assert rejected == Rejected(Rejection.UPDATE_CLIENT)


def test_a_host_that_is_too_old_is_to_be_updated() -> None:
    _, rejected = play(join(versions=Versions(4, 5)), table(versions=Versions(2, 3)))
    assert rejected == Rejected(Rejection.UPDATE_HOST)


def test_a_host_that_refuses_a_version_that_fits_is_not_believed() -> None:
    client = join()
    client.start()
    assert client.receive(OtherVersion(1, 1)) == Rejected(Rejection.NOT_UNDERSTOOD)


def test_a_host_that_picks_another_version_than_the_newest_is_left() -> None:
    _, rejected = play(
        join(versions=Versions(1, 3)),
        table(versions=Versions(1, 3)),
        down=lambda m: msgspec.structs.replace(m, version=1) if isinstance(m, Offer) else m,
    )
    assert rejected == Rejected(Rejection.NOT_UNDERSTOOD)


@pytest.mark.parametrize("code", [CODE, None], ids=["code", "open"])
def test_a_downgrade_on_the_way_is_noticed_before_trust(code: RoomCode | None) -> None:
    def lower_hello(message: FromClient) -> FromClient:
        return msgspec.structs.replace(message, high=1) if isinstance(message, Hello) else message

    def lower_offer(message: FromHost) -> FromHost:
        return msgspec.structs.replace(message, high=1) if isinstance(message, Offer) else message

    both = Versions(1, 3)
    away, rejected = play(join(code, both), table(code, both), up=lower_hello, down=lower_offer)
    assert away == turned_away(Refusal.WRONG_CODE)
    assert rejected == Rejected(Rejection.WRONG_CODE)
    back = ClientHandshake.come_back(TABLE, both, KEY)
    away, _ = play(back, table(code, both), up=lower_hello, down=lower_offer)
    assert away == turned_away(Refusal.NOT_SEATED)


# Codes


def test_a_wrong_code_is_refused_and_tells_nothing_else() -> None:
    answers: list[FromHost] = []

    def listen(message: FromHost) -> FromHost:
        answers.append(message)
        return message

    away, rejected = play(join(OTHER_CODE), table(), down=listen)
    assert away == turned_away(Refusal.WRONG_CODE)
    assert rejected == Rejected(Rejection.WRONG_CODE)
    assert [type(answer) for answer in answers] == [Offer, Share, Refused]


def test_the_fifth_wrong_code_is_told_and_the_sixth_has_to_wait() -> None:
    trust = table()
    ends = [play(join(OTHER_CODE), trust)[0] for _ in range(6)]
    assert ends[:4] == [turned_away(Refusal.WRONG_CODE)] * 4
    assert ends[4] == TurnAway(Refused(Refusal.WRONG_CODE), WrongCodes(5))
    assert ends[5] == TurnAway(SlowDown(3000))
    assert play(join(), trust, now=1)[1] == Rejected(Rejection.SLOW_DOWN, 2.0)
    assert play(join(), trust, now=3)[1] == Trusted(1)


def test_who_has_a_seat_comes_back_however_many_codes_are_tried() -> None:
    trust = table()
    for _ in range(9):
        play(join(OTHER_CODE), trust)
    assert play(ClientHandshake.come_back(TABLE, V1, KEY), trust)[1] == Trusted(1)


def test_an_open_table_slows_nobody_down_and_raises_no_alarm() -> None:
    trust = table(None)
    for _ in range(9):
        away, _ = play(join(None, seen=OTHER_TABLE), trust)
        assert away == turned_away(Refusal.WRONG_CODE)
    assert play(join(None), trust)[1] == Trusted(1)


def test_without_a_code_one_does_not_try() -> None:
    assert play(join(None), table()) == (None, Rejected(Rejection.CODE_NEEDED))


def test_a_code_is_never_dropped_for_a_host_that_says_it_is_open() -> None:
    assert play(join(), table(None)) == (None, Rejected(Rejection.TABLE_IS_OPEN))


# In the middle


def test_a_man_in_the_middle_of_a_join_gets_nothing_by_passing_on() -> None:
    away, rejected = play(join(seen=OTHER_TABLE), table())
    assert away == turned_away(Refusal.WRONG_CODE)
    assert rejected == Rejected(Rejection.WRONG_CODE)


def test_a_man_in_the_middle_of_a_return_gets_a_signature_worth_nothing() -> None:
    away, rejected = play(ClientHandshake.come_back(OTHER_TABLE, V1, KEY), table())
    assert away == turned_away(Refusal.NOT_SEATED)
    assert rejected == Rejected(Rejection.NOT_SEATED)


def test_a_fake_host_that_says_yes_is_not_believed() -> None:
    _, rejected = play(
        join(OTHER_CODE),
        table(),
        down=lambda m: Confirm(bytes(32)) if isinstance(m, Refused) else m,
    )
    assert rejected == Rejected(Rejection.HOST_UNPROVEN)


def test_a_fake_host_cannot_send_the_clients_proof_back() -> None:
    macs: list[bytes] = []

    def take(message: FromClient) -> FromClient:
        if isinstance(message, Proof):
            macs.append(message.mac)
        return message

    _, rejected = play(
        join(), table(), up=take, down=lambda m: Confirm(macs[0]) if isinstance(m, Confirm) else m
    )
    assert rejected == Rejected(Rejection.HOST_UNPROVEN)


@pytest.mark.parametrize("field", ["key", "signature", "mac"])
def test_nothing_in_a_proof_can_be_changed_on_the_way(field: str) -> None:
    def change(message: FromClient) -> FromClient:
        if isinstance(message, Proof):
            changed = bytes(len(getattr(message, field)))
            return msgspec.structs.replace(message, **{field: changed})
        return message

    assert play(join(), table(), up=change)[0] == turned_away(Refusal.WRONG_CODE)


def test_who_knows_the_code_cannot_join_with_a_key_that_is_not_theirs() -> None:
    host, hello = HostHandshake(table()), Hello(1, 1, Purpose.JOIN, bytes(32))
    offer = host.receive(hello, 0)
    assert isinstance(offer, Say)
    assert isinstance(offer.message, Offer)
    seen = transcript(TABLE, hello, offer.message)
    run = exchange(Side.CLIENT, CODE, seen)
    ours = run.share()
    share = host_step(host.receive(Share(ours), 0))
    assert isinstance(share, Say)
    assert isinstance(share.message, Share)
    secret, statement = (
        run.key(share.message.share),
        join_statement(seen, ours, share.message.share),
    )
    signature = OTHER_KEY.sign(statement)
    mac = client_mac(secret, statement, KEY.public, signature)
    away = host.receive(Proof(KEY.public, signature, mac), 0)
    assert away == turned_away(Refusal.NOT_UNDERSTOOD)


# Replays


def said(client: ClientHandshake, trust: TableTrust) -> list[FromClient]:
    """Record all that an honest client says."""
    record: list[FromClient] = []

    def take(message: FromClient) -> FromClient:
        record.append(message)
        return message

    assert isinstance(play(client, trust, up=take)[1], Trusted)
    return record


def replay(record: list[FromClient], trust: TableTrust) -> HostStep:
    host = HostHandshake(trust)
    steps = [host_step(host.receive(message, 0)) for message in record]
    return steps[-1]


@pytest.mark.parametrize("code", [CODE, None], ids=["code", "open"])
def test_a_replayed_join_is_refused(code: RoomCode | None) -> None:
    trust = table(code)
    assert replay(said(join(code), trust), trust) == turned_away(Refusal.WRONG_CODE)


def test_a_replayed_return_is_refused() -> None:
    trust = table()
    record = said(ClientHandshake.come_back(TABLE, V1, KEY), trust)
    assert replay(record, trust) == turned_away(Refusal.NOT_SEATED)


def test_a_return_signed_for_another_table_is_refused_at_this_one() -> None:
    record = said(ClientHandshake.come_back(OTHER_TABLE, V1, KEY), table(fingerprint=OTHER_TABLE))
    assert replay(record, table()) == turned_away(Refusal.NOT_SEATED)


def test_a_host_that_answers_with_an_old_nonce_gets_nothing_it_could_use_later() -> None:
    """The client's own nonce is in what it signs, too."""
    offers: list[FromHost] = []
    claims: list[FromClient] = []

    def again(message: FromHost) -> FromHost:
        offers.append(message)
        return offers[0] if isinstance(message, Offer) else message

    def take(message: FromClient) -> FromClient:
        claims.append(message)
        return message

    for _ in range(2):
        play(ClientHandshake.come_back(TABLE, V1, KEY), table(), up=take, down=again)
    assert len({msgspec.msgpack.encode(m) for m in claims if isinstance(m, Claim)}) == 2


# Seats


def test_an_unknown_key_and_a_bad_signature_are_refused_alike() -> None:
    unknown, _ = play(ClientHandshake.come_back(TABLE, V1, OTHER_KEY), table())
    forged, _ = play(
        ClientHandshake.come_back(TABLE, V1, OTHER_KEY),
        table(),
        up=lambda m: Claim(KEY.public, m.signature) if isinstance(m, Claim) else m,
    )
    assert unknown == forged == turned_away(Refusal.NOT_SEATED)


def test_whose_seat_a_key_is_is_not_asked_before_it_is_signed_with() -> None:
    asked: list[bytes] = []

    def is_seated(key: bytes) -> bool:
        asked.append(key)
        return True

    trust = replace(table(), is_seated=is_seated)
    forged, _ = play(
        ClientHandshake.come_back(TABLE, V1, OTHER_KEY),
        trust,
        up=lambda m: Claim(KEY.public, m.signature) if isinstance(m, Claim) else m,
    )
    assert forged == turned_away(Refusal.NOT_SEATED)
    assert asked == []


# Out of order

HELLO = Hello(1, 1, Purpose.JOIN, bytes(32))
HELLO_AGAIN = Hello(1, 1, Purpose.RETURN, bytes(32))
SHARE = Share(b"A" + bytes(32))
PROOF = Proof(bytes(32), bytes(64), bytes(32))
CLAIM = Claim(bytes(32), bytes(64))
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
        [HELLO, SHARE, PROOF],
        [HELLO_AGAIN, CLAIM, CLAIM],
    ],
)
def test_a_client_that_does_not_keep_to_the_order_is_turned_away(
    messages: list[FromClient],
) -> None:
    assert replay(messages, table()) == turned_away(Refusal.NOT_UNDERSTOOD)


@pytest.mark.parametrize(
    "message",
    [Share(b"B" + bytes(32)), Confirm(bytes(32)), Known()],
    ids=lambda message: type(message).__name__,
)
def test_a_host_that_does_not_keep_to_the_order_is_left(message: FromHost) -> None:
    client = join()
    client.start()
    assert client.receive(message) == Rejected(Rejection.NOT_UNDERSTOOD)


@pytest.mark.parametrize(
    "message",
    [OFFER, Known(), Confirm(bytes(32)), Share(b"B" + bytes(32))],
    ids=lambda message: type(message).__name__,
)
def test_a_host_that_goes_wrong_later_is_left_too(message: FromHost) -> None:
    client = join()
    client.start()
    assert isinstance(client_step(client.receive(OFFER)), Say)
    assert client_step(client.receive(message)) == Rejected(Rejection.NOT_UNDERSTOOD)


def test_a_returning_client_takes_no_share_and_a_joining_one_no_known() -> None:
    back = ClientHandshake.come_back(TABLE, V1, KEY)
    back.start()
    back.receive(OFFER)
    assert back.receive(Confirm(bytes(32))) == Rejected(Rejection.NOT_UNDERSTOOD)
    _, rejected = play(join(), table(), down=lambda m: Known() if isinstance(m, Confirm) else m)
    assert rejected == Rejected(Rejection.NOT_UNDERSTOOD)


from_client = st.sampled_from([HELLO, HELLO_AGAIN, SHARE, PROOF, CLAIM])


@given(st.lists(from_client, max_size=5))
def test_a_stranger_without_code_or_key_never_gets_in(messages: list[FromClient]) -> None:
    host = HostHandshake(table())
    for message in messages:
        assert not isinstance(host_step(host.receive(message, 0)), Welcome)
