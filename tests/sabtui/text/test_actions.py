"""What each player has done so far in a round, and who broke what."""

from __future__ import annotations

from engine.bots.talk import SILENCE, Bluff, GoldAt, Statement
from engine.cards import Card, Path, Tool
from engine.events import (
    Broke,
    Collapsed,
    DiscardedCard,
    Drew,
    Event,
    Laid,
    Looked,
    Passed,
    Repaired,
    RoundBegan,
)
from engine.view import View
from sabtui.text.events import (
    PlayerActions,
    action_lines,
    breakers,
    broken_by_words,
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


def test_what_a_player_did_is_counted_and_told_by_name() -> None:
    view = after(
        Laid(BRUNO, STRAIGHT, (1, 0)),
        Laid(BRUNO, DEAD, (2, 0)),
        Laid(CHIARA, STRAIGHT, (3, 0)),
        Broke(BRUNO, Tool.PICK, ANA),
        Broke(BRUNO, Tool.PICK, ANA),
        Broke(BRUNO, Tool.CART, BRUNO),
        Repaired(BRUNO, Card.REPAIR_CART, BRUNO, Tool.CART),
        Collapsed(BRUNO, (2, 0), DEAD),
        Looked(BRUNO, (8, -2)),
        Passed(BRUNO),
        Passed(BRUNO),
    )
    assert PlayerActions.of(CHIARA, view).paths == 1
    said = SILENCE.after(
        [Statement(BRUNO, GoldAt((8, 0)), 9), Statement(ANA, Bluff(BRUNO), 9)],
    )
    assert action_lines(BRUNO, view, said, CAST) == [
        "broken: pick and lantern",
        "laid: 1 tunnel and 1 dead end",
        "broke: your pick (2 times), their own cart",
        "repaired: their own cart",
        "rockfall: at 2 east",
        "map: north goal",
        "passed: 2 times",
        "said: middle goal is gold",
    ]


def test_it_is_known_who_broke_a_tool_until_it_is_repaired() -> None:
    broke = Broke(CHIARA, Tool.PICK, BRUNO)
    view = after(broke)
    assert breakers(view) == {(BRUNO, Tool.PICK): CHIARA}
    assert broken_by_words(BRUNO, view, CAST) == "pick (by Chiara) and lantern"
    mended = after(broke, Repaired(ANA, Card.REPAIR_PICK, BRUNO, Tool.PICK))
    assert breakers(mended) == {}
    again = after(broke, Repaired(ANA, Card.REPAIR_PICK, BRUNO, Tool.PICK), broke)
    assert breakers(again) == {(BRUNO, Tool.PICK): CHIARA}


def test_what_keeps_from_digging_names_who_broke_it() -> None:
    both = (Tool.LANTERN, Tool.CART)
    view = after(Broke(CHIARA, Tool.CART, ANA))
    assert no_paths(both[1:], view, CAST) == ("Your cart is broken (by Chiara): no digging.")
    assert no_paths(both, view, CAST) == (
        "Your lantern and cart are broken (by Chiara): no digging."
    )
    assert no_paths(both[:1], view, CAST) == "Your lantern is broken: no digging."
    twice = after(Broke(CHIARA, Tool.CART, ANA), Broke(CHIARA, Tool.LANTERN, ANA))
    assert no_paths(both, twice, CAST) == (
        "Your lantern and cart are broken (by Chiara): no digging."
    )


def test_what_has_happened_since_ones_last_turn_begins_after_it() -> None:
    first, mine, last = (Laid(seat, STRAIGHT, (1 + seat, 0)) for seat in (CHIARA, ANA, BRUNO))
    assert since_turn(after(first), ()) == (first,), "with the round, before one's first turn"
    assert since_turn(after(first, mine, Drew(ANA), last), ()) == (Drew(ANA), last)
    passed = (Passed(ANA), DiscardedCard(ANA, Card.MAP), last)
    assert since_turn(after(first, *passed), ()) == (last,), "a secret is not for onlookers"
    watched = [Passed(seat) for seat in (ANA, BRUNO, CHIARA, ANA)]
    assert since_turn(after(*watched, seat=None), ()) == tuple(watched[1:])


def test_who_broke_each_of_several_tools_is_known() -> None:
    view = after(Broke(ANA, Tool.PICK, BRUNO), Broke(CHIARA, Tool.LANTERN, BRUNO))
    assert breakers(view) == {(BRUNO, Tool.PICK): ANA, (BRUNO, Tool.LANTERN): CHIARA}
