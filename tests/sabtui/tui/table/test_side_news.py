"""What has happened since one's last turn, beside the mine: moves, talk, and what makes room."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from engine.actions import Looked, Repaired
from engine.cards import Card, Role, Tool
from engine.events import DwarfDealt, Laid, RoundBegan
from net.client.session import Received
from net.protocol.chat import ChatLine, Moment
from net.protocol.lobby import Topic
from sabtui.tui.theme import ASCII, BOX
from sabtui.tui.widgets.panel import plain
from tests.sabtui.tui import scenes
from tests.sabtui.tui.table.pure_table import PureTable
from tests.sabtui.tui.table.side_table import (
    ANA,
    BRUNO,
    CHIARA,
    DEAD,
    DEDE,
    ROUND,
    TEE,
    after,
    at_table,
    make_claims,
    side_text,
    silent,
    text,
)


def test_every_move_since_ones_last_turn_has_a_line_with_the_card_drawn() -> None:
    assert text(at_table(after(*ROUND)))[:5] == [
        "── since your last turn ─────",
        "Bruno and Chiara passed",
        "Dede broke Bruno's cart",
        "Norri: rockfall 3 east, 1",
        "  south",
    ]
    assert "Chiara laid ╦ at 1 east" in text(at_table(after(*ROUND[:4])))
    ascii_table = at_table(after(*ROUND[:4]))
    ascii_table.open(ASCII)
    assert "Chiara laid ESW at 1 east" in text(ascii_table)


def test_a_move_that_is_long_to_tell_is_told_in_fewer_words_or_on_two_rows() -> None:
    table = at_table(after(*ROUND, Looked(BRUNO, (8, 0))))
    assert "Bruno saw the middle goal" in text(table)
    table.resize(60, 18)
    assert "Bruno saw the middle goal" in text(table)
    assert "Norri: rockfall 3 east, 1 south" in " ".join(" ".join(text(table)).split())
    assert "Norri: rockfall 3 east, 1 south" not in text(table), "which has columns too many"
    double = next(card for card in Card if len(card.repairs) > 1)
    pick, lantern = (Repaired(DEDE, double, of, Tool.LANTERN) for of in (CHIARA, DEDE))
    lines = " ".join(" ".join(text(at_table(after(*ROUND, pick, lantern)))).split())
    assert "Dede repaired Chiara's lantern" in lines
    assert "Dede repaired their own lantern" in lines


def test_before_ones_first_turn_it_is_the_round_that_is_told() -> None:
    lines = text(at_table(after(*ROUND[:4])))
    assert lines[0].startswith("── this round so far ")
    assert lines[1:3] == ["Chiara laid ╦ at 1 east", "Dede and Norri passed"]


def test_where_nothing_has_happened_yet_there_is_no_title_for_it() -> None:
    assert "since your last turn" not in side_text(at_table(after(*ROUND[:5])))
    assert "this round so far" not in side_text(at_table(after(ROUND[0])))


def test_who_watches_sees_as_many_turns_as_there_are_players() -> None:
    status = scenes.now(after(*ROUND, seat=None))
    table = PureTable(replace(status, member=9))
    lines = text(table)
    assert lines[0].startswith("── the last moves ")
    assert lines[1] == "Ana: X╞ 3 east, 1 south"


def test_of_ten_players_all_nine_moves_are_in_sight() -> None:
    moves = [
        Laid(0, TEE, (1, 0)),
        *(
            Looked(seat, (8, 0)) if seat % 2 else Laid(seat, DEAD, (seat, 0))
            for seat in range(1, 10)
        ),
    ]
    view = scenes.crowd()._replace(history=tuple(moves))
    table = PureTable(silent(scenes.crowd_now(view)))
    called = ("Maximilian saw", *(f"{name} " for name in scenes.CROWD[2:]))
    assert sum(line.startswith(name) for line in text(table) for name in called) == 9
    table.resize(60, 18)
    (more,) = [line for line in text(table) if "more: PgUp" in line]
    assert more.split()[0] == "3"
    assert any("Maximilian" in plain(row) for row in table.model.whole_log(60))


def test_talk_gives_way_to_moves_but_what_was_said_last_stays() -> None:
    when = Moment(scenes.view().score.number, 0)
    talk = tuple(ChatLine("Zoe", -1, f"line {at}", None, when) for at in range(9))
    table = at_table(after(*ROUND), talk=talk)
    lines = text(table)
    assert "Bruno and Chiara passed" in lines
    assert "Zoe: line 8" in lines
    assert "Zoe: line 0" not in lines


def test_the_log_has_all_moves_with_a_rule_above_each_lap() -> None:
    log = at_table(after(*ROUND)).model.log
    lines = [plain(row) for row in log.all_rows(40, BOX, veiled=False)]
    assert [line[:10] for line in lines if line.startswith("── turn ")] == [
        "── turn 1 ",
        "── turn 2 ",
    ]
    assert (
        lines.index("Chiara passed")
        == next(at for at, one in enumerate(lines) if "turn 2 " in one) + 1
    )
    assert "Bruno passed" in lines, "passes are not folded here"


def test_laps_go_on_the_same_move_by_move_as_told_at_once() -> None:
    whole = at_table(after(*ROUND)).model.log.lines
    table = at_table(after(ROUND[0]))
    for before, event in pairwise(range(len(ROUND))):
        status = scenes.now(after(*ROUND[: event + 1]), talk=())
        assert before < event
        table.hear(status, Received(events=(ROUND[event],)))
    assert [one.text for one in table.model.log.lines] == [one.text for one in whole]


def test_a_role_that_was_dealt_leaves_room_for_the_news_on_the_smallest_terminal() -> None:
    view = after(RoundBegan(2, CHIARA, (6,) * 5, 30), Laid(CHIARA, TEE, (1, 0)), turn=DEDE)
    table = at_table(view, (60, 18))
    table.model = table.model.begin_round(view)
    assert text(table) == [
        "── your role ──────────────",
        "╔═════════ MINER ═════════╗",
        "║ You are a miner: dig a  ║",
        "║ tunnel to the treasure. ║",
        "╚═════════════════════════╝",
        "── talk and news ──────────",
        "── turn 1 ─────────────────",
        "Chiara laid ╦ at 1 east",
    ]


def test_the_news_below_a_role_that_was_dealt_do_not_repeat_it_nor_begin_in_mid_sentence() -> None:
    dealt = DwarfDealt(ANA, Role.MINER)
    view = after(RoundBegan(2, CHIARA, (6,) * 5, 30), dealt, turn=CHIARA)
    table = at_table(view, (60, 18))
    table.press_away()
    assert text(table)[5:] == ["", "", ""]
    roomy = at_table(view)
    roomy.press_away()
    assert side_text(roomy).count("dig a") == 1


def test_claims_about_goals_since_ones_last_turn_outlast_talk_and_moves() -> None:
    when = Moment(scenes.view().score.number, 0)
    claim = make_claims(("Dede", DEDE, Topic.GOLD_AT, 0))
    talk = (*claim, *(ChatLine("Zoe", -1, f"line {at}", None, when) for at in range(9)))
    for size in ((80, 24), (60, 18)):
        said = [line for line in text(at_table(after(*ROUND), size, talk)) if "Dede" in line]
        assert any("gold" in line for line in said), size


def test_what_stands_above_the_log_is_not_told_in_it_again() -> None:
    talk = (*make_claims(("Dede", DEDE, Topic.GOLD_AT, 0)), *scenes.TALK)
    table = at_table(after(*ROUND), (120, 40), talk)
    lines = [line for line in text(table) if line and not line.startswith("── ")]
    assert len(lines) == len(set(lines))
    assert sum(line.startswith("Norri: rockfall ") for line in lines) == 1
    assert "Dede: north goal is gold" in lines
    assert "Chiara laid ╦ at 1 east" not in lines, "that was before Ana's last turn"
    told = [plain(row) for row in table.model.whole_log(60)]
    assert "Chiara laid ╦ at 1 east" in told, "the whole log, for who turns back"
