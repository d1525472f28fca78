"""The stage between games: what fits, and what is counted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs
from tests.sabtui.club.stage.stage_fixture import PLACE
from tests.sabtui.club.stage.stage_pictures import HALL, StillClub, in_hall, order

from net.client.session import Status
from net.discovery.advert import DoorPorts
from net.protocol.board import HallBoard, HallTable, Night
from net.protocol.doors import DoorKind, DoorNow
from sabtui.club.stage import StageHallScreen, between_games
from sabtui.club.text import night_end
from tests.sabtui.club.test_text import NIGHT
from tests.sabtui.tui.pictures import text_of
from tests.sabtui.tui.run_app import TableApp

MANY = structs.replace(
    HALL,
    hall=HallBoard(
        tables=tuple(
            HallTable(
                f"{number:016x}",
                f"Table {number}",
                "lobby",
                "international",
                2,
                6,
                (f"Player {number - 1}",),
            )
            for number in range(1, 61)
        )
    ),
    people=(),
)


def with_night(night: Night) -> Status:
    """What the stage sees of a hall with a night."""
    return in_hall(structs.replace(HALL, hall=structs.replace(HALL.board, night=night)))


def test_the_standings_of_a_night_stand_below_the_people_once_a_game_is_over() -> None:
    *_others, last = between_games(with_night(NIGHT), 60)
    assert [line.plain for line in last] == night_end(NIGHT)
    begun = with_night(structs.replace(NIGHT, rounds=()))
    assert between_games(begun, 60) == between_games(in_hall(), 60)


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (120, 40), (240, 67)])
async def test_of_sixty_tables_those_that_fit_are_shown_and_how_to_join_always(
    size: tuple[int, int],
) -> None:
    app = TableApp()
    shown = replace(order(), place=StillClub(PLACE))
    async with app.run_test(size=size) as pilot:
        screen = StageHallScreen(shown)
        await app.push_screen(screen)
        assert screen.director._main is not None
        screen.director._main.status = in_hall(MANY)
        screen.redraw()
        await pilot.pause()
        lines = text_of(app).splitlines()
        assert any("By address: sabtui join 192.168.1.20:7341" in line for line in lines)
        seen = sum("Table " in line for line in lines)
        people = sum("   Player " in line for line in lines)
        (counted,) = [int(line.split()[0]) for line in lines if line.strip().startswith("+")]
        assert seen + people + counted == 2 * len(MANY.board.tables) + 1, (
            "a blank line is counted, too"
        )
        assert seen >= 2


async def test_the_doors_are_those_of_now_and_not_those_that_the_stage_found_at_first() -> None:
    app = TableApp()
    shown = replace(order(), place=StillClub(PLACE, DoorPorts(ssh=7351, web=7361)))
    async with app.run_test(size=(120, 40)) as pilot:
        screen = StageHallScreen(shown)
        await app.push_screen(screen)
        assert screen.director._main is not None
        now = (DoorNow(DoorKind.WEB, 7362), DoorNow(DoorKind.SSH, 7352))
        screen.director._main.status = replace(in_hall(), doors=now)
        screen.redraw()
        await pilot.pause()
        assert "ssh -p 7352 NAME@192.168.1.20" in text_of(app)
        assert "http://192.168.1.20:7362/" in text_of(app)
        assert "7351" not in text_of(app)
        assert "7361" not in text_of(app)
