"""The counts of actions and of held cards that `beliefs` and `hand_model` rest on, as rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import log
from typing import Final

from benchmarks.arena.players import Pairing
from benchmarks.arena.statistics import Scale
from engine.bots.evidence import ActionKind, Observation, observe
from engine.bots.hand_model import CardUse, Situation, classify_cards, find_digging_cards
from engine.cards import Card, Goal, Role
from engine.game import Game
from sabtui.kit.arena import ReportRow, each


def actions(scale: Scale) -> Iterator[ReportRow]:
    """Yield the share of each action in a side's moves, in percent: the source of `beliefs`."""
    counts: Counter[tuple[Role, str]] = Counter()
    for name in ("greedy", "wary"):
        for result in each(partial(_count_actions, name), scale.rounds, scale.jobs):
            counts += result
    moves = {role: sum(counts[key] for key in counts if key[0] is role) for role in Role}
    for text in sorted({text for _, text in counts}):
        shares = (100 * counts[role, text] / moves[role] for role in Role)
        yield text, *(f"{share:.1f}" for share in shares)


def _count_actions(name: str, number: int) -> Counter[tuple[Role, str]]:
    """Count the actions of each side in one round."""
    game = Pairing(name, name, 0).play(number)[0][-2]
    roles, treasure = game.round.roles, game.round.goals.index(Goal.TREASURE)
    counts: Counter[tuple[Role, str]] = Counter()
    for action in observe(game.view(None)).actions:
        to = f" of a {roles[action.target].name.lower()}" if action.target != action.seat else ""
        counts[roles[action.seat], action.kinds[treasure] + to] += 1
    return counts


PASSING_KINDS: Final = (ActionKind.IDLED, ActionKind.WAITED)
"""The kinds of action that are a pass."""
THROWN_AWAY: Final = "thrown away"
"""The name, in place of an action, of the row for cards discarded in passes."""
SMOOTHING_CARDS: Final = 20
"""Cards added to both counts of a lift, so that small counts stay near a lift of 0."""

LIFT_COLUMNS: Final = ("role", "tools", "action", "times", *(use.name.lower() for use in CardUse))
"""The header of the table of lifts."""

LiftKey = tuple[Situation, str]
"""A situation and the action in it, or `THROWN_AWAY`."""


@dataclass(slots=True)
class Count:
    """Counts of actions by situation, and of cards by their use.

    `held` counts the cards in hand before any action, `kept` those still there after each action.
    For passes, `passed` counts the cards in hand; those discarded are in `kept` as `THROWN_AWAY`.
    """

    actions: Counter[LiftKey] = field(default_factory=Counter)
    held: Counter[tuple[Situation, CardUse]] = field(default_factory=Counter)
    kept: Counter[tuple[LiftKey, CardUse]] = field(default_factory=Counter)
    passed: Counter[tuple[Situation, CardUse]] = field(default_factory=Counter)

    def add(self, other: Count) -> None:
        """Add the counts of another."""
        self.actions += other.actions
        self.held += other.held
        self.kept += other.kept
        self.passed += other.passed


def lifts(scale: Scale) -> Iterator[ReportRow]:
    """Yield, for each action, the lift of each card use: a logarithm, as `hand_model` uses it."""
    count = Count()
    for miners in ("search", "wary"):
        for saboteurs in ("greedy", miners):
            pairing = Pairing(miners, saboteurs, scale.few_playouts)
            for result in each(partial(_count, pairing), scale.fewer, scale.jobs):
                count.add(result)
    for key in sorted(count.actions, key=lambda key: (*key[0], key[1])):
        (role, broken), action = key
        tools = "broken" if broken else "sound"
        lifted = (_lift(count, key, use) for use in CardUse)
        yield role.name.lower(), tools, action, count.actions[key], *lifted


def _lift(count: Count, key: LiftKey, use: CardUse) -> str:
    """Return a lift with one decimal, smoothed by `SMOOTHING_CARDS`."""
    situation, action = key
    if action == THROWN_AWAY:
        hands = sum(count.passed[situation, use] for use in CardUse)
        usual = count.passed[situation, use] * count.actions[key] / hands
    else:
        moves = sum(
            times
            for (of, what), times in count.actions.items()
            if of == situation and what != THROWN_AWAY
        )
        usual = count.held[situation, use] * count.actions[key] / moves
    lift = log((count.kept[key, use] + SMOOTHING_CARDS) / (usual + SMOOTHING_CARDS))
    return f"{round(lift, 1) + 0:.1f}"


def _count(pairing: Pairing, number: int) -> Count:
    """Count the actions and cards of one round."""
    states = pairing.play(number)[0]
    count = Count()
    for at, action in enumerate(observe(states[-2].view(None)).actions):
        before, now = states[at], states[at + 1]
        situation = before.round.roles[action.seat], bool(action.broken[action.seat])
        could = classify_cards(action, find_digging_cards(action.board))
        key, thrown = (situation, str(action.kinds[0])), (situation, THROWN_AWAY)
        hand = before.round.hands[action.seat]
        played = _played_card(before, now, action)
        is_pass = action.kinds[0] in PASSING_KINDS
        count.actions[key] += 1
        count.actions[thrown] += is_pass
        count.kept[thrown, could[played.index]] += is_pass
        for card in hand:
            count.held[situation, could[card.index]] += 1
            count.kept[key, could[card.index]] += 1
            count.passed[situation, could[card.index]] += is_pass
        count.kept[key, could[played.index]] -= 1
    return count


def _played_card(before: Game, now: Game, action: Observation) -> Card:
    """Return the card that a seat played or discarded."""
    drawn: Sequence[Card] = before.round.pile[:1] if action.drew else ()
    hands = (state.round.hands[action.seat] for state in (before, now))
    was, left = map(Counter, hands)
    (played,) = (was + Counter(drawn) - left).elements()
    return played
