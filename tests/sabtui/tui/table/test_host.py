"""What the host alone can do during a game, what the table asks, and who is waited for."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

import pytest
from msgspec import structs

from engine.events import Passed
from net.client.session import Received, Status
from net.protocol import requests
from net.protocol.lobby import BotChair, Deserted, Free, Person, Presence, Relocation
from net.protocol.lobby_events import Nudged
from net.protocol.messages import DiskStatus, Reacted, Refusal
from sabtui.text.reasons import refusal_sentence
from sabtui.text.seats import between_rounds
from sabtui.tui.table.model import CLOCK_STEP_S, ScreenEffect, end_reaction, how_to_aim, pass_time
from sabtui.tui.table.render import draw_header
from sabtui.tui.table.screen import TableScreen
from sabtui.tui.widgets.panel import plain
from tests.sabtui.tui import scenes
from tests.sabtui.tui.lobby_fixture import ShownTable, shown_table
from tests.sabtui.tui.table.pure_table import STATUSES, PureTable

BETWEEN, FULL = scenes.now(scenes.between()), replace(scenes.now(), disk=DiskStatus.FULL)
KICK_BRUNO = requests.Kick(2)
LOBBY = scenes.lobby()
ZOE_GONE = structs.replace(LOBBY.people[-1], presence=Presence.GONE)


def watch_with_a_free_seat() -> Status:
    """Zoe watches a table of Bruno's between rounds, at which nobody has the last seat."""
    lobby = structs.replace(LOBBY, chairs=(*LOBBY.chairs[:4], Free()), host=2)
    held = scenes.now(scenes.between()._replace(seat=None, role=None), lobby).game_state
    return Status(scenes.now().connection, 9, held)


@pytest.mark.parametrize(
    ("status", "keys", "said", "sent"),
    [
        (BETWEEN, "C y", "", requests.Close()),
        (BETWEEN, "leave-for-good", refusal_sentence(Refusal.HOST_STAYS), None),
        (STATUSES["guest"], "leave-for-good y", "", requests.Leave()),
        (scenes.now(), "remove", how_to_aim(), None),
        (scenes.now(), "p down K n", "", None),
        (scenes.now(), "p down K y", "", KICK_BRUNO),
        (scenes.now(), "p remove", refusal_sentence(Refusal.HOST_STAYS), None),
        (scenes.now(), "p up remove", between_rounds(), None),
        (scenes.now(), "p down hand-over", "The cards at that seat are secret.", None),
        (BETWEEN, "hand-over", how_to_aim(), None),
        (BETWEEN, "p down down down hand-over", "Give Dede's seat 4 to Zoe?", None),
        (BETWEEN, "p down down down hand-over y", "", requests.HandOver(3, 9)),
        (
            scenes.now(
                scenes.between(), structs.replace(LOBBY, people=(*LOBBY.people[:-1], ZOE_GONE))
            ),
            "p down hand-over",
            "Only a watcher can be given a seat: seated players have to stand up first.",
            None,
        ),
        (watch_with_a_free_seat(), "p up sit", "", requests.Sit(4)),
        (scenes.now(), "f", "Nothing has changed.", None),
        (FULL, "1 enter", "The game cannot be saved, so it is on hold", None),
        (FULL, "f y", "", requests.GoUnsaved()),
        (BETWEEN, "pause", "", requests.Pause(paused=True)),
        (BETWEEN, "lock", "", requests.Lock(locked=True)),
        (BETWEEN, "new-code y", "", requests.NewCode()),
        (BETWEEN, "next-round", "", requests.NextRound()),
    ],
)
def test_keys_and_commands_ask_for_deeds_about_the_player_under_the_cursor(
    status: Status, keys: str, said: str, sent: requests.Request | None
) -> None:
    at = PureTable(status)
    for key in keys.split():
        name = key.replace("-", " ")
        if name in at.commands:
            at.command(name)
        else:
            at.press(key)
    assert at.said.startswith(said)
    assert at.requests == [request for request in (sent,) if request]
    assert at.moves == []


def test_that_a_game_goes_on_unsaved_is_said_and_stays_in_the_log() -> None:
    at = PureTable(FULL)
    at.receive(replace(FULL, disk=DiskStatus.UNSAVED))
    assert "Not saving:" in at.said
    assert "Not saving:" in at.model.log.lines[-1].text


