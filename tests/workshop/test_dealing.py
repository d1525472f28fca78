"""Hosts that would choose the deal, or change it later."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace as with_changes
from random import Random

import pytest
from msgspec import structs

from engine.cards import Card
from engine.dealing import Deal, deal
from engine.game import Game
from engine.notation import Record
from net.protocol.lobby import Settings
from net.protocol.lobby_events import (
    LobbyEvent,
    SettingsChanged,
)
from net.protocol.messages import (
    ClientMessage,
    HostMessage,
    ShowShare,
    Snapshot,
)
from net.protocol.requests import Kick, PutBot, Start
from net.room import draws
from net.room.draws import Answers
from net.room.seeds import finish_draw
from net.room.state import RoomState, Step
from tests.net.client.test_unfair_host import exchange_card
from tests.workshop.rigged import GUESTS, LOST, Evening, findings_told, until


def each(table: Evening, *lines: str) -> None:
    """Check that each honest person was told all of this."""
    for name in GUESTS:
        assert set(lines) <= set(findings_told(table.people[name])), (
            name,
            findings_told(table.people[name]),
        )


# Before the deal.


@pytest.mark.level("thorough")  # `test_unfair_host` has such a host
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

    table.hears = choose
    await table.begin()
    await table.play_out()
    each(table, "audit: other shares")


def alone(state: RoomState, step: Step, seed: bytes) -> Step:
    """Deal without asking anybody."""
    return draws._add_deal(state, step, seed)


@pytest.mark.level("thorough")  # `test_redraws` has a round dealt without a draw
async def test_no_draw(table: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("net.room.requests.deal_step", alone)
    await table.begin()
    await table.play_out()
    each(table, "audit: not drawn")


@pytest.mark.level("thorough")  # `test_unfair_host` has one that takes back what it told
async def test_second_draw(table: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once all shares are there, the host begins the draw again, and names nobody."""
    again = False

    def twice(state: RoomState, answers: Answers, now: float, seeds: draws.Seeds) -> Step | None:
        nonlocal again
        draw = state.lobby.draw
        if draw is None or not draw.commitments or len(answers.given) < len(GUESTS) or again:
            return draws.drawing_step(state, answers, now, seeds)
        again = True
        return draws._add_draw([one.member for one in draw.people], state, Step(), seeds())

    monkeypatch.setattr("net.room.room.drawing_step", twice)
    table.people["Ann"].session.request(Start())
    await until(lambda: again)
    await until(
        lambda: all("the host's state is another" in findings_told(one) for one in table.honest)
    )
    table.time_is_up()
    await until(lambda: table.table.state.game is not None)
    await table.play_out()
    each(table, "audit: rewritten")


CHANGED: LobbyEvent = SettingsChanged(Settings(seats=3, rounds=1, youngest=1))


@pytest.mark.level("thorough")  # `test_unfair_host` has such a host
async def test_changed_in_the_deal(table: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    deal_next = draws._add_deal

    def change(state: RoomState, step: Step, seed: bytes = b"") -> Step:
        return deal_next(state, structs.replace(step, news=(*step.news, CHANGED)), seed)

    monkeypatch.setattr(draws, "_add_deal", change)
    await table.begin()
    each(table, "false draw of round 1")
    await table.play_out()
    each(table, "audit: false draw")


@pytest.mark.level("thorough")  # `test_redraws` has draws without somebody, and their names
async def test_redraw_without_one(table: Evening) -> None:
    table.hears = lambda name, message: not (name == "Ben" and isinstance(message, ShowShare))
    table.people["Ann"].session.request(Start())
    await until(lambda: len(table.table.answers.given) == 1 and table.lobby.draw is not None)
    await until(lambda: bool(table.lobby.draw and table.lobby.draw.commitments))
    table.time_is_up()
    await until(lambda: table.table.state.game is not None)
    await table.play_out()
    each(table, "audit: round 1 without Ben", "audit: void: Ben")
    assert "left out of round 1" in findings_told(table.people["Ben"])


@pytest.mark.level("thorough")  # `test_redraws` has draws that were void, and why
async def test_draw_void_by_removing(table: Evening) -> None:
    table.hears = lambda name, message: not (name == "Ben" and isinstance(message, ShowShare))
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


@pytest.mark.level("thorough")  # `test_unfair_host` has such a host
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


@pytest.mark.level("thorough")  # `test_unfair_host` has such a host
async def test_hand_swapped(table: Evening) -> None:
    await table.begin()
    ben = table.people["Ben"]

    def swap(name: str, message: HostMessage) -> Iterable[HostMessage]:
        if name == "Ben" and isinstance(message, Snapshot):
            return [exchange_card(message)]
        return [message]

    table.tells = swap
    table.says("Ben", LOST)
    await until(lambda: "the host's state is another" in findings_told(ben))
    table.tells = lambda _name, message: (message,)
    table.says("Ben", LOST)
    await table.play_out()
    assert "audit: rewritten" in findings_told(ben)
