"""Hosts that tell other things than were done: to one, to all, at once or later."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random

import pytest
from msgspec import structs

from engine.events import GameEnded
from engine.notation import Record, format_record, parse_record
from net.protocol.game_wire import read_event, write_event
from net.protocol.lobby import Settings
from net.protocol.lobby_events import (
    LobbyEvent,
    RecordPublished,
    RoundBegins,
    Said,
    SettingsChanged,
)
from net.protocol.messages import HostMessage, Snapshot, StepFrame
from net.protocol.requests import ChangeSettings, Chat, Start
from tests.net.server.served_table import until
from tests.workshop import rigged
from tests.workshop.test_dealing import alone, each

pytestmark = pytest.mark.level("broad")


def honestly(_name: str, message: HostMessage) -> Iterable[HostMessage]:
    """Tell what is true."""
    return [message]


def publishing(text: Callable[[str], str | None]) -> rigged.MessagesFor:
    """Show another record, or none."""

    def lie(event: LobbyEvent) -> LobbyEvent | None:
        if not isinstance(event, RecordPublished):
            return event
        other = text(event.text)
        return None if other is None else RecordPublished(other)

    return lambda _name, message: [rigged.news(message, lie)]


# The record.


def other_moves(text: str) -> str:
    """The same draws, and another game."""
    true, rng = parse_record(text), Random(3)
    assert isinstance(true, Record)
    made, game = Record(true.names, rounds=true.rounds, youngest=true.youngest), None
    for draw in true.draws:
        assert draw is not None
        made = made.add_round(draw)
        game, _ = made.next_step(game)
        while game.to_act is not None:
            move = rng.choice(game.legal_moves())
            game, _ = game.apply(move)
            made = made.add_move(move)
    return format_record(made)


async def test_record_of_other_moves(table: rigged.Evening) -> None:
    table.messages_for = publishing(other_moves)
    await table.begin()
    await table.play_out()
    each(table, "audit: other events")


async def test_no_record(table: rigged.Evening) -> None:
    table.messages_for = publishing(lambda _text: None)
    await table.begin()
    await table.play_out()
    each(table, "audit: no record")


# Two stories.


def other_words(event: LobbyEvent) -> LobbyEvent:
    """What nobody has said."""
    return Said(event.member, "I saw gold") if isinstance(event, Said) else event


def to_cleo(lie: Callable[[HostMessage], HostMessage | None]) -> rigged.MessagesFor:
    """Send Cleo another message, or none."""

    def lie_to_cleo(name: str, message: HostMessage) -> Iterable[HostMessage]:
        other = lie(message) if name == "Cleo" else message
        return [] if other is None else [other]

    return lie_to_cleo


def is_talk(message: HostMessage) -> bool:
    """Whether it is a step in which somebody says something."""
    events = message.lobby_events if isinstance(message, StepFrame) else ()
    return any(isinstance(event, Said) for event in events)


async def test_other_talk_to_one(table: rigged.Evening) -> None:
    await table.begin()
    table.messages_for = to_cleo(lambda message: rigged.news(message, other_words))
    await table.wants("Ann", Chat("I saw stone"))
    await table.play_out()
    assert await words_of(table, "Ben") != await words_of(table, "Cleo"), "their players hear it"


def other_gold(message: HostMessage) -> HostMessage:
    """The gold of the game, of which each card but Cleo's is worth something else."""
    if not isinstance(message, StepFrame):
        return message
    events = [
        GameEnded((*map(worth_other, event.gold[:2]), event.gold[2]))
        if isinstance(event, GameEnded)
        else event
        for event in map(read_event, message.events)
    ]
    return structs.replace(message, events=tuple(map(write_event, events)))


def worth_other(gold: tuple[int, ...]) -> tuple[int, ...]:
    """As many gold cards with other nuggets."""
    return tuple(sorted((nuggets % 3 + 1 for nuggets in gold), reverse=True))


async def test_other_gold_to_one(where: Path, tmp_path: Path) -> None:
    async with rigged.evening(where, tmp_path, rounds=3) as table:
        table.messages_for = to_cleo(other_gold)
        await table.begin()
        await table.play_out()
        assert gold_told(table, "Ben") != gold_told(table, "Cleo"), "she is told of other gold"
        assert await words_of(table, "Ben") != await words_of(table, "Cleo"), "and they hear it"


def gold_told(table: rigged.Evening, name: str) -> object:
    """The gold of all seats, as somebody was told of it."""
    view = rigged.state_held(table.people[name]).view
    assert view is not None
    return view.score.gold


def other_settings(event: LobbyEvent) -> LobbyEvent:
    """Settings by which somebody else begins."""
    if isinstance(event, SettingsChanged):
        return SettingsChanged(structs.replace(event.settings, youngest=1))
    return event


