"""The replay's screen: keys lead where they say, from every side, at every size."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest
from rich.cells import cell_len

from engine.bots.talk import GoldAt, StoneAt
from engine.cards import Card
from engine.notation.record import Utterance
from engine.state import Phase
from net.protocol.chat import in_order
from net.protocol.cleaning import clean_name
from sabtui.after import replay_screen
from sabtui.after.replay_screen import ReplayModel, ReplayScreen, build_log
from sabtui.after.replays import ALL_OPEN, PointOfView, ReplayPosition, WatchedGame, read_replay
from sabtui.tui.table import render
from sabtui.tui.table.log import LogKind, TableLog
from sabtui.tui.table.side import Side
from sabtui.tui.theme import ASCII, BOX, DRAWN, Glyphs
from sabtui.tui.widgets.panel import plain, width
from tests.engine.notation.games import RECORDS
from tests.sabtui.after.test_replays import game
from tests.sabtui.tui.app_fixture import Front, open_app
from tests.samples import first, pairs


class Watching(Front):
    """The app with the replay on top."""

    @property
    def replay(self) -> ReplayScreen:
        assert isinstance(self.app.screen, ReplayScreen)
        return self.app.screen

    @property
    def step(self) -> int:
        return self.replay.model.position.frame.step


@asynccontextmanager
async def watching(
    tmp_path: Path, of: WatchedGame | None = None, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[Watching]:
    async with open_app(tmp_path, size) as front:
        await front.app.push_screen(ReplayScreen(of or game()))
        await front.pilot.pause()
        yield Watching(front.app, front.pilot, front.service)


async def test_arrows_step_and_pages_go_by_rounds(tmp_path: Path) -> None:
    async with watching(tmp_path) as reader:
        assert "1/194" in reader.lines[0]
        await reader.press("down", "down")
        assert reader.step == 2
        await reader.press("up")
        assert reader.step == 1
        before = reader.replay.model.position.at
        await reader.press("right")
        assert reader.replay.model.position.at == before + 1
        await reader.press("left")
        assert reader.replay.model.position.at == before
        await reader.press("pagedown")
        assert "round 2/3" in reader.lines[0]
        await reader.press("pageup", "pageup")
        assert "round 1/3" in reader.lines[0]
        await reader.press("end")
        assert "game over" in reader.lines[0]
        await reader.press("home")
        assert reader.step == 0


async def test_every_side_shows_what_it_saw_and_no_more(tmp_path: Path) -> None:
    async with watching(tmp_path) as reader:
        assert "all cards open" in reader.lines[0]
        await reader.press("v")
        assert reader.replay.model.position.seen_from == PointOfView(0)
        assert "as Anna saw it" in reader.lines[0]
        assert "your hand" in reader.text
        await reader.press("3")
        assert "as Chi ara saw it" in reader.lines[0]
        await reader.press("0")
        assert reader.replay.model.position.seen_from == ALL_OPEN
    async with watching(tmp_path, read_replay(RECORDS / "seat_2.sab")) as reader:
        for other in ("v", "1"):
            await reader.press(other)
            assert "only one player's view" in reader.said
        await reader.press("2", "end")
        assert "as Bruno saw it" in reader.lines[0]


async def test_the_game_plays_by_itself_to_its_end_and_stops_at_a_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay_screen, "FRAME_S", 0.05)
    async with watching(tmp_path) as reader:
        await reader.press("space")
        assert "playing" in reader.lines[0]
        await reader.until(lambda: reader.replay.model.position.at > 0)
        await reader.press("left")
        assert not reader.replay.model.is_playing
        await reader.press("end", "up", "space")
        await reader.until(lambda: reader.replay.model.position.is_last)
        await reader.until(lambda: not reader.replay.model.is_playing)
        await reader.press("space")
        assert not reader.replay.model.position.is_last, "from the beginning again"
        assert "playing" in reader.lines[0]
        await reader.press("space")
        assert "playing" not in reader.lines[0]


async def test_the_pages_are_those_of_the_table_and_leaving_stops_the_play(tmp_path: Path) -> None:
    async with watching(tmp_path) as reader:
        await reader.press("end", "up", "up", "up", "up", "tab")
        assert " claims " in reader.text
        await reader.press("tab")
        assert " log " in reader.text
        await reader.press("1", "tab")
        assert " claims " in reader.text
        await reader.press("space", "escape")
        await reader.sees("quit Sabtui")


SIZES: Final = ((60, 18), (80, 24), (120, 40))
TERMINALS: Final = tuple(pairs(SIZES, (ASCII, BOX, DRAWN)))


@pytest.mark.parametrize(
    ("terminal", "players"),
    first(1, pairs(TERMINALS, (3, 10, 6, 7)), thorough=len(TERMINALS)),
    ids=lambda of: f"{of}" if isinstance(of, int) else f"{of[0]} {of[1].name}",
)
def test_every_step_fits_from_every_side(
    terminal: tuple[tuple[int, int], Glyphs], players: int
) -> None:
    size, glyphs = terminal
    position = game(players, players).begin()
    count = len(position.game.replay.steps)
    for number in range(0, count, 41):
        for side_seen in position.game.points_of_view[:3]:
            at = position.at_step(number).look_from(side_seen)
            model = ReplayModel.of(at, glyphs).resize(*size)
            drawn, layout = replay_screen.ReplayRows(model), model.table.layout
            assert len(drawn.mine) <= layout.body
            upper, lower = drawn.players, drawn.pane
            assert len(upper) == drawn.players_rows
            assert len(upper) + len(lower) <= layout.body
            assert max(map(width, [*upper, *lower])) <= layout.text
            whole = [*drawn.head, *drawn.bottom]
            assert max(map(width, whole)) <= size[0]
            assert cell_len(replay_screen.sentence(model)) <= size[0] - 2
            if glyphs is ASCII:
                shown = [*upper, *drawn.mine, *drawn.bottom]
                told = "".join(map(plain, shown))
                assert not set(told) & set("═║╔╗╚╝╠╣╦╩╬█▀▄")


def test_cards_that_just_fit_are_spelt_and_others_are_counted() -> None:
    assert replay_screen._spell_hand((Card.MAP, Card.MAP), 3, ASCII) == "M M"
    assert replay_screen._spell_hand((Card.MAP, Card.MAP), 2, ASCII) == "2>"


def test_a_seat_sees_the_rows_of_its_table() -> None:
    position = game().begin().at_step(40).look_from(PointOfView(2))
    model = ReplayModel.of(position, BOX)
    drawn = replay_screen.ReplayRows(model)
    assert drawn.bottom == render.draw_bottom(position.sight, model.table)
    height = model.table.layout.body - drawn.players_rows
    assert drawn.pane == Side(position.sight, model.table, height).pane


def test_the_log_of_a_seat_is_that_of_its_client() -> None:
    position = game().begin().at_step(30).look_from(PointOfView(1))
    shown = [entry.text for entry in build_log(position).lines]
    sight = position.sight
    client = TableLog().with_past(in_order(sight.view, sight.said), sight)
    assert shown == [entry.text for entry in client.lines]


def test_with_all_cards_open_the_log_tells_what_only_one_seat_saw() -> None:
    begun = game(5, 9).begin()
    texts = [entry.text for step in (30, 60) for entry in build_log(begun.at_step(step)).lines]
    assert any(" discarded: " in text for text in texts)
    assert any(" looked at " in text and ": " in text for text in texts)
    assert any(text.endswith("(a lie)") for text in texts)
    assert not any(text.startswith("You ") for text in texts)


def at_step(number: int) -> ReplayPosition:
    return game().begin().at_step(number)


def test_what_was_said_after_a_step_is_told_once_it_is_reached_and_a_claim_as_such() -> None:
    step = next(step for step in game().replay.steps if step.moves and is_claim(step.said[:1]))
    position = at_step(step.number)
    before = len(build_log(position).lines)
    assert build_log(position.move(1)).lines[-1].kind is LogKind.CLAIM
    for more in range(1, len(step.said) + 1):
        assert len(build_log(position.move(more)).lines) == before + more


def is_claim(said: tuple[Utterance, ...]) -> bool:
    """Tell whether something said is about a goal."""
    return any(isinstance(statement.claim, GoldAt | StoneAt) for statement in said)


def test_with_all_cards_open_the_hand_is_that_of_who_plays_next() -> None:
    for number in range(12):
        position = at_step(number)
        view = position.view
        if view.phase is not Phase.PLAY or view.to_act is None:
            continue
        model = ReplayModel.of(position, BOX)
        title = plain(replay_screen.ReplayRows(model).bottom[0])
        assert f"next: {clean_name(game().replay.names[view.to_act])}, " in title


def test_no_side_but_its_own_is_told_a_secret_in_the_sentence() -> None:
    model = ReplayModel.of(game().begin(), BOX)
    every = (at_step(step.number) for step in game().replay.steps)
    position = next(at for at in every if " discarded: " in replay_screen.sentence(model.at(at)))
    for seat in {None, *range(5)} - {position.step.seat}:
        seen = position.look_from(PointOfView(seat))
        assert " discarded: " not in replay_screen.sentence(model.at(seen))
