"""Hints say why, and only what the seat itself can know."""

from dataclasses import replace
from random import Random

import pytest

from engine.bots import Playouts
from engine.bots.actions import observe
from engine.bots.beliefs import infer_beliefs
from engine.bots.hints import Frees, MostNuggets, Nearer, Reaches, Stops, hints, reason_for
from engine.bots.talk import Honesty, TrackRecord
from engine.dealing import deal
from engine.game import Game
from engine.moves import KeepGold, Lay
from engine.notation import parse_move
from engine.notation.record import format_claim
from tests.engine.bots.positions import read_talk, view_at
from tests.engine.cases import ROAD, WON, game_of, last_step_position, play, play_of, round_at
from tests.engine.events_text import read_events


def test_reasons_tell_how_far_a_seat_is_trusted() -> None:
    view = view_at("- ?/?/? 1 -,P,- +P/-L,1,1 9 m??+?")
    beliefs = infer_beliefs(observe(view))
    assert reason_for(view, beliefs, play_of("+P>2")) == Frees(1, 1 - beliefs.saboteur[1])
    assert reason_for(view, beliefs, play_of("-L>3")) == Stops(2, beliefs.saboteur[2], most=True)
    view = view_at("- ?/?/? 1 -,-,-,-,- -L,1,1,1,1 9 s????+?", "Broke 3 P 2")
    beliefs = infer_beliefs(observe(view))
    assert reason_for(view, beliefs, play_of("-L>3")) == Stops(2, beliefs.saboteur[2], most=True)
    assert reason_for(view, beliefs, play_of("-L>2")) == Stops(1, beliefs.saboteur[1], most=False)


def test_hints_are_the_moves_of_search_with_the_best_first(rng: Random) -> None:
    view = view_at(f"{ROAD} ?/(NESW)/? 1 -,-,- NESW/n/M,3,3 9 m??+?")
    first, *others = hints(view, rng, Playouts(100))
    assert first.move == parse_move("NESW@7")
    assert first.reason == Reaches((8, 0))
    assert first.wins == 1
    assert others
    assert all(hint.wins is not None and hint.wins < 1 for hint in others)


def test_without_a_budget_hints_are_untried(rng: Random) -> None:
    game, _ = Game.begin(deal(rng.randbytes(32), 1, 5), youngest=0)
    assert {hint.wins for hint in hints(game.view(0), rng, Playouts(0))} == {None}
    with pytest.raises(ValueError, match="is not to act"):
        hints(game.view(1), rng, Playouts(0))


def test_of_gold_the_most_is_advised(rng: Random) -> None:
    game, _ = play(game_of(round_at(last_step_position("mmms", 2)), gold="1232211"), WON)
    (hint,) = hints(game.view(1), rng, Playouts(10))
    assert (hint.move, hint.reason) == (KeepGold(3), MostNuggets())


def test_a_hint_to_dig_names_who_is_believed_and_no_liar(rng: Random) -> None:
    line = "EW@1 (NE)/?/? 1 -,-,-,-,- NESW/EW/M,1,1,1,1 9 m????+?"
    view = view_at(line)
    for look in read_events("Looked 2 8s2; Looked 2 8n2; Looked 3 8; Looked 3 8n2"):
        view = view.after(look)

    def find_believed(claims: str, record: TrackRecord | None = None) -> str:
        """Who is believed, whether they were right before, and what they said."""
        talk = replace(read_talk(claims, 30), records=() if record is None else (record,) * 5)
        found = hints(view, rng, Playouts(0), talk)
        assert all(hint.believed is None for hint in found if not isinstance(hint.move, Lay))
        one = next(hint.believed for hint in found if isinstance(hint.reason, Nearer))
        if one is None:
            return "nobody"
        return f"{one.seat + 1} {format_claim(one.claim)}{', as before' if one.right else ''}"

    assert find_believed("") == "nobody"
    assert find_believed("2 gold 8s2") == "2 gold 8s2"
    assert find_believed("3 stone 8; 2 gold 8s2") == "2 gold 8s2"
    assert find_believed("2 gold 8s2; 2 stone 8n2") == "2 gold 8s2, as before"
    assert find_believed("4 gold 8s2") == "nobody", "4 has not looked"
    assert find_believed("1 gold 8s2") == "nobody"
    assert find_believed("2 gold 8n2") == "nobody", "the player knows"
    assert find_believed("2 gold 8s2", TrackRecord(Honesty(1, 0))) == "2 gold 8s2, as before"
    assert find_believed("2 gold 8s2", TrackRecord(Honesty(0, 9), Honesty(0, 9))) == "nobody"
