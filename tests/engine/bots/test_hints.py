"""Hints say why, and only what the seat itself can know."""

from random import Random

import pytest

from engine.actions import Broke, Looked
from engine.board import GOAL_CELLS
from engine.bots import Playouts
from engine.bots.actions import observe
from engine.bots.beliefs import infer_beliefs
from engine.bots.hints import (
    Believed,
    Blocks,
    Clears,
    CutsOff,
    FindsOut,
    Frees,
    FreesYou,
    HintReason,
    LeadsAway,
    MostNuggets,
    Nearer,
    OpensWay,
    Reaches,
    Sheds,
    Stops,
    hints,
    reason_for,
)
from engine.bots.talk import Claim, GoldAt, Honesty, Statement, StoneAt, Talk, TrackRecord
from engine.cards import Card, Tool
from engine.dealing import deal
from engine.game import Game
from engine.moves import KeepGold, Lay
from engine.notation import parse_move, parse_position
from tests.engine.cases import ROAD, WON, game_of, last_step_position, play, play_of, round_at

REASONS: list[tuple[str, str, HintReason]] = [
    (f"{ROAD} ?/?/? 1 -,-,- NESW,1,1 9 m??+?", "NESW@7", Reaches((8, 0))),
    (f"{ROAD} ?/(NE)/? 1 -,-,- NESW,1,1 9 m??+?", "NESW@7", Reaches((8, 0))),
    ("EW@1 ?/?/? 1 -,-,- EW,1,1 9 m??+?", "EW@2", Nearer(1, 5)),
    ("EW@1 ?/?/? 1 -,-,- NS,1,1 9 m??+?", "NS@0n1", LeadsAway()),
    ("- ?/?/? 1 -,-,- NS,1,1 9 m??+?", "NS@0n1", OpensWay()),
    ("- ?/?/? 1 -,-,- NE,1,1 9 m??+?", "NE@0s1", OpensWay()),
    ("EW@1 ?/?/? 1 -,-,- ew,1,1 9 s??+?", "ew@2", Blocks((2, 0))),
    ("EW@1/ew@2 ?/?/? 1 -,-,- R,1,1 9 m??+?", "R@2", Clears((2, 0))),
    ("EW@1/ew@2 ?/?/? 1 -,-,- R,1,1 9 s??+?", "R@1", CutsOff((1, 0))),
    ("- ?/?/? 1 P,P,- +P,1,1 9 m??+?", "+P>1", FreesYou()),
    ("- ?/?/? 1 -,-,- M,1,1 9 m??+?", "M@8", FindsOut((8, 0), 1 / 3)),
    ("- ?/?/? 1 -,-,- M,1,1 9 m??+?", "xM", Sheds(Card.MAP)),
]


@pytest.mark.parametrize(("line", "text", "reason"), REASONS)
def test_a_move_has_its_reason(line: str, text: str, reason: HintReason) -> None:
    view = parse_position(line).view(0)
    assert reason_for(view, infer_beliefs(observe(view)), play_of(text)) == reason


def test_reasons_tell_how_far_a_seat_is_trusted() -> None:
    view = parse_position("- ?/?/? 1 -,P,- +P/-L,1,1 9 m??+?").view(0)
    beliefs = infer_beliefs(observe(view))
    assert reason_for(view, beliefs, play_of("+P>2")) == Frees(1, 1 - beliefs.saboteur[1])
    assert reason_for(view, beliefs, play_of("-L>3")) == Stops(2, beliefs.saboteur[2], most=True)
    view = parse_position("- ?/?/? 1 -,-,-,-,- -L,1,1,1,1 9 s????+?").view(0)
    beliefs = infer_beliefs(observe(view._replace(history=(Broke(2, Tool.PICK, 1),))))
    assert reason_for(view, beliefs, play_of("-L>3")) == Stops(2, beliefs.saboteur[2], most=True)
    assert reason_for(view, beliefs, play_of("-L>2")) == Stops(1, beliefs.saboteur[1], most=False)


def test_hints_are_the_moves_of_search_with_the_best_first(rng: Random) -> None:
    view = parse_position(f"{ROAD} ?/(NESW)/? 1 -,-,- NESW/n/M,3,3 9 m??+?").view(0)
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
    north, middle, south = GOAL_CELLS
    view = parse_position(line).view(0)
    looks = [Looked(1, south), Looked(1, north), Looked(2, middle), Looked(2, north)]
    for look in looks:
        view = view.after(look)

    def find_believed(
        *said: tuple[int, Claim], records: tuple[TrackRecord, ...] = ()
    ) -> Believed | None:
        talk = Talk(tuple(Statement(seat, claim, 30) for seat, claim in said), records)
        found = hints(view, rng, Playouts(0), talk)
        assert all(hint.believed is None for hint in found if not isinstance(hint.move, Lay))
        return next(hint.believed for hint in found if isinstance(hint.reason, Nearer))

    assert find_believed() is None
    assert find_believed((1, GoldAt(south))) == Believed(1, GoldAt(south), right=False)
    assert find_believed((2, StoneAt(middle)), (1, GoldAt(south))) == (
        Believed(1, GoldAt(south), right=False)
    )
    assert find_believed((1, GoldAt(south)), (1, StoneAt(north))) == (
        Believed(1, GoldAt(south), right=True)
    )
    assert find_believed((3, GoldAt(south))) is None, "3 has not looked"
    assert find_believed((0, GoldAt(south))) is None
    assert find_believed((1, GoldAt(north))) is None, "the player knows"
    honest = (TrackRecord(Honesty(1, 0)),) * 5
    assert find_believed((1, GoldAt(south)), records=honest) == Believed(
        1, GoldAt(south), right=True
    )
    liar = (TrackRecord(Honesty(0, 9), Honesty(0, 9)),) * 5
    assert find_believed((1, GoldAt(south)), records=liar) is None