OF_HOST = {"pause", "remove", "close", "next round", "hand over", "unsaved"}


@pytest.mark.parametrize(
    ("status", "offered", "withheld"),
    [
        (STATUSES["turn"], OF_HOST, {"leave for good"}),
        (STATUSES["guest"], {"leave for good", "card 1", "hint"}, {*OF_HOST, "sit"}),
        (
            replace(scenes.now(), member=9),
            {"sit", "talk", "leave"},
            {"card 1", "turn", "next", "discard", "hint", "autopilot"},
        ),
    ],
    ids=["host", "guest", "watcher"],
)
def test_commands_are_offered_to_whom_they_concern(
    status: Status, offered: set[str], withheld: set[str]
) -> None:
    at = PureTable(status)
    assert offered <= at.offered
    assert not withheld & at.offered


async def test_of_several_who_watch_one_is_picked() -> None:
    lobby = scenes.lobby()
    yan = Person(10, "Yan [/]", Presence.THERE)
    lobby = structs.replace(lobby, people=(*lobby.people, yan))
    async with shown_table(scenes.now(scenes.between(), lobby)) as at:
        await at.press("p", "down")
        at.table.action_command("hand over")
        await at.pilot.pause()
        assert "Who gets seat 2, with its cards and gold?" in at.shown
        await at.press("down", "enter")
        assert at.said == "Give Bruno's seat 2 to Yan [/]? y: yes, n: no"
        await at.press("y")
        assert at.seat.requests == [requests.HandOver(1, 10)]


BRUNO, DEDE, ZOE = 2, 4, 9
ALONE = "Go on without Bruno, Chiara and Dede? y: yes, n: no"
ASKED = "Zoe asks for Dede's seat from another device. y: yes, n: no"


def short() -> Status:
    """A table with too few of its people to play, which has waited for them for long."""
    at = scenes.lobby()
    host, bruno, *others = at.people
    gone = structs.replace(bruno, presence=Presence.GONE)
    return replace(
        scenes.now(at=structs.replace(at, people=(host, gone, *others))), may_continue=True
    )


def asking(*asks: int) -> Status:
    """A table that has moved, to which Dede has not come, and newcomers ask for the seat."""
    return scenes.now(at=structs.replace(scenes.lobby(), deserted=(Deserted(3, DEDE, asks),)))


async def test_a_player_who_waits_by_escape_is_asked_again_only_after_the_table_plays() -> None:
    async with shown_table(short()) as here:
        assert here.said == ALONE
        await here.press("escape")
        assert here.said.startswith("Go on without Bruno, Chiara and Dede? E goes on")
        await here.receive(short())
        assert "y: yes" not in here.said
        await here.receive(scenes.now())
        await here.receive(short())
        assert here.said == ALONE
        await here.receive(scenes.now())
        assert "without" not in here.said, "there is nothing to answer any more"
        await here.press("y")
        assert here.seat.requests == []
        await here.receive(short())
        await here.press("enter")
        assert here.seat.requests == [requests.ContinueWithout()]
        await here.receive(short())
        assert here.said != ALONE, "it was answered"


async def test_a_table_that_plays_elsewhere_is_gone_to_before_anybody_plays_on_without() -> None:
    async with shown_table(short()) as here:
        assert here.said == ALONE
        await here.receive(replace(short(), elsewhere="Bruno"))
        assert here.said == "The table also runs at Bruno's computer. O takes you there."
        await here.press("y", "enter")
        assert here.seat.requests == []


async def test_the_host_gives_a_seat_by_y_alone_and_who_is_refused_is_not_asked_about_again() -> (
    None
):
    async with shown_table(asking(ZOE)) as here:
        await here.press("enter", "1", "ctrl+c")
        assert (here.said, here.seat.requests) == (ASKED, [])
        here.table.action_command("close")
        assert here.said.startswith("Close the table for everybody?"), "that comes first"
        await here.press("n")
        assert here.said == ASKED
        await here.press("n")
        await here.receive(asking(ZOE))
        assert "y: yes" not in here.said
        await here.receive(scenes.now())
        await here.receive(asking(ZOE))
        await here.press("y")
        assert here.seat.requests == [requests.HandOver(3, ZOE)]
    lobby = asking(ZOE).lobby
    assert lobby is not None
    async with shown_table(scenes.now(at=structs.replace(lobby, host=BRUNO))) as here:
        assert ASKED not in here.said, "nobody but the host is asked"


