"""Who fooled whom: repairs and claims for a saboteur by a miner count, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pytest

from engine.bots.talk import DigsAgainstUs, DigsForUs
from engine.cards import Role
from engine.events import Repaired, RoundEnded
from engine.notation import Record, format_record
from engine.notation.record import replay
from engine.notation.talk import Utterance
from sabtui.app.fooled import (
    FOOLED_KIND,
    Fooled,
    fooled,
    fooled_in,
    fooled_lines,
    fooled_rounds,
)
from sabtui.app.library import Library
from sabtui.app.people import People
from tests.sabtui.games import NAMES, game_record, kept_text


@lru_cache
def game(seed: int, rounds: int = 1) -> Record:
    """A game of five."""
    return game_record(seed, NAMES[:5], rounds)


def roles(record: Record) -> tuple[Role, ...]:
    """The roles of the last round."""
    return [
        event.roles
        for _, events in replay(record)
        for event in events
        if isinstance(event, RoundEnded)
    ][-1]


def repairs(record: Record) -> set[tuple[int, int]]:
    """Who repaired whose tools, in a game of one round."""
    return {
        (event.target, event.seat)
        for _, events in replay(record)
        for event in events
        if isinstance(event, Repaired)
    }


def test_a_miner_who_repairs_a_saboteurs_tool_goes_along_with_them() -> None:
    some = 0
    for seed in range(12):
        record = game(seed)
        dwarves, helped = roles(record), repairs(record)
        pairs = fooled_in(record)
        assert {(saboteur, miner) for _round, saboteur, miner, _along in pairs} == {
            (saboteur, miner)
            for saboteur, one in enumerate(dwarves)
            for miner, other in enumerate(dwarves)
            if (one, other) == (Role.SABOTEUR, Role.MINER)
        }
        for _round, saboteur, miner, along in pairs:
            assert along is ((saboteur, miner) in helped)
            some += along
    assert some, "or nothing was seen here"


def test_a_miner_who_claims_that_a_saboteur_digs_for_us_goes_along_with_them() -> None:
    record = game(1)
    dwarves = roles(record)
    (saboteur, *_), (miner, other, *_) = (
        [seat for seat, one in enumerate(dwarves) if one is role]
        for role in (Role.SABOTEUR, Role.MINER)
    )
    before = {pair[1:3]: pair[3] for pair in fooled_in(record)}
    said = (
        Utterance(1, 0, miner, claim=DigsForUs(saboteur)),
        Utterance(1, 0, other, claim=DigsAgainstUs(saboteur)),
        Utterance(1, 0, saboteur, claim=DigsForUs(miner)),
        Utterance(1, 0, other, claim=DigsForUs(miner)),
        Utterance(1, 0, None, "Zoe", claim=DigsForUs(saboteur)),
        Utterance(1, 0, other, text="digs for us"),
    )
    after = {pair[1:3]: pair[3] for pair in fooled_in(replace(record, talk=said))}
    assert after == before | {(saboteur, miner): True}


def test_a_round_that_is_not_over_counts_for_nobody() -> None:
    whole = game(2, rounds=2)
    cut = replace(whole, moves=(whole.moves[0], whole.moves[1][:3]))
    assert {number for number, *_ in fooled_in(cut)} == {1}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A library of three games, and one that somebody else's program broke off."""
    for seed in range(3):
        (tmp_path / f"{seed}.sab").write_text(kept_text(game(seed), tmp_path), encoding="utf-8")
    return tmp_path


def test_it_is_worked_out_once_for_each_game_and_kept(folder: Path) -> None:
    library = Library(folder)
    library.refresh()
    games = library.games()
    told: list[tuple[int, int]] = []

    def tell(done: int, every: int) -> bool:
        told.append((done, every))
        return True

    found = fooled_rounds(folder, games, tell)
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert found == {one.id: fooled_in(game(int(one.file[0]))) for one in games}
    library.store_analysis(games[0].id, FOOLED_KIND, b"[[1,0,1,true]]")
    library.store_analysis(games[1].id, FOOLED_KIND, b"garbage")
    again = fooled_rounds(folder, games)
    assert again[games[0].id] == ((1, 0, 1, True),)
    assert again[games[1].id] == found[games[1].id]
    assert fooled_rounds(folder, games, lambda _done, _all: False) == {}
    library.close()


def test_games_that_are_gone_or_partly_seen_have_none(folder: Path) -> None:
    library = Library(folder)
    library.refresh()
    first, second, third = library.games()
    (folder / first.file).unlink()
    (folder / second.file).write_text("no record", encoding="utf-8")
    found = fooled_rounds(folder, (first, second, replace(third, seen=1)))
    assert found == {first.id: (), second.id: ()}
    library.close()


def test_pairs_are_added_up_by_person_and_few_rounds_say_little(folder: Path) -> None:
    library = Library(folder)
    library.refresh()
    (one, *_) = library.games()
    library.close()
    often = tuple((number, 0, 1, number < 7) for number in range(8))
    once = ((1, 2, 3, True),)
    never = ((1, 4, 3, False),)
    pairs = fooled([one], {one.id: (*often, *once, *never)}, People({"bruno": "Bruna"}))
    assert pairs[0] == Fooled("Ana", "Bruna", 7, 8)
    assert pairs[1] == Fooled("Chiara", "Dédé", 1, 1), "100 % of one round says less"
    assert fooled_lines(pairs)[:3] == [
        "saboteur  miner  went along",
        "Ana       Bruna  7/8 88 % (53 to 98)",
        "Chiara    Dédé   1/1 100 % (21 to 100)",
    ]
    assert not any("Émile" in line for line in fooled_lines(pairs)), "nobody fooled is not told"
    assert fooled_lines(())[0] == "No miner has gone along with a saboteur yet."


def test_a_record_of_anybody_can_be_read_again(tmp_path: Path) -> None:
    (tmp_path / "theirs.sab").write_text(format_record(game(0)), encoding="utf-8")
    library = Library(tmp_path)
    library.refresh()
    (one,) = library.games()
    assert fooled_rounds(tmp_path, [one])[one.id] == fooled_in(game(0))
    library.close()
