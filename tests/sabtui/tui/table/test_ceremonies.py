"""Animations and ceremonies: what each shows, that nobody waits, that no end is known before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pytest
from msgspec import structs

from engine.actions import Broke, Collapsed
from engine.board import GOAL_CELLS
from engine.cards import Goal, Path, Role, Tool
from engine.events import (
    Event,
    GameEnded,
    GoldTaken,
    Laid,
    Passed,
    Revealed,
    RoundBegan,
    RoundEnded,
    SaboteursPaid,
    TurnBegan,
    visible_to,
)
from engine.notation.record import replay
from engine.view import View
from net.client.session import ConnectionState, Received, Status
from net.protocol.chat import ChatLine, Moment
from net.protocol.lobby import TableClaim, Topic
from sabtui.tui.mine.tiles import FaceDown, LaidCard
from sabtui.tui.table import render, screen
from sabtui.tui.table.animation import (
    DIM_FRAMES,
    HELD_FRAMES,
    ROLE_SCENE,
    TURNED_FROM,
    UNMASK_FRAMES,
    Animation,
    Frame,
    Podium,
    RoleCard,
    SeatFrame,
    Unmasking,
    flash,
)
from sabtui.tui.table.model import (
    ScreenEffect,
    SetTitle,
    ShowFrameLater,
    SidePanel,
    show_frame,
    skip,
)
from sabtui.tui.table.side import Side
from sabtui.tui.theme import ASCII, BOX, DRAWN, PICTURED, Glyphs
from sabtui.tui.widgets.panel import Look, Paint, Row, StyledSpan, dim_row, plain
from tests.sabtui.games import game_record
from tests.sabtui.tui import scenes
from tests.sabtui.tui.lobby_fixture import ShownTable, shown_table
from tests.sabtui.tui.table.pure_table import WATCHER, PureTable
from tests.samples import first

NAMES = ("Ana", "Bruno", "Chiara", "Dede", "Norri")

GOAL = (8, 0)
DUG = scenes.view("EW@1/EW@2/NESW@3/NESW@4/NESW@5/NESW@6 ?/?/?", "EW/NES/ew/-L/+PC/R", turn=1)
LAID = Laid(1, Path.read("NESW"), (7, 0))
TREASURE = Revealed(GOAL, Path.read("NESW"))
STONE = Revealed(GOAL, Path.read("NW"))
ENDED = replace(scenes.ENDED, goals=(Goal.STONE_NE, Goal.TREASURE, Goal.STONE_NW))


def table(view: View = DUG, glyphs: Glyphs = BOX) -> PureTable:
    """A table at which everybody has played."""
    return PureTable(scenes.now(view), glyphs=glyphs)


def send_step(at: PureTable, *events: Event) -> None:
    """A step with these events comes."""
    status = at.model.held[-1].update.status if at.model.held else at.status
    held, view = status.game_state, status.view
    assert held is not None
    assert view is not None
    for event in events:
        view = view.after(event)
    at.receive(replace(status, game_state=replace(held, view=view)), Received(events=events))


def show_frames(at: PureTable) -> Iterator[Frame]:
    """The frames of the ceremonies, each while it is shown."""
    while at.model.animation is not None:
        yield at.model.frame
        at.tick()


def text_beside(at: PureTable) -> str:
    """All that is written beside the mine, on each page, in the log, below and in the title."""
    sight, lines = scenes.sight(at.status), [plain(row) for row in at.model.whole_log(80)]
    for pane in SidePanel:
        model = replace(at.model, pane=pane)
        side = Side.above(at.said, sight, model)
        rows = [*render.draw_header(sight, model), *side.players, *side.pane]
        lines += [plain(row) for row in (*rows, *render.draw_bottom(sight, model))]
    titles = [effect.title for effect in at.effects if isinstance(effect, SetTitle)]
    rings = ["ring" for effect in at.effects if effect is ScreenEffect.RING]
    return "\n".join([*lines, "" if at.model.frame.text else at.said, *titles, *rings])


def drawn_mine(at: PureTable) -> list[Row]:
    """The mine as it is drawn now."""
    return render.draw_mine(scenes.sight(at.status), at.model)


def mine(at: PureTable) -> list[str]:
    """The mine as text."""
    return [plain(row) for row in drawn_mine(at)]


# What is shown.


def test_a_goal_is_turned_over_in_the_dark_and_a_stone_drops() -> None:
    at = table()
    send_step(at, LAID, STONE, TurnBegan(2))
    frames = list(show_frames(at))
    assert all(frame.is_dim for frame in frames)
    cells = [frame.cells[GOAL] for frame in frames]
    assert [cell.sevenths for cell in cells][:9] == [7, 7, 7, 5, 3, 1, 3, 5, 7]
    assert [type(cell.lying) for cell in cells[:7]] == [FaceDown] * 6 + [LaidCard]
    assert [cell.is_dropped for cell in cells[9:12]] == [True, False, True]
    assert [frame.text for frame in frames[8:]] == ["", *["Stone."] * 6]
    assert "is stone, open to" in text_beside(at)


def test_light_walks_back_from_the_treasure_to_the_start() -> None:
    at = table()
    send_step(at, LAID, TREASURE)
    lit = [[cell for cell, look in frame.cells.items() if look.glows] for frame in show_frames(at)]
    assert [len(cells) for cells in lit] == [*[0] * 9, 2, 4, 6, 8, 9, *[9] * HELD_FRAMES]
    assert sorted(lit[10]) == [(5, 0), (6, 0), (7, 0), GOAL]
    assert "TREASURE" in text_beside(at)


def test_in_the_dark_every_colour_is_darker_and_no_letter_differs() -> None:
    drawn = StyledSpan("▀", Paint("#d2aa68", "default"))
    assert dim_row((drawn,)) == (StyledSpan("▀", Paint("#695534", "default")),)
    for glyphs in (BOX, ASCII):
        at = table(glyphs=glyphs)
        send_step(at, LAID)
        resting = mine(at)
        send_step(at, STONE)
        assert mine(at) == resting
        looks = {span.look for row in drawn_mine(at) for span in row if span.text.strip()}
        assert looks <= {Look.EMPTY, Look.DIM, Look.STRONG, Look.UNKNOWN}


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (120, 40)])
def test_dwarves_are_unmasked_one_after_the_other(size: tuple[int, int]) -> None:
    at = PureTable(scenes.crowd_now(), size)
    roles = tuple(map(Role, "mmsmmmsmms"))
    send_step(at, replace(ENDED, roles=roles))
    seen = list[int]()
    for frame in show_frames(at):
        assert isinstance(frame.stage, Unmasking)
        rows = "\n".join(mine(at))
        unmasked = rows.count(" miner") + rows.count(" SABOTEUR")
        assert unmasked == len(frame.stage.unmasked)
        assert rows.count(" ?") >= 10 - unmasked
        seen.append(unmasked)
        are_miners = [roles[seat] is Role.MINER for seat in frame.stage.unmasked]
        assert are_miners == sorted(are_miners, reverse=True), "saboteurs come last"
        assert len(frame.text) > 0 if unmasked > roles.count(Role.MINER) else not frame.text
    assert seen == [count for count in range(11) for _frame in range(UNMASK_FRAMES)]


def test_gold_falls_along_the_rows_of_all_who_are_paid() -> None:
    at = table()
    send_step(at, replace(ENDED, winner=Role.SABOTEUR), SaboteursPaid(3, (0, 1, 0, 0, 1), (0,) * 5))
    flights = [frame.seats for frame in show_frames(at) if frame.seats]
    assert flights == [
        {1: SeatFrame(gold=quarter), 4: SeatFrame(gold=quarter)} for quarter in (1, 2, 3, 4)
    ]
    send_step(at, SaboteursPaid(3, (0,) * 5, (0,) * 5))
    assert at.model.animation is None, "nobody is paid"


def test_the_podium_counts_up_from_the_least_gold_and_the_winner_comes_last() -> None:
    over = scenes.over()
    at = table(over._replace(score=replace(over.score, gold=None)))
    at.receive(scenes.finished_status(), Received(events=(GameEnded(over.score.gold or ()),)))
    order = ["Chiara", "Norri", "Bruno", "Dede", "Ana"]
    for frame in show_frames(at):
        assert isinstance(frame.stage, Podium)
        rows = "\n".join(mine(at))
        assert [name for name in order if name in rows] == order[: frame.stage.places]
        assert "share the win" not in rows
        assert "\u2580" not in rows
    assert "share the win" in "\n".join(mine(at))


def test_how_the_evening_stands_is_told_below_the_result_alone() -> None:
    over = scenes.over()
    here = structs.replace(scenes.lobby(), evening=scenes.EVENING)
    at = PureTable(scenes.now(over._replace(score=replace(over.score, gold=None)), here))
    at.receive(scenes.now(over, here), Received(events=(GameEnded(over.score.gold or ()),)))
    at.finish()
    below = render.draw_bottom(scenes.sight(at.status), at.model)
    log = at.model.whole_log(60)
    for rows, is_told in ((below, True), (log, False)):
        assert ("2 finished games." in " ".join(map(plain, rows))) is is_told


# One's own role card.


def begin(*, is_calm: bool = False, role: Role = Role.SABOTEUR, glyphs: Glyphs = BOX) -> PureTable:
    """A round that was dealt just now."""
    began = RoundBegan(2, 0, (6,) * 5, 30)
    view = scenes.view()._replace(history=(began,), role=role)
    at = PureTable(scenes.now(view, talk=()))
    at.open(glyphs, is_calm=is_calm)
    return at


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (120, 40)])
def test_ones_role_card_lies_face_down_until_a_key_and_face_up_until_the_next(
    size: tuple[int, int],
) -> None:
    at = begin()
    at.resize(*size)
    assert at.model.frame.stage == RoleCard(sevenths=7)
    everything = text_beside(at) + "\n".join(mine(at))
    for told in ("press any key", "YOUR TURN"):
        assert told in everything
    assert "saboteur:" not in everything
    at.act(skip)
    stages = list[object]()
    for frame in show_frames(at):
        assert isinstance(frame.stage, RoleCard)
        words = (text_beside(at) + "\n".join(mine(at))).casefold()
        assert frame.stage.is_up or "you are a saboteur" not in words
        stages.append(frame.stage)
    assert stages == [frame.stage for frame in ROLE_SCENE]
    assert "saboteur" in "\n".join(mine(at)).casefold()
    assert "aboteur:" not in text_beside(at)
    at.act(skip)
    assert not at.model.is_in_ceremony
    assert "you are a saboteur" not in (text_beside(at) + "\n".join(mine(at))).casefold()
    assert (at.requests, at.moves) == ([], [])


@pytest.mark.parametrize("glyphs", [BOX, DRAWN, PICTURED])
def test_cards_of_both_roles_have_one_back_and_one_size(glyphs: Glyphs) -> None:
    miner, saboteur = begin(role=Role.MINER, glyphs=glyphs), begin(glyphs=glyphs)
    assert drawn_mine(miner) == drawn_mine(saboteur)
    for at in (miner, saboteur):
        at.act(skip)
        for frame in ROLE_SCENE:
            assert isinstance(frame.stage, RoleCard)
            assert len(mine(at)) == 16


def test_others_play_while_the_role_card_lies_face_down() -> None:
    at = begin()
    send_step(at, Passed(0), TurnBegan(1), Broke(1, Tool.PICK, 3))
    assert at.model.is_masked
    assert "Bruno broke Dede's pick" in text_beside(at)
    at.finish()
    assert at.model.is_masked, "a flash turns no card"
    send_step(at, ENDED)
    at.finish()
    assert not at.model.is_masked, "the roles are known"


def test_for_the_calm_the_role_card_is_turned_at_once_and_watchers_have_none() -> None:
    at = begin(is_calm=True)
    assert at.model.is_masked
    at.act(skip)
    assert at.model.animation is None
    assert "you are a saboteur" in "\n".join(mine(at)).casefold()
    watching = scenes.view()._replace(history=(), seat=None, role=None, hand=())
    assert not PureTable(scenes.now(watching)).model.is_masked


# Keys, time and what comes meanwhile.


def test_a_key_ends_the_ceremony_that_is_shown_and_the_next_one_begins() -> None:
    at = table()
    send_step(at, LAID, TREASURE, ENDED)
    at.act(skip)
    assert "TREASURE" in text_beside(at)
    assert isinstance(at.model.frame.stage, Unmasking)
    assert at.said == "Any key skips this."
    at.act(skip)
    assert not at.model.is_in_ceremony
    assert "Saboteurs: Bruno" in text_beside(at)


def test_what_comes_meanwhile_is_told_after_it_in_order_but_to_the_autopilot_at_once() -> None:
    at = table()
    at.command("autopilot")
    at.press("y")
    asked = at.effects.count(ScreenEffect.RUN_AUTOPILOT)
    send_step(at, LAID, STONE, TurnBegan(2))
    send_step(at, Passed(2))
    assert at.effects.count(ScreenEffect.RUN_AUTOPILOT) == asked + 2
    assert "Chiara passed" not in text_beside(at)
    at.finish()
    log = text_beside(at)
    assert log.index("is stone, open") < log.index("Chiara passed")


def test_gold_that_somebody_takes_is_not_shown_while_more_waits() -> None:
    at = table()
    for seat in (1, 2, 3):
        send_step(at, GoldTaken(seat))
    seats = [seat for frame in show_frames(at) for seat in frame.seats]
    assert sorted(set(seats)) == [1, 3]


def test_a_new_round_or_a_lost_table_ends_all_ceremonies() -> None:
    begun = Received(events=(RoundBegan(2, 0, (6,) * 5, 30),))
    for ending, received in (
        (replace(scenes.now(), connection=ConnectionState.ENDED), None),
        (replace(scenes.now(), game_state=None), None),
        (scenes.now(), begun),
    ):
        at = table()
        send_step(at, LAID, STONE, TurnBegan(2))
        at.receive(ending, received)
        assert not at.model.held
        assert at.status == ending


def test_whoever_watches_or_lets_a_bot_play_sees_the_end_of_a_round_before_the_next_one() -> None:
    watched = table()
    watched.status = replace(watched.status, member=WATCHER)
    played = table()
    played.command("autopilot")
    played.press("y")
    for at in (watched, played):
        send_step(at, LAID, TREASURE, ENDED)
        at.receive(scenes.now(), Received(events=(RoundBegan(2, 0, (6,) * 5, 30),)))
        stages = [frame.stage for frame in show_frames(at)]
        seen = [len(stage.unmasked) for stage in stages if isinstance(stage, Unmasking)]
        assert seen[-1] == len(ENDED.roles)
        assert not at.model.held


def test_for_the_calm_all_is_told_at_once() -> None:
    at = table()
    at.open(is_calm=True)
    send_step(at, LAID, TREASURE, ENDED)
    assert at.model.animation is None
    assert "Saboteurs: Bruno" in text_beside(at)


def is_shown(at: ShownTable) -> bool:
    """Return True while a ceremony is shown."""
    return at.table.model.is_in_ceremony


async def test_keys_and_clicks_end_a_ceremony_and_do_nothing_else_but_talk_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(screen, "FRAME_INTERVAL_S", 60)
    ended = Received(events=(scenes.ENDED,))
    async with shown_table() as at:
        for key in ("enter", "x", "q", "2"):
            await at.receive(scenes.now())
            await at.receive(scenes.now(scenes.between()), ended)
            assert "SABOTEUR" not in at.shown
            await at.press(key)
            assert "SABOTEUR" in at.shown
            assert at.table.question is None
        await at.receive(scenes.now())
        await at.receive(scenes.now(scenes.between()), ended)
        await at.pilot.click("#mine", offset=(10, 5))
        assert not is_shown(at)
        await at.receive(scenes.now())
        await at.press("t")
        await at.receive(scenes.now(scenes.between()), ended)
        await at.press("h", "i")
        assert is_shown(at)
        assert at.table.talk_line.value == "hi"
    assert at.seat.requests == []


OF_GOAL = ("TREASURE", "treasure", "is stone", "face up", "true", "false", "Your turn", "ring")
OF_END = (
    "the win",
    "win the game",
    "wins the game",
    "Nuggets",
    "All gold is",
    "ame over",
    "is over",
)
OF_GOLD = (*OF_END, "gold card", "YOUR GOLD", "gold: ", "for each saboteur", "took", "1?")
OF_ROLES = (*OF_GOLD, "Saboteurs", "Miners:", "miner", "SABOTEUR", "round over", "$")
SPOILERS = {
    Revealed: OF_GOAL,
    RoundEnded: OF_ROLES,
    SaboteursPaid: OF_GOLD,
    GoldTaken: ("took",),
    GameEnded: OF_END,
}


def steps(seed: int) -> Iterator[tuple[Status, tuple[Event, ...]]]:
    """A whole game as Ana receives it, in which Bruno says of each goal that it is gold."""
    claims = [TableClaim(Topic.GOLD_AT, goal) for goal in range(len(GOAL_CELLS))]
    for game, events in replay(game_record(seed, NAMES)):
        when = Moment(game.score.number, 60)
        talk = tuple(ChatLine("Bruno", 1, "", claim, when) for claim in claims)
        yield scenes.now(game.view(0), talk=talk), visible_to(events, 0)


@pytest.mark.parametrize(
    ("seed", "ends"),
    first(
        1,
        [
            (7, {Revealed, RoundEnded, GoldTaken, GameEnded}),
            (2, {RoundEnded, SaboteursPaid, GameEnded}),
        ],
        thorough=2,
    ),
)
def test_nothing_tells_an_end_before_it_is_shown(seed: int, ends: set[type[Event]]) -> None:
    first, *others = steps(seed)
    at, seen = table(first[0].view or DUG), set[type[Event]]()
    at.press_away()
    for status, events in others:
        if not SPOILERS.keys() & set(map(type, events)):
            at.receive(status, Received(events=events))
            at.press_away()
            continue
        before = text_beside(at)
        at.receive(status, Received(events=events))
        for _frame in show_frames(at):
            pending = [held.update.received or Received() for held in at.model.held]
            kinds = {type(event) for received in pending for event in received.events}
            now = text_beside(at)
            for kind in SPOILERS.keys() & kinds:
                seen.add(kind)
                known = [word for word in SPOILERS[kind] if now.count(word) > before.count(word)]
                assert not known, (kind, now)
        assert at.status == status
    assert seen == ends
    assert "game over" in text_beside(at)


@pytest.mark.parametrize("glyphs", first(1, [BOX, ASCII], thorough=2), ids=lambda item: item.name)
def test_no_frame_tells_the_treasure_from_a_stone_before_the_face_of_the_goal(
    glyphs: Glyphs,
) -> None:
    seen = list[list[tuple[list[str], str]]]()
    for turned in (TREASURE, STONE):
        at = table(glyphs=glyphs)
        send_step(at, LAID, turned, TurnBegan(2))
        seen.append([(mine(at), text_beside(at)) for _frame in show_frames(at)])
    hidden = [at for at, (one, other) in enumerate(zip(*seen, strict=False)) if one == other]
    assert hidden == list(range(DIM_FRAMES + len(TURNED_FROM)))


BEND = Path.read("SW")
FELL = Collapsed(2, (4, -1), BEND)


def pictures(at: PureTable) -> tuple[list[Row], list[Row]]:
    """Return the mine and the players as they are drawn now."""
    sight = scenes.sight(at.status)
    return render.draw_mine(sight, at.model), Side(sight, at.model, 10).players


def test_what_moves_nothing_has_no_animation() -> None:
    assert Animation.of([Laid(1, BEND, (5, 5)), Passed(1)], scenes.view()) is None


@pytest.mark.parametrize("glyphs", [BOX, DRAWN], ids=["box", "drawn"])
@pytest.mark.parametrize("event", [FELL, Broke(0, Tool.CART, 3)], ids=["rockfall", "break"])
def test_the_first_and_the_last_frame_differ_from_the_picture_that_remains(
    event: Event, glyphs: Glyphs
) -> None:
    view = scenes.view()
    board = view.table.board.without_card(FELL.cell)
    at = PureTable(glyphs=glyphs)
    now = scenes.now(view._replace(table=view.table._replace(board=board)))
    at.receive(now, Received(events=(event,)))
    shown = [pictures(at) for _frame in show_frames(at)]
    assert len(shown) >= 3
    assert pictures(at) not in (shown[0], shown[-1])


def test_input_works_at_once_and_the_time_of_a_frame_moves_no_other_animation() -> None:
    at = PureTable()
    at.receive(at.status, Received(events=(FELL,)))
    first = at.model.animation
    assert first is not None
    assert at.effects[-1] == ShowFrameLater(first)
    at.press("2", "enter")
    assert len(at.moves) == 1
    assert at.model.animation == first
    at.receive(at.status, Received(events=(Broke(0, Tool.CART, 3),)))
    second = at.model.animation
    assert second is not None
    at.act(partial(show_frame, animation=first))
    assert at.model.animation is second


async def test_a_terminal_that_is_behind_is_sent_no_frame_but_the_picture_that_remains(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(screen, "FRAME_INTERVAL_S", 0.01)
    async with shown_table() as at:
        drawn = list[bool]()
        monkeypatch.setattr(
            at.table, "redraw", lambda: drawn.append(at.table.model.animation is not None)
        )
        for is_behind, frames in ((False, [True, True, False]), (True, [False])):
            at.app.is_terminal_behind = is_behind
            animation = Animation(flash(0))
            at.table.model = replace(at.table.model, animation=animation)
            at.table._carry_out(ShowFrameLater(animation))
            while at.table.model.animation is not None:
                await at.pilot.pause(0.01)
            assert drawn == frames
            drawn.clear()