async def test_no_question_takes_the_keys_of_who_is_typing() -> None:
    async with shown_table() as here:
        await here.press("t", "h")
        await here.receive(asking(ZOE))
        await here.press("e", "y", "enter")
        assert requests.HandOver(3, ZOE) not in here.seat.requests
        assert here.said == ASKED


async def test_the_host_hands_the_table_over_by_the_key_by_which_guests_go_on() -> None:
    async with shown_table() as here:
        assert isinstance(here.table, TableScreen)
        await here.press("p", "down", "G")
        assert here.said.startswith("Ask Bruno to run the table?")
        await here.press("y")
        assert here.seat.requests == [requests.GiveHost(BRUNO)]


def head(at: PureTable, seconds: float) -> str:
    """The header this many seconds after a moment."""
    at.act(partial(pass_time, now=100 + seconds))
    return plain(draw_header(scenes.sight(at.status), at.model)[0])


def test_after_a_quarter_of_a_minute_all_see_how_long_a_turn_lasts_but_who_plays_with_bots() -> (
    None
):
    for status in (STATUSES["waiting"], STATUSES["turn"]):
        at = PureTable(status)
        assert ":" not in head(at, 0).replace("turn:", "")
        assert ":" not in head(at, 14).replace("turn:", "")
        assert " 0:15 " in head(at, 17)
        assert " 0:55 " in head(at, 59)
        assert " 1:15 " in head(at, 89)
        assert " 1:30 " in head(at, 90)
    me = scenes.lobby()
    chairs = (me.chairs[0], *(BotChair(name, "easy") for name in ("Ed", "Flo", "Gus", "Hal")))
    alone = PureTable(scenes.now(at=structs.replace(me, chairs=chairs, people=me.people[:1])))
    head(alone, 0)
    assert " 1:" not in head(alone, 80)


def test_the_next_turn_begins_again_and_so_does_one_after_a_pause() -> None:
    view = scenes.view(turn=2)
    at = PureTable(scenes.now(view))
    head(at, 0)
    assert " 0:20 " in head(at, 20)
    later = scenes.view(turn=3)
    at.receive(scenes.now(later._replace(history=(*view.history, Passed(2)))))
    assert " 0:" not in head(at, 21)
    assert " 0:20 " in head(at, 41)
    playing, at.status = at.status, STATUSES["paused"]
    head(at, 42)
    at.status = playing
    assert " 0:" not in head(at, 50)


async def test_the_clock_wakes_at_each_step_of_the_time_since_a_turn_became_known() -> None:
    view = scenes.view(turn=2)
    later = view._replace(history=(*view.history, Passed(2)))
    async with shown_table(scenes.now(view)) as at:
        early = at.table._clock
        assert early is not None
        at.table.model = replace(at.table.model, turn_since=at.table.model.turn_since - 13)
        at.table._pass_time()
        assert at.table._clock is not None
        assert at.table._clock._interval < 2.01, "as 15 seconds are up then"
        assert early._task is None, "and the earlier one has stopped"
        await at.receive(scenes.now(later))
        assert CLOCK_STEP_S - 1 < at.table._clock._interval <= CLOCK_STEP_S


def wait_long(at: ShownTable) -> None:
    """Let a minute pass."""
    at.table.model = replace(at.table.model, turn_since=at.table.model.turn_since - 61)
    at.table._pass_time()


@pytest.mark.parametrize(
    ("status", "question", "wish"),
    [
        ("waiting", "Let a bot make this move for Bruno?", requests.LetBotMove()),
        ("between", "Go on without Bruno and Chiara?", requests.NextRound()),
    ],
)
async def test_after_a_minute_the_host_is_asked_to_go_on_without_the_late_and_enter_is_no_yes(
    status: str, question: str, wish: requests.Request
) -> None:
    async with shown_table(STATUSES[status]) as at:
        at.table._pass_time()
        wait_long(at)
        assert at.said.startswith(question)
        await at.press("enter")
        assert at.seat.requests == []
        await at.press("y")
        assert at.seat.requests == [wish]
        assert not at.said.startswith(question)


