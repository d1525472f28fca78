"""Hosts and guests that cheat with the deal, each by a program that really does it.

`tests/workshop` plays the same and more against whole sessions, and lists it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from random import Random

import pytest
from msgspec import structs

from engine.cards import Card
from engine.dealing import commitment, deal, draw_id
from engine.notation import Record, format_record, parse_record
from engine.state import Phase
from net.client.audit import Audit, MismatchKind, audit
from net.client.draws import Note, NoteKind, OwnShare, SeenDraw
from net.client.state import ClientState
from net.client.trail import GameState, after_frame, seen_record
from net.protocol.lobby import Drawer, Lobby, Presence, SeedDraw, Settings
from net.protocol.lobby_events import (
    BotSat,
    DrawBegan,
    GameBegins,
    LobbyEvent,
    Locked,
    Paused,
    PresenceChanged,
    ReadyChanged,
    RecordPublished,
    Said,
    SatDown,
    SettingsChanged,
    SharesCommitted,
    SharesShown,
)
from net.protocol.messages import (
    ClientMessage,
    CommitShare,
    ShowShare,
    StepFrame,
    Welcome,
)
from net.protocol.requests import ChangeSettings, Kick, NextRound, Start
from net.room import draws
from net.room.broadcast import snapshot
from net.room.seeds import deal_basis, finish_draw
from net.room.steps import RoomState, Step
from tests.engine.notation.games import forge
from tests.net.client.unfair_table import (
    ALL,
    GUESTS,
    TWO,
    UnfairTable,
    comes_back,
    end_alone,
    exchange_card,
    kinds,
)
from tests.net.room.room_fixture import Guest, awaiting, play_on
from tests.samples import first
from tests.workshop.test_telling import other_moves

# Choosing a deal.


def test_a_host_that_shows_another_share_than_it_committed_to_is_found_out() -> None:
    table, shown = UnfairTable(), []

    def choose(message: ClientMessage) -> bool:
        if isinstance(message, ShowShare):
            shown.append(message)
        if len(shown) == len(GUESTS):
            shares = (Random(number).randbytes(32) for number in range(1000))
            table.in_secret(lambda state: structs.replace(state, share=next(filter(suits, shares))))
        return True

    def suits(share: bytes) -> bool:
        drawn = table.lobby.draw
        assert drawn is not None
        done = structs.replace(drawn, shares=tuple(game.share for game in shown), done=True)
        seed = finish_draw(done, share).seed
        return Card.MAP in deal(seed, 1, 3).hands[0]

    table.intercept = choose
    table.play()
    assert table.find_mismatches() == [[MismatchKind.OTHER_SHARES]] * 2


@pytest.mark.parametrize(
    ("place", "instead", "kind"),
    [
        (
            "net.room.steps.RoomState.find_finished_draw",
            lambda _state: b"x" * 32,
            MismatchKind.OTHER_SHARES,
        ),
        ("net.room.decisions.deal_step", draws._add_deal, MismatchKind.NOT_DRAWN),
    ],
    ids=["by a seed of its own choice", "without a draw"],
)
def test_a_host_that_deals_by_itself_is_found_out(
    place: str, instead: object, kind: MismatchKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = UnfairTable()
    monkeypatch.setattr(place, instead)
    table.play()
    assert table.find_mismatches() == [[kind]] * 2


# Changing what a deal depends on, while its seed is drawn.

FOUR = Settings(seats=4, rounds=1)
CHANGES: dict[str, LobbyEvent] = {
    "more rounds": SettingsChanged(structs.replace(FOUR, rounds=2)),
    "another edition": SettingsChanged(structs.replace(FOUR, edition="italia")),
    "another first player": SettingsChanged(structs.replace(FOUR, youngest=1)),
    "a watcher sits down": SatDown(3, 4),
    "a bot on a free seat": BotSat(3, "Borin", "easy"),
    "a bot in place of a player": BotSat(2, "Borin", "easy"),
}


def false_draws(guest: Guest) -> list[tuple[int, ...]]:
    return [heard.false_draws for heard in guest.received if heard.false_draws]


@pytest.mark.level("broad")
@pytest.mark.parametrize("event", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("moment", [CommitShare, ShowShare, "the deal"])
def test_what_changes_a_deal_while_its_seed_is_drawn_makes_the_draw_false(
    event: LobbyEvent, moment: type[ClientMessage] | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, deal_next, left = UnfairTable(FOUR), draws._add_deal, [event]
    table.come("Wim", watch=True)

    def change(message: ClientMessage) -> bool:
        if not isinstance(moment, str) and isinstance(message, moment) and left:
            table.room.commit(Step(news=(left.pop(),)))
        return True

    def change_and_deal(state: RoomState, step: Step, seed: bytes = b"") -> Step:
        news = (*step.news, left.pop()) if left else step.news
        return deal_next(state, structs.replace(step, news=news), seed)

    table.intercept = change
    monkeypatch.setattr(draws, "_add_deal", change_and_deal)
    table.begin()
    for name in (*GUESTS, "Wim") if moment == "the deal" else GUESTS:
        guest = table.people[name]
        assert false_draws(guest) == [(1,)]
        if moment is CommitShare:
            assert not any(isinstance(message, ShowShare) for message in guest.sent)
    if moment is not CommitShare:  # too late to refuse
        end_alone(table)
        assert all(MismatchKind.FALSE_DRAW in kinds(table.people[name]) for name in GUESTS)


def test_talk_presence_readiness_and_clocks_change_no_draw() -> None:
    table = UnfairTable(FOUR)
    told: list[LobbyEvent] = [
        Said(2, "hello"),
        PresenceChanged(3, Presence.SHAKY),
        ReadyChanged(1, ready=False),
        SettingsChanged(Settings(seats=5, rounds=1, turn_seconds=30, hints=False)),
        Locked(locked=True),
        Paused(paused=False),
    ]

    def say(message: ClientMessage) -> bool:
        if isinstance(message, CommitShare | ShowShare) and told:
            table.room.commit(Step(news=(told.pop(), told.pop())))
        return True

    table.intercept = say
    table.play()
    assert not told
    assert table.find_mismatches() == [[], []]


def test_a_host_that_tells_two_settings_gets_commitments_that_do_not_fit() -> None:
    table = UnfairTable(FOUR)
    other = SettingsChanged(structs.replace(FOUR, youngest=1))
    table.falsify(SettingsChanged, lambda _event: other, "Cleo")
    assert table.wants("Ann", ChangeSettings(structs.replace(FOUR, youngest=0))) is None
    table.begin()
    assert false_draws(table.people["Cleo"]) == [(1,)]
    assert false_draws(table.people["Ben"]) == []


def test_a_removed_player_who_was_left_out_of_a_draw_ends_it() -> None:
    table = UnfairTable(TWO)
    table.begin()
    play_on(table)
    table.drop("Cleo")
    table.wait(10, "Cleo")
    table.intercept = lambda message: not isinstance(message, ShowShare)
    assert table.wants("Ann", NextRound()) is None
    assert table.lobby.is_drawing
    assert table.wants("Ann", Kick(3)) is None
    assert table.lobby.draw is None
    table.intercept = lambda _message: True
    table.wait(0.5)
    end_alone(table)
    assert kinds(table.people["Ben"]) == []


# Swapping a card later.


def test_a_host_that_exchanges_a_card_in_a_hand_by_a_snapshot_is_found_out() -> None:
    table = UnfairTable()
    table.begin()
    ben = table.people["Ben"].client
    for change in (exchange_card, lambda honest: honest):
        honest = snapshot(table.room.state, ben.status.member, 1, table.room.disk)
        awaiting(ben).receive(change(honest))
    play_on(table)
    assert table.find_mismatches() == [[MismatchKind.REWRITTEN], []]


def rename_first(text: str) -> str:
    record = parse_record(text)
    assert isinstance(record, Record)
    return format_record(replace(record, names=("Zed", *record.names[1:])))


@pytest.mark.parametrize(
    ("shown", "kind"),
    [
        ("of other players", MismatchKind.OTHER_GAME),
        ("of other moves", MismatchKind.OTHER_EVENTS),
        ("with a share in another place", MismatchKind.NOT_VALID),
        ("none", MismatchKind.NO_RECORD),
        ("what a watcher saw", MismatchKind.NO_RECORD),
    ],
)
def test_a_host_that_shows_another_record_is_found_out(shown: str, kind: MismatchKind) -> None:
    table = UnfairTable()
    wim = table.come("Wim", watch=True)
    records: dict[str, Callable[[str], str]] = {
        "of other players": rename_first,
        "of other moves": other_moves,
        "with a share in another place": lambda text: forge(text, "[Share1_1 ", "[Share1_3 "),
        "what a watcher saw": lambda _text: seen_record(wim.held),
    }
    show = records.get(shown)
    table.falsify(RecordPublished, lambda event: show and RecordPublished(show(event.text)))
    table.play()
    assert table.find_mismatches() == [[kind]] * 2


# Dealing again after looking.


@pytest.mark.parametrize("is_drawn", [True, False], ids=["the deal", "a draw"])
def test_a_host_that_begins_again_from_an_older_journal_is_found_out_at_once(
    *, is_drawn: bool
) -> None:
    table = UnfairTable()
    before = len(table.disk)
    table.intercept = lambda message: is_drawn or not isinstance(message, ShowShare)
    table.begin()
    del table.disk[before:]
    table.seed = b"y" * 32
    table.crash()
    table.come_all(*ALL)
    assert all(table.people[name].lost_steps for name in GUESTS)


# Telling two people different things.


def test_a_host_that_tells_one_guest_another_share_is_found_out_by_the_record() -> None:
    table = UnfairTable()
    table.falsify(SharesShown, lambda event: SharesShown((b"x" * 32, *event.shares[1:])), "Cleo")
    table.play()
    assert table.find_mismatches() == [[], [MismatchKind.FALSE_DRAW, MismatchKind.OTHER_SHARES]]


# Leaving out somebody's share.


@pytest.mark.parametrize("gone", [0, 1])
def test_a_host_that_commits_again_by_a_snapshot_once_it_knows_all_shares_is_found_out(
    gone: int,
) -> None:
    table, shown, share = UnfairTable(), list[ClientMessage](), b"s" * 32
    ben = table.people["Ben"].client

    def give_snapshot() -> None:
        sent = snapshot(table.room.state, ben.status.member, 1, table.room.disk)
        awaiting(ben).receive(sent)

    def commit_again(state: RoomState) -> RoomState:
        draw = state.lobby.draw
        assert draw is not None
        again = structs.replace(draw, host=commitment(draw.id, draw.host_name, share))
        return structs.replace(state, share=share, lobby=structs.replace(state.lobby, draw=again))

    def choose(message: ClientMessage) -> bool:
        shown.extend([message] if isinstance(message, ShowShare) else [])
        if len(shown) == len(GUESTS):
            table.in_secret(commit_again)
            ben.begin_connection()
            ben.receive(Welcome(ben.status.member, 1, gone, ben.last_id))
            give_snapshot()
            awaiting(ben)  # the frame with the deal is lost
        return True

    table.intercept = choose
    table.begin()
    table.intercept = lambda _message: True
    give_snapshot()
    play_on(table)
    assert kinds(table.people["Ben"]) == [MismatchKind.REWRITTEN]


def test_a_draw_that_leaves_somebody_out_without_a_name_is_not_accepted() -> None:
    table = UnfairTable()
    table.falsify(DrawBegan, lambda event: structs.replace(event, members=event.members[1:]))
    assert table.wants("Ann", Start()) is None
    assert all(table.people[name].disagreed for name in GUESTS)


def test_a_program_whose_commitment_was_exchanged_does_not_show_its_share() -> None:
    table = UnfairTable()
    exchanged = bytes(32)
    table.falsify(
        SharesCommitted, lambda event: SharesCommitted((exchanged, *event.commitments[1:])), "Ben"
    )
    table.begin()
    assert not any(isinstance(message, ShowShare) for message in table.people["Ben"].sent)
    table.wait(3)
    assert table.draw().left_out == ("Ben",)


# A program's own part in a draw, and draws that begin again: an honest host is believed.


BEN, CLEO = Drawer(2, "Ben"), Drawer(3, "Cleo")
LOBBY = UnfairTable().lobby


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


def test_a_share_is_shown_for_one_list_of_commitments_and_nothing_is_exchanged_afterwards() -> None:
    share, ours = own_share(), b"\1" * 32
    answer(share, DRAW)
    before, other = commit_all(ours), commit_all(ours, b"c" * 32)
    for _ in range(2):  # the first may have been lost
        assert answer(share, before) == (ShowShare(DRAW.id, ours),)
    assert answer(share, other) == ()
    shown = structs.replace(other, host=b"h" * 32, shares=(ours, b"x" * 32), done=True)
    seen = share.describe_draw(lobby(shown), 1, 2)
    assert seen is not None
    assert seen.draw == structs.replace(before, shares=shown.shares, done=True)
    assert (seen.host, seen.own) == ("Ann", ours)


@pytest.mark.parametrize("held", [CommitShare, ShowShare])
def test_a_player_who_restarts_in_a_draw_accuses_nobody_and_checks_no_deal_unknown_to_them(
    held: type[ClientMessage],
) -> None:
    table = UnfairTable()
    table.holds = {"Cleo": (held,)}
    table.begin()
    table.drop("Ben")
    table.people["Ben"].client = ClientState("Ben", share=own_share())
    ben = table.come("Ben")
    table.let_go()
    table.wait(4)
    assert false_draws(ben) == []
    assert bool(table.room.state.game) is True
    play_on(table)
    (found,) = ben.audits
    assert found.mismatches == ()
    draw = table.draw()
    assert (draw.left_out, found.unseen) == ((("Ben",), ()) if held is CommitShare else ((), (1,)))


def test_a_draw_of_another_round_is_not_taken_for_this_ones() -> None:
    over = structs.replace(DRAW, done=True)
    assert own_share().describe_draw(lobby(over), 2, 1) == SeenDraw(None, "Ann", lacks_draw=True)


# Draws that begin again: lawful ones are counted, others found out.


# A host that draws until it likes the deal.


def begin_again(table: UnfairTable) -> None:
    draw = table.lobby.draw
    assert draw is not None
    members = tuple(person.member for person in draw.people)
    state = table.room.state
    nonce, share = b"n" * 16, b"s" * 32
    id_ = draw_id(nonce, deal_basis(state.lobby, None, members))
    again = DrawBegan(id_, nonce, state.next_round, commitment(id_, "Ann", share), members, ())
    table.room.commit(Step(news=(again,), share=share))
    table.apply(table.room.collect())


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
    begin_again(table)
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


def test_shares_that_are_shown_and_not_dealt_from_are_refused() -> None:
    table = UnfairTable()
    table.falsify(GameBegins, lambda _event: None)
    table.begin()
    assert all(table.people[name].disagreed for name in GUESTS)


@pytest.mark.parametrize(
    ("held_back", "why"), [(ShowShare, "without its deal"), (CommitShare, "nobody has committed")]
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
    voids = (Note(NoteKind.VOID, 1, ("Dov", "Ben"), count=2),)
    told = Audit(("Ann", "Cleo"), ((1, ("Ben",)),), voids=voids)
    assert [table.people[name].audits for name in GUESTS] == [[told]] * 2
    assert [number for received in ben.received for number in received.left_out] == [1]
    assert not any(received.left_out for received in table.people["Cleo"].received)


@pytest.mark.parametrize("away", ["for the deal", "for all of the round"])
def test_a_draw_whose_deal_was_not_seen_is_compared_with_the_record(away: str) -> None:
    table = UnfairTable()
    table.play()
    ben = table.people["Ben"]
    seen = ben.held.deals.draws[0]
    assert seen is not None
    assert seen.draw is not None
    draw = structs.replace(seen.draw, shares=(), done=False)
    missed = replace(ben.held.deals, draws=(None,), missed=(1,) * (away == "for the deal"))

    def find_mismatches(undecided: SeedDraw) -> tuple[list[MismatchKind], int]:
        told = audit(replace(ben.held, deals=replace(missed, undecided=(undecided,))))
        assert told is not None
        return [mismatch.kind for mismatch in told.mismatches], len(told.voids)

    assert find_mismatches(draw) == ([], 0)
    begun = structs.replace(draw, commitments=())
    assert find_mismatches(begun) == ([], 0)
    for other in (
        structs.replace(draw, host=bytes(32)),
        structs.replace(draw, commitments=draw.commitments[::-1]),
    ):
        assert find_mismatches(other) == ([MismatchKind.REWRITTEN], 0)
    assert find_mismatches(structs.replace(draw, id=bytes(16))) == ([MismatchKind.REWRITTEN], 1)
    gone = (*draw.people, Drawer(9, "Dov"))
    assert find_mismatches(structs.replace(draw, id=bytes(16), people=gone)) == ([], 1)


# Hosts that die in a draw.


@pytest.mark.level("broad")
@pytest.mark.parametrize("seed", first(1, range(400), thorough=8))
def test_an_honest_host_that_is_killed_in_a_draw_is_never_accused(seed: int) -> None:
    rng = Random(seed)
    table = UnfairTable(TWO)
    heard, deadly = 0, rng.randrange(8)
    restarted = rng.choice((*GUESTS, "", ""))

    def die(message: ClientMessage) -> bool:
        nonlocal heard
        heard += isinstance(message, CommitShare | ShowShare)
        return heard <= deadly

    table.come("Wim", watch=True)
    table.intercept = die
    assert table.wants("Ann", Start()) is None
    for _ in range(rng.randrange(1, 4)):
        kill(table, rng, restarted)
    play_on(table)
    table.intercept, heard, deadly = die, 0, rng.randrange(8)
    assert table.wants("Ann", NextRound()) is None
    for _ in range(rng.randrange(1, 4)):
        kill(table, rng, rng.choice((restarted, "")))
    play_on(table)
    assert table.room.state.phase is Phase.OVER
    for guest in table.people.values():
        assert [audit.mismatches for audit in guest.audits] == [()]
        assert not guest.disagreed


def kill(table: UnfairTable, rng: Random, restarted: str) -> None:
    table.crash()
    table.intercept = lambda _message: True
    names = [*ALL, "Wim"]
    rng.shuffle(names)
    for name in names:
        if name == restarted:
            old = table.people[name].client
            share = OwnShare(old.share.source)
            table.people[name].client = ClientState(name, mark=old.mark, share=share)
        table.come(name)
        assert not table.people[name].lost_steps
    table.wait(14)
