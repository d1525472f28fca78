"""The rows of the tables of talk: its truth, and the rounds gained by hearing it.

Both arms of a comparison play the same deals against the same bots, who talk in both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from benchmarks.arena.players import Pairing, gain
from benchmarks.arena.statistics import Scale
from benchmarks.arena.talkers import TALKERS, name_talker
from engine.board import GOAL_CELLS
from engine.bots import Playouts
from engine.cards import Goal, Role
from sabtui.kit.arena import Player, ReportRow, Talker, each, own, percent, play_round, silent

HEARING_COLUMNS: Final = (
    "players",
    "miners",
    "saboteurs",
    "talk",
    "who hears",
    "rounds",
    "miners win where they are deaf",
    "where they hear",
    "gain of the miners",
)
"""The header of the table of talk."""


def hearing(scale: Scale) -> Iterator[ReportRow]:
    """Yield the rounds that a side gains by hearing the talk of all, over the same deals."""
    sides: list[tuple[Talker, Role, str, str]] = [
        (own, Role.MINER, "wary", "wary"),
        (own, Role.SABOTEUR, "wary", "wary"),
        *(
            (talker, Role.MINER, "wary", "greedy")
            for talker in TALKERS.values()
            if talker != silent
        ),
    ]
    for talker, role, miners, saboteurs in sides:
        for players in scale.players[1:] if talker == own else scale.players[1:2]:
            pairing = Pairing(miners, saboteurs, 0, players, talker=talker)
            yield _hearing(pairing, role, scale.wary, scale.jobs)
    for players in scale.players[1:]:
        pairing = Pairing("search", "greedy", scale.few_playouts, players, talker=own)
        yield _hearing(pairing, Role.MINER, scale.rounds, scale.jobs)


def _hearing(pairing: Pairing, role: Role, rounds: int, jobs: int) -> ReportRow:
    """Return the row of a pairing of which one side is deaf, or is not."""
    arms = (replace(pairing, deaf=frozenset({role})), pairing)
    deaf, hears = ([won for won, *_ in each(arm.outcome, rounds, jobs)] for arm in arms)
    return (
        pairing.players,
        pairing.miners,
        pairing.saboteurs,
        name_talker(pairing.talker),
        f"{role.name.lower()}s",
        rounds,
        percent(sum(deaf), rounds),
        percent(sum(hears), rounds),
        gain(list(zip(deaf, hears, strict=True))),
    )


TEAM_COLUMNS: Final = (
    "players",
    "miners",
    "saboteurs",
    "play-outs",
    "rounds",
    "miners win",
    "gain of the miners over nobody talking",
)
"""The header of the table of teams."""


def teams(scale: Scale) -> Iterator[ReportRow]:
    """Yield the win rates of `search` with and without talk on each side, over the same deals.

    A side with talk says what bots say and hears what all say; one without says and hears nothing.
    """
    sides = frozenset[Role](), frozenset({Role.MINER}), frozenset({Role.SABOTEUR}), frozenset(Role)
    for players in scale.players[1:]:
        silent: list[bool] = []
        for talking in sides:
            without = frozenset(Role) - talking
            pairing = Pairing(
                miners="search",
                saboteurs="search",
                playouts=scale.few_playouts,
                players=players,
                talker=own,
                deaf=without,
                mute=without,
            )
            won = [won for won, *_ in each(pairing.outcome, scale.talks, scale.jobs)]
            silent = silent or won
            yield (
                players,
                *("talk" if role in talking else "without" for role in Role),
                scale.few_playouts,
                scale.talks,
                percent(sum(won), scale.talks),
                gain(list(zip(silent, won, strict=True))),
            )


def words(scale: Scale) -> Iterator[ReportRow]:
    """Yield the share of true claims of each role, about goals it looked at and others' roles."""
    for talker in TALKERS:
        count: Counter[tuple[Role, str, bool]] = Counter()
        for result in each(partial(_words, talker), scale.rounds, scale.jobs):
            count += result
        for role, what in sorted({(role, what) for role, what, _ in count}):
            true, false = count[role, what, True], count[role, what, False]
            share = percent(true, true + false)
            yield talker, role.name.lower(), what, true + false, share


def _words(talker: str, number: int) -> Counter[tuple[Role, str, bool]]:
    """Count the claims of one round, for each seat and subject the last, as bots hear them."""
    states, talk = play_round(number, [Player("wary", Playouts(0), TALKERS[talker])] * 5)
    now = states[-1].round
    count: Counter[tuple[Role, str, bool]] = Counter()
    for (seat, goal), gold_told in talk.reports().items():
        if GOAL_CELLS[goal] in now.table.looks[seat]:
            what = "gold" if gold_told else "stone"
            is_gold = now.goals[goal] is Goal.TREASURE
            count[now.roles[seat], f"{what} at a goal looked at", gold_told == is_gold] += 1
    for (seat, of), vouched in talk.opinions().items():
        what = "is a miner" if vouched else "is a saboteur"
        true = vouched == (now.roles[of] is Role.MINER)
        count[now.roles[seat], f"another {what}", true] += 1
    return count
