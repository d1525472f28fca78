"""The side, page by page, and the sentence below, which tells the story while others play."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from msgspec import structs
from rich.cells import cell_len

from engine.actions import Broke, Collapsed, Looked, Repaired
from engine.board import GOAL_CELLS
from engine.cards import Card, Goal, Path, Role, Tool
from engine.events import Dealt, Event, GoalPeeked, Laid, Passed, RoundBegan, RoundEnded
from engine.view import View
from net.client.session import Received, Status
from net.protocol.chat import ChatLine, Moment
from net.protocol.lobby import ChatRule, Drawer, SeedDraw, Settings, TableClaim, Topic
from net.protocol.messages import Refusal
from net.protocol.requests import MakeClaim
from sabtui.text.cards import role_words
from sabtui.text.reasons import refusal_sentence
from sabtui.tui.table import hand
from sabtui.tui.table.log import LogKind
from sabtui.tui.table.model import SidePanel, TableModel, skip
from sabtui.tui.table.render import draw_bottom, draw_header, draw_mine
from sabtui.tui.table.selection import Selection
from sabtui.tui.table.side import Section, Side, SideBox, fit_boxes, seats_part
from sabtui.tui.table.status import sentence
from sabtui.tui.theme import ASCII, BOX, Glyphs
from sabtui.tui.widgets.panel import Row, plain, width
from tests.sabtui.tui import scenes
from tests.sabtui.tui.table.pure_table import PureTable
from tests.samples import each_in_turn

ANA, BRUNO, CHIARA, DEDE, NORRI = range(5)

TEE, DEAD = Path.read("ESW"), Path.read("nes")

ROUND: tuple[Event, ...] = (
    RoundBegan(2, CHIARA, (6,) * 5, 30),
    Laid(CHIARA, TEE, (1, 0)),
    Passed(DEDE),
    Passed(NORRI),
    Laid(ANA, DEAD, (3, 1)),
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
    sentence_below = sentence(table.model, table.status)
    laid = Side.above(sentence_below, scenes.sight(table.status), table.model)
    return [laid.players[-1], *laid.pane]


def text(table: PureTable) -> list[str]:
    return [plain(row).rstrip() for row in rows(table)]


def side_text(table: PureTable) -> str:
    return "\n".join(text(table))


def make_claims(*said: tuple[str, int, Topic, int]) -> tuple[ChatLine, ...]:
    when = Moment(scenes.view().score.number, 0)
    return tuple(
        ChatLine(name, seat, "", TableClaim(topic, about), when)
        for name, seat, topic, about in said
    )


def page(table: PureTable) -> SidePanel:
    return table.model.pane


def test_the_board_of_claims_has_a_row_for_each_claim_and_says_what_is_disputed() -> None:
    talk = make_claims(
        ("Bruno", BRUNO, Topic.GOLD_AT, 0),
        ("Dede", DEDE, Topic.STONE_AT, 0),
        ("Norri", NORRI, Topic.STONE_AT, 0),
        ("Norri", NORRI, Topic.DIGS_AGAINST_US, BRUNO),
    )
    table = at_table(after(*ROUND)._replace(peeks=(None, Goal.STONE_NE, None)), talk=talk)
    table.press("p", "down", "m", "m", "escape", "tab")
    assert text(table)[:6] == [
        "── claims ───────────────────",
        "north  gold     Bruno       !",
        "       stone    Dede, Norri !",
        "middle stone    your map",
        "Bruno  saboteur Norri",
        "Bruno  foe      your mark",
    ]
    assert {width(row) for row in rows(table)[1:6]} == {29}


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (120, 40), (200, 60)])
def test_without_claims_there_is_no_board_but_for_who_asks_for_it(size: tuple[int, int]) -> None:
    table = at_table(after(*ROUND)._replace(peeks=(None, None, None)), size)
    assert " claims " not in side_text(table)
    assert "-" not in {line.split()[-1] for line in text(table) if line.split()}
    table.model = table.model.turn_to(SidePanel.CLAIMS)
    assert " claims " in side_text(table)
    assert "Nothing yet in this" in side_text(table)


def test_many_names_in_a_claim_are_counted() -> None:
    talk = make_claims(*((name, seat, Topic.GOLD_AT, 0) for seat, name in enumerate(scenes.CROWD)))
    crowd = scenes.crowd()
    score = replace(crowd.score, number=scenes.LATELY.round)
    view = crowd._replace(history=(Passed(0),), score=score)
    table = PureTable(silent(scenes.crowd_now(view), talk))
    table.press("tab")
    (line,) = [line for line in text(table) if line.startswith("north")]
    assert "+8" in line or "+9" in line
    assert cell_len(line) <= 29


def test_cards_unseen_are_counted_by_kind_on_a_page() -> None:
    table = at_table(after(*ROUND))
    assert "your map" in side_text(table), "what is claimed and known is in sight already"
    table.press("tab")
    lines = text(table)
    view = table.status.view
    assert view is not None
    assert lines[0].startswith(f"── {len(view.unseen())} cards unseen ")
    assert lines[1].split()[:3] == ["straight", "3", "pick"]
    assert lines[6].startswith("double repair "), "a card that repairs either of two tools"
    counts = re.findall(r"[0-9]+", " ".join(lines[1:7]))
    assert sum(map(int, counts)) == len(view.unseen()), "each card is counted once"
    assert {width(row) for row in rows(table)[1:7]} <= {28, 29}


def test_a_tall_terminal_has_all_of_it_in_sight_and_the_log() -> None:
    table = at_table(after(*ROUND), (120, 40))
    found = side_text(table)
    for title in ("since your last turn", "claims", "chat and events"):
        assert title in found
    table.press("tab")
    assert page(table) is SidePanel.CARDS, "there is only what is not in view"


@pytest.mark.parametrize(
    ("size", "glyphs"),
    each_in_turn([(60, 18), (80, 24), (100, 30), (120, 40), (200, 60)], [BOX, ASCII]),
)
def test_no_row_of_any_page_is_wider_than_its_place(size: tuple[int, int], glyphs: Glyphs) -> None:
    crowd = scenes.crowd()._replace(history=(Passed(0), Laid(1, TEE, (1, 0))))
    for status in (scenes.now(after(*ROUND)), scenes.crowd_now(crowd), scenes.hostile()):
        table = PureTable(status, size, glyphs)
        for keys in ((), ("tab",), ("tab",), ("tab",), ("p", "down")):
            table.press(*keys)
            assert max(map(width, rows(table))) <= table.model.layout.text
            room = seats_part(scenes.sight(table.status), table.model)
            assert len(rows(table)) - 1 <= room.pane


def test_the_cursor_on_a_player_shows_what_they_have_done() -> None:
    table = at_table(after(*ROUND), talk=make_claims(("Dede", DEDE, Topic.GOLD_AT, 1)))
    table.press("p", "up", "up")
    assert text(table)[:5] == [
        "── Dede ─────────────────────",
        "1 pass.",
        "Dede broke Bruno's cart.",
        "“middle goal is gold”",
        "── chat and events ──────────",
    ]
    table.press("escape")
    assert "since your last turn" in side_text(table)
    speech = ChatLine("Zoe", -1, "words " * 30, None, scenes.LATELY)
    low = at_table(after(*ROUND), (60, 18), (speech,))
    low.press("p", "up", "up")
    assert "words" not in side_text(low), "no news from its middle on"


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (120, 40), (200, 60)])
@pytest.mark.parametrize("role", Role)
def test_the_role_is_shown_over_the_mine_until_the_next_key_and_nowhere_else(
    size: tuple[int, int], role: Role
) -> None:
    table = PureTable(scenes.now(after(*ROUND)._replace(role=role)), size)
    word = role_words(role).casefold()

    def everything() -> str:
        sight = scenes.sight(table.status)
        drawn = [draw_header(sight, table.model), draw_mine(sight, table.model, table.said)]
        drawn += [rows(table), table.model.whole_log(200), draw_bottom(sight, table.model)]
        return "\n".join(plain(row) for part in drawn for row in part).casefold()

    told = everything().replace("saboteurs", "").replace("miners", "")
    assert word not in told
    table.press("u")
    assert f"you are a {word}" in " ".join(everything().split()) or word in everything()
    assert table.said == "Any key puts it away."
    table.act(skip)
    assert everything().replace("saboteurs", "").replace("miners", "") == told


def test_after_a_round_the_claims_are_proven_true_or_false() -> None:
    talk = make_claims(("Bruno", BRUNO, Topic.GOLD_AT, 0), ("Dede", DEDE, Topic.DIGS_AGAINST_US, 1))
    table = PureTable(scenes.now(scenes.between(), talk=talk))
    table.press("tab")
    assert any(line.startswith("       gold") and line.endswith("false") for line in text(table))
    assert any(line.startswith("Bruno") and line.endswith("true") for line in text(table))


def test_the_end_of_the_game_shows_its_result_whatever_page_was_open() -> None:
    playing = after(*ROUND)
    last = replace(playing.score, number=scenes.over().score.number)
    table = at_table(playing._replace(score=last))
    table.press("tab")
    assert page(table) is not SidePanel.RECENT
    ended = RoundEnded(Role.MINER, scenes.ENDED.roles, Role.MINER, scenes.ENDED.goals)
    table.receive(scenes.now(scenes.over()), Received(events=(ended,)))
    table.finish()
    assert page(table) is SidePanel.RECENT


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


def test_claims_are_about_whom_one_aimed_at_last_and_after_a_map_about_its_goal_first() -> None:
    table = at_table(after(*ROUND))
    table.press("p", "up", "escape", "c")
    aimed_at = table.model.about
    assert aimed_at == NORRI
    table.press("up", "c", "c")
    assert table.model.about == DEDE, "the last of all is kept from one list to the next"
    looked = Looked(ANA, GOAL_CELLS[2]), GoalPeeked(ANA, GOAL_CELLS[2], Goal.STONE_NE)
    table = at_table(after(*ROUND, *looked, Passed(BRUNO)))
    table.press("c", "1")
    (said,) = table.requests
    assert isinstance(said, MakeClaim)
    assert said.claim.about == 2


def test_the_card_drawn_last_has_a_sign_in_the_hand_until_ones_next_turn() -> None:
    view = after(*ROUND)

    def digits(*events: Event) -> list[int]:
        now = view._replace(history=(*view.history, *events))
        shown = plain(hand.draw_hand(now, Selection(), 80, 4, BOX)[0])
        return [at for at in range(1, 7) if f"{at}*" in shown]

    assert digits() == []
    drew = (Laid(ANA, TEE, (2, 0)), Dealt(ANA, view.hand[-1]))
    assert digits(*drew) == [6]
    assert digits(*drew, Passed(BRUNO)) == [6]
    assert digits(*drew, Passed(ANA)) == [], "the pile is empty: nothing was drawn"


@pytest.mark.parametrize(
    ("rows", "heights"),
    [(2, [2]), (4, [4]), (6, [3, 2]), (8, [5, 2]), (9, [3, 2, 2]), (12, [3, 2, 5])],
)
def test_boxes_fit_whole_and_the_last_that_wishes_takes_what_is_left(
    rows: int, heights: list[int]
) -> None:
    def draw(height: int) -> Section:
        return Section("", ((),) * height)

    top, log = SideBox(3, draw, takes_spare_rows=True), SideBox(2, draw, takes_spare_rows=True)
    found = fit_boxes([top, SideBox.of(draw(2)), log], rows)
    assert [len(section.rows) for section in found] == heights


@pytest.mark.parametrize(
    ("view", "lines"),
    [
        (
            after(*ROUND),
            (
                "── since your last turn ─────",
                "Bruno and Chiara passed",
                "Dede broke Bruno's cart",
                "Norri: rockfall 3 east, 1",
                "  south",
            ),
        ),
        (
            after(*ROUND[:4]),
            ("── this round so far ────────", "Chiara laid ╦ at 1 east", "Dede and Norri passed"),
        ),
        (after(*ROUND, seat=None), ("── the last moves ───────────", "Ana: X╞ 3 east, 1 south")),
        (after(*ROUND[:5]), ("─────────────────────────────",)),
        (after(ROUND[0]), ("─────────────────────────────",)),
    ],
    ids=["since one's turn", "before one's first", "watched", "just played", "just begun"],
)
def test_every_move_since_ones_last_turn_has_a_line_with_the_card_drawn(
    view: View, lines: tuple[str, ...]
) -> None:
    status = replace(scenes.now(view, talk=()), member=9 if view.seat is None else 1)
    assert text(PureTable(status))[: len(lines)] == [*lines]
    if lines[1:2] == ("Chiara laid ╦ at 1 east",):
        assert "Chiara laid ESW at 1 east" in text(PureTable(status, glyphs=ASCII))


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


@pytest.mark.parametrize("size", [(80, 24), (60, 18)])
def test_talk_gives_way_to_moves_and_both_to_claims_about_goals_but_what_was_said_last_stays(
    size: tuple[int, int],
) -> None:
    when = Moment(scenes.view().score.number, 0)
    talk = (
        *make_claims(("Dede", DEDE, Topic.GOLD_AT, 0)),
        *(ChatLine("Zoe", -1, f"line {at}", None, when) for at in range(9)),
    )
    lines = text(at_table(after(*ROUND), size, talk))
    assert any(line.startswith("Dede") and "gold" in line for line in lines)
    assert "Zoe: line 8" in lines
    assert "Zoe: line 0" not in lines
    if size == (80, 24):
        assert "Bruno and Chiara passed" in lines


def test_what_was_said_before_ones_own_turn_stays_in_sight_in_a_low_terminal() -> None:
    said = ChatLine("Bruno", BRUNO, "trust me", when=Moment(scenes.view().score.number, 99))
    just_played = text(at_table(after(*ROUND[:5]), talk=(said,)))
    assert just_played[:2] == ["── chat and events ──────────", "Bruno: trust me"]
    before = structs.replace(said, when=Moment(scenes.view().score.number - 1, 9))
    assert "Bruno: trust me" not in text(at_table(after(*ROUND[:5]), talk=(before,)))
    one_more = text(at_table(after(*ROUND[:5], Passed(BRUNO)), talk=(said,)))
    assert one_more[:4] == [
        "── since your last turn ─────",
        "Bruno passed",
        "── chat and events ──────────",
        "Bruno: trust me",
    ]


def test_what_was_played_for_the_reader_is_told_whole() -> None:
    table = at_table(after(*ROUND), (120, 40))
    told = f"While you were away: {'You brought down a dead end at 3 east, 1 south. ' * 2}".strip()
    log = table.model.log.with_lines([told], LogKind.STOOD_IN)
    table.model = replace(table.model, log=log)
    assert told.removesuffix(".") in " ".join(side_text(table).split())


def test_the_log_has_all_moves_with_a_rule_above_each_lap() -> None:
    log = at_table(after(*ROUND)).model.log
    lines = [plain(row) for row in log.all_rows(40, BOX)]
    assert [line[:10] for line in lines if line.startswith("── turn ")] == [
        "── turn 1 ",
        "── turn 2 ",
    ]
    assert (
        lines.index("Chiara passed")
        == next(at for at, line in enumerate(lines) if "turn 2 " in line) + 1
    )
    assert "Bruno passed" in lines, "passes are not folded here"


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


HARM = Broke(NORRI, Tool.LANTERN, ANA)


WATCHED = scenes.view()._replace(seat=None, role=None, hand=())


def hurt(*events: Event, turn: int = CHIARA + 1) -> View:
    """The round so far, then these events, Ana's lantern being broken."""
    view = after(*ROUND, *events, turn=turn)
    return view._replace(table=view.table._replace(broken=(Tool.LANTERN.bit, 0, 0, 0, 0)))


