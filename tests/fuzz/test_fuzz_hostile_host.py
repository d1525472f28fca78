"""A host that is somebody's own program: what it tells, with a hash that fits, ends its connection.

Frames of whole games, with any of their fields changed to any value of its type, are told to a
client and shown by both faces. Nothing but `BadFrame` may come of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from copy import copy
from dataclasses import replace
from functools import cache
from random import Random
from typing import Final

from hypothesis import strategies as st
from msgspec import msgpack, structs

from net.client.session import ConnectionState, Received, Status, Update
from net.client.state import ClientState, StatusPublisher
from net.client.trail import view_before_game
from net.protocol.framing import BadFrame, decode
from net.protocol.game_wire import read_event
from net.protocol.lobby import Lobby, Settings, TableClaim, Topic
from net.protocol.lobby_events import GameBegins
from net.protocol.messages import HOST_KINDS, HostMessage, Snapshot, StepFrame, Welcome, hash_of_all
from net.protocol.requests import Chat, MakeClaim, NextRound, Start
from net.room.broadcast import snapshot
from sabtui.table.sight import Sight
from sabtui.text.lobby import player_names
from sabtui.text.settings import describe_settings
from sabtui.tui.lobby.rows import (
    describe_update,
    describe_wait_for_start,
    draw_row,
    list_log_lines,
    list_rows,
    list_talk,
)
from sabtui.tui.table import render
from sabtui.tui.table.animation import Animation, hold_updates
from sabtui.tui.table.log import TableLog
from sabtui.tui.table.model import SidePanel, TableModel
from sabtui.tui.table.side import Side
from sabtui.tui.table.status import hint
from sabtui.tui.theme import ASCII, BOX, DRAWN
from tests.fuzz.fuzzing import fuzz
from tests.fuzz.test_fuzz_wire import Point, change_value, paths, points
from tests.net.room.room_fixture import (
    Table,
    play_on,
    seat_bots,
    set_hash,
    three_in_game,
    three_in_lobby,
)
from tests.sabtui.plain_sessions import JsonPaper, Place, json_table, type_lines

# All that both faces make of an update without a terminal: that nothing is raised matters.

TYPED: Final = ("", "help", "mine", "hand", "players", "table", "history", "known", "1", "hint")
SIZES: Final = ((60, 18), (80, 24), (140, 44))


def show(before: Status, update: Update) -> None:
    """Show an update on both faces to somebody who was shown `before` until then."""
    in_lines(before, update)
    status, lobby = update.status, update.status.lobby
    if lobby is None:
        return
    for line in in_the_lobby(lobby, before, update):
        assert "\x1b" not in line
    if status.view is not None:
        at_the_table(before, update)


def in_lines(before: Status, update: Update) -> None:
    """Show it in lines, and look at all there is to look at."""
    first = Update(before, Received(renewed=before.game_state is not None))
    heard = Place((first,)).after(update)
    lines = [*heard.lines, heard.place.prompt()]
    if heard.place.status.game_state is not None:
        lines += heard.place.where()
        for line in TYPED:
            lines += type_lines(heard.place, line).lines
    paper = JsonPaper()
    told = json_table(paper)
    for news in (first, update):
        told.learn(news)
    assert not any("\x1b" in line for line in (*lines, *paper.raw))


def in_the_lobby(lobby: Lobby, before: Status, update: Update) -> Iterator[str]:
    """Show it in the lobby's screen."""
    current = update.status
    for place in list_rows(lobby):
        yield draw_row(place, lobby, current, 80).plain
    yield describe_wait_for_start(lobby, current)
    yield from describe_settings(lobby.settings, player_names(lobby, current.member))
    yield from list_talk(current)
    yield describe_update(update, before) or ""
    if before.lobby is not None and update.received is not None and not update.received.renewed:
        yield from list_log_lines(update.received, before.lobby, current.member)


def at_the_table(before: Status, update: Update) -> None:
    """Show it at the table, on terminals of several sizes."""
    status, sight = update.status, Sight.of(update.status)
    assert sight is not None
    view = sight.view
    TableLog.of(before).after(update, before)
    parts = tuple(hold_updates(update, before))
    log = TableLog.of(status)
    for (columns, rows), glyphs in zip(SIZES, (ASCII, BOX, DRAWN), strict=True):
        model = TableModel(glyphs, log=log).resize(columns, rows).follow(before.view, view)
        played = [Animation(part.scene) for part in parts if part.scene]
        shown = [replace(model, animation=animation) for animation in played]
        for drawn in (model, replace(model, pane=SidePanel.CLAIMS), *shown):
            render.draw_header(sight, drawn)
            render.draw_mine(sight, drawn)
            laid = Side(sight, drawn, 8)
            assert [*laid.players, *laid.pane]
            render.draw_bottom(sight, drawn)
            hint(status, drawn.selection, columns)


# What a host tells, and how it lies.

EVERY: Final = 7
"""A snapshot is asked for after this many steps."""


def play_game(settings: Settings, level: str, with_bots: int = 0) -> Table:
    """A table at which a whole game is played, and things are said."""
    if with_bots:
        table = three_in_lobby(settings)
        seat_bots(table, range(3, 3 + with_bots))
        assert table.wants("Ann", Start()) is None
    else:
        table = three_in_game(settings)
    table.wants("Ben", Chat("dig north 金"))
    table.wants("Cleo", MakeClaim(TableClaim(Topic.DIGS_AGAINST_US, 1)))
    for number in range(settings.rounds):
        play_on(table, level=level, seed=number)
        table.wants("Ann", NextRound())
    return table


