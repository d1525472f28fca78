"""A program's own part in a draw, and draws that begin again: an honest host is believed."""

from __future__ import annotations

from itertools import count
from random import Random

import pytest
from msgspec import structs

from engine.dealing import commitment, draw_id
from engine.state import Phase
from net.client.audit import MismatchKind
from net.client.draws import OwnShare, SeenDraw, VoidDraw
from net.client.state import ClientState
from net.client.trail import GameState, after_frame
from net.protocol.lobby import Drawer, Lobby, Person, Presence, SeedDraw, Settings, Taken
from net.protocol.lobby_events import DrawBegan, GameBegins, LobbyEvent, SharesShown
from net.protocol.messages import ClientMessage, CommitShare, ShowShare, StepFrame
from net.protocol.requests import Kick, NextRound, Start
from net.room import draws
from net.room.seeds import deal_basis
from net.room.state import Step
from tests.net.client.unfair_table import ALL, GUESTS, TWO, UnfairTable, comes_back, kinds
from tests.net.room.room_fixture import Guest, play_on
from tests.samples import first

BEN, CLEO = Drawer(2, "Ben"), Drawer(3, "Cleo")
PEOPLE = tuple(
    Person(number, name, Presence.THERE) for number, name in enumerate(("Ann", "Ben", "Cleo"), 1)
)


LOBBY = structs.replace(
    Lobby.empty("", Settings(seats=3)),
    people=PEOPLE,
    host=1,
    chairs=tuple(Taken(member, ready=True) for member in (1, 2, 3)),
)


def draw_with(nonce: bytes) -> SeedDraw:
    id_ = draw_id(nonce, deal_basis(LOBBY, None, (2, 3)))
    return SeedDraw(id_, nonce, 1, b"H" * 32, (BEN, CLEO), host_name="Ann")


DRAW = draw_with(b"n" * 16)


def lobby(draw: SeedDraw | None) -> Lobby:
    return structs.replace(LOBBY, draw=draw)


def answer(share: OwnShare, draw: SeedDraw | None, member: int = 2) -> tuple[object, ...]:
    return share.answer(lobby(draw), None, member)


def own_share() -> OwnShare:
    numbers = count(1)
    return OwnShare(lambda: bytes([next(numbers)]) * 32)


def commit_all(share: bytes, cleo: bytes = b"C" * 32) -> SeedDraw:
    return structs.replace(DRAW, commitments=(commitment(DRAW.id, "Ben", share), cleo))


def test_a_program_commits_to_one_share_of_each_draw_and_shows_it_for_that_alone() -> None:
    share = own_share()
    assert answer(share, commit_all(b"\1" * 32)) == (), "it has committed to none"
    first = answer(share, DRAW)
    assert first == answer(share, DRAW)
    assert first == (CommitShare(DRAW.id, commitment(DRAW.id, "Ben", b"\1" * 32)),)
    other = draw_with(b"m" * 16)
    assert answer(share, other) == (CommitShare(other.id, commitment(other.id, "Ben", b"\2" * 32)),)
    assert answer(share, commit_all(b"\1" * 32)) == (), "the first draw is given up"


def test_a_program_that_is_not_asked_answers_nothing() -> None:
    share = own_share()
    over = structs.replace(DRAW, done=True)
    for draw, member in ((None, 2), (over, 2), (DRAW, 1), (DRAW, 4)):
        assert answer(share, draw, member) == ()
    assert share.share == b""


def test_a_draw_for_other_seats_settings_or_another_round_gets_no_answer() -> None:
    chairs = (LOBBY.chairs[1], LOBBY.chairs[0], LOBBY.chairs[2])
    for change in (
        structs.replace(LOBBY, chairs=chairs, draw=DRAW),
        structs.replace(LOBBY, settings=Settings(seats=3, edition="italia"), draw=DRAW),
        structs.replace(LOBBY, settings=Settings(seats=3, youngest=1), draw=DRAW),
        structs.replace(LOBBY, draw=structs.replace(DRAW, round=2)),
        structs.replace(LOBBY, draw=structs.replace(DRAW, nonce=bytes(16))),
    ):
        assert own_share().answer(change, None, 2) == ()


def test_a_share_is_shown_for_one_list_of_commitments_alone() -> None:
    share, ours = own_share(), b"\1" * 32
    answer(share, DRAW)
    assert answer(share, commit_all(ours)) == (ShowShare(DRAW.id, ours),)
    assert answer(share, commit_all(ours)) == (ShowShare(DRAW.id, ours),), "it may have been lost"
    assert answer(share, commit_all(ours, b"c" * 32)) == ()


def test_what_was_public_when_the_share_was_shown_cannot_be_exchanged_afterwards() -> None:
    share, ours = own_share(), b"\1" * 32
    answer(share, DRAW)
    before = commit_all(ours)
    assert answer(share, before) == (ShowShare(DRAW.id, ours),)
    swapped = structs.replace(commit_all(ours, b"c" * 32), host=b"h" * 32)
    shown = structs.replace(swapped, shares=(ours, b"x" * 32), done=True)
    seen = share.describe_draw(lobby(shown), 1)
    assert seen.draw == structs.replace(before, shares=shown.shares, done=True)
    assert (seen.host, seen.own) == ("Ann", ours)


def test_a_draw_of_another_round_is_not_that_of_this_one() -> None:
    over = structs.replace(DRAW, done=True)
    assert own_share().describe_draw(lobby(over), 2) == SeenDraw(None, "Ann", is_due=True)


# Draws that begin again: lawful ones are counted, others found out.


# A host that draws until it likes the deal.


