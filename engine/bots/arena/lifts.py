"""What is held through a deed, and what is thrown away in a pass: what `holdings` rests on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import log
from typing import Final

from engine.bots.arena.figures import Scale
from engine.bots.arena.matches import each
from engine.bots.arena.pairing import Pairing, Row
from engine.bots.deeds import Deed, Done, done
from engine.bots.holdings import Situation, Use, digging, uses
from engine.cards import Card
from engine.game import Game

PASSES: Final = (Deed.IDLED, Deed.WAITED)
THROWN: Final = "thrown away"
SEEN_AS: Final = 20
"""So many cards as a lift of 0 would have are added to each count, as few tell little."""

LIFTS: Final = ("role", "tools", "deed", "times", *(use.name.lower() for use in Use))

Key = tuple[Situation, str]


@dataclass(slots=True)
class Count:
    """Deeds by situation, and cards by their use: held before any deed, and kept through each.

    Of passes apart: what was in the hand, and what was thrown away.
    """

    deeds: Counter[Key] = field(default_factory=Counter)
    held: Counter[tuple[Situation, Use]] = field(default_factory=Counter)
    kept: Counter[tuple[Key, Use]] = field(default_factory=Counter)
    passed: Counter[tuple[Situation, Use]] = field(default_factory=Counter)

    def add(self, other: Count) -> None:
        """Count what the other has, too."""
        self.deeds += other.deeds
        self.held += other.held
        self.kept += other.kept
        self.passed += other.passed


def lifts(scale: Scale) -> Iterator[Row]:
    """How much likelier a card of each use is to be held through each deed, as a logarithm."""
    count = Count()
    for miners in ("search", "wary"):
        for saboteurs in ("greedy", miners):
            pairing = Pairing(miners, saboteurs, scale.fewer_playouts)
            for one in each(partial(_count, pairing), scale.fewer, scale.jobs):
                count.add(one)
    for key in sorted(count.deeds, key=lambda key: (*key[0], key[1])):
        (role, broken), deed = key
        tools = "broken" if broken else "sound"
        lifted = (_lift(count, key, use) for use in Use)
        yield role.name.lower(), tools, deed, count.deeds[key], *lifted


def _lift(count: Count, key: Key, use: Use) -> str:
    """A lift, for what there is to be counted."""
    situation, deed = key
    if deed == THROWN:
        hands = sum(count.passed[situation, use] for use in Use)
        usual = count.passed[situation, use] * count.deeds[key] / hands
    else:
        moves = sum(
            times for (of, what), times in count.deeds.items() if of == situation and what != THROWN
        )
        usual = count.held[situation, use] * count.deeds[key] / moves
    lift = log((count.kept[key, use] + SEEN_AS) / (usual + SEEN_AS))
    return f"{round(lift, 1) + 0:.1f}"


def _count(pairing: Pairing, number: int) -> Count:
    """One round."""
    states = pairing.play(number)[0]
    count = Count()
    for at, deed in enumerate(done(states[-2].view(None))):
        before, now = states[at], states[at + 1]
        situation = before.round.roles[deed.seat], bool(deed.broken[deed.seat])
        could = uses(deed, digging(deed.board))
        key, thrown = (situation, str(deed.deeds[0])), (situation, THROWN)
        hand = before.round.hands[deed.seat]
        played = _played(before, now, deed)
        is_pass = deed.deeds[0] in PASSES
        count.deeds[key] += 1
        count.deeds[thrown] += is_pass
        count.kept[thrown, could[played.index]] += is_pass
        for card in hand:
            count.held[situation, could[card.index]] += 1
            count.kept[key, could[card.index]] += 1
            count.passed[situation, could[card.index]] += is_pass
        count.kept[key, could[played.index]] -= 1
    return count


def _played(before: Game, now: Game, deed: Done) -> Card:
    """The card that a seat played or threw away."""
    drawn: Sequence[Card] = before.round.pile[:1] if deed.drew else ()
    hands = (state.round.hands[deed.seat] for state in (before, now))
    was, left = map(Counter, hands)
    (played,) = (was + Counter(drawn) - left).elements()
    return played