def test_what_somebody_did_to_the_reader_comes_first_while_it_lasts() -> None:
    table = at_table(hurt(HARM, Passed(BRUNO), turn=BRUNO + 1))
    assert table.said.startswith("Norri broke your lantern. ")
    mended = Repaired(BRUNO, Card.REPAIR_LANTERN, ANA, Tool.LANTERN)
    whole = at_table(after(*ROUND, HARM, mended, turn=BRUNO + 1))
    assert "Bruno repaired your lantern." in whole.said


def test_while_others_play_their_moves_are_told_and_the_cell_once_the_cursor_moves() -> None:
    table = at_table(after(*ROUND, turn=BRUNO + 1))
    assert table.said.startswith("Norri brought down a dead end"), "longer than half the line"
    table.press("right")
    assert table.said.startswith("At 1 east: ")
    table.receive(table.status, Received())
    assert table.said.startswith("At 1 east: "), "talk alone takes nothing from who looks at it"
    table.receive(
        scenes.now(after(*ROUND, Passed(BRUNO), turn=BRUNO + 1), talk=()),
        Received(events=(Passed(BRUNO),)),
    )
    assert table.said == "Bruno passed. It is Bruno's turn."
    table.press("left")
    assert " The start, crossing" in table.said, "again after the cursor has moved"


