"""What each player has done so far in a round, and who broke what."""

from __future__ import annotations

from engine.actions import Broke, Collapsed, Looked, Repaired
from engine.bots.talk import SILENCE, Bluff, GoldAt, Statement
from engine.cards import Card, Path, Tool
from engine.events import DiscardedCard, Drew, Event, Laid, Passed, RoundBegan
from engine.view import View
from sabtui.text.events import (
    action_lines,
    no_paths,
    since_turn,
)
from tests.sabtui.cases import CAST, view_of

ANA, BRUNO, CHIARA = range(3)
STRAIGHT, DEAD = Path.read("EW"), Path.read("ew")
BEGAN = RoundBegan(1, ANA, (6, 6, 6), 40)


def after(*events: Event, seat: int | None = ANA) -> View:
    """The round of three after these events, Bruno's pick and lantern being broken."""
    view = view_of("EW@1/NEW@2 ?/?/? 1 -,PL,- NES/NW,3,2 9 m??+?", ANA)
    if seat is None:
        view = view_of("EW@1/NEW@2 ?/?/? 1 -,PL,- 2,3,2 9 ???+?", None)
    return view._replace(history=(BEGAN, *events))


def test_what_a_player_laid_is_counted_and_all_else_is_told() -> None:
    view = after(
        Laid(BRUNO, STRAIGHT, (1, 0)),
        Laid(BRUNO, DEAD, (2, 0)),
        Laid(CHIARA, STRAIGHT, (3, 0)),
        Broke(BRUNO, Tool.PICK, ANA),
        Repaired(BRUNO, Card.REPAIR_CART, BRUNO, Tool.CART),
        Collapsed(BRUNO, (2, 0), DEAD),
        Looked(BRUNO, (8, -2)),
        Passed(BRUNO),
        Passed(BRUNO),
    )
    said = SILENCE.after(
        [Statement(BRUNO, GoldAt((8, 0)), 9), Statement(ANA, Bluff(BRUNO), 9)],
    )
    assert action_lines(BRUNO, view, said, CAST) == [
        "1 tunnel, 1 dead end and 2 passes.",
        "Bruno broke your pick.",
        "Bruno repaired their own cart.",
        "Bruno brought down a dead end at 2 east.",
        "Bruno looked at the north goal.",
        "“middle goal is gold”",
    ]


def test_what_keeps_from_digging_is_told() -> None:
    assert no_paths((Tool.LANTERN, Tool.CART)) == "Your lantern and cart are broken: no digging."
    assert no_paths((Tool.LANTERN,)) == "Your lantern is broken: no digging."


def test_what_has_happened_since_ones_last_turn_begins_after_it() -> None:
    first, mine, last = (Laid(seat, STRAIGHT, (1 + seat, 0)) for seat in (CHIARA, ANA, BRUNO))
    assert since_turn(after(first), ()) == (first,), "with the round, before one's first turn"
    assert since_turn(after(first, mine, Drew(ANA), last), ()) == (Drew(ANA), last)
    passed = (Passed(ANA), DiscardedCard(ANA, Card.MAP), last)
    assert since_turn(after(first, *passed), ()) == (last,), "a secret is not for onlookers"
    watched = [Passed(seat) for seat in (ANA, BRUNO, CHIARA, ANA)]
    assert since_turn(after(*watched, seat=None), ()) == tuple(watched[1:])
