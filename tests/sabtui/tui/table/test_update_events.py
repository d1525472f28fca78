"""What updates and timers do at the table: what is told, unveiled, found and kept."""

from __future__ import annotations

from dataclasses import replace

from msgspec import structs

from engine.board import START
from engine.bots.hints import Hint, Sheds
from engine.cards import Card, Path
from engine.events import Laid
from engine.moves import Discard
from net.client.session import Received
from net.protocol.messages import CommandRefused, Refusal
from net.protocol.requests import SetReady
from sabtui.text.connection import disagreed_sentence
from sabtui.tui.table import actions
from sabtui.tui.table.model import FindHints, ScreenEffect, SetTitle, end_pause, skip
from tests.sabtui.tui import scenes
from tests.sabtui.tui.table.pure_table import STATUSES, TURN, PureTable

HINT = Hint(Discard(Card.NE), Sheds(Card.NE), None)


def test_a_disagreement_is_said() -> None:
    at = PureTable()
    at.hear(scenes.now(), Received(renewed=True, disagreed=True))
    assert at.said == disagreed_sentence()


def test_a_new_room_code_is_told_to_the_host_and_stays_in_the_log() -> None:
    at = PureTable()
    status = replace(at.status, code="fender-vitamin")
    at.hear(status, Received(code="fender-vitamin"))
    assert at.said == "Room code: fender-vitamin"
    assert at.model.log.lines[-1].text == at.said
    at.open()
    assert at.model.log.lines[-1].text == "Room code: fender-vitamin", "in the next game, too"


def test_a_refusal_is_said() -> None:
    at = PureTable()
    at.press("2", "enter")
    at.hear(at.status, Received(refused=CommandRefused(1, Refusal.STALE)))
    assert at.said == "That turn was already over: look again, and choose again."
    at.press("enter")
    assert len(at.moves) == 2, "and one may try again"


def test_a_new_round_begins_with_the_cursor_at_the_start() -> None:
    before = scenes.between()
    at = PureTable(scenes.now(before))
    at.model = at.model.at((5, 1))
    view = scenes.view()
    at.hear(scenes.now(view._replace(score=replace(view.score, number=before.score.number + 1))))
    assert (at.selection.place, at.selection.card) == (START, None)


def test_one_hears_the_bell_and_reads_in_the_title_when_the_turn_begins() -> None:
    at = PureTable(STATUSES["waiting"])
    assert at.effects == [SetTitle("Gold Rush")]
    at.hear(TURN, Received())
    assert at.effects[1:] == [SetTitle("Your turn - Gold Rush"), ScreenEffect.RING]
    at.hear(TURN, Received())
    assert len(at.effects) == 3


def test_an_update_takes_a_message_away_but_never_an_open_question() -> None:
    laid = Received(events=(Laid(4, Path.read("SW"), (4, -1)),))
    at = PureTable()
    at.press("I")
    at.hear(TURN, laid)
    assert at.model.message == ""
    asked = replace(
        at.model,
        message="Leave this table for good? Unfinished games are not saved.",
        is_asked=True,
    )
    for received in (laid, Received(alarm=5), Received(refused=CommandRefused(1, Refusal.STALE))):
        at.model = asked
        at.hear(TURN, received)
        assert at.said == "Leave this table for good? Unfinished games are not saved."


def test_enter_that_ends_a_ceremony_gets_nobody_ready_until_a_while_has_passed() -> None:
    at = PureTable()
    at.hear(STATUSES["between"], Received(events=(scenes.ENDED,)))
    at.act(skip)
    assert at.effects[-1] is ScreenEffect.END_PAUSE_LATER
    at.press("enter", "enter")
    assert at.requests == []
    at.act(end_pause)
    at.press("enter")
    assert at.requests == [SetReady(ready=True)]
    at = PureTable(STATUSES["between"])
    at.press("enter")
    assert at.requests == [SetReady(ready=True)], "no ceremony has just ended"


def test_the_pause_after_a_ceremony_is_not_cut_short_by_that_after_an_earlier_one() -> None:
    at = PureTable()
    for _ceremony in range(2):
        at.hear(STATUSES["between"], Received(events=(scenes.ENDED,)))
        at.act(skip)
    at.act(end_pause)
    at.press("enter")
    assert at.requests == []
    at.act(end_pause)
    at.press("enter")
    assert at.requests == [SetReady(ready=True)]


def test_hints_are_found_once_for_a_turn_and_told_in_turn() -> None:
    at = PureTable()
    assert TURN.view is not None
    at.press("i", "i")
    assert [one for one in at.effects if isinstance(one, FindHints)] == [FindHints(TURN.view)]
    at.take_hints(TURN.view, *[HINT] * 9)
    assert at.said.endswith("Hint 1 of 4; i: next. Enter does it.")
    assert at.selection.discarding
    at.press("i")
    assert at.said.endswith("Hint 2 of 4; i: next. Enter does it.")
    assert at.moves == []


def test_hints_that_come_too_late_or_during_a_question_are_not_told() -> None:
    at = PureTable()
    assert TURN.view is not None
    at.press("i")
    at.hear(STATUSES["waiting"], Received())
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
    at.press("i")
    at.open()
    at.press("i")
    assert at.effects.count(FindHints(TURN.view)) == 2
    at.hear(STATUSES["between"], Received(events=(scenes.ENDED,)))
    at.open()
    assert not at.model.is_in_ceremony


def test_where_no_hint_is_found_one_may_ask_again() -> None:
    at = PureTable()
    assert TURN.view is not None
    for _time in range(2):
        at.press("i")
        assert at.effects[-1] == FindHints(TURN.view)
        at.take_hints(TURN.view)
        assert at.said == "No hint for this position."


def test_the_autopilot_is_told_of_every_update_until_one_takes_over() -> None:
    at = PureTable(STATUSES["waiting"])
    at.press("A")
    at.hear(TURN)
    assert at.effects.count(ScreenEffect.RUN_AUTOPILOT) == 2
    at.press("1", "enter")
    assert at.said == "A bot plays for you: A takes over again."
    assert at.why_not(actions.advise) == at.said
    at.press("A")
    assert at.said == "You have taken over again."
    at.hear(TURN)
    assert at.effects[-1:] == [ScreenEffect.STOP_AUTOPILOT]


def test_what_a_pause_kept_one_from_is_not_told_once_the_game_goes_on() -> None:
    paused = structs.replace(scenes.lobby(), paused=True, host=2)
    at = PureTable(scenes.now(at=paused))
    at.press("2", "enter")
    assert at.said == "The game is paused: wait for the host to resume it."
    at.hear(STATUSES["guest"], Received())
    assert at.said.startswith("Enter: lay ")


def test_a_closed_table_offers_neither_cards_nor_hints_nor_talk() -> None:
    at = PureTable(STATUSES["turn"])
    at.press("2")
    at.hear(STATUSES["ended"])
    offered = {name for name, one in at.commands.items() if one.why_not() is None}
    assert not offered & {"turn", "next", "discard", "hint", "talk", "claim", "autopilot"}
    assert {"do", "leave", "pane"} <= offered


def test_the_open_list_of_claims_makes_way_for_a_ceremony() -> None:
    at = PureTable()
    at.press("c")
    at.hear(scenes.now(scenes.between()), Received(events=(scenes.ENDED,)))
    assert at.model.is_in_ceremony
    assert at.model.about is None
