"""Standings as text, CSV and HTML; a name is never taken for a formula or for markup."""

import csv
import io
from dataclasses import replace

from sabtui.after.standings import own_statistics, standings
from sabtui.after.standings_table import (
    own_text,
    standings_csv,
    standings_html,
    standings_text,
)
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


def test_csv_has_a_column_for_each_figure_and_no_formulas() -> None:
    head, *rows = csv.reader(io.StringIO(standings_csv(FOUND)))
    assert len(head) == 16
    assert {len(row) for row in rows} == {16}
    names = {row[0] for row in rows}
    assert {"Ana", "'=1+1", "<b>&", "'@x"} <= names
    ana = dict(zip(head, next(row for row in rows if row[0] == "Ana"), strict=True))
    assert (ana["gold"], ana["miner_rounds"], ana["miner_wins"]) == ("6", "2", "1")
    assert float(ana["miner_low"]) < 0.5 < float(ana["miner_high"])
    none = dict(zip(head, next(row for row in rows if row[0] == "<b>&"), strict=True))
    assert (none["saboteur_rounds"], none["saboteur_low"]) == ("0", "")


def test_a_page_escapes_names_and_asks_for_nothing() -> None:
    page = standings_html(FOUND, 3, numbers=True)
    assert "&lt;b&gt;&amp;" in page
    assert "<b>" not in page
    assert "default-src 'none'" in page
    assert "http" not in page.replace("http-equiv", "")
    assert page.count("<tr>") == 1 + len(FOUND)
    plain = standings_html(FOUND, 3)
    assert plain.count("<th ") == 4 + len(FOUND)
    assert "&lt;b&gt;&amp;" in plain


def test_a_table_for_players_has_names_gold_wins_and_games_alone() -> None:
    lines = standings_text(FOUND, 3).splitlines()
    assert lines[2].split() == ["name", "gold", "won", "games"]
    assert len(lines) == 3 + len(FOUND)
    ana = next(line for line in lines if line.startswith("Ana"))
    assert ana.split() == ["Ana", "6", "1", "2"]
    assert max(map(len, lines)) < 40


def test_own_statistics_have_bars_and_figures_if_wanted() -> None:
    own = own_statistics([FIRST, SECOND], "Zoe")
    text = own_text(own)
    assert "Games 1, won 1, gold 5." in text
    assert "As saboteur" not in text, "Bruno was never one there"
    assert "%" not in text
    figures = own_text(own, numbers=True)
    assert "Games 1, won 1, gold 5." in figures
    assert "% (" in figures
    assert own_text(own_statistics([FIRST, SECOND], "Zoe"), ascii_only=True).isascii()
    assert "found out" not in text, "nothing was reviewed"
    reviewed = own_statistics([FIRST, SECOND], "Zoe", {SECOND.id: [(1, 1, True)]})
    assert "As a saboteur: found out in 1 of 1 rounds of reviewed games." in own_text(reviewed)
    assert own_text(own_statistics([FIRST], "Zoe")) == "None of your games is over yet.\n"


def test_own_statistics_say_nothing_twice_and_have_no_level_curve() -> None:
    one = own_text(own_statistics([FIRST, SECOND], "Zoe"))
    assert "players" not in one, "there is one number of players"
    assert "Edition" not in one
    assert "Your share" not in one, "one game has no curve"
    other = replace(SECOND, id="c", edition="italia")
    richer = tuple(replace(player, gold=9) for player in other.players[:1]) + other.players[1:]
    two = own_text(own_statistics([SECOND, replace(other, players=richer)], "Zoe"))
    assert "Edition international" in two
    assert "Edition Italy 2004" in two
    assert "Your share" in two
    assert two.count("\n") > one.count("\n") + 6


def test_a_name_that_begins_like_a_formula_in_wide_letters_is_none() -> None:
    wide = game("w", ("\N{FULLWIDTH EQUALS SIGN}1+1", "m", 3), ("Ana", "m", 2), day=3)
    text = standings_csv(standings([wide]))
    assert "'\N{FULLWIDTH EQUALS SIGN}1+1" in [row[0] for row in csv.reader(io.StringIO(text))]


def test_without_anybody_there_is_no_table() -> None:
    assert standings_text([], 0) == standings_text([], 0, numbers=True) == "0 finished games.\n"