async def test_the_question_does_not_wait_until_ones_own_role_card_is_turned_over() -> None:
    async with shown_table(STATUSES["waiting"]) as at:
        at.table.model = replace(at.table.model, is_masked=True)
        at.table._pass_time()
        wait_long(at)
        assert at.said.startswith("Let a bot make this move for Bruno?")
        await at.press("n")
        assert at.seat.requests == []
        assert at.table.model.is_role_down
        await at.press("space")
        assert not at.table.model.is_masked


@pytest.mark.parametrize(
    ("moved", "is_told"),
    [
        (Relocation(1, 2, anew=(0, 3)), True),
        (Relocation(1, 2, anew=(3,)), False),
        (Relocation(1, 2, at_odds=(3,)), True),
        (Relocation(1, 1, anew=(0,)), False),
    ],
    ids=["ones own", "another's", "everybody's", "in an earlier round"],
)
async def test_somebody_who_has_other_cards_since_the_table_moved_reads_it_in_a_box(
    moved: Relocation, *, is_told: bool
) -> None:
    lobby = structs.replace(scenes.lobby(), relocations=(moved,))
    told = "You were dealt a new hand and role when the table moved."
    moved_before = scenes.view(turn=2)
    moved_before = moved_before._replace(history=(*moved_before.history, Passed(0)))
    for view in (None, moved_before):
        async with shown_table(scenes.now(view, lobby)) as at:
            assert (told in at.shown) is is_told, "when the program starts again"
    async with shown_table() as at:
        await at.receive(scenes.now(at=lobby), Received(renewed=True))
        await at.pilot.pause()
        assert (told in at.shown) is is_told, "or while it runs"
        await at.press("x")
        await at.receive(scenes.now(at=lobby))
        assert told not in at.shown, "once"


async def test_a_knock_between_rounds_rings_and_does_not_hide_what_it_is_about() -> None:
    at = show_knock(STATUSES["between"])
    assert ScreenEffect.RING in at.effects
    assert at.said.startswith("Bruno knocks on the table. Enter: ready for the next round.")


async def test_nobody_is_asked_about_their_own_turn_and_no_guest_about_another_s() -> None:
    guest = structs.replace(scenes.lobby(), host=3)
    for status in (STATUSES["turn"], scenes.now(scenes.view(turn=2), guest)):
        async with shown_table(status) as at:
            at.table._pass_time()
            wait_long(at)
            assert at.table.model.waited == 60
            assert not at.said.startswith("Let a bot")


async def test_the_time_of_a_turn_counts_from_when_it_began_also_while_a_show_hides_it() -> None:
    later = scenes.now(scenes.view(turn=2))
    async with shown_table(STATUSES["turn"]) as at:
        at.table._pass_time()
        at.seat.status = later
        at.table._pass_time()
        wait_long(at)
        await at.receive(later)
        at.table._pass_time()
        assert at.table.model.waited == 60


def show_knock(status: Status) -> PureTable:
    """A table at which Bruno has knocked."""
    at = PureTable(status)
    at.effects.clear()
    at.receive(status, Received(news=(Nudged(BRUNO),)))
    assert at.said.startswith("Bruno knocks on the table.")
    return at


def test_a_knock_rings_where_one_is_to_play_and_nowhere_else() -> None:
    assert ScreenEffect.RING in show_knock(STATUSES["turn"]).effects
    assert ScreenEffect.RING not in show_knock(STATUSES["waiting"]).effects


async def test_one_key_knocks_while_another_person_is_to_play_and_stands_below_the_table() -> None:
    async with shown_table(STATUSES["waiting"]) as at:
        assert " ! knock " in at.shown
        await at.press("exclamation_mark")
        assert at.seat.requests == [requests.Nudge()]
    async with shown_table(STATUSES["turn"]) as at:
        assert " ! knock " not in at.shown
        await at.press("exclamation_mark")
        assert (at.seat.requests, at.said) == ([], "The table waits for you.")


async def test_one_key_offers_reactions_and_all_see_one_beside_the_name_for_two_seconds() -> None:
    async with shown_table(STATUSES["waiting"]) as at:
        await at.press("z")
        await at.press("3")
        assert at.seat.requests == [requests.React(requests.Reaction.GASP)]
        await at.receive(STATUSES["waiting"], Received(reaction=Reacted(2, requests.Reaction.GASP)))
        assert re.search(r"Bruno +oh!", at.shown)
        at.table.dispatch(end_reaction)
        await at.receive(STATUSES["waiting"])
        assert "oh!" not in at.shown
