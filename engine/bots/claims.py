"""Claims that bots make at the table, true or not as suits their side (T6).

Each is a pure function of a view and the talk so far, and returns a value. Other modules word and
send claims; `occasions` says when to make one.
"""

from __future__ import annotations

from typing import Final

from engine.actions import Broke, Collapsed, TurnEvent
from engine.board import GOAL_CELLS, Cell
from engine.bots.beliefs import MATE_PROBABILITY, infer_beliefs, infer_public_beliefs
from engine.bots.evidence import observe
from engine.bots.fast_board import find_possible_gold
from engine.bots.talk import (
    SILENCE,
    Bluff,
    Claim,
    DigsAgainstUs,
    DigsForUs,
    GoldAt,
    HelpMe,
    StoneAt,
    Talk,
    WhoMe,
)
from engine.bots.temper import USUAL_TEMPER, Temper
from engine.cards import Goal, Role, Tool
from engine.events import Laid
from engine.state import check_seat
from engine.view import View

ACCUSE_PROBABILITY: Final = 0.6
"""Accuse a player whose saboteur probability is above this."""

REPENT_PROBABILITY: Final = 0.4
"""Take an accusation back once the saboteur probability of the accused is below this."""

MIN_HARMS: Final = 2
"""Harms that a seat has done in a round before a bot may accuse it unprompted."""

MAX_CLAIMS_PER_ROUND: Final = 6
"""Maximum number of claims that a bot makes in a round."""


def is_worth_saying(view: View, claim: Claim, talk: Talk = SILENCE) -> bool:
    """Return True if a bot has not made this claim in the round, nor called that seat a liar."""
    said = _list_own_claims(view, talk)
    return claim not in said and not (isinstance(claim, DigsForUs) and Bluff(claim.seat) in said)


def has_said_enough(view: View, talk: Talk, temper: Temper) -> bool:
    """Return True if a bot makes no more claims in this round except reports and answers."""
    return len(_list_own_claims(view, talk)) >= temper.words


def _list_own_claims(view: View, talk: Talk) -> list[Claim]:
    return [statement.claim for statement in talk.said if statement.seat == view.seat]


def claim_after_map(view: View, cell: Cell, talk: Talk = SILENCE) -> Claim | None:
    """Return a bot's claim about a goal that it has looked at, or None if it has not.

    A miner tells the truth. A saboteur says what is least likely to give it, its mates or the
    treasure away.
    """
    goal = GOAL_CELLS.index(cell)
    seen = view.peeks[goal]
    if seen is None:
        return None
    says_gold = seen is Goal.TREASURE
    if view.role is Role.SABOTEUR:
        says_gold = _choose_report(view, goal, talk)
    return GoldAt(cell) if says_gold else StoneAt(cell)


def _choose_report(view: View, goal: int, talk: Talk) -> bool:
    """Return what a saboteur calls a goal that it has seen: True for the treasure, False for stone.

    It never contradicts its own word or a goal that is turned up, nor everybody who has looked and
    spoken: if these lied, they are its mates. If somebody has looked and kept silent, it tells the
    truth, as they may still do. If nobody has looked, it calls the treasure a stone, and a stone a
    stone, so that it is believed, unless that would leave a single goal for the treasure.
    """
    is_gold, looks = view.peeks[goal] is Goal.TREASURE, view.table.looks
    own, answers = _list_known_goals(view, talk), set[bool]()
    for (seat, of), gold in talk.reports().items():
        if seat != view.seat and GOAL_CELLS[of] in looks[seat] and (of == goal or gold):
            answers.add(gold and of == goal)  # gold elsewhere makes this one a stone
    if goal in own:
        return own[goal]
    if True in own.values():
        return False
    if len(own) == len(GOAL_CELLS) - 1:
        return True
    if len(answers) == 1:
        return answers.pop()
    if any(GOAL_CELLS[goal] in seen for seat, seen in enumerate(looks) if seat != view.seat):
        return is_gold
    return Goal.TREASURE not in view.peeks and len(find_possible_gold(view)) == 1


def claim_when_contradicted(view: View, by: int, talk: Talk = SILENCE) -> Claim | None:
    """Return a bot's claim that the seat `by` lied about a goal, or `None`.

    A miner calls it a lie if it contradicts what it has seen, a saboteur if it contradicts its own
    claims. A saboteur never accuses a seat that it takes for its mate. Raises `ValueError` if there
    is no such seat.
    """
    check_seat(by, view.table.players)
    if by == view.seat or (view.role is Role.SABOTEUR and _find_mates(view, talk)[by]):
        return None
    known = _list_known_goals(view, talk)
    for (seat, goal), gold in talk.reports().items():
        elsewhere = gold and any(is_gold and of != goal for of, is_gold in known.items())
        if seat == by and (elsewhere or known.get(goal, gold) is not gold):
            return Bluff(by)
    return None


def _list_known_goals(view: View, talk: Talk) -> dict[int, bool]:
    """Return whether each goal is the treasure, as far as a bot is bound to say so.

    A miner is bound by what it has seen, a saboteur by its own word; both by what all can see.
    """
    known, is_saboteur = dict[int, bool](), view.role is Role.SABOTEUR
    if is_saboteur:
        reports = talk.reports().items()
        known = {goal: gold for (seat, goal), gold in reports if seat == view.seat}
    for goal, cell in enumerate(GOAL_CELLS):
        face = view.goal_on(cell)
        if face is not None and (cell in view.table.board.cards or not is_saboteur):
            known[goal] = face is Goal.TREASURE
    return known