def test_on_ones_own_turn_the_last_move_stands_beside_what_to_do() -> None:
    table = at_table(after(*ROUND, Passed(BRUNO)))
    assert table.said == "Your turn: choose a card, 1 to 6. Bruno passed."
    table.press("right")
    assert "passed" not in table.said


def test_whoever_just_passed_reads_whose_turn_it_is_and_not_of_an_old_card_under_the_cursor() -> (
    None
):
    laid, passed = Laid(ANA, Path.read("EW"), (1, 0)), Passed(ANA)
    table = at_table(after(laid, *ROUND[1:3], passed, turn=BRUNO + 1))
    table.model = table.model.at((1, 0))
    table.receive(table.status, Received(events=(passed,)))
    assert table.said == "It is Bruno's turn."


def test_the_last_card_is_in_the_header_only_while_the_side_shows_another_page() -> None:
    table = at_table(after(*ROUND))
    sight = scenes.sight(table.status)
    table.resize(120, 24)
    assert "last" not in plain(draw_header(sight, table.model)[0])
    table.model = table.model.turn_to(SidePanel.CARDS)
    assert "last Norri" in plain(draw_header(sight, table.model)[0])


def clock(status: Status, columns: int = 80) -> str:
    """The header of a table, in a terminal so wide."""
    (row,) = draw_header(scenes.sight(status), TableModel(BOX).resize(columns, 24))
    return plain(row)


