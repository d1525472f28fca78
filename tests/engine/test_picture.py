"""A position as a picture: well formed, with all that its seat knows, and nothing else."""

import re
from xml.etree import ElementTree as ET

import pytest

from engine.board import CardState
from engine.cards import PATHS, Goal
from engine.notation import parse_position
from engine.picture import DrawnMine, card_symbol, draw_mine, symbol_name
from engine.view import View
from tests.engine.cases import game_of, round_at

SVG = "{http://www.w3.org/2000/svg}"
LINE = "EW@1/ew@2/NS@5s1 (NE)/(NESW)/(NW) 1 -,PL,- NS/NE/-P,NS/NS/R,-L/M NE mms+m"


def draw_picture(view: View) -> ET.Element:
    return ET.fromstring(view.picture())  # noqa: S314 - it is our own


def texts(picture: ET.Element) -> list[str]:
    return [one.text or "" for one in picture.iter(f"{SVG}text")]


def test_a_card_has_an_arm_for_each_open_side_and_dead_ends_a_cross() -> None:
    for path in PATHS:
        for state in CardState:
            drawn = card_symbol(path, state)
            assert len(re.findall(r"M\d+ \d+L", drawn)) == path.edges.bit_count()
            assert ('class="dead"' in drawn) == (not path.through)
            assert ("dasharray" in drawn) == (state is CardState.CUT_OFF)
    assert len({symbol_name(path, state) for path in PATHS for state in CardState}) == 78


def test_a_picture_is_well_formed_and_shows_each_card_once() -> None:
    picture = draw_picture(game_of(round_at(LINE)).view(0))
    defined = {one.get("id") for one in picture.iter(f"{SVG}symbol")}
    used = [str(one.get("href")).removeprefix("#") for one in picture.iter(f"{SVG}use")]
    assert sorted(used) == [
        "card-EW-reached",
        "card-NESW-reached",
        "card-NS-cut-off",
        "card-ew-dead",
    ]
    assert set(used) == defined


def test_a_picture_tells_what_its_seat_knows_and_no_more() -> None:
    game = game_of(round_at(LINE))
    mine, everybodys = draw_picture(game.view(0)), draw_picture(game.view(None))
    assert any("miner" in text and "NS NE -P" in text for text in texts(mine))
    assert any("broken P L" in text for text in texts(mine))
    assert not any("miner" in text or "NS NE" in text for text in texts(everybodys))
    assert texts(mine).count("?") == texts(everybodys).count("?") == 3
    knowing = draw_picture(parse_position("EW@1 ?/(NE)/(NESW) 1 -,-,- NS,3,2 4 m??+?").view(0))
    assert texts(knowing).count("?") == 1
    titles = [one.text for one in knowing.iter(f"{SVG}title")]
    assert {"8n2", "8: stone", "8s2: treasure"} <= set(titles)


def test_all_texts_are_escaped() -> None:
    board = round_at(LINE).table.board
    goals = (Goal.TREASURE, Goal.STONE_NE, None)
    text = draw_mine(DrawnMine("<b>", board, goals, ("A & B",)), "<title>", str)
    picture = ET.fromstring(text)  # noqa: S314 - it is our own
    assert {"<b>", "A & B"} <= set(texts(picture))
    titles = [one.text for one in picture.iter(f"{SVG}title")]
    assert titles == ["<title>", "8n2: NESW", "8: NE", "8s2"]


def test_a_picture_of_a_view_begins_with_the_state_of_the_game() -> None:
    view = game_of(round_at(LINE)).view(0)
    assert texts(draw_picture(view))[0] == str(view).splitlines()[0]


def test_a_picture_calls_players_by_their_names() -> None:
    view = game_of(round_at(LINE)).view(0)
    named = texts(ET.fromstring(view.picture(("Ann", "Bo & Co", "Cy"))))  # noqa: S314 - our own
    assert named[0].endswith(": Ann to play")
    assert [name for name in ("Ann", "Bo & Co", "Cy") if any(name in text for text in named[1:])]
    assert not any("seat" in text for text in named)
    assert view._repr_svg_() == view.picture()
    with pytest.raises(ValueError, match="3 play, and there are 2 names"):
        view.picture(("Ann", "Bo"))
