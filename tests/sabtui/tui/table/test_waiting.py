"""Waiting for somebody's move: the clock, who knocks on the table, and a bot that plays instead."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from msgspec import structs

from engine.events import Passed
from net.client.session import Received, Status
from net.protocol.lobby import BotChair
from net.protocol.lobby_events import Nudged
from net.protocol.requests import LetBotMove, Nudge
from sabtui.tui.table.model import ScreenEffect, pass_time
from sabtui.tui.table.render import head as table_head
from sabtui.tui.widgets.panel import plain
from tests.sabtui.tables import BRUNO
from tests.sabtui.tui import scenes
from tests.sabtui.tui.lobby_fixture import Evening, evening
from tests.sabtui.tui.table.pure_table import STATUSES, PureTable

LATER = 100.0


def head(at: PureTable, seconds: float) -> str:
    """The header so many seconds after a moment."""
    at.act(partial(pass_time, now=LATER + seconds))
    return plain(table_head(scenes.sight(at.status), at.model)[0])


def test_after_a_quarter_of_a_minute_all_see_how_long_a_turn_lasts() -> None:
    for status in (STATUSES["waiting"], STATUSES["turn"]):
        at = PureTable(status)
        assert ":" not in head(at, 0).replace("turn:", "")
        assert ":" not in head(at, 14).replace("turn:", "")
        assert " 0:15 " in head(at, 17)
        assert " 1:20 " in head(at, 80)


def test_the_next_turn_begins_anew_and_so_does_one_after_a_pause() -> None:
    view = scenes.view(turn=2)
    at = PureTable(scenes.now(view))
    head(at, 0)
    assert " 0:20 " in head(at, 20)
    later = scenes.view(turn=3)
    at.hear(scenes.now(later._replace(history=(*view.history, Passed(2)))))
    assert " 0:" not in head(at, 21)
    assert " 0:20 " in head(at, 41)
    playing, at.status = at.status, STATUSES["paused"]
    head(at, 42)
    at.status = playing
    assert " 0:" not in head(at, 50)


def test_who_plays_alone_with_bots_has_no_clock() -> None:
    me = scenes.lobby()
    chairs = (me.chairs[0], *(BotChair(name, "easy") for name in ("Ed", "Flo", "Gus", "Hal")))
    alone = structs.replace(me, chairs=chairs, people=me.people[:1])
    at = PureTable(scenes.now(at=alone))
    head(at, 0)
    assert " 1:" not in head(at, 80)


def wait_long(at: Evening) -> None:
    """Let a minute pass."""
    at.table.model = replace(at.table.model, turn_since=at.table.model.turn_since - 61)
    at.table._pass_time()


async def test_after_a_minute_the_host_is_asked_whether_a_bot_moves_and_enter_is_no_yes() -> None:
    async with evening(STATUSES["waiting"]) as at:
        at.table._pass_time()
        wait_long(at)
        assert at.said.startswith("Let a bot make this move for Bruno?")
        await at.press("enter")
        assert at.seat.requests == []
        await at.press("y")
        assert at.seat.requests == [LetBotMove()]
        assert not at.said.startswith("Let a bot")


async def test_the_question_does_not_wait_until_ones_own_role_card_is_turned_over() -> None:
    async with evening(STATUSES["waiting"]) as at:
        at.table.model = replace(at.table.model, is_masked=True)
        at.table._pass_time()
        wait_long(at)
        assert at.said.startswith("Let a bot make this move for Bruno?")
        await at.press("n")
        assert at.seat.requests == []
        assert at.table.model.is_role_down
        await at.press("space")
        assert not at.table.model.is_masked


async def test_nobody_is_asked_about_their_own_turn_and_no_guest_about_another_s() -> None:
    guest = structs.replace(scenes.lobby(), host=3)
    for status in (STATUSES["turn"], scenes.now(scenes.view(turn=2), guest)):
        async with evening(status) as at:
            at.table._pass_time()
            wait_long(at)
            assert at.table.model.waited == 60
            assert not at.said.startswith("Let a bot")


async def test_the_time_of_a_turn_counts_from_when_it_began_also_while_a_show_hides_it() -> None:
    later = scenes.now(scenes.view(turn=2))
    async with evening(STATUSES["turn"]) as at:
        at.table._pass_time()
        at.seat.status = later
        at.table._pass_time()
        wait_long(at)
        await at.hear(later)
        at.table._pass_time()
        assert at.table.model.waited == 60


def hear_knock(status: Status) -> PureTable:
    """A table at which Bruno has knocked."""
    at = PureTable(status)
    at.effects.clear()
    at.hear(status, Received(news=(Nudged(BRUNO),)))
    assert at.said.startswith("Bruno knocks on the table.")
    return at


def test_a_knock_rings_where_one_is_to_play_and_nowhere_else() -> None:
    assert ScreenEffect.RING in hear_knock(STATUSES["turn"]).effects
    assert ScreenEffect.RING not in hear_knock(STATUSES["waiting"]).effects


async def test_the_key_for_that_stands_below_the_table_while_it_is_of_use() -> None:
    async with evening(STATUSES["waiting"]) as at:
        assert " ! knock " in at.shown
    async with evening(STATUSES["turn"]) as at:
        assert " ! knock " not in at.shown


def test_one_key_knocks_while_another_person_is_to_play() -> None:
    at = PureTable(STATUSES["waiting"])
    at.press("exclamation_mark")
    assert at.requests == [Nudge()]
    own = PureTable(STATUSES["turn"])
    own.press("exclamation_mark")
    assert (own.requests, own.said) == ([], "Nobody is waited for.")
