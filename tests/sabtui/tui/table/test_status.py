"""The sentence under the hand tells the story while others play, and answers the cursor after."""

from __future__ import annotations

from dataclasses import replace

from msgspec import structs

from engine.actions import Broke, Repaired
from engine.cards import Card, Path, Tool
from engine.events import Event, Laid, Passed
from engine.view import View
from net.client.session import Received, Status
from net.protocol.lobby import ChatRule, Drawer, Lobby, SeedDraw, Settings
from net.protocol.messages import Refusal
from sabtui.text.reasons import refusal_sentence
from sabtui.tui.lobby.rows import waiting_for
from sabtui.tui.table.model import SidePanel, TableModel
from sabtui.tui.table.render import head
from sabtui.tui.table.selection import Selection
from sabtui.tui.table.status import hint
from sabtui.tui.theme import BOX
from sabtui.tui.widgets.panel import plain
from tests.sabtui.tables import lobby
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


def test_what_somebody_did_to_the_reader_comes_first() -> None:
    table = at(hurt(HARM, Passed(BRUNO), turn=BRUNO + 1))
    assert table.said.startswith("Norri broke your lantern. ")


def test_a_tool_that_is_whole_again_is_no_news() -> None:
    view = after(
        *ROUND, HARM, Repaired(BRUNO, Card.REPAIR_LANTERN, ANA, Tool.LANTERN), turn=BRUNO + 1
    )
    assert "Bruno repaired your lantern." in at(view).said


def test_while_others_play_their_moves_are_told_and_the_cell_once_the_cursor_moves() -> None:
    table = at(after(*ROUND, turn=BRUNO + 1))
    assert table.said.startswith("Norri brought down a dead end"), "longer than half the line"
    table.press("right")
    assert table.said.startswith("At 1 east: ")
    table.hear(
        scenes.now(after(*ROUND, Passed(BRUNO), turn=BRUNO + 1), talk=()),
        Received(events=(Passed(BRUNO),)),
    )
    assert table.said == "Bruno passed. It is Bruno's turn."
    table.press("left")
    assert " The start, crossing" in table.said, "again after the cursor has moved"


def test_talk_alone_does_not_take_the_cell_from_who_looks_at_it() -> None:
    table = at(after(*ROUND, turn=BRUNO + 1))
    table.press("right")
    table.hear(table.status, Received())
    assert table.said.startswith("At 1 east: ")


def test_on_ones_own_turn_the_last_move_stands_beside_what_to_do() -> None:
    table = at(after(*ROUND, Passed(BRUNO)))
    assert table.said == "Your turn: choose a card, 1 to 6. Bruno passed."
    table.press("right")
    assert "passed" not in table.said


def test_whoever_just_passed_reads_whose_turn_it_is_and_not_of_an_old_card_under_the_cursor() -> (
    None
):
    laid, passed = Laid(ANA, Path.read("EW"), (1, 0)), Passed(ANA)
    table = at(after(laid, *ROUND[1:3], passed, turn=BRUNO + 1))
    table.model = table.model.at((1, 0))
    table.hear(table.status, Received(events=(passed,)))
    assert table.said == "It is Bruno's turn."


def test_the_last_card_is_in_the_header_only_while_the_side_shows_another_page() -> None:
    table = at(after(*ROUND))
    sight = scenes.sight(table.status)
    table.resize(120, 24)
    assert "last" not in plain(head(sight, table.model)[0])
    table.model = table.model.turn_to(SidePanel.ROLE)
    assert "last Norri" in plain(head(sight, table.model)[0])


def clock(status: Status, columns: int = 80) -> str:
    """The header of a table, in a terminal so wide."""
    (row,) = head(scenes.sight(status), TableModel(BOX).resize(columns, 24))
    return plain(row)


def test_the_header_tells_all_how_long_a_turn_may_still_last() -> None:
    mine, others = replace(scenes.now(), turn_left=95), scenes.now(scenes.view(turn=2))
    assert clock(mine).startswith(" YOUR TURN  1:35 ")
    assert clock(replace(others, turn_left=5)).startswith(" turn: Bruno  0:05 ")
    assert clock(replace(others, turn_left=5), 60).startswith(" turn: Bruno  0:05 ")
    assert ":" not in clock(scenes.now()).split("round")[0], "no limit, no clock"


def watcher(chat: ChatRule = ChatRule.WATCHERS_WAIT) -> PureTable:
    """A table within a round, as one sees it who watches."""
    at = structs.replace(scenes.lobby(), settings=Settings(chat=chat))
    view = scenes.view()._replace(seat=None, role=None, hand=())
    return PureTable(replace(scenes.now(view, at), member=9))


def test_a_watcher_is_told_when_to_talk_before_anything_is_typed() -> None:
    waits = refusal_sentence(Refusal.WATCHERS_WAIT)
    for name in ("talk", "claim"):
        assert watcher().commands[name].why_not() == waits
        assert watcher(ChatRule.ALL).commands[name].why_not() is None
        assert PureTable().commands[name].why_not() is None
    over = replace(watcher().status, game_state=scenes.now(scenes.between()).game_state)
    assert PureTable(over).commands["talk"].why_not() is None


def test_at_a_silent_table_only_claims_are_offered() -> None:
    settings = Settings(chat=ChatRule.CLAIMS)
    table = PureTable(scenes.now(at=structs.replace(scenes.lobby(), settings=settings)))
    assert table.commands["talk"].why_not() == refusal_sentence(Refusal.CLAIMS_ONLY)
    assert table.commands["claim"].why_not() is None


TOLD = "Dealing: waiting for the last player's program."


def drawing(table: Lobby, number: int) -> Lobby:
    """The table while the seed of a round is drawn."""
    draw = SeedDraw(bytes(16), bytes(16), number, bytes(32), (Drawer(2, "Bruno"),))
    return structs.replace(table, draw=draw)


def test_the_lobby_says_that_all_deal() -> None:
    assert waiting_for(drawing(lobby(), 1), Status()) == TOLD


def test_the_table_says_so_between_rounds() -> None:
    waits, draws = (
        scenes.now(scenes.between()),
        scenes.now(scenes.between(), drawing(scenes.lobby(), 2)),
    )
    said = [hint(now, Selection(), 78) for now in (waits, draws)]
    assert said[0] != said[1] == TOLD
