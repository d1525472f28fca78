"""Hosts that would choose the deal, or move for others; guests who cheat in a draw or by a seat."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace as with_changes
from random import Random

import pytest
from msgspec import structs

from engine import Card, Deal, Game, View, deal
from engine.dealing import commitment
from engine.notation import Record
from net.client.draws import OwnShare
from net.protocol.game_wire import write_move
from net.protocol.lobby import Lobby, SeedDraw, Settings
from net.protocol.lobby_events import (
    DrawBegan,
    LobbyEvent,
    SettingsChanged,
    SharesCommitted,
    SharesShown,
)
from net.protocol.messages import (
    ClientMessage,
    CommitShare,
    HostMessage,
    ShowShare,
    Snapshot,
    StepFrame,
)
from net.protocol.requests import Kick, PutBot, Start
from net.room import draws
from net.room.draws import Answers
from net.room.seeds import finish_draw
from net.room.steps import GameStep, RoomState, Step
from net.secure.handshake import AuthenticationFailed, Rejection
from net.secure.keys import SeatKey
from tests.net.client.unfair_table import exchange_card
from tests.net.server.served_table import Guest, until
from tests.workshop.rigged import ALL, GUESTS, LOST, Evening, findings_told, state_held

pytestmark = pytest.mark.level("broad")


def each(table: Evening, *lines: str) -> None:
    """Check that each honest person was told all of this."""
    for name in GUESTS:
        assert set(lines) <= set(findings_told(table.people[name])), (
            name,
            findings_told(table.people[name]),
        )


# Before the deal.


async def test_another_share(table: Evening) -> None:
    shown: list[bytes] = []

    def choose(_name: str, message: ClientMessage) -> bool:
        if isinstance(message, ShowShare):
            shown.append(message.share)
        if isinstance(message, ShowShare) and len(shown) == len(GUESTS):
            shares = (Random(number).randbytes(32) for number in range(1000))
            liked = next(filter(suits, shares))
            table.in_secret(lambda state: structs.replace(state, share=liked))
        return True

    def suits(share: bytes) -> bool:
        """Whether Ann would begin with a map."""
        drawn = table.lobby.draw
        assert drawn is not None
        done = structs.replace(drawn, shares=tuple(shown), done=True)
        return Card.MAP in deal(finish_draw(done, share).seed, 1, 3).hands[0]

    table.accepts = choose
    await table.begin()
    await table.play_out()
    each(table, "audit: other shares")


@pytest.mark.parametrize("hides", [False, True], ids=["by steps", "by snapshots"])
async def test_forged_shares(
    table: Evening,
    monkeypatch: pytest.MonkeyPatch,
    hides: bool,  # noqa: FBT001 - a parameter
) -> None:
    """The host makes up the shares of all guests, and uses none of theirs."""

    def forge(state: RoomState, _answers: Answers, _now: float, _seeds: draws.Seeds) -> Step | None:
        draw = state.lobby.draw
        if draw is None or draw.done:
            return None
        shares = (choose_share(draw, state.share),) * len(draw.people)
        pairs = zip(draw.people, shares, strict=True)
        made_up = tuple(commitment(draw.id, person.name, share) for person, share in pairs)
        if not draw.commitments:
            return Step(news=(SharesCommitted(made_up),))
        return draws._add_deal(state, Step(news=(SharesShown(shares),)))

    def hide(_name: str, message: HostMessage) -> Iterable[HostMessage]:
        events = message.lobby_events if isinstance(message, StepFrame) else ()
        return [LOST if any(isinstance(event, DrawBegan) for event in events) else message]

    monkeypatch.setattr("net.room.room.drawing_step", forge)
    if hides:
        table.messages_for = hide
    await table.begin()
    assert Card.MAP in table_deal(table).hands[0], "as the host wished"
    each(table, "false draw of round 1")
    await table.play_out()
    each(table, "audit: false draw")


def choose_share(draw: SeedDraw, host_share: bytes) -> bytes:
    """Return the share of which the host likes the deal, if all guests have the same."""

    def suits(share: bytes) -> bool:
        done = structs.replace(draw, shares=(share,) * len(draw.people), done=True)
        return Card.MAP in deal(finish_draw(done, host_share).seed, 1, 3).hands[0]

    return next(filter(suits, (Random(number).randbytes(32) for number in range(1000))))


def table_deal(table: Evening) -> Deal:
    """Return the deal of the first round."""
    record = table.table.state.record
    assert record is not None
    return deal(record.seeds[0], 1, 3)


def alone(state: RoomState, step: Step, seed: bytes) -> Step:
    """Deal without asking anybody."""
    return draws._add_deal(state, step, seed)


async def test_no_draw(table: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("net.room.decisions.deal_step", alone)
    await table.begin()
    await table.play_out()
    each(table, "audit: not drawn")


async def test_second_draw(table: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once all shares are there, the host begins the draw again, and names nobody."""
    again = False

    def twice(state: RoomState, answers: Answers, now: float, seeds: draws.Seeds) -> Step | None:
        nonlocal again
        draw = state.lobby.draw
        if draw is None or not draw.commitments or len(answers.given) < len(GUESTS) or again:
            return draws.drawing_step(state, answers, now, seeds)
        again = True
        return draws._add_draw([person.member for person in draw.people], state, Step(), seeds())

    monkeypatch.setattr("net.room.room.drawing_step", twice)
    table.people["Ann"].session.request(Start())
    await until(lambda: again)
    await until(
        lambda: all("the host's state is another" in findings_told(guest) for guest in table.honest)
    )
    table.time_is_up()
    await until(lambda: table.table.state.game is not None)
    await table.play_out()
    each(table, "audit: rewritten")


