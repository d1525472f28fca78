"""Evenings of several tables: what they signed is kept, counted together, and checked anew."""

from __future__ import annotations

from dataclasses import replace as replace_addresses
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from net.discovery.address import Address
from net.discovery.advert import OURS, Advert, AdvertStage
from net.discovery.catalog import DiscoveredGame, GameStatus
from net.lobby.evening import EveningPlan, TargetUnit
from net.lobby.model import Settings
from sabtui.app.evenings import (
    EveningTable,
    ask_these,
    evening_words,
    keep_results,
    read_evening,
    tables_sentence,
)
from sabtui.app.library_index import IndexedGame, IndexedPlayer
from sabtui.app.standings import standings
from tests.net.server.conftest import where
from tests.net.server.served_table import HERE, Hosted, hosting
from tests.sabtui.evenings import BRUNOS, OTHER_TABLE, THIEFS, game, told

__all__ = ["where"]


def names_and_gold(folder: Path, word: str = "club") -> dict[str, int]:
    """Return the standing of an evening."""
    return {one.name: one.gold for one in standings(read_evening(folder, word).games)}


def test_the_games_of_all_tables_of_an_evening_are_counted_together(tmp_path: Path) -> None:
    first = told(game(1), game(2))
    other = told(game(3, "Ana", "Dora", "Eva"), by=BRUNOS, table=OTHER_TABLE)
    assert keep_results(first, tmp_path, "club", 10.0) == ""
    assert keep_results(other, tmp_path, "club", 20.0) == ""
    evening = read_evening(tmp_path, "club")
    assert [one.date for one in evening.games] == [20.0, 10.001, 10.0]
    assert [one.id for one in evening.games] == [game(at).id.hex() for at in (3, 2, 1)]
    assert [one.place for one in evening.games] == ["Bruno's table", "Ana's table", "Ana's table"]
    assert names_and_gold(tmp_path) == {"Ana": 15, "Chi": 6, "Eva": 3, "Bruno": 0, "Dora": 0}
    assert evening.tables == (EveningTable("Ana's table", 2), EveningTable("Bruno's table", 1))
    assert tables_sentence(evening.tables) == (
        "Counted from results signed by: Ana's table (2 games) and Bruno's table (1 game)."
    )
    assert tables_sentence(()) == "No table has sent its results yet."
    (ana, *_) = standings(evening.games)
    assert (ana.saboteur.rounds, ana.saboteur.wins, ana.miner.rounds) == (3, 3, 0)


def test_a_game_keeps_the_date_at_which_it_was_first_told(tmp_path: Path) -> None:
    keep_results(told(game(1)), tmp_path, "", 10.0)
    keep_results(told(game(1), game(2)), tmp_path, "", 30.0)
    assert [one.date for one in read_evening(tmp_path, "club").games] == [30.001, 10.0]


def test_what_a_table_told_before_its_evening_began_anew_still_counts(tmp_path: Path) -> None:
    for signed in (told(game(1)), told(), told(game(2))):
        assert keep_results(signed, tmp_path, "", 10.0) == ""
    evening = read_evening(tmp_path, "club")
    assert len(evening.games) == 2
    assert evening.tables == (EveningTable("Ana's table", 2),)


def test_only_results_of_the_evening_asked_for_are_kept(tmp_path: Path) -> None:
    keep_results(told(game(1), word="other"), tmp_path, "club", 10.0)
    assert evening_words(tmp_path) == ()
    keep_results(told(game(1), word="other"), tmp_path, "", 10.0)
    assert evening_words(tmp_path) == ("other",)
    assert read_evening(tmp_path, "club").games == ()


def test_a_game_that_the_user_has_kept_is_counted_once_with_their_own_seat(tmp_path: Path) -> None:
    keep_results(told(game(1)), tmp_path, "", 10.0)
    players = tuple(IndexedPlayer(name, "m", 1) for name in ("Ana", "Bruno", "Chi"))
    id_ = game(1).id.hex()
    own = IndexedGame(
        id=id_,
        file="f",
        date=5.0,
        place="",
        edition="",
        rounds=1,
        winners="m",
        is_over=True,
        seen=None,
        my_seat=0,
        players=players,
    )
    (counted,) = read_evening(tmp_path, "club", [own]).games
    assert counted is own