def snapshots(settings: Settings) -> list[Point]:
    """Snapshots of a game under way, each told to somebody new."""
    table = three_in_game(settings)
    found: list[Point] = []
    for number in range(12):
        play_on(table, EVERY, "greedy", number)
        for member in (1, 2, 4):
            snapshot_frame = snapshot(table.room.state, member, 1, table.room.disk)
            client = ClientState("Ann", status=Status(member=member))
            client.begin_connection()
            found.append((client, snapshot_frame))
        table.wants("Ann", NextRound())
    return found


@cache
def host_messages() -> tuple[tuple[Point, ...], ...]:
    """What hosts tell: steps of whole games, and snapshots."""
    three = Settings(seats=3, rounds=2)
    six = Settings(seats=6, rounds=1, edition="italia+linked")
    steps = points(play_game(three, "greedy")) + points(play_game(six, "greedy", 3))
    numbered = [point for point in steps if isinstance(point[1], StepFrame)]
    whole = [point for point in steps if isinstance(point[1], Snapshot | Welcome)]
    return tuple(numbered), (*whole, *snapshots(three))


INTS: Final = (-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 19, 26, 28, 40, 67, 127, -99, 99, 2**31 - 1)
TEXTS: Final = ("", "x", "\x1b[2J", "\u202e", "金" * 12, "random", "italia+linked", "no such")


def spoil(value: object, other: object, rng: Random) -> tuple[object, str]:
    """Choose another value of the same type, or to leave it out or have it twice."""
    how = rng.choice(("put", "put", "put", "drop", "twice"))
    match value:
        case bool():
            return not value, "put"
        case int():
            return rng.choice((*INTS, value + 1, value - 1)), how
        case str():
            return rng.choice(TEXTS), "put"
        case bytes():
            at = rng.randrange(len(value) + 1)
            one = bytes([rng.randrange(28)])
            return rng.choice((value[:at] + one + value[at + 1 :], value[:at], value + one)), "put"
        case list():
            return rng.choice(
                (value[::-1], value[:-1], value[1:], [*value, *value[:1]], other)
            ), how
        case _:
            return other, how


def spoilt(message: HostMessage, other: HostMessage, seed: int) -> HostMessage:
    """Change one to three fields of a message to values of their types. Raises `BadFrame`."""
    rng = Random(seed)
    value, strange = (msgpack.decode(msgpack.encode(sent)) for sent in (message, other))
    elsewhere = paths(strange)
    for _ in range(rng.choice((1, 1, 2, 3))):
        places = paths(value)[1:]
        path = rng.choice(places)
        to, how = spoil(at(value, path), at(strange, rng.choice(elsewhere)), rng)
        value = change_value(value, path, to, how)
    said: HostMessage = decode(msgpack.encode(value), *HOST_KINDS)
    return said


def at(value: object, path: tuple[int, ...]) -> object:
    """What is in a place."""
    for step in path:
        value = value[step] if isinstance(value, list) else list(value.values())[step]  # type: ignore[attr-defined] # - paths lead through lists and maps
    return value


def with_hash(said: HostMessage, client: ClientState) -> HostMessage:
    """The message with the hash that its receiver will work out, if any can be."""
    with suppress(Exception):
        match said:
            case Snapshot():
                return set_hash(said)
            case StepFrame():
                return structs.replace(said, hash=hash_after(said, client))
            case _:
                pass
    return said


def hash_after(said: StepFrame, client: ClientState) -> bytes:
    """The hash after a step that is folded as it is, with no question asked."""
    assert client.status.game_state is not None
    lobby, view = client.status.game_state.lobby, client.status.game_state.view
    for lobby_event in said.lobby_events:
        lobby = lobby_event.change(lobby)
        if isinstance(lobby_event, GameBegins):
            view = view_before_game(lobby, client.status.member)
    for event in said.events:
        assert view is not None
        view = view.after(read_event(event))
    return hash_of_all(lobby, view)


numbers = st.integers(0, 1 << 30)


def show_lie(of: int, example: tuple[int, int, int]) -> None:
    """Tell a client a step (0) or a snapshot (1) that lies, and show what comes of it."""
    which, other, seed = example
    told_so = host_messages()[of]
    client, message = told_so[which % len(told_so)]
    client = copy(client)
    updates: list[Update] = []
    publisher = StatusPublisher(client, updates.append)
    publisher.set_connection(ConnectionState.CONNECTED)
    before = publisher.state.status
    with suppress(BadFrame):
        said = spoilt(message, told_so[other % len(told_so)][1], seed)
        publisher.receive(with_hash(said, client))
        for update in updates[1:]:
            show(before, update)
            before = update.status


@fuzz(st.tuples(numbers, numbers, numbers), so_many=200)
def test_a_step_that_lies_ends_the_link_or_can_be_shown(example: tuple[int, int, int]) -> None:
    show_lie(0, example)


@fuzz(st.tuples(numbers, numbers, numbers), so_many=150)
def test_a_snapshot_that_lies_ends_the_link_or_can_be_shown(example: tuple[int, int, int]) -> None:
    show_lie(1, example)