async def test_other_settings_to_one(table: rigged.Evening) -> None:
    table.messages_for = to_cleo(lambda message: rigged.news(message, other_settings))
    await table.wants("Ann", ChangeSettings(Settings(seats=3, rounds=1, youngest=0)))
    table.people["Ann"].session.request(Start())
    await until(lambda: "false draw of round 1" in rigged.findings_told(table.people["Cleo"]))
    await until(lambda: len(table.table.answers.given) == 1)
    table.time_is_up()
    await until(lambda: table.table.state.game is not None)
    table.messages_for = honestly
    await table.play_out()
    assert "audit: round 1 without Cleo" in rigged.findings_told(table.people["Ben"])
    assert "audit: false draw" in rigged.findings_told(table.people["Cleo"])


async def test_step_withheld(table: rigged.Evening) -> None:
    await table.begin()
    table.messages_for = to_cleo(lambda message: None if is_talk(message) else message)
    await table.wants("Ann", Chat("I saw stone"))
    table.messages_for = honestly
    await table.wants("Ann", Chat("and gold"))
    await table.play_out()
    assert "audit: checked" in rigged.findings_told(table.people["Ben"])
    assert "audit: checked in part" in rigged.findings_told(table.people["Cleo"])
    assert [line.text for line in rigged.state_held(table.people["Cleo"]).talk] == [
        "I saw stone",
        "and gold",
    ]


# Snapshots.


def hide_deals(_name: str, message: HostMessage) -> Iterable[HostMessage]:
    """Tell of no step in which a round begins."""
    events = message.lobby_events if isinstance(message, StepFrame) else ()
    return [rigged.LOST if any(isinstance(event, RoundBegins) for event in events) else message]


async def test_deal_as_snapshot(
    where: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with rigged.evening(where, tmp_path, rounds=2) as table:
        await table.begin()
        monkeypatch.setattr("net.room.decisions.deal_step", alone)
        table.messages_for = hide_deals
        await table.play_out()
        each(table, "audit: unseen 2")
        for name in rigged.GUESTS:
            told = rigged.findings_told(table.people[name])
            assert not [line for line in told if line.startswith("audit: checked")]


async def test_end_of_round_as_snapshot(table: rigged.Evening) -> None:
    await table.begin()

    def hide(message: HostMessage) -> HostMessage:
        return rigged.LOST if isinstance(message, StepFrame) and ends(table) else message

    table.messages_for = to_cleo(hide)
    await table.play_out()
    assert "audit: missed 1" in rigged.findings_told(table.people["Cleo"])
    assert await words_of(table, "Ben")
    assert not await words_of(table, "Cleo")


def ends(table: rigged.Evening) -> bool:
    """Whether the round has just ended."""
    state = table.table.state
    return state.game is not None and state.game.round.table.end is not None


def other_role(message: Snapshot) -> Snapshot:
    """Tell a digger that they are a saboteur, or a saboteur that they dig."""
    assert message.own is not None
    role = 1 - structs.asdict(message.own)["role"]
    history = tuple(
        structs.replace(event, role=role) if event.__struct_config__.tag == "dwarf" else event
        for event in message.history
    )
    return structs.replace(message, own=structs.replace(message.own, role=role), history=history)


async def test_snapshot_forged(table: rigged.Evening) -> None:
    await table.begin()
    await table.play(3)
    ben, forge = table.people["Ben"], other_role
    table.messages_for = lambda name, message: [
        forge(message) if isinstance(message, Snapshot) and name == "Ben" else message
    ]
    table.says("Ben", rigged.LOST)
    await until(lambda: "the host's state is another" in rigged.findings_told(ben))
    table.messages_for = honestly
    table.says("Ben", rigged.LOST)
    await table.play_out()
    assert "audit: rewritten" in rigged.findings_told(ben)


# Other pasts.


async def test_older_journal(table: rigged.Evening) -> None:
    await table.begin()
    await table.play(2)
    async with table.stop_and_resume() as path:
        shutil.copy(path, path.with_suffix(".old"))
    await table.play(4)
    async with table.stop_and_resume() as path:
        shutil.copy(path.with_suffix(".old"), path)
    await until(
        lambda: all("the table went back" in rigged.findings_told(guest) for guest in table.honest)
    )


# What stays possible.


async def test_each_alone_with_the_hosts_programs(where: Path, tmp_path: Path) -> None:
    """Ben plays with a Cleo, and Cleo with a Ben, who are programs of the host."""
    worlds = list[rigged.Evening]()
    for name in rigged.GUESTS:
        async with rigged.evening(where, tmp_path / name) as world:
            await world.begin()
            await world.wants("Ann", Chat(f"I see you, {name}"))
            await world.play_out()
            assert set(rigged.findings_told(world.people[name])) == {"let in", "audit: checked"}
            assert await words_of(world, name)
            worlds.append(world)
    words = [await words_of(world, name) for world, name in zip(worlds, rigged.GUESTS, strict=True)]
    assert words[0] != words[1], "and their players would hear it"


async def words_of(table: rigged.Evening, name: str) -> tuple[str, ...]:
    """The words of the last round on somebody's screen, once they are there."""
    session = table.people[name].session
    await until(lambda: session.status.words is not None)
    assert session.status.words is not None
    return session.status.words.words