def test_forged_results_are_refused_with_a_sentence(tmp_path: Path) -> None:
    honest = told(game(1))
    forged = replace(honest, statement=told(game(1, gold=(9, 0, 0))).statement)
    sentence = "The results of ? are not signed by its own key: they are left out."
    assert keep_results(forged, tmp_path, "club", 10.0) == sentence
    assert read_evening(tmp_path, "club").games == ()


def test_another_key_counts_only_where_a_new_host_goes_on_with_all_games(tmp_path: Path) -> None:
    keep_results(told(game(1)), tmp_path, "", 10.0)
    refused = "Ana's table signs its results with a different key than before: they are left out."
    assert keep_results(told(game(2), by=THIEFS), tmp_path, "", 20.0) == refused
    assert keep_results(told(game(2), by=THIEFS, term=1), tmp_path, "", 20.0) == refused
    new_host = told(game(1), game(2), by=BRUNOS, term=1)
    assert keep_results(new_host, tmp_path, "", 20.0) == ""
    assert keep_results(told(game(1), game(3)), tmp_path, "", 30.0) == refused, "the old one"
    assert len(read_evening(tmp_path, "club").games) == 2


@pytest.mark.parametrize("harm", ["a byte", "cut short", "empty", "another table's", "unsigned"])
def test_a_file_that_was_altered_is_left_out_with_a_sentence(tmp_path: Path, harm: str) -> None:
    keep_results(told(game(1)), tmp_path, "", 10.0)
    (path,) = tmp_path.rglob("*.results")
    data = path.read_bytes()
    match harm:
        case "a byte":
            at = data.index(b"Bruno")
            data = data[:at] + b"Bruna" + data[at + 5 :]
        case "cut short":
            data = data[:-9]
        case "empty":
            data = b""
        case "another table's":
            path = path.rename(path.with_name(f"{OTHER_TABLE}.results"))
        case _:
            data = msgspec.msgpack.encode({"signed": [[1, 2]], "seen": {}})
    path.write_bytes(data)
    evening = read_evening(tmp_path, "club")
    assert evening.games == ()
    assert evening.problems == (f"{path} was altered: its results are left out.",)


def test_where_nothing_can_be_written_a_sentence_says_so(tmp_path: Path) -> None:
    (tmp_path / "evenings").touch()
    assert keep_results(told(game(1)), tmp_path, "", 10.0).startswith("Cannot write")
    assert evening_words(tmp_path) == ()


CLUB = Settings(seats=3, rounds=1, evening=EveningPlan(TargetUnit.GAMES, 3, "club"))


def listed(hosted: Hosted, port: int | None = None) -> DiscoveredGame:
    """Return a table as discovery lists it."""
    room = hosted.table.room
    advert = Advert(hosted.table.id, "Gold Rush", OURS, AdvertStage.OVER, room.players, 3)
    addresses = (Address(HERE, port or hosted.port),)
    return DiscoveredGame("Gold Rush", advert, GameStatus.JOINABLE, addresses)


async def test_two_real_tables_feed_one_standing(where: Path, tmp_path: Path) -> None:
    async with hosting(where / "a", CLUB) as one, hosting(where / "b", CLUB) as other:
        for hosted in (one, other):
            await hosted.begin()
            await hosted.play_on()
        nobody = listed(one, port=9)
        assert await ask_these([listed(one), listed(other), nobody], tmp_path, "club") == ()
        evening = read_evening(tmp_path, "club")
        assert [table.games for table in evening.tables] == [1, 1]
        golds = [hosted.state.lobby.evening.rows for hosted in (one, other)]
        expected = dict.fromkeys(("Ann", "Ben", "Cleo"), 0)
        for row in (*golds[0], *golds[1]):
            expected[row.name] += row.gold
        assert names_and_gold(tmp_path) == expected
        stolen = replace_addresses(listed(other), addresses=listed(one).addresses)
        (problem,) = await ask_these([stolen], tmp_path)
        assert problem.endswith("sent another table's results: they are left out.")