CHANGED: LobbyEvent = SettingsChanged(Settings(seats=3, rounds=1, youngest=1))


async def test_changed_in_the_deal(table: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    deal_next = draws._add_deal

    def change(state: RoomState, step: Step, seed: bytes = b"") -> Step:
        return deal_next(state, structs.replace(step, news=(*step.news, CHANGED)), seed)

    monkeypatch.setattr(draws, "_add_deal", change)
    await table.begin()
    each(table, "false draw of round 1")
    await table.play_out()
    each(table, "audit: false draw")


async def test_redraw_without_one(table: Evening) -> None:
    table.accepts = lambda name, message: not (name == "Ben" and isinstance(message, ShowShare))
    table.people["Ann"].session.request(Start())
    await until(lambda: len(table.table.answers.given) == 1 and table.lobby.draw is not None)
    await until(lambda: bool(table.lobby.draw and table.lobby.draw.commitments))
    table.time_is_up()
    await until(lambda: table.table.state.game is not None)
    await table.play_out()
    each(table, "audit: round 1 without Ben", "audit: void: Ben")
    assert "left out of round 1" in findings_told(table.people["Ben"])


async def test_draw_void_by_removing(table: Evening) -> None:
    table.accepts = lambda name, message: not (name == "Ben" and isinstance(message, ShowShare))
    table.people["Ann"].session.request(Start())
    await until(lambda: bool(table.lobby.draw and table.lobby.draw.commitments))
    await table.wants("Ann", Kick(table.member("Ben")))
    await table.wants("Ann", PutBot(1, "Bo", "random"))
    await table.begin()
    await table.play()
    cleo = table.people["Cleo"]
    await until(lambda: "audit: void: Ben" in findings_told(cleo))
    assert "ended: kicked" in findings_told(table.people["Ben"])


# After the deal.


async def test_pile_swapped(table: Evening) -> None:
    await table.begin()
    await table.play(4)

    def swap(state: RoomState) -> RoomState:
        assert state.record is not None
        honest = deal(state.record.seeds[0], 1, 3)
        pile = (*honest.pile[:10], *honest.pile[:9:-1])
        dealt = with_changes(honest, pile=pile)
        record = with_changes(state.record, seeds=(), draws=(), deals=(dealt,))
        return structs.replace(state, game=replay_game(record, dealt), record=record)

    table.in_secret(swap)
    await table.play_out()
    each(table, "audit: other shares")


def replay_game(record: Record, dealt: Deal) -> Game:
    """The game of a record of one round."""
    game, _ = Game.begin(dealt, record.edition, record.rounds, record.youngest)
    for move in record.moves[0]:
        game, _ = game.apply(move)
    return game


async def test_hand_swapped(table: Evening) -> None:
    await table.begin()
    ben = table.people["Ben"]

    def swap(name: str, message: HostMessage) -> Iterable[HostMessage]:
        if name == "Ben" and isinstance(message, Snapshot):
            return [exchange_card(message)]
        return [message]

    table.messages_for = swap
    table.says("Ben", LOST)
    await until(lambda: "the host's state is another" in findings_told(ben))
    table.messages_for = lambda _name, message: (message,)
    table.says("Ben", LOST)
    await table.play_out()
    assert "audit: rewritten" in findings_told(ben)


# Guests whose programs cheat in a draw, or by their seats.

Answer = tuple[CommitShare | ShowShare, ...]


class RiggedShare(OwnShare):
    """A guest's part in a draw, as `lie` has it."""

    lie: Callable[[SeedDraw, Answer], Answer]

    def answer(self, lobby: Lobby, view: View | None, member: int) -> Answer:
        """Return what the lie makes of the honest answer."""
        honest = OwnShare.answer(self, lobby, view, member)
        assert lobby.draw is not None or not honest
        return self.lie(lobby.draw, honest) if lobby.draw is not None else honest


def silent(_draw: SeedDraw, _honest: Answer) -> Answer:
    """Say nothing."""
    return ()


def withheld(_draw: SeedDraw, honest: Answer) -> Answer:
    """Commit, and show nothing."""
    return tuple(guest for guest in honest if isinstance(guest, CommitShare))


@pytest.mark.parametrize("lie", [silent, withheld])
async def test_bad_answer(table: Evening, lie: Callable[[SeedDraw, Answer], Answer]) -> None:
    rigged = RiggedShare()
    rigged.lie = lie
    table.people["Cleo"].session.publisher.state.share = rigged
    await begin_without(table, "Cleo")
    await table.play_out()
    ben = findings_told(table.people["Ben"])
    assert "audit: round 1 without Cleo" in ben
    assert "audit: void: Cleo" in ben
    assert "audit: checked" in ben


async def begin_without(table: Evening, name: str) -> None:
    """Begin the game; the time is up as soon as only this one has not answered."""
    table.people["Ann"].session.request(Start())
    while table.table.state.game is None:
        await until(lambda: table.table.state.game is not None or find_awaited(table) == [name])
        if table.table.state.game is None:
            table.time_is_up()
        await until(lambda: find_awaited(table) != [name])


def find_awaited(table: Evening) -> list[str]:
    """Those whose answer a draw waits for."""
    draw = table.lobby.draw
    if draw is None or draw.done:
        return []
    given = table.table.answers.given
    return [person.name for person in draw.people if person.member not in given]


async def test_copied_commitment(table: Evening) -> None:
    """Cleo's program, in league with the host, commits to what Ben has committed to."""
    cleo = table.member("Cleo")

    def refuse_after_copying(name: str, message: ClientMessage) -> bool:
        given = table.table.answers.given
        if isinstance(message, CommitShare) and name == "Cleo":
            return False
        if isinstance(message, CommitShare):
            given[cleo] = message.commitment
        return True

    rigged = RiggedShare()
    rigged.lie = lambda draw, _honest: (ShowShare(draw.id, b"y" * 32),)
    table.people["Cleo"].session.publisher.state.share = rigged
    table.accepts = refuse_after_copying
    await begin_without(table, "Cleo")
    await table.play_out()
    assert {"audit: round 1 without Cleo", "audit: checked"} <= set(
        findings_told(table.people["Ben"])
    )


async def test_seat_of_another(table: Evening) -> None:
    """A stranger comes by the address of the table, without the key of Ben's seat."""
    await table.begin()
    stranger = Guest("Ben", table.hosted.port, SeatKey.new())
    stranger.pin = table.hosted.table.certificate.fingerprint
    with pytest.raises(AuthenticationFailed) as refused:
        await stranger.come_back()
    assert refused.value.why is Rejection.NOT_SEATED
    await table.play_out()
    each(table, "audit: checked")


# A host that moves for others.


async def test_move_for_a_guest(table: Evening) -> None:
    """It is Ben's turn, he is there, and the host does not wait for him."""
    await table.begin()
    ben, seat = table.people["Ben"], table.lobby.seat_of(table.member("Ben"))
    game = table.table.state.game
    while game is not None and game.to_act != seat:
        await table.play(1)
        game = table.table.state.game
    assert game is not None
    before = len(ben.updates)
    table.table.commit(Step(act=GameStep(write_move(game.legal_moves()[0]))))
    table.says("Ben")
    await table.all_know()
    seen = [update.received for update in ben.updates[before:] if update.received is not None]
    assert {received.settled for received in seen if received.events} == {0}, (
        "no move that Ben has asked for"
    )
    assert state_held(ben).view is not None
    await table.play_out()
    for name in ALL:
        assert set(findings_told(table.people[name])) == {"let in", "audit: checked"}