def begins_again(table: UnfairTable) -> None:
    draw = table.lobby.draw
    assert draw is not None
    members = tuple(person.member for person in draw.people)
    state = table.room.state
    nonce, share = b"n" * 16, b"s" * 32
    id_ = draw_id(nonce, deal_basis(state.lobby, None, members))
    again = DrawBegan(id_, nonce, state.next_round, commitment(id_, "Ann", share), members, ())
    table.room.commit(Step(news=(again,), share=share))
    table.happen(table.room.collect())


def has_committed(guest: Guest, draw: bytes) -> bool:
    return any(isinstance(message, CommitShare) and message.draw == draw for message in guest.sent)


@pytest.mark.parametrize("unseen", [False, True])
def test_a_host_that_draws_again_without_leaving_anybody_out_gets_no_answer(unseen: bool) -> None:  # noqa: FBT001 - a parameter
    table = UnfairTable()
    table.intercept = lambda message: not isinstance(message, ShowShare)
    table.begin()
    if unseen:
        for name in GUESTS:
            table.drop(name)
    begins_again(table)
    draw = table.lobby.draw
    assert draw is not None
    for name in GUESTS:
        guest = comes_back(table, name) if unseen else table.people[name]
        assert guest.disagreed
        assert not has_committed(guest, draw.id)
    table.intercept = lambda _message: True
    table.wait(12)
    play_on(table)
    assert [kinds(table.people[name]) for name in GUESTS] == [[MismatchKind.REWRITTEN]] * 2


def test_a_round_that_is_dealt_unseen_without_a_draw_counts_as_unseen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = UnfairTable(TWO)
    table.begin()
    play_on(table)
    for name in GUESTS:
        table.drop(name)
    monkeypatch.setattr("net.room.requests.deal_step", draws._add_deal)
    assert table.wants("Ann", NextRound()) is None
    for name in GUESTS:
        comes_back(table, name)
    play_on(table)
    for name in GUESTS:
        assert [audit.unseen for audit in table.people[name].audits] == [(2,)]


def test_shares_that_are_shown_and_not_dealt_from_are_refused() -> None:
    table = UnfairTable()
    table.tell(GameBegins, lambda _event: None)
    table.begin()
    assert all(table.people[name].disagreed for name in GUESTS)


@pytest.mark.parametrize(
    ("held_back", "why"),
    [(ShowShare, "without its deal"), (CommitShare, "nobody has committed")],
)
def test_shares_without_a_deal_or_a_commitment_are_refused(
    held_back: type[ClientMessage], why: str
) -> None:
    table = UnfairTable()
    table.intercept = lambda message: not isinstance(message, held_back)
    table.begin()
    with pytest.raises(LookupError, match=why):
        after(table.people["Ben"].held, SharesShown((b"s" * 32,) * 2))


def after(held: GameState, event: LobbyEvent) -> GameState:
    step = StepFrame(held.step + 1, held.incarnation, 0, (event,), (), bytes(8))
    return after_frame(held, step, (), 2, OwnShare())


# Draws that are void.


def test_draws_that_were_void_are_counted_with_those_who_were_gone() -> None:
    table = UnfairTable(Settings(seats=4, rounds=1))
    table.come("Dov")
    table.ready("Dov")
    table.intercept = lambda message: not isinstance(message, CommitShare)
    table.begin()
    assert table.wants("Ann", Kick(table.people["Dov"].client.status.member)) is None
    assert table.lobby.draw is None
    ben = table.people["Ben"]
    table.intercept = lambda message: not (isinstance(message, CommitShare) and message in ben.sent)
    table.begin()
    table.wait(3)
    table.intercept = lambda _message: True
    play_on(table)
    voids = (VoidDraw(1, ("Dov",)), VoidDraw(1, ("Ben",)))
    assert [audit.voids for name in GUESTS for audit in table.people[name].audits] == [voids] * 2
    (left_out,) = [round_ for received in ben.received for round_ in received.left_out]
    assert left_out.number == 1
    assert not any(received.left_out for received in table.people["Cleo"].received)


# Hosts that die in a draw.


@pytest.mark.level("broad")
@pytest.mark.parametrize("seed", first(1, range(400), thorough=8))
def test_an_honest_host_that_is_killed_in_a_draw_is_never_accused(seed: int) -> None:
    rng = Random(seed)
    table = UnfairTable(TWO)
    heard, deadly = 0, rng.randrange(8)
    anew = rng.choice((*GUESTS, "", ""))

    def die(message: ClientMessage) -> bool:
        nonlocal heard
        heard += isinstance(message, CommitShare | ShowShare)
        return heard <= deadly

    table.come("Wim", watch=True)
    table.intercept = die
    assert table.wants("Ann", Start()) is None
    for _ in range(rng.randrange(1, 4)):
        kill(table, rng, anew)
    play_on(table)
    table.intercept, heard, deadly = die, 0, rng.randrange(8)
    assert table.wants("Ann", NextRound()) is None
    for _ in range(rng.randrange(1, 4)):
        kill(table, rng, rng.choice((anew, "")))
    play_on(table)
    assert table.room.state.phase is Phase.OVER
    for guest in table.people.values():
        assert [audit.mismatches for audit in guest.audits] == [()]
        assert not guest.disagreed


def kill(table: UnfairTable, rng: Random, anew: str) -> None:
    table.crash()
    table.intercept = lambda _message: True
    names = [*ALL, "Wim"]
    rng.shuffle(names)
    for name in names:
        if name == anew:
            old = table.people[name].client
            share = OwnShare(old.share.source)
            table.people[name].client = ClientState(name, mark=old.mark, share=share)
        table.come(name)
        assert not table.people[name].gone
    table.wait(14)
