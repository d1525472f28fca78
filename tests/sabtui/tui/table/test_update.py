"""What actions, updates and timers do at the table, and what `why_not` says, without an app."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace

import pytest
from msgspec import structs

from engine.board import START
from engine.bots import Playouts
from engine.bots.hints import Hint, Sheds
from engine.cards import Card, Path
from engine.events import Laid
from engine.moves import Discard
from net.client.session import Received, Status
from net.protocol.chat import ChatLine
from net.protocol.lobby import Presence, TableClaim, Topic
from net.protocol.messages import CommandRefused, DiskStatus, Refusal
from net.protocol.requests import Chat, MakeClaim, SetReady
from sabtui.app import autopilot
from sabtui.text.connection import disagreed_sentence
from sabtui.text.moves import MAX_HINTS
from sabtui.text.reasons import refusal_sentence
from sabtui.tui.mine.tiles import TileSize
from sabtui.tui.table import screen
from sabtui.tui.table.actions import (
    aim_claims,
    choose_card,
    make_claim,
    press_place,
    submit_talk,
    watch_again,
)
from sabtui.tui.table.model import (
    FindHints,
    ScreenEffect,
    SendRequest,
    SetTitle,
    SidePanel,
    end_pause,
    skip,
)
from sabtui.tui.table.screen import TableMoment
from tests.sabtui.tui import scenes
from tests.sabtui.tui.lobby_fixture import ShownTable, shown_table
from tests.sabtui.tui.table.pure_table import STATUSES, TURN, PureTable, actions

BEGINNINGS: dict[str, tuple[str, ...]] = {
    "nothing": (),
    "a card": ("2",),
    "a discard": ("1", "x"),
    "players": ("p", "down"),
    "a card for players": ("5",),
    "claims": ("c",),
    "known facts": ("tab",),
    "an autopilot": ("A",),
    "a move sent": ("2", "enter"),
}
PLACES = {"place": press_place((4, 0)), "player": press_place(3)}
OTHERS = {
    **PLACES,
    "no card": choose_card(0),
    "card": choose_card(2),
    "card 9": choose_card(9),
    "subject": aim_claims(2),
    "claim": make_claim(TableClaim(Topic.STONE_AT, 2)),
    "words": submit_talk("hello"),
}
"""Actions that no command stands for."""

EVERY = {**actions(), **OTHERS}
LOOKS = frozenset(
    (
        *(*PLACES, "older", "newer", "larger", "smaller"),
        *(f"{how}{way}" for how in ("", "pan ") for way in ("left", "down", "up", "right")),
    )
)
"""Actions that may find all as it should be."""


@pytest.mark.parametrize("status", STATUSES.values(), ids=STATUSES)
def test_a_refused_action_tells_its_reason_and_does_nothing_else(status: Status) -> None:
    for keys in BEGINNINGS.values():
        at = PureTable(status)
        at.press(*keys)
        at.press(*("y" if at.question else ""))
        for name, action in EVERY.items():
            reason = at.why_not(action)
            if reason is not None:
                told = replace(at.model, message=reason)
                assert TableMoment(at.model, status).act(action) == (told, ()), name


@pytest.mark.parametrize("status", STATUSES.values(), ids=STATUSES)
def test_an_available_action_concerns_the_player_and_changes_something_or_has_an_effect(
    status: Status,
) -> None:
    at = PureTable(status)
    at.press("p")
    for name, action in EVERY.items():
        if at.why_not(action) is None:
            assert name in PLACES or action.concerns(status), name
            assert name in LOOKS or TableMoment(at.model, status).act(action) != (at.model, ()), (
                name
            )


*OTHER_PEOPLE, DEDE, ZOE = scenes.lobby().people
DEDE_LEFT = structs.replace(
    scenes.lobby(), people=(*OTHER_PEOPLE, structs.replace(DEDE, presence=Presence.AWAY), ZOE)
)
CHIARAS_TURN = scenes.now(scenes.view(turn=3))


@pytest.mark.parametrize(
    ("status", "key", "told"),
    [
        (TURN, "enter", "Choose a card, 1 to 6."),
        (TURN, "r", "Choose a card, 1 to 6."),
        (TURN, "n", "Choose a card, 1 to 6."),
        (TURN, "I", "You can do that once the game is over."),
        (TURN, "m", "Go to a player first: p, then Up or Down; or click on one."),
        (TURN, "full_stop", "It is your turn. At 4 east, 1 north: bend south, west, cut off."),
        (scenes.now(scenes.view(turn=4)), "", "It is Dede's turn. Dede lost connection. Everybody"),
        (scenes.now(scenes.view(turn=4), DEDE_LEFT), "", "It is Dede's turn. Dede left for now."),
        (CHIARAS_TURN, "", "It is Chiara's turn. Chiara: connection shaky."),
        (replace(CHIARAS_TURN, disk=DiskStatus.FULL), "", "The game cannot be saved, so it is on"),
        (STATUSES["waiting"], "i", "It is Bruno's turn."),
        (STATUSES["over"], "i", "The game is over."),
        (STATUSES["no hints"], "i", "Hints: off."),
        (STATUSES["paused"], "i", "Paused: P resumes."),
    ],
)
def test_nothing_is_answered_by_silence(status: Status, key: str, told: str) -> None:
    at = PureTable(status)
    at.press(*key.split())
    assert at.said.startswith(told)
    assert not any(isinstance(effect, FindHints) for effect in at.effects)


def test_quick_claims_take_two_keys_and_arrows_change_whom_they_are_about() -> None:
    at = PureTable()
    at.press("c", "6")
    assert at.requests == [MakeClaim(TableClaim(Topic.STONE_AT, 2))]
    at.press("c", "7")
    assert at.requests[-1] == MakeClaim(TableClaim(Topic.DIGS_AGAINST_US, 4)), "Norri played last"
    at.press("c", "down", "8")
    assert at.requests[-1] == MakeClaim(TableClaim(Topic.DIGS_FOR_US, 1)), "and is not oneself"
    at.press("c", "escape", "2")
    assert at.selection.card == 1
    assert len(at.requests) == 3


def test_zoom_and_pan_keep_the_cursor_on_its_cell() -> None:
    at = PureTable()
    at.press("2", "plus")
    sizes = [at.window.size]
    at.press("minus", "minus", "minus")
    assert [*sizes, at.window.size] == [TileSize.WIDE, TileSize.SMALL]
    assert at.window.shows((4, 0))
    at.press("shift+right", "shift+right", "shift+right", "shift+right")
    assert not at.window.shows((4, 0))
    assert at.selection.cell == (4, 0)
    at.press("n", "full_stop")
    assert at.selection.cell == (4, -1), "the newest card"
    assert at.window.shows((4, -1))
    at.press("g", "g")
    assert at.selection.cell == (8, 0), "the goals one after another"


def test_escape_steps_back_and_never_leaves() -> None:
    at = PureTable()
    at.press("tab", "escape")
    assert at.model.pane is SidePanel.RECENT
    at.press("2", "x", *["escape"] * 5)
    assert at.selection.card is None
    assert at.left == []
    at.model = replace(at.model, is_talking=True, about=1)
    at.press("escape")
    assert at.effects[-1] is ScreenEffect.CLOSE_TALK
    at.model = replace(at.model, is_talking=False, top=3)
    at.press("escape", "escape")
    assert (at.model.about, at.model.top) == (None, 0)


STAYS = "Your table goes on without you. To come back: sabtui join. To close it then: C."
KEPT = "Your seat is kept. sabtui join brings you back."
REMOVED = "The host removed you: ask whether you may come back."


@pytest.mark.parametrize(
    ("status", "key", "told"),
    [
        (STATUSES["guest"], "q", KEPT),
        (STATUSES["watching"], "q", "sabtui join brings you back."),
        (STATUSES["ended"], "q", REMOVED),
        (STATUSES["ended"], "enter", REMOVED),
        (replace(STATUSES["over"], member=2), "q", KEPT),
        (scenes.finished_status(), "q", STAYS),
    ],
)
def test_somebody_who_loses_nothing_leaves_at_once_and_is_told_how_to_come_back(
    status: Status, key: str, told: str
) -> None:
    at = PureTable(status)
    assert told is not REMOVED or at.said == f"{told} Enter: leave."
    at.press(key)
    assert (at.question, at.left) == (None, [told])


def test_talk_is_cleaned_and_nothing_is_not_said() -> None:
    at = PureTable()
    at.press("c", "t")
    assert (at.model.about, at.effects[-1]) == (None, ScreenEffect.OPEN_TALK)
    at.act(submit_talk(" hello\x1b there "))
    assert at.effects[-2:] == [SendRequest(Chat("hello there")), ScreenEffect.CLOSE_TALK]
    at.act(submit_talk("  "))
    assert len(at.requests) == 1


def test_a_page_scrolls_to_its_end_and_above_it_is_the_whole_log() -> None:
    said = [
        ChatLine("Dede", 3, "", TableClaim(Topic.BLUFF, seat), scenes.LATELY) for seat in range(5)
    ]
    claims = [
        ChatLine("Dede", 3, "", TableClaim(topic, goal), scenes.LATELY)
        for topic in (Topic.GOLD_AT, Topic.STONE_AT)
        for goal in range(3)
    ]
    at = PureTable(scenes.now(talk=(*said, *claims)), (60, 18))
    at.press("tab", *["pagedown"] * 9)
    assert at.model.pane is SidePanel.CLAIMS
    last = at.model.top
    assert at.said == "There is no more to see here."
    at.press("pageup")
    assert 0 <= at.model.top < last
    at.press(*["pageup"] * 30)
    assert (at.model.top, at.effects[-1]) == (0, ScreenEffect.OPEN_LOG)


def test_a_new_round_begins_at_the_start_and_its_claims_with_who_played_last_but_not_oneself() -> (
    None
):
    at = PureTable()
    at.press("1", "c", "down", "escape")
    at.model = at.model.at((5, 1))
    view = scenes.view()
    later = view._replace(score=replace(view.score, number=view.score.number + 1))
    at.receive(scenes.now(later))
    assert (at.selection.place, at.selection.card) == (START, None)
    at.press("c")
    assert at.model.about == view.table.last_card
    at = PureTable(scenes.now(view._replace(table=view.table._replace(last_card=view.seat))))
    at.press("c")
    assert at.model.about not in (None, view.seat)


def test_what_a_game_without_a_record_lacks_is_not_named() -> None:
    over = scenes.now(scenes.over())
    at = PureTable(over, (120, 30))
    assert at.why_not(watch_again) is not None
    assert "W: " not in at.said
    assert over.game_state is not None
    at.receive(replace(over, game_state=replace(over.game_state, record="its record")))
    assert at.why_not(watch_again) is None
    assert "W: " in at.said


HINT = Hint(Discard(Card.NE), Sheds(Card.NE), None)


def test_a_new_room_code_is_told_to_the_host_and_stays_in_the_log() -> None:
    at = PureTable()
    status = replace(at.status, code="fender-vitamin")
    at.receive(status, Received(code="fender-vitamin"))
    assert at.said == "Room code: fender-vitamin"
    assert at.model.log.lines[-1].text == at.said


def test_what_went_wrong_is_said() -> None:
    at = PureTable()
    at.receive(scenes.now(), Received(renewed=True, disagreed=True))
    assert at.said == disagreed_sentence()
    at.press("2", "enter")
    at.receive(at.status, Received(refused=CommandRefused(1, Refusal.STALE)))
    assert at.said == "That turn had already ended. Look again, then choose."
    at.press("enter")
    assert len(at.moves) == 2, "and one may try again"


def test_one_hears_the_bell_and_reads_in_the_title_when_the_turn_begins() -> None:
    at = PureTable(STATUSES["waiting"])
    assert at.effects == [SetTitle("Gold Rush")]
    at.receive(TURN, Received())
    assert at.effects[1:] == [SetTitle("Your turn - Gold Rush"), ScreenEffect.RING]
    at.receive(TURN, Received())
    assert len(at.effects) == 3


def test_an_update_takes_a_message_away_but_never_an_open_question() -> None:
    laid = Received(events=(Laid(4, Path.read("SW"), (4, -1)),))
    at = PureTable()
    at.press("I")
    at.receive(TURN, laid)
    assert at.model.message == ""
    asked = replace(
        at.model,
        message="Leave this table for good? Unfinished games are not saved.",
        is_asked=True,
    )
    for received in (laid, Received(alarm=5), Received(refused=CommandRefused(1, Refusal.STALE))):
        at.model = asked
        at.receive(TURN, received)
        assert at.said == "Leave this table for good? Unfinished games are not saved."


def test_enter_gets_nobody_ready_until_a_while_has_passed_after_the_last_ceremony() -> None:
    at = PureTable()
    for _ceremony in range(2):
        at.receive(STATUSES["between"], Received(events=(scenes.ENDED,)))
        at.act(skip)
        assert at.effects[-1] is ScreenEffect.END_PAUSE_LATER
    for _earlier in range(2):
        at.press("enter", "enter")
        assert at.requests == []
        at.act(end_pause)
    at.press("enter")
    assert at.requests == [SetReady(ready=True)]
    at = PureTable(STATUSES["between"])
    assert at.said == "Enter: ready for the next round. Waiting for Bruno and Chiara: ! knocks."


def test_hints_that_come_too_late_or_during_a_question_are_not_told() -> None:
    at = PureTable()
    assert TURN.view is not None
    at.press("i")
    at.receive(STATUSES["waiting"], Received())
    at.take_hints(TURN.view, HINT)
    assert at.said.startswith("Norri laid a bend at 4 east, 1 north. It is Bruno's turn.")
    assert at.selection.card is None
    at = PureTable()
    at.press("i")
    at.model = replace(
        at.model,
        is_asked=True,
        message="Leave this table for good? Unfinished games are not saved.",
    )
    at.take_hints(TURN.view, HINT)
    assert at.said == "Leave this table for good? Unfinished games are not saved."
    at.model = replace(at.model, is_asked=False)
    at.press("i")
    assert at.selection.discarding, "it is told when one asks again"


def test_a_new_screen_waits_for_no_timer_and_no_hints_of_the_one_before() -> None:
    at = PureTable()
    assert TURN.view is not None
    at.press("i", "i")
    assert at.effects.count(FindHints(TURN.view)) == 1
    at.open()
    at.press("i")
    assert at.effects.count(FindHints(TURN.view)) == 2
    at.receive(STATUSES["between"], Received(events=(scenes.ENDED,)))
    at.open()
    assert not at.model.is_in_ceremony


def test_a_guest_of_a_paused_game_is_told_whom_it_waits_for_until_it_goes_on() -> None:
    at = PureTable(scenes.now(at=structs.replace(scenes.lobby(), paused=True, host=2)))
    told = "The game is paused: wait for the host to resume it."
    assert at.said == told
    at.press("P")
    assert at.said == refusal_sentence(Refusal.HOST_ONLY)
    at.press("2", "enter")
    assert (at.said, at.moves, at.requests) == (told, [], [])
    at.receive(STATUSES["guest"], Received())
    assert at.said.startswith("Enter: lay ")


def test_a_closed_table_offers_neither_cards_nor_hints_nor_talk() -> None:
    at = PureTable(STATUSES["turn"])
    at.press("2")
    at.receive(STATUSES["ended"])
    offered = {name for name, command in at.commands.items() if command.why_not() is None}
    assert not offered & {"turn", "next", "discard", "hint", "talk", "claim", "autopilot"}
    assert {"do", "leave", "pane"} <= offered


def test_the_open_list_of_claims_makes_way_for_a_ceremony() -> None:
    at = PureTable()
    at.press("c")
    at.receive(scenes.now(scenes.between()), Received(events=(scenes.ENDED,)))
    assert at.model.is_in_ceremony
    assert at.model.about is None


POSSIBLE = scenes.possible()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen, "HINT_BUDGET", Playouts(60))


async def ask_hint(at: ShownTable) -> str:
    """Ask for a hint, and wait for it."""
    await at.press("i")
    while at.said == "Looking for a hint...":
        await at.pilot.pause(0.01)
    return at.said


async def test_asking_again_tells_the_next_best_and_begins_again_after_the_last() -> None:
    async with shown_table(scenes.now(POSSIBLE), (120, 40)) as at:
        lines = [await ask_hint(at) for _ in range(MAX_HINTS + 1)]
        assert len(set(lines)) == MAX_HINTS
        assert lines[-1] == lines[0]
        assert lines[0].endswith(" Hint 1 of 4; i: next. Enter: do it.")
        assert " Hint 4 of 4; i: next." in lines[3]
        assert at.seat.moves == []


async def test_keys_are_heard_while_a_hint_is_thought_of(monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()
    monkeypatch.setattr(screen, "hints_for", lambda *_given: [HINT] if go_on.wait(10) else [])
    async with shown_table(scenes.now(POSSIBLE)) as at:
        await at.press("i")
        assert at.said == "Looking for a hint..."
        await at.press("2")
        assert at.table.model.selection.card == 1
        go_on.set()
        while not at.said.startswith("Pass: "):
            await at.pilot.pause(0.01)
        assert at.table.model.selection.discarding


async def test_where_thinking_fails_there_is_no_hint_and_nothing_breaks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_given: object) -> list[Hint]:
        raise LookupError("a history that fits no table")

    monkeypatch.setattr(autopilot, "find_hints", fail)
    async with shown_table() as at:
        assert await ask_hint(at) == "No hint for this position."
        assert await ask_hint(at) == "No hint for this position."


async def test_a_bot_plays_until_one_takes_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autopilot, "BOT_BUDGET", Playouts(0))
    async with shown_table(scenes.now(scenes.view(turn=2))) as at:
        for stray in (("A", "n"), ("A", "enter", "n"), ("A", "1", "left")):
            await at.press(*stray)
            assert not at.table.model.is_on_autopilot
        await at.press("A", "y")
        assert at.said == "A bot plays for you: A takes over again."
        assert at.seat.moves == []
        await at.receive(scenes.now(scenes.possible()))
        async with asyncio.timeout(60):
            while not at.seat.moves:
                await at.pilot.pause(0.01)
        for keys in (("1", "enter"), ("i",)):
            await at.press(*keys)
            assert at.said == "A bot plays for you: A takes over again."
        assert len(at.seat.moves) == 1
        await at.press("A")
        assert at.said == "You have taken over again."
        await at.receive(scenes.now(scenes.possible()))
        assert len(at.seat.moves) == 1
        await at.press("escape", "2", "enter")
        assert len(at.seat.moves) == 2