def test_the_header_tells_all_how_long_a_turn_may_still_last() -> None:
    mine, others = replace(scenes.now(), turn_left=95), scenes.now(scenes.view(turn=2))
    assert clock(mine).startswith(" YOUR TURN  1:35 ")
    assert clock(replace(others, turn_left=5)).startswith(" turn: Bruno  0:05 ")
    assert clock(replace(others, turn_left=5), 60).startswith(" turn: Bruno  0:05 ")
    assert ":" not in clock(scenes.now()).split("round")[0], "no limit, no clock"


@pytest.mark.parametrize(
    ("view", "chat", "talk", "claim"),
    [
        (scenes.view(), ChatRule.CLAIMS, Refusal.CLAIMS_ONLY, None),
        (WATCHED, ChatRule.WATCHERS_WAIT, Refusal.WATCHERS_WAIT, Refusal.WATCHERS_WAIT),
        (WATCHED, ChatRule.ALL, None, None),
    ],
)
def test_somebody_who_may_not_talk_is_told_so_before_anything_is_typed(
    view: View, chat: ChatRule, talk: Refusal | None, claim: Refusal | None
) -> None:
    lobby = structs.replace(scenes.lobby(), settings=Settings(chat=chat))
    table = PureTable(replace(scenes.now(view, lobby), member=1 if view.seat == 0 else 9))
    for name, refusal in (("talk", talk), ("claim", claim)):
        told = None if refusal is None else refusal_sentence(refusal)
        assert table.commands[name].why_not() == told


def test_the_table_says_that_all_deal() -> None:
    draw = SeedDraw(bytes(16), bytes(16), 2, bytes(32), (Drawer(2, "Bruno"),))
    drawing = scenes.now(scenes.between(), structs.replace(scenes.lobby(), draw=draw))
    assert PureTable(drawing).said == "Dealing: waiting for one more player's computer."
