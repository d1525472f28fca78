"""What happened and what was said, in one list, and on a page of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from engine.actions import Broke
from engine.cards import Role, Tool
from engine.events import DwarfDealt, GameEnded, Passed
from net.client.session import Received, Status, Update
from net.protocol.chat import ChatLine
from net.protocol.hall import NextTable
from net.protocol.lobby import Free, Presence, TableClaim, Topic
from net.protocol.lobby_events import (
    BotClaimed,
    Claimed,
    Entered,
    LobbyEvent,
    PresenceChanged,
    Said,
    SatDown,
)
from net.protocol.messages import Notice
from sabtui.table.sight import missed_lines
from sabtui.tui.table.log import LogKind, LogScreen, TableLog
from sabtui.tui.table.screen import TableScreen
from sabtui.tui.theme import ASCII, BOX
from sabtui.tui.widgets.panel import Look, plain
from tests.sabtui.tui import scenes
from tests.sabtui.tui.lobby_fixture import ShownTable, shown_table
from tests.sabtui.tui.table.pure_table import TURN, PureTable

NOW = scenes.now()


def log_after(*lobby_events: LobbyEvent) -> TableLog:
    """Return the log after these events."""
    return TableLog().after(Update(NOW, Received(news=lobby_events)), NOW)


def texts(log: TableLog) -> list[str]:
    """Return the lines as they are shown, but for rules between laps."""
    return [
        "".join(plain(row) for row in line.rows(200, ASCII))
        for line in log.lines
        if line.kind is not LogKind.LAP
    ]


def lines_of(*lobby_events: LobbyEvent) -> list[str]:
    """Return the lines of these events."""
    return [line.text for line in log_after(*lobby_events).lines]


def test_it_begins_with_what_is_held() -> None:
    assert texts(TableLog.of(NOW)) == [
        "Dede laid ESW at 2 east, 1 north",
        "Dede broke Bruno's pick",
        "Chiara looked at the north goal",
        "Norri laid SW at 4 east, 1 north",
        "Dede: the south one is stone, trust me",
        "Bruno: south goal is gold",
        "Zoe: good luck to all of you!",
    ]
    assert TableLog.of(Status()).lines == ()


def test_talk_claims_and_news_are_told_by_name() -> None:
    assert lines_of(Said(2, "hello")) == ["Bruno: hello"]
    claim = TableClaim(Topic.DIGS_AGAINST_US, 0)
    assert lines_of(Claimed(2, claim)) == ["Bruno: I think Ana is a saboteur"]
    assert lines_of(BotClaimed(4, claim)) == ["Norri: I think Ana is a saboteur"]
    assert lines_of(PresenceChanged(2, Presence.SHAKY)) == []
    assert lines_of(PresenceChanged(1, Presence.SHAKY)) == [], "of oneself there is nothing to tell"


def test_the_list_names_who_has_won_a_game_and_leaves_the_gold_to_the_final_table() -> None:
    view = scenes.over()
    gold = view.score.gold
    assert gold is not None
    over = scenes.now(view)
    log = TableLog.of(over).after(Update(over, Received(events=(GameEnded(gold),))), over)
    shown = [plain(row) for row in log.rows(29, 8, BOX)]
    assert shown[-1] == "You share the win with Dede."


@pytest.mark.parametrize(
    ("received", "told"),
    [
        (
            Received(notice=Notice("Olga", "the bar is open")),
            'Olga (organiser) says: "the bar is open"',
        ),
        (
            Received(notice=NextTable(2, "Table 1", ("Kim", "Mia"))),
            "Round 2: you are at Table 1 with Kim and Mia.",
        ),
        (Received(alarm=5), "5 wrong codes were tried at your table: "),
    ],
    ids=["organiser", "next round of a night", "wrong codes"],
)
def test_what_the_host_tells_is_in_the_list_and_in_the_last_line(
    received: Received, told: str
) -> None:
    at = PureTable()
    at.receive(TURN, received)
    line = at.model.log.lines[-1].text
    assert line.startswith(told)
    assert at.said.startswith(told)
    at.receive(TURN, Received(news=(Said(2, "hello"),)))
    assert [line.text for line in at.model.log.lines[-2:]] == [line, "Bruno: hello"]


def test_what_is_wrong_with_the_network_and_with_ones_own_disk_is_told_and_told_again() -> None:
    wrong = replace(NOW, announced=False, kept=False)
    log = TableLog().after(Update(wrong), NOW)
    lines = [line.text for line in log.lines]
    assert [text[:30] for text in lines] == [
        "This table cannot announce its",
        "Your seat cannot be saved on t",
    ]
    assert [line.text for line in TableLog.of(wrong).lines][-2:] == lines


def test_a_snapshot_brings_this_round_and_all_talk_and_nothing_twice() -> None:
    before = scenes.now(talk=(ChatLine("Bruno", 1, "hello"),))
    after = scenes.now(talk=tuple(ChatLine("Bruno", 1, text) for text in ("hello", "again")))
    log = TableLog.of(before).after(Update(after, Received(renewed=True)), before)
    assert texts(log) == texts(TableLog.of(after))
    assert [text for text in texts(log) if "Bruno: " in text] == ["Bruno: hello", "Bruno: again"]


def test_rows_are_at_the_bottom_and_none_is_shown_from_its_middle_on() -> None:
    log = log_after(*(Said(2, f"line {number}") for number in range(30)))
    assert [plain(row) for row in log.rows(20, 2, BOX)] == ["Bruno: line 28", "Bruno: line 29"]
    assert log.rows(20, 2, BOX)[0][1].look is Look.TALK
    assert log.rows(20, 40, BOX)[0] == ()
    log = log_after(Said(2, "the south one is stone"), Said(2, "ok"))
    assert [plain(row) for row in log.rows(20, 2, BOX)] == ["", "Bruno: ok"]
    assert [plain(row) for row in log.rows(20, 3, BOX)] == [
        "Bruno: the south one",
        "  is stone",
        "Bruno: ok",
    ]
    alone = log_after(Said(2, "the south one is stone")).rows(20, 1, BOX)
    assert [plain(row) for row in alone] == ["  is stone"], "unless there is no room for all of it"


def test_somebody_who_comes_back_reads_what_was_played_for_them() -> None:
    view = scenes.view(turn=2)
    before = scenes.now(view._replace(history=view.history[:1]))
    own = view._replace(history=(*view.history[:1], Broke(0, Tool.PICK, 1), Passed(1)))
    log = TableLog().after(Update(scenes.now(own), Received(renewed=True)), before)
    told = log.lines[-1].text
    assert told == "While you were away: You broke Bruno's pick."
    assert log.lines[-1].kind is LogKind.STOOD_IN
    assert before.game_state is not None
    other = replace(before, game_state=replace(before.game_state, game_id=b"another"))
    assert missed_lines(scenes.now(own), other) == []
    assert missed_lines(scenes.now(own), before) == [told]
    again = replace(scenes.now(own), left_at=before.place)
    assert missed_lines(again, Status()) == [told], "also by a program that is started again"
    log = TableLog().after(Update(before, Received(renewed=True)), before)
    assert LogKind.STOOD_IN not in {line.kind for line in log.lines}, "nothing was missed"


def test_ones_dwarf_is_not_told() -> None:
    log = TableLog().after(Update(NOW, Received(events=(DwarfDealt(0, Role.SABOTEUR),))), NOW)
    assert log.lines == ()


def test_somebody_who_comes_and_sits_down_in_one_step_is_named() -> None:
    lobby = scenes.lobby()
    now = scenes.now(at=structs.replace(lobby, chairs=(*lobby.chairs[:4], Free())))
    news = (Entered(10, "Fay", is_host=False), SatDown(4, 10))
    log = TableLog().after(Update(now, Received(news=news)), now)
    assert [line.text for line in log.lines] == ["Fay has joined.", "Fay took seat 5."]


BRUNO = 2


async def see(at: ShownTable, text: str) -> None:
    """Wait until a text is on the screen: a slow machine lays out in passes."""
    while text not in at.shown:
        await at.pilot.pause(0.01)


async def test_it_has_every_line_but_no_hidden_role_and_scrolls_from_its_newest_to_its_first() -> (
    None
):
    async with shown_table(size=(60, 18)) as at:
        said = tuple(Said(BRUNO, f"line {number}") for number in range(25))
        await at.receive(scenes.now(), Received(news=said))
        await at.press("L")
        await see(at, "line 24")
        assert isinstance(at.app.screen, LogScreen)
        await at.press("up")
        await see(at, "line 23 ")
        while "line 24" in at.shown:
            await at.pilot.pause(0.01)
        await at.press("home")
        await see(at, "Dede laid ╦ at 2 east, 1 north")
        assert "iner" not in at.shown
        await at.receive(scenes.now(), Received(news=(Said(BRUNO, "are you still there?"),)))
        await at.press("end")
        await see(at, "Bruno: are you still there?")
        await at.press("escape")
        assert isinstance(at.app.screen, TableScreen)
