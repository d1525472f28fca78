"""The side of the table: what has happened, claims, cards and tools, a player, one's own role."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from rich.cells import cell_len

from engine.board import GOAL_CELLS
from engine.cards import Card, Goal, Path, Role, Tool
from engine.events import (
    Broke,
    Collapsed,
    Dealt,
    DwarfDealt,
    Event,
    Laid,
    Looked,
    Passed,
    Repaired,
    RoundBegan,
    RoundEnded,
)
from engine.view import View
from net.client.session import Received, Status
from net.lobby.chat import ChatLine, Moment
from net.lobby.model import TableClaim, Topic
from net.protocol.requests import MakeClaim
from sabtui.tui.table import hand, side
from sabtui.tui.table.actions import Open, Resize
from sabtui.tui.table.model import SidePanel
from sabtui.tui.table.selection import Selection
from sabtui.tui.table.status import sentence
from sabtui.tui.theme import ASCII, BOX, Glyphs
from sabtui.tui.widgets.rows import Look, Row, plain, player_look, width
from tests.sabtui.tui import scenes
from tests.sabtui.tui.table.pure_table import PureTable

ANA, BRUNO, CHIARA, DEDE, NORRI = range(5)
TEE, DEAD = Path.read("ESW"), Path.read("nes")
ROUND: tuple[Event, ...] = (
    RoundBegan(2, CHIARA, (6,) * 5, 30),
    Laid(CHIARA, TEE, (1, 0)),
    Passed(DEDE),
    Passed(NORRI),
    Laid(ANA, TEE, (2, 0)),
    Passed(BRUNO),
    Passed(CHIARA),
    Broke(DEDE, Tool.CART, BRUNO),
    Collapsed(NORRI, (3, 1), DEAD),
)
"""The first lap, and the second up to Ana, who plays fourth."""


def after(*events: Event, seat: int | None = ANA, turn: int = 1) -> View:
    view = scenes.view(turn=turn)
    if seat is None:
        view = view._replace(seat=None, role=None, hand=(), gold=())
    return view._replace(history=events, table=view.table._replace(starter=CHIARA))


def at_table(
    view: View, size: tuple[int, int] = (80, 24), talk: tuple[ChatLine, ...] = ()
) -> PureTable:
    return PureTable(scenes.now(view, talk=talk), size)


def silent(status: Status, talk: tuple[ChatLine, ...] = ()) -> Status:
    """Return a status with this talk alone."""
    assert status.game_state is not None
    return replace(status, game_state=replace(status.game_state, talk=talk))


def rows(table: PureTable) -> list[Row]:
    """Return the rule below the players, and the pane."""
    status, view, lobby = table.status, table.status.view, table.status.lobby
    assert view is not None
    assert lobby is not None
    height = side.pane_rows(view, table.model, sentence(table.model, status))
    players = side.players(status, view, lobby, table.model, height)
    return [players[-1], *side.pane(status, view, table.model, height)]


def page(table: PureTable) -> SidePanel:
    return table.model.pane


def text(table: PureTable) -> list[str]:
    return [plain(row).rstrip() for row in rows(table)]


def shown(table: PureTable) -> str:
    return "\n".join(text(table))


def test_every_move_since_ones_last_turn_has_a_line_with_the_card_drawn() -> None:
    assert text(at_table(after(*ROUND)))[:4] == [
        "── since your last turn ─────",
        "Bruno and Chiara passed",
        "Dede broke Bruno's cart",
        "Norri brought down X╞ at 3s1",
    ]
    assert "Chiara laid ╦ at 1" in text(at_table(after(*ROUND[:4])))
    ascii_table = at_table(after(*ROUND[:4]))
    ascii_table.act(Open(ASCII))
    assert "Chiara laid ESW at 1" in text(ascii_table)


def test_a_move_that_is_long_to_tell_is_told_in_fewer_words_before_it_is_in_letters() -> None:
    table = at_table(after(*ROUND, Looked(BRUNO, (8, 0))))
    assert "Bruno saw the middle goal" in text(table)
    table.act(Resize(60, 18))
    assert "Bruno saw the middle goal" in text(table)
    assert "Norri rockfall 3s1" in text(table), "which has a column too many"
    double = next(card for card in Card if len(card.repairs) > 1)
    pick, lantern = (Repaired(DEDE, double, of, Tool.LANTERN) for of in (CHIARA, DEDE))
    lines = text(at_table(after(*ROUND, pick, lantern)))
    assert {"Dede mended Chiara's lantern", "Dede mended own lantern"} <= {*lines}


def test_before_ones_first_turn_it_is_the_round_that_is_told() -> None:
    lines = text(at_table(after(*ROUND[:4])))
    assert lines[0].startswith("── this round so far ")
    assert lines[1:3] == ["Chiara laid ╦ at 1", "Dede and Norri passed"]


def test_who_watches_sees_as_many_turns_as_there_are_players() -> None:
    status = scenes.now(after(*ROUND, seat=None))
    table = PureTable(replace(status, member=9))
    lines = text(table)
    assert lines[0].startswith("── the last moves ")
    assert lines[1] == "Ana laid ╦ at 2"


def test_names_are_in_the_colours_of_their_players() -> None:
    table = at_table(after(*ROUND))
    spans = {span.text: span.look for row in rows(table) for span in row}
    assert spans["Bruno"] is player_look(BRUNO)
    assert spans["Norri"] is player_look(NORRI)
    assert spans[" broke Bruno's cart"] is Look.DEAD


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
    assert sum(name in line for line in text(table) for name in scenes.CROWD[1:]) == 9
    table.act(Resize(60, 18))
    (more,) = [line for line in text(table) if "more: PgUp" in line]
    assert more.split()[0] == "4"
    earlier = set[str]()
    for _page in range(3):
        table.press("pageup")
        earlier |= {*text(table)}
    assert any("Maximilian" in line for line in earlier)


def test_talk_gives_way_to_moves_but_what_was_said_last_stays() -> None:
    when = Moment(scenes.view().score.number, 0)
    talk = tuple(ChatLine("Zoe", -1, f"line {at}", None, when) for at in range(9))
    table = at_table(after(*ROUND), talk=talk)
    lines = text(table)
    assert "Bruno and Chiara passed" in lines
    assert "Zoe: line 8" in lines
    assert "Zoe: line 0" not in lines


def test_a_long_speech_leaves_room_for_moves() -> None:
    when = Moment(scenes.view().score.number, 0)
    talk = (ChatLine("Zoe", -1, "word " * 30, None, when),)
    lines = text(at_table(after(*ROUND), (60, 18), talk))
    assert any(line.startswith("Zoe: word") for line in lines)
    assert any(line.startswith("Norri") for line in lines)


def test_the_log_has_all_moves_with_a_rule_above_each_lap() -> None:
    log = at_table(after(*ROUND)).model.log
    lines = [plain(row) for row in log.all_rows(40, BOX, veiled=False)]
    assert [line[:25] for line in lines if " of each " in line] == [
        "── turn 1 of each player ",
        "── turn 2 of each player ",
    ]
    assert (
        lines.index("Chiara passed")
        == next(at for at, one in enumerate(lines) if "turn 2 of" in one) + 1
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


def claimed(*said: tuple[str, int, Topic, int]) -> tuple[ChatLine, ...]:
    when = Moment(scenes.view().score.number, 0)
    return tuple(
        ChatLine(name, seat, "", TableClaim(topic, about), when)
        for name, seat, topic, about in said
    )


def test_what_a_player_has_done_goes_before_the_news_and_what_is_left_out_is_counted() -> None:
    talk = claimed(*(("Dede", DEDE, Topic.GOLD_AT, goal) for goal in range(3)))
    events = (*ROUND, Looked(DEDE, (8, 0)), Broke(DEDE, Tool.PICK, ANA))
    low = at_table(after(*events), (60, 18), talk)
    low.press("p", "up", "up")
    assert text(low) == [
        "── Dede ───────────────────",
        "broke  Bruno's cart, your",
        "       pick",
        "map    middle goal",
        "passed 1 time",
        "said   north goal: gold",
        "+2",
    ]


def test_no_blank_row_is_below_the_title_of_the_news() -> None:
    for size in ((60, 18), (80, 24)):
        table = at_table(after(*ROUND), size, claimed(("Dede", DEDE, Topic.GOLD_AT, 1)))
        table.press("p", "up", "up")
        lines = text(table)
        title = next(at for at, line in enumerate(lines) if line.startswith("── talk and news"))
        assert all(lines[title:]), lines


def test_a_role_that_was_dealt_leaves_room_for_the_news_on_the_smallest_terminal() -> None:
    view = after(RoundBegan(2, CHIARA, (6,) * 5, 30), Laid(CHIARA, TEE, (1, 0)), turn=DEDE)
    table = at_table(view, (60, 18))
    table.model = table.model.dealt(view)
    assert text(table) == [
        "── your role ──────────────",
        "╔═════════ MINER ═════════╗",
        "║ You are a miner: dig a  ║",
        "║ tunnel to the treasure. ║",
        "╚═════════════════════════╝",
        "── talk and news ──────────",
        "Chiara laid ╦ at 1",
    ]


def test_the_news_below_a_role_that_was_dealt_do_not_repeat_it_nor_begin_in_mid_sentence() -> None:
    dealt = DwarfDealt(ANA, Role.MINER)
    view = after(RoundBegan(2, CHIARA, (6,) * 5, 30), dealt, turn=CHIARA)
    table = at_table(view, (60, 18))
    table.model = table.model.dealt(view)
    assert text(table)[5:] == ["", ""]
    roomy = at_table(view)
    roomy.model = roomy.model.dealt(view)
    assert shown(roomy).count("dig a") == 1


def test_the_board_of_claims_has_a_row_for_each_claim_and_says_what_is_disputed() -> None:
    talk = claimed(
        ("Bruno", BRUNO, Topic.GOLD_AT, 0),
        ("Dede", DEDE, Topic.STONE_AT, 0),
        ("Norri", NORRI, Topic.STONE_AT, 0),
        ("Norri", NORRI, Topic.DIGS_AGAINST_US, BRUNO),
    )
    table = at_table(after(*ROUND)._replace(peeks=(None, Goal.STONE_NE, None)), talk=talk)
    table.press("p", "down", "m", "m", "escape", "tab")
    assert text(table)[:7] == [
        "── claims ───────────────────",
        "north  gold     Bruno       !",
        "       stone    Dede, Norri !",
        "middle stone    your map",
        "south  -",
        "Bruno  saboteur Norri",
        "Bruno  foe      your mark",
    ]
    assert {width(row) for row in rows(table)[1:7]} == {29}


def test_many_names_in_a_claim_are_counted() -> None:
    talk = claimed(*((name, seat, Topic.GOLD_AT, 0) for seat, name in enumerate(scenes.CROWD)))
    crowd = scenes.crowd()
    score = replace(crowd.score, number=scenes.LATELY.round)
    view = crowd._replace(history=(Passed(0),), score=score)
    table = PureTable(silent(scenes.crowd_now(view), talk))
    table.press("tab")
    (line,) = [one for one in text(table) if one.startswith("north")]
    assert "+8" in line or "+9" in line
    assert cell_len(line) <= 29


def test_cards_unseen_and_broken_tools_are_on_one_page() -> None:
    table = at_table(after(*ROUND))
    table.press("tab", "tab")
    lines = text(table)
    view = table.status.view
    assert view is not None
    assert lines[0].startswith(f"── {len(view.unseen())} cards unseen ")
    assert lines[1].split()[:3] == ["straight", "3", "pick"]
    assert lines[6].startswith("double repair "), "a card that repairs either of two tools"
    counts = re.findall(r"[0-9]+", " ".join(lines[1:7]))
    assert sum(map(int, counts)) == len(view.unseen()), "each card is counted once"
    assert "Bruno  pick" in lines
    assert {width(row) for row in rows(table)[1:7]} <= {28, 29}


def test_a_tall_terminal_has_all_of_it_in_sight_and_the_log() -> None:
    table = at_table(after(*ROUND), (120, 40))
    found = shown(table)
    for title in ("since your last turn", "claims", "cards unseen", "talk and news"):
        assert title in found
    table.press("tab")
    assert page(table) in (SidePanel.ROLE, SidePanel.CARDS), "there is only what is not in view"


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (100, 30), (120, 40), (200, 60)])
@pytest.mark.parametrize("glyphs", [BOX, ASCII])
def test_no_row_of_any_page_is_wider_than_its_place(size: tuple[int, int], glyphs: Glyphs) -> None:
    crowd = scenes.crowd()._replace(history=(Passed(0), Laid(1, TEE, (1, 0))))
    for status in (scenes.now(after(*ROUND)), scenes.crowd_now(crowd), scenes.hostile()):
        table = PureTable(status, size)
        table.act(Open(glyphs))
        for keys in ((), ("tab",), ("tab",), ("tab",), ("p", "down"), ("v",)):
            table.press(*keys)
            assert max(map(width, rows(table))) <= table.model.layout.text
            view = table.status.view
            assert view is not None
            assert len(rows(table)) - 1 <= side.seats_part(view, table.model).pane


def test_where_the_log_has_no_place_of_its_own_it_is_paged_in_place_of_the_rest() -> None:
    moves = tuple(Laid(seat % 10, TEE, (seat, 0)) for seat in range(40))
    table = PureTable(scenes.crowd_now(scenes.crowd()._replace(history=moves)), (120, 36))
    assert "talk and news" not in shown(table)
    for _page in range(3):
        table.press("pageup")
    assert text(table)[0].startswith("── older, PgDn for newer")
    table.press("escape")
    assert text(table)[0].startswith("── since your last turn")


def test_a_key_that_scrolls_nothing_any_further_says_so() -> None:
    table = at_table(after(*ROUND))
    table.press("pagedown")
    assert table.said == "There is no more to see here."
    table.press("tab", "pageup")
    assert table.said == "There is no more to see here."


def test_the_cursor_on_a_player_shows_what_they_have_done() -> None:
    table = at_table(after(*ROUND), talk=claimed(("Dede", DEDE, Topic.GOLD_AT, 1)))
    table.press("p", "up", "up")
    assert text(table)[:5] == [
        "── Dede ─────────────────────",
        "broke  Bruno's cart",
        "passed 1 time",
        "said   middle goal: gold",
        "── talk and news ────────────",
    ]
    table.press("escape")
    assert "since your last turn" in shown(table)


def test_a_round_begins_with_ones_role_until_ones_turn() -> None:
    table = at_table(after(turn=3))
    assert page(table) is SidePanel.ROLE
    assert "MINER" in shown(table)
    table.hear(scenes.now(after(*ROUND[:2], turn=4), talk=()), Received(events=ROUND[1:2]))
    assert page(table) is SidePanel.ROLE, "others play, and one has time to look"
    table.hear(scenes.now(after(*ROUND[:4]), talk=()), Received(events=ROUND[2:4]))
    assert page(table) is SidePanel.RECENT
    assert "Chiara laid" in shown(table)


def test_who_begins_sees_the_role_until_the_first_card_is_played() -> None:
    table = at_table(after(RoundBegan(2, ANA, (6,) * 5, 30)))
    assert page(table) is SidePanel.ROLE
    table.press("2")
    assert page(table) is SidePanel.ROLE
    table.hear(scenes.now(after(Laid(ANA, TEE, (1, 0)), turn=2)), Received(events=ROUND[4:5]))
    assert page(table) is SidePanel.RECENT


def test_a_page_that_was_turned_to_stays_when_ones_turn_comes() -> None:
    table = at_table(after(turn=3))
    table.press("tab", "tab", "tab", "tab")
    assert page(table) is SidePanel.ROLE
    table.hear(scenes.now(after(*ROUND[:4]), talk=()), Received(events=ROUND[1:4]))
    assert page(table) is SidePanel.ROLE


def test_the_role_is_one_key_away_and_hidden_it_is_not_told_anywhere() -> None:
    table = at_table(after(*ROUND))
    table.press("u")
    assert "MINER" in shown(table)
    height = len(text(table))
    table.press("v")
    assert "iner" not in shown(table).replace("miners 1", "")
    assert "HIDDEN" in shown(table)
    assert len(text(table)) == height
    table.press("v", "u")
    assert page(table) is SidePanel.RECENT
    saboteur = PureTable(scenes.now(after(*ROUND)._replace(role=Role.SABOTEUR)))
    saboteur.press("u")
    assert "SABOTEUR" in shown(saboteur)


def test_escape_goes_back_to_what_has_happened() -> None:
    table = at_table(after(*ROUND))
    table.press("tab", "2", "escape")
    assert page(table) is SidePanel.CLAIMS
    table.press("escape")
    assert page(table) is SidePanel.RECENT
    table.press("escape")
    assert table.said == "Nothing to cancel. q leaves the table."


def test_after_a_round_the_claims_are_proven_true_or_false() -> None:
    talk = claimed(("Bruno", BRUNO, Topic.GOLD_AT, 0), ("Dede", DEDE, Topic.DIGS_AGAINST_US, 1))
    table = PureTable(scenes.now(scenes.between(), talk=talk))
    table.press("tab")
    assert any(line.startswith("       gold") and line.endswith("false") for line in text(table))
    assert any(line.startswith("Bruno") and line.endswith("true") for line in text(table))


def test_after_a_round_a_tall_terminal_has_the_news_below_each_page() -> None:
    table = PureTable(scenes.now(scenes.between()), (120, 40))
    assert "talk and news" in shown(table)
    table.press("u")
    assert "your role" in shown(table)
    assert "talk and news" in shown(table)


def test_the_end_of_the_game_shows_its_result_whatever_page_was_open() -> None:
    table = at_table(after(*ROUND))
    table.press("tab")
    ended = RoundEnded(Role.MINER, scenes.ENDED.roles, Role.MINER, scenes.ENDED.goals)
    table.hear(scenes.now(scenes.over()), Received(events=(ended,)))
    assert page(table) is SidePanel.RECENT


def prompt(view: View) -> str:
    return PureTable(scenes.now(view)).said


def test_the_prompt_says_what_keeps_one_from_laying_paths_and_who_did_it() -> None:
    view = after(*ROUND, Broke(DEDE, Tool.CART, ANA))
    broken = view._replace(table=view.table._replace(broken=(Tool.CART.bit, 0, 0, 0, 0)))
    assert prompt(broken) == (
        "Your cart is broken (by Dede): lay no paths. Your turn: choose a card, 1 to 6."
    )


def test_the_last_card_needs_one_key_if_there_is_one_way_to_play_it() -> None:
    view = after(*ROUND)
    hand = (view.hand[0],)
    stuck = view._replace(
        hand=hand, table=view.table._replace(broken=(1, 0, 0, 0, 0), hands=(1, 5, 6, 6, 4))
    )
    (only,) = stuck.legal_moves()
    table = PureTable(scenes.now(stuck))
    assert table.said.startswith("Enter: pass and discard ")
    assert table.said.endswith("Your only move.")
    table.press("enter")
    assert table.moves == [only]


def test_a_long_status_sentence_moves_nothing_but_hides_the_lowest_rows() -> None:
    table = at_table(after(*ROUND[:4]))
    before = text(table)
    table.model = table.model.with_message("a sentence that is too long for a line " * 3)
    cut = text(table)
    assert len(cut) < len(before)
    assert cut == before[: len(cut)]


def test_of_a_full_page_nothing_is_hidden_by_a_long_status_sentence() -> None:
    when = Moment(scenes.view().score.number, 0)
    talk = tuple(ChatLine("Zoe", -1, f"line {at}", None, when) for at in range(9))
    table = at_table(after(*ROUND), talk=talk)
    table.model = table.model.with_message("a sentence that is too long for a line " * 3)
    assert "Zoe: line 8" in text(table)


@pytest.mark.parametrize("rows", range(18, 30))
@pytest.mark.parametrize("keys", [(), ("tab",), ("tab", "tab")], ids=str)
def test_no_title_stands_without_its_rows_however_long_the_sentence_is(
    rows: int, keys: tuple[str, ...]
) -> None:
    table = at_table(after(*ROUND), (80, rows))
    table.press(*keys)
    for words in (1, 20, 30):
        table.model = table.model.with_message("word " * words)
        assert not text(table)[-1].startswith("── "), words


def test_claims_about_goals_since_ones_last_turn_outlast_talk_and_moves() -> None:
    when = Moment(scenes.view().score.number, 0)
    claim = claimed(("Dede", DEDE, Topic.GOLD_AT, 0))
    talk = (*claim, *(ChatLine("Zoe", -1, f"line {at}", None, when) for at in range(9)))
    for size in ((80, 24), (60, 18)):
        said = [line for line in text(at_table(after(*ROUND), size, talk)) if "Dede" in line]
        assert any("gold" in line for line in said), size


def test_claims_are_about_whom_one_aimed_at_last_and_after_a_map_about_its_goal_first() -> None:
    table = at_table(after(*ROUND))
    table.press("p", "up", "escape", "c")
    aimed_at = table.model.about
    assert aimed_at == NORRI
    table.press("up", "c", "c")
    assert table.model.about == DEDE, "the last of all is kept from one list to the next"
    table = at_table(after(*ROUND, Looked(ANA, GOAL_CELLS[2]), Passed(BRUNO)))
    table.press("c", "1")
    (said,) = table.requests
    assert isinstance(said, MakeClaim)
    assert said.claim.about == 2


def test_the_card_drawn_last_has_a_sign_in_the_hand_until_ones_next_turn() -> None:
    view = after(*ROUND)

    def digits(*events: Event) -> list[int]:
        now = view._replace(history=(*view.history, *events))
        shown = plain(hand.hand(now, Selection(), 80, 4, BOX)[0])
        return [at for at in range(1, 7) if f"{at}+" in shown]

    assert digits() == []
    drew = (Laid(ANA, TEE, (2, 0)), Dealt(ANA, view.hand[-1]))
    assert digits(*drew) == [6]
    assert digits(*drew, Passed(BRUNO)) == [6]
    assert digits(*drew, Passed(ANA)) == [], "the pile is empty: nothing was drawn"