def claim_when_blamed(
    view: View, by: int, talk: Talk = SILENCE, temper: Temper = USUAL_TEMPER
) -> Claim:
    """Return a bot's answer to the seat `by` that called it a saboteur.

    A miner accuses the seat it suspects most. A saboteur accuses the other seat that everybody
    suspects most, because that may be believed, but none that it takes for its mate. If nobody is
    suspected enough, or that has been said, both deny. Raises `ValueError` if there is no such
    seat.
    """
    check_seat(by, view.table.players)
    others = [seat for seat in range(view.table.players) if seat != view.seat]
    most = _find_accused(view, others, talk, temper)
    if most is None or DigsAgainstUs(most) in _list_own_claims(view, talk):
        return WhoMe()
    return DigsAgainstUs(most)


def claim_when_harmed(
    view: View, by: int, talk: Talk = SILENCE, temper: Temper = USUAL_TEMPER
) -> Claim | None:
    """Return a bot's accusation of the seat `by`, which did harm, or None if it is not suspected.

    A saboteur accuses none that it takes for its mate. Raises `ValueError` if there is no such
    seat.
    """
    check_seat(by, view.table.players)
    accused = None if by == view.seat else _find_accused(view, [by], talk, temper)
    return None if accused is None else DigsAgainstUs(accused)


def claim_when_helped(view: View, by: int, talk: Talk = SILENCE) -> Claim | None:
    """Return a bot's thanks to the seat `by` for a repair, or None if it is suspected.

    Raises `ValueError` if there is no such seat.
    """
    check_seat(by, view.table.players)
    return DigsForUs(by) if _find_doubts(view, talk)[by] <= ACCUSE_PROBABILITY else None


def claim_when_redeemed(view: View, accused: int, talk: Talk = SILENCE) -> Claim | None:
    """Return what a bot says about a seat that it had accused, and that has helped another since.

    It takes the accusation back, or says nothing (None) if it still suspects the seat. Raises
    `ValueError` if there is no such seat.
    """
    check_seat(accused, view.table.players)
    return DigsForUs(accused) if _find_doubts(view, talk)[accused] < REPENT_PROBABILITY else None


def find_harm_doer(event: object) -> int | None:
    """Return the seat that broke a tool, laid a dead end or brought down a tunnel, if any did."""
    match event:
        case Broke(seat):
            return seat
        case Laid(seat, path) if not path.through:
            return seat
        case Collapsed(seat, _, path) if path.through:
            return seat
        case _:
            return None


def _find_accused(view: View, seats: list[int], talk: Talk, temper: Temper) -> int | None:
    """Return which of these seats a bot would call a saboteur, or None if there is none.

    A seat that it has vouched for, and that has done no harm since, is not accused.
    """
    doubts, least = _find_doubts(view, talk), ACCUSE_PROBABILITY
    if view.role is Role.SABOTEUR:
        mates, least = _find_mates(view, talk), temper.frame
        seats = [seat for seat in seats if not mates[seat]]
    trusted = _find_trusted(view, talk)
    most = max(
        (seat for seat in seats if seat not in trusted), key=doubts.__getitem__, default=None
    )
    return None if most is None or doubts[most] <= least else most


def _find_trusted(view: View, talk: Talk) -> frozenset[int]:
    """Return the seats that a bot has vouched for in the round and that have done no harm since."""
    vouched = {
        statement.claim.seat: statement.unplayed
        for statement in talk.said
        if statement.seat == view.seat and isinstance(statement.claim, DigsForUs)
    }
    unplayed = view.table.unplayed
    for event in reversed(view.history):
        if isinstance(event, TurnEvent):
            doer = find_harm_doer(event)
            if doer is not None and unplayed < vouched.get(doer, 0):
                del vouched[doer]
            # Going back, one card more was unplayed at each turn. Harm that was done with more of
            # them left than when the bot vouched was done before that.
            unplayed += 1
    return frozenset(vouched)


def _find_mates(view: View, talk: Talk) -> list[bool]:
    """Return for each seat whether a saboteur takes it for its mate."""
    doubts = infer_beliefs(observe(view, talk)).saboteur
    return [doubt >= MATE_PROBABILITY for doubt in doubts]


def _find_doubts(view: View, talk: Talk) -> tuple[float, ...]:
    """Return each seat's saboteur probability that a bot's claims go by.

    A miner's claims follow its own beliefs; a saboteur's follow those of the table, because such
    claims may be believed.
    """
    observed = observe(view, talk)
    if view.role is Role.SABOTEUR:
        return infer_public_beliefs(observed).saboteur
    return infer_beliefs(observed).saboteur


def claim_when_broken(view: View) -> Claim | None:
    """Return a bot's request to repair the tool that was broken last.

    It is None if that tool is sound, or if the bot holds a card that repairs it.
    """
    if view.seat is None:
        return None
    broken = Tool.within(view.table.broken[view.seat])
    last = (
        event.tool
        for event in reversed(view.history)
        if isinstance(event, Broke) and event.target == view.seat
    )
    tool = next(last, broken[0] if broken else None)
    if tool not in broken or any(tool in card.repairs for card in view.hand):
        return None
    return HelpMe(tool)
