"""Standings as a table of text."""

from sabtui.after.standings import standings
from sabtui.after.standings_table import standings_text
from tests.sabtui.after.test_standings import FIRST, SECOND, game

WICKED = game("m", ("=1+1", "m", 3), ("<b>&", "m", 2), ("@x", "s", 0), day=2)
FOUND = standings([FIRST, SECOND, WICKED])


def test_a_table_of_text_is_aligned_and_says_what_its_figures_mean() -> None:
    lines = standings_text(FOUND, 3, numbers=True).splitlines()
    assert lines[0] == "3 finished games."
    header = lines[2]
    assert header.startswith("name ")
    assert len(lines[3 : 3 + len(FOUND)]) == len(FOUND)
    at = header.index("rounds as miner")
    assert all(line[at - 1] == " " != line[at] for line in lines[3 : 3 + len(FOUND)])
    assert "In brackets: 95% interval" in lines[3 + len(FOUND) + 1]
    assert "-" in standings_text(standings([WICKED]), 1, numbers=True), (
        "nobody was a saboteur but one"
    )


def test_a_table_for_players_has_names_gold_wins_and_games_alone() -> None:
    lines = standings_text(FOUND, 3).splitlines()
    assert lines[2].split() == ["name", "gold", "won", "games"]
    assert len(lines) == 3 + len(FOUND)
    ana = next(line for line in lines if line.startswith("Ana"))
    assert ana.split() == ["Ana", "6", "1", "2"]
    assert max(map(len, lines)) < 40


def test_without_anybody_there_is_no_table() -> None:
    assert standings_text([], 0) == standings_text([], 0, numbers=True) == "0 finished games.\n"
