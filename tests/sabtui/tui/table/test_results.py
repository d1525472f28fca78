"""The end of a round, with nothing told before, and that of a game: podium, awards, its picture."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from engine.board import GOAL_CELLS, Board, Cell
from engine.cards import Path as Tunnel
from engine.cards import Role
from engine.notation import format_record
from net.client.audit import Audit, Mismatch, MismatchKind
from net.client.session import Received, RoundWords, Status
from net.protocol.lobby_events import StepShown
from net.protocol.requests import ShowStep
from sabtui.after.replay_screen import ReplayScreen
from sabtui.art.catalogue import Drawing, find_dwarf
from sabtui.art.colours import Colour, Tint
from sabtui.art.pixels import Canvas
from sabtui.art.store import Size
from sabtui.table.sight import Sight
from sabtui.text.audit import fair_lines
from sabtui.tui.table import moments
from sabtui.tui.table import screen as saving
from sabtui.tui.table.moments import (
    CARD,
    Winner,
    award_rows,
    draw_evening,
    draw_masks,
    draw_podiums,
    draw_postcard,
    final_rows,
    rank_players,
    round_rows,
)
from sabtui.tui.theme import ASCII, BOX, DRAWN, DRAWN_IN_256, PICTURED, Glyphs, spell_dots
from sabtui.tui.widgets.panel import plain, width
from tests.sabtui.games import game_record
from tests.sabtui.tui import scenes
from tests.sabtui.tui.lobby_fixture import shown_table

OVER = scenes.sight(scenes.finished_status())
CROWD = scenes.sight(scenes.crowd_finished())


def final(columns: int, rows: int, glyphs: Glyphs = BOX) -> list[str]:
    """The end of a game in so much room, as text."""
    lines = final_rows(OVER, columns, rows, glyphs)
    assert {width(line) for line in lines} == {columns}
    assert len(lines) == rows
    return [plain(line) for line in lines]


def sides(of: Sight, columns: int, rows: int) -> list[list[str]]:
    """The end of a round in so much room: the words of each line."""
    return [plain(row).split() for row in round_rows(of, columns, rows)]


def test_the_end_of_a_game_tells_rounds_gold_and_what_each_player_did() -> None:
    lines = [" ".join(line.strip("│| ").split()) for line in final(144, 40)]
    for line in (
        "gold round 1 round 2 round 3 tunnels dead ends breaks passes",
        "Bruno 3 miner $$$ miner - SABOTEUR - 3 1 3 -",
        "Norri 3 SABOTEUR - SABOTEUR $$$ miner - 7 2 3 -",
    ):
        assert line in lines


def test_the_winners_are_written_large_where_there_is_room() -> None:
    assert sum("▀" in line for line in final(51, 16)) == 3
    in_ascii = final(64, 20, ASCII)
    assert sum("#" in line for line in in_ascii) == 5
    assert all(line.isascii() for line in in_ascii)
    assert not any("▀" in line for line in final(51, 8))


@pytest.mark.parametrize("columns", [24, 40, 58])
def test_a_sentence_of_the_awards_is_there_whole_or_not_at_all(columns: int) -> None:
    def list_sentences(rows: int) -> list[str]:
        shown = [plain(row).strip() for row in award_rows(OVER, columns, rows)]
        return " ".join(shown).replace(". ", ".|").split("|")

    whole, seen = list_sentences(100), set[int]()
    assert whole[0].startswith("Saboteurs: ")
    for rows in range(4, 16):
        sentences = list_sentences(rows)
        assert [*filter(sentences.__contains__, whole)] == sentences, rows
        seen.add(len(sentences))
    assert len(seen) > 1


def test_a_game_that_does_not_check_says_so_first_and_one_that_does_says_nothing() -> None:
    words = RoundWords((b"1", 3), ("amber", "tulip", "cedar", "lemon", "goat", "piano"))
    status = replace(scenes.finished_status(), words=words, audit=Audit(("Ana", "Bruno")))
    lines = [plain(row).strip() for row in award_rows(scenes.sight(status), 100, 9)]
    assert lines[0].startswith("Saboteurs: ")
    assert not any("amber" in line or "Checked" in line for line in lines)
    assert fair_lines(status)[-2:] == [
        "Six words to compare for round 3: amber tulip cedar, lemon goat piano",
        "Checked: dealt by Ana and Bruno together; everything you saw matches.",
    ]
    false = Audit((), mismatches=(Mismatch(MismatchKind.OTHER_EVENTS, 2),))
    wrong = replace(status, audit=false)
    first, second, *_others = award_rows(scenes.sight(wrong), 100, 9)
    assert plain(first).strip() == "Something does not fit in this game. F tells what."
    assert plain(second).strip().startswith("Saboteurs: ")
    assert "What you saw in round 2 differs" in fair_lines(wrong)[-1]


def test_a_round_that_is_over_shows_everybodys_role_and_gold_side_by_side() -> None:
    won, names, roles, gold, *counts = sides(OVER, 80, 8)
    assert won[-4:] == ["miners", "win", "the", "round."]
    assert names == ["Ana", "(you)", "Bruno", "Chiara", "Dede", "Norri"]
    assert roles == ["miner", "SABOTEUR", "miner", "miner", "miner"]
    assert gold == ["gold", "2", "-", "1", "1", "-"]
    assert [words[0] for words in counts] == ["tunnels", "dead", "breaks", "passes"]


async def test_a_key_saves_a_picture_of_the_result_and_says_where(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(saving, "records_folder", lambda: tmp_path / "records")
    async with shown_table(scenes.finished_status(), (200, 60)) as at:
        await at.press("I")
        (file,) = (tmp_path / "records").iterdir()
        assert at.said == f"Saved: {file}"
    assert re.fullmatch(r"[-0-9]{17}-Gold-Rush\.png", file.name)
    assert file.read_bytes().startswith(b"\x89PNG")


def recorded_game(text: str = "", *, is_host: bool = True) -> Status:
    """A game that is over, with the record that the host has published, a real one by default."""
    status = scenes.finished_status()
    state = status.game_state
    assert state is not None
    record = text or format_record(game_record(6))
    member = state.lobby.host if is_host else 2
    return replace(status, member=member, game_state=replace(state, record=record))


async def test_a_key_shows_the_finished_game_again_and_escape_comes_back_to_the_result() -> None:
    over = recorded_game()
    assert over.game_state is not None
    async with shown_table(over) as at:
        assert "W replay" in at.shown
        assert "W: watch it again." in at.said
        await at.press("W")
        replay = at.app.screen
        assert isinstance(replay, ReplayScreen)
        assert replay.model.position.game.text == over.game_state.record
        assert "r review" in at.shown
        await at.press("end", "escape")
        assert at.app.screen is at.table


async def test_all_follow_the_host_through_the_finished_game_and_who_leaves_stays_away() -> None:
    over = recorded_game(is_host=False)
    async with shown_table(over) as at:
        await at.press("t")
        await at.receive(over, Received(news=(StepShown(3),)))
        assert not isinstance(at.app.screen, ReplayScreen), "not while they write"
        await at.press("escape")
        replay = at.app.screen
        assert isinstance(replay, ReplayScreen)
        assert "is replaying the game" in replay.footer.text
        assert replay.model.position.frame.step == 3
        await at.receive(over, Received(news=(StepShown(5),)))
        assert replay.model.position.frame.step == 5
        await at.press("escape")
        await at.receive(over, Received(news=(StepShown(6),)))
        assert at.app.screen is at.table
        await at.receive(scenes.now())
        await at.receive(over, Received(news=(StepShown(0),)))
        assert at.app.screen is not at.table, "the next game is another one"


async def test_a_host_shows_each_step_to_all() -> None:
    async with shown_table(recorded_game()) as at:
        await at.press("W")
        replay = at.app.screen
        assert isinstance(replay, ReplayScreen)
        assert replay._show_step is not None
        await at.press("down")
        replay._share(replay._show_step)
        replay._share(replay._show_step)
        assert at.seat.requests == [ShowStep(0), ShowStep(1)]


async def test_a_game_that_goes_on_cannot_be_watched_again_nor_one_whose_record_is_false() -> None:
    async with shown_table() as at:
        await at.press("W")
        assert at.said == "You can do that once the game is over."
        await at.receive(recorded_game("no record"))
        await at.press("W")
        assert at.said.startswith("Gold Rush: not a valid record")


def test_of_gold_that_others_took_the_cards_are_counted_until_the_end() -> None:
    over = scenes.sight(scenes.round_over())
    assert sides(over, 80, 4)[3] == ["gold", "3", "-", *("1", "card") * 3]
    assert sides(over, 44, 4)[3] == ["gold", "3", "-", "=1", "=1", "=1"]


async def test_a_long_sentence_below_takes_no_player_off_the_final_table(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(saving, "records_folder", lambda: tmp_path / ("long" * 8) / ("path" * 8))
    async with shown_table(scenes.crowd_finished(), (60, 18)) as at:
        await at.press("I")
        assert at.said.startswith("Saved: ")
        await at.pilot.pause()
        left = [line[:29] for line in at.shown.splitlines()]
        for name in scenes.CROWD:
            assert any(line.strip("│ ").startswith(name) for line in left), name


@pytest.mark.parametrize("glyphs", [DRAWN, DRAWN_IN_256, PICTURED])
@pytest.mark.parametrize(("sight", "sizes"), [(OVER, 6), (CROWD, 4)])
def test_all_stand_on_the_podium_below_whoever_has_more_gold(
    sight: Sight, sizes: int, glyphs: Glyphs
) -> None:
    found = list(draw_podiums(rank_players(sight), 130, glyphs))
    assert len(found) == sizes
    for podium in found:
        assert {width(row) for row in podium} == {130}
        lines = [plain(row) for row in podium]
        nuggets = sight.view.score.nuggets or ()
        heights: dict[int, set[int]] = {}
        for seat, name in enumerate(sight.names.names):
            named = next(at for at, line in enumerate(lines) if name[:3] in line)
            heights.setdefault(named, set()).add(nuggets[seat])
        ordered = [heights[at] for at in sorted(heights)]
        assert max(nuggets) == min(ordered[0]) == max(ordered[0])
        assert all(min(upper) > max(lower) for upper, lower in pairwise(ordered))


def test_nobody_is_named_on_the_podium_before_coming_up() -> None:
    (podium, *_others) = draw_podiums(rank_players(OVER), 85, DRAWN, 2)
    told = "".join(map(plain, podium))
    assert [name for name in OVER.names.names if name in told] == ["Chiara", "Norri"]
    assert told.count("$") == 2
    whole = draw_podiums(rank_players(OVER), 85, DRAWN)
    assert [*map(len, draw_podiums(rank_players(OVER), 85, DRAWN, 2))] == [*map(len, whole)]


@pytest.mark.parametrize(
    ("glyphs", "columns", "rows"),
    [
        *((DRAWN, *room) for room in ((45, 12), (49, 15), (85, 28), (166, 43))),
        *((BOX, 51, rows) for rows in range(6, 17)),
    ],
)
def test_the_result_fits_and_lists_everybody_however_few_rows_there_are(
    glyphs: Glyphs, columns: int, rows: int
) -> None:
    lines = final(columns, rows, glyphs)
    assert all(any(name in line for line in lines) for name in OVER.names.names)
    assert any("You share the win with Dede." in line for line in lines)


def test_there_is_no_podium_of_lines_or_where_it_has_no_room() -> None:
    assert not list(draw_podiums(rank_players(OVER), 130, BOX))
    assert not list(draw_podiums(rank_players(OVER), 23, DRAWN))
    assert len(list(draw_podiums(rank_players(OVER), 24, DRAWN))) == 1
    assert final_rows(OVER, 49, 9, DRAWN) == final_rows(OVER, 49, 9, BOX)


def test_role_cards_not_yet_turned_up_are_alike() -> None:
    roles = [replace(scenes.ENDED, roles=tuple(map(Role, text))) for text in ("msmms", "mmsms")]
    one, other = (draw_masks(end, (0,), OVER, (49, 15), DRAWN) for end in roles)
    assert one == other
    one, other = (draw_masks(end, (0, 1), OVER, (49, 15), DRAWN) for end in roles)
    assert one != other
    assert not draw_masks(roles[0], (0,), OVER, (49, 5), DRAWN)
    assert not draw_masks(roles[0], (0,), OVER, (49, 15), BOX)


DAY = "2026-11-23"


class Painted(Canvas):
    """A canvas that tells what is painted on it."""

    pasted: list[tuple[str, tuple[int, int], tuple[int, int], Tint]]
    written: list[tuple[str, ...]]
    inks: set[Colour]

    def paste(
        self, drawing: Drawing, left: int, top: int, size: tuple[int, int], tint: Tint = Tint.PLAIN
    ) -> None:
        """Note a picture."""
        assert 0 <= left <= self.size[0] - size[0]
        assert 0 <= top <= self.size[1] - size[1]
        self.pasted.append((drawing.name, (left, top), size, tint))

    def write(self, dots: Sequence[str], place: Size, side: int, colour: Colour) -> None:
        """Note a text."""
        assert 0 <= place[0] <= self.size[0] - side * len(dots[0])
        self.written.append(tuple(dots))
        self.inks.add(colour)


@pytest.fixture
def painted_cards(monkeypatch: pytest.MonkeyPatch) -> type[Painted]:
    """What is painted on each card."""
    Painted.pasted, Painted.written, Painted.inks = [], [], set()
    monkeypatch.setattr(moments, "Canvas", Painted)
    return Painted


def test_it_shows_the_mine_and_everybody_with_their_gold(painted_cards: type[Painted]) -> None:
    assert draw_postcard(OVER, DAY).startswith(b"\x89PNG")
    cards = [name for name, _place, size, _tint in painted_cards.pasted if size == CARD]
    board = OVER.view.table.board
    assert len(cards) == len(board.cards) + len(board.hidden)
    assert sum(name.startswith("dwarf-") for name, *_rest in painted_cards.pasted) == 5
    saboteurs = "saboteurs   1: chiara, norri   2: dede, norri   3: bruno"
    names = ("ana", "bruno", "chiara", "dede", "norri")
    for text in ("gold rush", DAY, *names, "5", "3", "1", saboteurs):
        assert tuple(spell_dots(text)) in painted_cards.written
    assert len(painted_cards.inks) == 2


def test_the_end_of_an_evening_has_its_podium_alone(painted_cards: type[Painted]) -> None:
    ana, other = find_dwarf(0, 3), find_dwarf(1, 1)
    ranked = [
        Winner("Ana", ana, 12, 0, is_first=True),
        Winner("\u5b89", other, 3, 1, is_first=False),
    ]
    assert draw_evening("Gold Rush", ranked, DAY).startswith(b"\x89PNG")
    cards = {name for name, *_rest in painted_cards.pasted}
    assert cards == {"dwarf-0-3", "dwarf-1-1", "pile-4", "pile-3"}
    for text in ("gold rush", DAY, "ana", "2", "12", "3"):
        assert tuple(spell_dots(text)) in painted_cards.written


def dig(*cells: Cell) -> Sight:
    """The end of a game with straight tunnels from the start to the middle goal, laid open."""
    tunnels = dict.fromkeys(cells, Tunnel.read("EW")) | {GOAL_CELLS[1]: Tunnel.read("NESW")}
    board = Board.of(tunnels, (GOAL_CELLS[0], GOAL_CELLS[2]))
    return replace(OVER, view=OVER.view._replace(table=OVER.view.table._replace(board=board)))


@pytest.mark.parametrize(("last", "shining"), [(7, 9), (6, 0)])
def test_the_way_to_the_gold_shines_once_it_is_dug(
    painted_cards: type[Painted], last: int, shining: int
) -> None:
    draw_postcard(dig(*((x, 0) for x in range(1, last + 1)), (1, 4)), DAY)
    lit = [place for _name, place, _size, tint in painted_cards.pasted if tint is Tint.NEW]
    assert len({top for _left, top in lit}) <= 1
    assert len(lit) == shining


def test_names_that_cannot_be_drawn_are_numbers_and_ten_players_have_room(
    painted_cards: type[Painted],
) -> None:
    draw_postcard(replace(OVER, names=scenes.sight(scenes.hostile()).names), DAY)
    assert tuple(spell_dots("1")) in painted_cards.written
    Painted.written.clear()
    draw_postcard(CROWD, DAY)
    assert all(tuple(spell_dots(name.lower())) in painted_cards.written for name in scenes.CROWD)
