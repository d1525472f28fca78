"""The sentence under the hand tells the story while others play, and answers the cursor after."""

from __future__ import annotations

from engine.cards import Card, Path, Tool
from engine.events import Broke, Event, Laid, Passed, Repaired
from engine.view import View
from net.client.session import Received
from sabtui.tui.table.model import SidePanel
from sabtui.tui.table.render import head
from sabtui.tui.widgets.rows import plain
from tests.sabtui.tui import scenes
from tests.sabtui.tui.table.pure_table import PureTable
from tests.sabtui.tui.table.side_table import ANA, BRUNO, CHIARA, NORRI, ROUND, after

HARM = Broke(NORRI, Tool.LANTERN, ANA)


def hurt(*events: Event, turn: int = CHIARA + 1) -> View:
    """The round so far, then these events, Ana's lantern being broken."""
    view = after(*ROUND, *events, turn=turn)
    return view._replace(table=view.table._replace(broken=(Tool.LANTERN.bit, 0, 0, 0, 0)))


def at(view: View) -> PureTable:
    return PureTable(scenes.now(view, talk=()))


def test_what_somebody_did_to_the_reader_comes_first_with_what_can_still_be_done() -> None:
    table = at(hurt(HARM, Passed(BRUNO), turn=BRUNO + 1))
    assert table.said.startswith(
        "Norri broke your lantern. You can still break and bring down a card."
    )


def test_who_holds_no_action_card_can_only_pass() -> None:
    view = hurt(HARM, turn=BRUNO + 1)
    table = at(view._replace(hand=view.hand[:3]))
    assert "You can still pass." in table.said


def test_a_tool_that_is_whole_again_is_no_news() -> None:
    view = after(
        *ROUND, HARM, Repaired(BRUNO, Card.REPAIR_LANTERN, ANA, Tool.LANTERN), turn=BRUNO + 1
    )
    assert "Bruno repaired your lantern." in at(view).said
    assert "can still" not in at(view).said


def test_while_others_play_their_moves_are_told_and_the_cell_once_the_cursor_moves() -> None:
    table = at(after(*ROUND, turn=BRUNO + 1))
    assert table.said.startswith("Norri brought down a dead end"), "longer than half the line"
    table.press("right")
    assert table.said.startswith("At 1: ")
    table.hear(
        scenes.now(after(*ROUND, Passed(BRUNO), turn=BRUNO + 1), talk=()),
        Received(events=(Passed(BRUNO),)),
    )
    assert table.said == "Bruno passed. It is Bruno's turn."
    table.press("left")
    assert "At 0: the start" in table.said, "again after the cursor has moved"


def test_talk_alone_does_not_take_the_cell_from_who_looks_at_it() -> None:
    table = at(after(*ROUND, turn=BRUNO + 1))
    table.press("right")
    table.hear(table.status, Received())
    assert table.said.startswith("At 1: ")


def test_on_ones_own_turn_the_last_move_stands_beside_what_to_do() -> None:
    table = at(after(*ROUND, Passed(BRUNO)))
    assert table.said == "Your turn: choose a card, 1 to 6. Bruno passed."
    table.press("right")
    assert "passed" not in table.said


def test_after_ones_own_move_nothing_of_others_is_told_before_they_move() -> None:
    mine = Laid(ANA, Path.read("EW"), (1, 0))
    assert at(after(*ROUND, mine, turn=BRUNO + 1)).said.startswith("It is Bruno's turn. At 0: ")


def test_whoever_just_passed_reads_whose_turn_it_is_and_not_of_an_old_card_under_the_cursor() -> (
    None
):
    laid, passed = Laid(ANA, Path.read("EW"), (1, 0)), Passed(ANA)
    table = at(after(laid, *ROUND[1:3], passed, turn=BRUNO + 1))
    table.model = table.model.at((1, 0))
    table.hear(table.status, Received(events=(passed,)))
    assert table.said.startswith("It is Bruno's turn. At 1: ")


def test_the_last_card_is_in_the_header_only_while_the_side_shows_another_page() -> None:
    table = at(after(*ROUND))
    sight = scenes.sight(table.status)
    table.resize(120, 24)
    assert "last" not in plain(head(sight, table.model)[0])
    table.model = table.model.turned_to(SidePanel.ROLE)
    assert "last Norri" in plain(head(sight, table.model)[0])
