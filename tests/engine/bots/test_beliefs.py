"""Suspicion is Bayes over the dwarves and the gold, of actions and of claims, and never certain."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import chain, islice
from math import exp
from random import Random

import pytest

from engine import Game, Round, View, sample_game
from engine.bots import Playouts, greedy
from engine.bots.beliefs import (
    MAX_LOG_ODDS_STEP,
    Beliefs,
    find_likely_gold,
    form_beliefs,
    infer_beliefs,
    infer_public_beliefs,
)
from engine.bots.evidence import ActionKind, observe
from engine.bots.hand_model import classify_cards, determinize, find_digging_cards, model_hands
from engine.bots.talk import MAX_LINES, SILENCE, Honesty, Line, Talk, TrackRecord
from engine.cards import CARDS, Card, Goal, Role, Tool
from engine.dealing import SABOTEURS
from engine.state import PLAYERS
from tests.engine.cases import read_talk, view_at, view_of


def doubts(events: str = "", roles: str = "m????+?") -> list[float]:
    """How far seat 1 suspects each seat after these events."""
    return list(infer_beliefs(observe(view_of(events, roles=roles))).saboteur)


def gold(events: str = "", goals: str = "?/?/?") -> tuple[float, ...]:
    """Where seat 1 thinks the gold to be."""
    return infer_beliefs(observe(view_of(events, goals=goals))).gold


def test_before_anything_is_done_all_others_are_suspected_alike() -> None:
    for players in PLAYERS:
        for role in Role:
            of = doubts(roles=role + "?" * (players - 1) + "+?")
            cards = SABOTEURS[players] - (role is Role.SABOTEUR)
            assert of[0] == (role is Role.SABOTEUR)
            assert of[1:] == pytest.approx([cards / players] * (players - 1))
    watched = infer_public_beliefs(observe(view_of()))
    assert watched.saboteur == pytest.approx([2 / 6] * 5)
    assert len(watched.hypotheses) == 3 * 15


MOST = 0.4 * exp(2 * MAX_LOG_ODDS_STEP) / (0.6 + 0.4 * exp(2 * MAX_LOG_ODDS_STEP))
"""How far one action raises suspicion at most, of a seat that is a saboteur by 0.4."""

MUCH = "Broke 2 P 1; Broke 3 P 1; " * 20 + "; ".join(f"Laid 4 EW {at}" for at in range(1, 7))


@pytest.mark.parametrize(
    ("events", "seat", "low", "high"),
    [
        ("Laid 2 e 1", 2, 0.5, MOST),
        ("Broke 2 P 1", 2, 0.5, MOST),
        ("Laid 2 EW 1", 2, 1 - MOST, 0.3),
        ("Collapsed 2 1 EW", 2, 0.5, MOST),
        ("Laid 2 EW 1; Collapsed 3 1 EW", 3, 0.5, 1),
        ("Laid 2 e 1; Collapsed 3 1 e", 3, 0, 0.4),
        ("Laid 2 e 1; Broke 3 P 2", 2, 0.5, 1),
        ("Broke 2 P 1; Repaired 3 +P 1 P", 3, 0, 0.35),
        *((MUCH, seat, low, high) for seat, low, high in ((2, 0.9, 1), (3, 0.9, 1), (4, 0, 0.1))),
    ],
    ids=range(11),
)
def test_somebody_who_harms_is_suspected_and_who_digs_trusted_and_nobody_is_certain(
    events: str, seat: int, low: float, high: float
) -> None:
    assert low < doubts(events)[seat - 1] < high


def test_what_is_done_to_whom_tells_of_both() -> None:
    broke = doubts("Laid 2 e 1; Broke 3 P 2")
    assert broke[2] < doubts("Laid 2 e 1; Broke 3 P 1")[2]
    assert broke[1] > doubts("Laid 2 e 1")[1]
    assert doubts("Passed 2")[1] > doubts("Broke 3 P 2; Passed 2")[1] - 0.2
    of = doubts("Laid 2 e 1; Broke 2 P 1; Broke 2 C 1", roles="m??+?")
    assert of[1] > 0.9
    assert of[2] < 0.1, "with every saboteur found out the others are cleared"


def test_what_a_seat_did_itself_tells_it_nothing() -> None:
    harm = "Broke 1 P 2; Laid 1 e 1"
    assert doubts(harm) == doubts()
    assert infer_public_beliefs(observe(view_of(harm))).saboteur[0] > 0.5


def test_somebody_who_has_to_wait_is_not_suspected_for_it() -> None:
    table = "- ?/?/? 1 -,-,P,-,- NE,6,6,6,6 40 m????+?"
    at_once, waited = (
        infer_public_beliefs(observe(view_at(table, f"Broke 2 P 3{waits}"))).saboteur[2]
        for waits in ("", "; Passed 3" * 5)
    )
    assert at_once == pytest.approx(waited)


def test_own_maps_decide_where_the_gold_may_be() -> None:
    assert gold() == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert gold(goals="?/(NE)/?") == pytest.approx((1 / 2, 0, 1 / 2))
    assert gold(goals="(NESW)/?/?") == pytest.approx((1, 0, 0))


def test_where_somebody_digs_who_has_looked_the_gold_is_thought_to_be() -> None:
    looked = "Laid 1 NESW 1; Looked 2 8n2"
    north, middle, south = gold(f"{looked}; Laid 2 NS 1n1")
    assert north > 0.5
    assert middle == pytest.approx(south)
    dug = observe(view_of(f"{looked}; Laid 2 NS 1n1"))
    assert find_likely_gold(infer_beliefs(dug)) == 1
    turned_away = ActionKind.TURNED_AWAY
    assert dug.actions[-1].kinds == (ActionKind.DUG, turned_away, turned_away)
    assert gold(f"{looked}; Laid 2 NS 1s1")[0] < 0.25


STORY = """
    Laid 1 EW 1         DUG
    Laid 2 NS 0n1       TURNED_AWAY
    Laid 3 e 2          BLOCKED
    Collapsed 4 2 e     CLEARED
    Laid 1 EW 2         DUG
    Laid 1 EW 3         DUG
    Laid 3 e -1         STRAYED
    Collapsed 4 1 EW    RUINED
    Passed 5            IDLED
    Broke 4 C 5         BROKE
    Passed 5            WAITED
    Repaired 5 +C 5 C   MENDED_OWN
    Passed 5            IDLED
    Broke 1 C 2         BROKE
    Repaired 5 +C 2 C   MENDED
    Looked 3 8          LOOKED
"""


def test_deeds_are_told_apart() -> None:
    story = [line.strip().rpartition(" ") for line in STORY.strip().splitlines()]
    events = "; ".join(event for event, *_ in story)
    seen = observe(view_of(f"TurnBegan 1; {events}; Revealed 8 NE")).actions
    assert [action.kinds[1].name for action in seen] == [kind for *_, kind in story]


def test_what_is_observed_then_is_what_would_have_been_observed_at_once(rng: Random) -> None:
    game = Game.new(5, seed=rng.randbytes(32))
    observed = observe(game.view(None))
    while game.round.table.end is None:
        game, _ = game.apply(rng.choice(game.round.legal_moves()))
        whole = observe(game.view(None))
        told = len(observed.view.history)
        observed = replace(observed.after(whole.view.history[told:]), view=whole.view)
        assert observed == whole


# What claims prove, and how far they are believed.

LOOKS = "Looked 2 8n2; Looked 3 8n2; Looked 4 8"


def infer_from(
    claims: str = "", goals: str = "?/?/?", record: TrackRecord | None = None
) -> Beliefs:
    """What seat 1 believes of the others, once three have looked and this was said."""
    talk = replace(read_talk(claims), records=() if record is None else (record,) * 5)
    return infer_beliefs(observe(view_of(LOOKS, goals=goals), talk))


DEAF = infer_from()


def test_what_somebody_saw_and_told_is_likelier_then() -> None:
    north = infer_from("2 gold 8n2").gold[0]
    assert north > DEAF.gold[0] + 0.1
    assert infer_from("2 stone 8n2").gold[0] < DEAF.gold[0] - 0.1
    assert infer_from("2 gold 8n2; 3 gold 8n2").gold[0] > north


@pytest.mark.parametrize("claim", ["5 gold 8n2", "2 gold 8s2"])
def test_somebody_who_tells_of_a_goal_unseen_is_not_listened_to(claim: str) -> None:
    assert infer_from(claim).gold == pytest.approx(DEAF.gold)


def test_a_lie_that_is_found_out_convicts_and_a_truth_absolves_a_little() -> None:
    lied, told, before = (
        infer_from(claim, goals="(NE)/?/?").saboteur[1]
        for claim in ("2 gold 8n2", "2 stone 8n2", "")
    )
    assert lied > before + 0.15
    assert before - 0.2 < told < before
    assert lied - before > before - told


def test_somebody_who_is_found_out_in_a_lie_is_hardly_believed_in_that_round() -> None:
    looked = f"{LOOKS}; Looked 2 8"

    def believe(claims: str) -> float:
        view = view_of(looked, goals="?/(NE)/?")
        return infer_beliefs(observe(view, read_talk(claims))).gold[0]

    assert believe("2 stone 8n2") < 0.35
    assert 0.4 < believe("2 gold 8; 2 stone 8n2") < believe("") == pytest.approx(0.5)


def test_of_two_who_contradict_each_other_one_lies_rather_who_tells_what_is_less_likely() -> None:
    both = infer_from("2 gold 8n2; 3 stone 8n2")
    assert sum(both.saboteur[1:3]) > sum(DEAF.saboteur[1:3]) + 0.1
    assert both.saboteur[1] > both.saboteur[2]
    assert both.gold[0] == pytest.approx(DEAF.gold[0], abs=0.1)


def test_accused_players_are_suspected_more_and_those_vouched_for_less() -> None:
    assert infer_from("2 saboteur 5").saboteur[4] > DEAF.saboteur[4]
    assert infer_from("2 bluff 5") == infer_from("2 saboteur 5")
    assert infer_from("2 miner 5").saboteur[4] < DEAF.saboteur[4]


def test_somebody_who_accuses_everybody_says_nothing() -> None:
    everybody = infer_from("2 saboteur 1; 2 saboteur 3; 2 saboteur 4; 2 saboteur 5")
    assert everybody.saboteur == pytest.approx(DEAF.saboteur)
    two = infer_from("2 saboteur 4; 2 saboteur 5").saboteur[4]
    assert DEAF.saboteur[4] < two < infer_from("2 saboteur 5").saboteur[4]


def test_requests_and_denials_and_what_one_says_oneself_are_no_evidence() -> None:
    heard = infer_from("2 help P; 3 me; 1 gold 8s2; 1 saboteur 5")
    assert heard.saboteur == pytest.approx(DEAF.saboteur)
    assert heard.gold == pytest.approx(DEAF.gold)


def test_somebody_who_keeps_what_was_seen_to_themselves_is_suspected_where_others_tell() -> None:
    view = view_of(f"{LOOKS}; Passed 3")
    beliefs = infer_beliefs(observe(view, read_talk("2 stone 8n2")))
    assert beliefs.saboteur[2] > beliefs.saboteur[4]
    assert infer_beliefs(observe(view, read_talk("5 me"))) == infer_beliefs(observe(view))


def test_saying_a_thing_again_adds_nothing_and_who_says_both_has_told_nothing() -> None:
    lines = [Line(1, f"line {number}", 40) for number in range(MAX_LINES + 5)]
    assert SILENCE.with_lines(lines[:3]).with_lines(lines[3:]).lines == tuple(lines[5:])
    claims = "2 gold 8n2; 2 saboteur 5"
    assert infer_from("; ".join([claims] * 30)) == infer_from(claims)
    assert infer_from("2 stone 8n2; 2 gold 8n2").gold == pytest.approx(DEAF.gold)
    assert infer_from("2 saboteur 5; 2 miner 5") == infer_from("2 miner 5")


def test_no_talk_decides_alone() -> None:
    claims = ("gold 8n2", "stone 8", "saboteur 5", "miner 2")
    heard = infer_from("; ".join(f"{seat} {claim}" for seat in range(2, 6) for claim in claims))
    assert all(0.02 < doubt < 0.98 for doubt in heard.saboteur[1:])
    assert all(0.01 < part < 0.99 for part in heard.gold)


def test_somebody_who_lied_as_a_miner_is_believed_less_from_round_to_round() -> None:
    gained = [
        infer_from("2 gold 8n2", record=TrackRecord(Honesty(0, lies))).gold[0] for lies in range(4)
    ]
    assert gained == sorted(gained, reverse=True)
    assert gained[0] > DEAF.gold[0] + 0.1
    assert gained[3] < DEAF.gold[0] + 0.05
    lied_as_saboteur = TrackRecord(saboteur=Honesty(0, 3))
    assert infer_from("2 gold 8n2", record=lied_as_saboteur).gold[0] == gained[0]


@pytest.mark.parametrize("role", ["m", "s"])
def test_miners_believe_what_was_said_and_saboteurs_do_not(role: str) -> None:
    line = f"EW@1/NESW@2 ?/?/? 1 -,-,-,-,- NS/EW/NE/NW,4,4,4,4 9 {role}????+?"
    view, talk = view_at(line, LOOKS), read_talk("2 gold 8n2; 3 saboteur 5")
    is_swayed = form_beliefs(observe(view, talk)) != form_beliefs(observe(view, Talk()))
    assert is_swayed == (role == "m")


EW, DEAD_END = Card.EW.index, Card.DEAD_NESW.index


# What others may hold, as far as what they did tells, and the rounds that `search` imagines.


def view_of_three(events: str, buried: tuple[int, ...] = (0, 0, 0)) -> View:
    """What seat 1 knows of three at a table at which nothing lies."""
    view = view_at("- ?/?/? 1 -,-,- NE,3,2 30 m??+?", events)
    return view._replace(table=view.table._replace(buried=buried))


USES = "EW DIG, NS LAY, nesw BLOCK, -L BREAK, +P MEND_OWN, +PC MEND_OWN, +C MEND, +L KEEP"


def test_what_a_card_could_be_used_for_depends_on_the_tools_and_the_tunnel() -> None:
    *_, last = observe(view_of_three("Broke 1 P 2; Broke 1 C 3; Laid 1 EW 1; Passed 2")).actions
    could = dict(zip(CARDS, classify_cards(last, find_digging_cards(last.board)), strict=True))
    for row in f"{USES}, R COLLAPSE, M LOOK".split(", "):
        card, use = row.split()
        assert could[Card.read(card)].name == use, card


def odds_of_tunnel(events: str) -> list[float]:
    """How likely each card of seat 2, a miner, is to be a tunnel, the newest first."""
    model = model_hands(observe(view_of_three(events)))[1][Role.MINER]
    return [odds[EW] for odds in model.hand]


def test_of_the_card_drawn_last_nothing_is_known_and_most_of_those_held_longest() -> None:
    new, *old = odds_of_tunnel("Passed 2; Drew 2")
    assert new == 1
    assert len(set(old)) == 1
    assert old[0] < 0.5
    twice_as_old = pytest.approx(old[0] ** 2)
    assert odds_of_tunnel("Passed 2; Drew 2; Passed 2; Drew 2") == [1, old[0], twice_as_old]
    assert odds_of_tunnel("Passed 2") == [old[0]] * 3


def test_what_is_thrown_away_is_what_its_side_needs_least() -> None:
    known = model_hands(observe(view_of_three("Passed 2; Broke 1 P 2; Passed 2", (0, 2, 0))))
    for role, least, most in ((Role.MINER, EW, DEAD_END), (Role.SABOTEUR, DEAD_END, EW)):
        sound, broken = known[1][role].passes
        assert sound[least] < 1 < sound[most]
        assert broken[least] < broken[most]
    assert known[2][Role.MINER].passes == []


@pytest.mark.parametrize("buried", [(0, 3, 1), (0, 1, 0), (0, 0, 0)])
def test_a_history_that_fits_no_table_is_borne(buried: tuple[int, ...], rng: Random) -> None:
    view = view_of_three("Drew 2; Passed 2; Drew 2; Passed 2", buried)
    known = model_hands(observe(view))
    assert [len(hand[Role.MINER].passes) for hand in known] == [*buried]
    (now,) = imagine_rounds(view, rng, 1)
    assert tuple(map(len, now.buried)) == buried
    assert tuple(map(len, now.hands)) == view.table.hands


# The rounds that are imagined.


def imagine_rounds(view: View, rng: Random, count: int) -> Iterator[Round]:
    """Rounds imagined by the seat of a view, this many."""
    observed = observe(view)
    return islice(determinize(observed, infer_beliefs(observed), rng), count)


def hidden_cards(now: Round) -> list[str]:
    """The cards that do not lie face up."""
    return [card.text for card in chain(now.pile, *now.hands, *now.buried)]


@pytest.mark.parametrize("players", [3, 6, 10])
def test_every_imagined_round_agrees_with_what_the_seat_knows(players: int, rng: Random) -> None:
    game = Game.new(players, seed=rng.randbytes(32))
    turn = 0
    while game.round.table.end is None:
        view, seat = game.view(game.to_act), game.to_act
        assert seat is not None
        for now in imagine_rounds(view, rng, 0 if turn % 7 else 4):
            assert now.table == view.table
            assert (now.roles[seat], now.hands[seat]) == (view.role, view.hand)
            assert (now.buried[seat], now.seen_by(seat)) == (view.buried, view.peeks)
            assert tuple(map(len, now.hands)) == view.table.hands
            assert set(now.goals) == set(Goal)
            assert sorted(hidden_cards(now)) == sorted(hidden_cards(sample_game(view, rng).round))
        game, _ = game.apply(greedy(view, rng, Playouts(0)))
        turn += 1


def test_dwarves_and_gold_lie_as_often_as_the_suspicion_has_it(rng: Random) -> None:
    view = view_at("- ?/(NE)/? 1 -,-,-,- NE,1,1,1 30 m???+?", "Broke 3 P 1; Broke 3 C 1")
    beliefs = infer_beliefs(observe(view))
    drawn = list(imagine_rounds(view, rng, 600))
    saboteurs = sum(now.roles[2] is Role.SABOTEUR for now in drawn)
    assert abs(saboteurs / 600 - beliefs.saboteur[2]) < 0.08
    assert {now.goals.index(Goal.TREASURE) for now in drawn} == {0, 2}


def share_of(view: View, seat: int, cards: Collection[Card], rng: Random) -> float:
    """The share of these cards in a seat's imagined hands."""
    drawn = [now.hands[seat] for now in imagine_rounds(view, rng, 1500)]
    return sum(card in cards for hand in drawn for card in hand) / sum(map(len, drawn))


DIGS = Card.EW, Card.NEW, Card.NESW
FOUR = "- ?/?/? 1 -,-,-,- NE,3,3,3 30 m???+?"
SPOILT = "- ?/?/? 1 -,-,L,- NE,3,3,3 30 s???+?"
THREE = "- ?/?/? 1 -,-,- NE,3,3 30 m??+?"
LOUD = "; ".join(f"Broke 2 {tool} 1" for tool in "PLCPLC")
BREAKS = [card for card in Card if card.breaks]


@pytest.mark.parametrize(
    ("line", "before", "after", "seat", "cards"),
    [
        (FOUR, "", "Passed 3", 2, DIGS),
        (SPOILT, "", "Broke 2 L 3; Passed 3", 2, [c for c in Card if Tool.LANTERN in c.repairs]),
        (THREE, LOUD, f"{LOUD}; Passed 2", 1, BREAKS),
    ],
)
def test_a_seat_is_seldom_thought_to_hold_what_it_would_have_played(  # noqa: PLR0913, PLR0917 - a row
    line: str, before: str, after: str, seat: int, cards: Collection[Card], rng: Random
) -> None:
    shares = [share_of(view_at(line, events), seat, cards, rng) for events in (before, after)]
    assert shares[1] < 0.8 * shares[0]


def test_with_an_empty_draw_pile_cards_are_thought_to_be_thrown_away_or_held(rng: Random) -> None:
    before, after = (view_at(FOUR.replace(" 30 ", " 0 "), events) for events in ("", "Passed 3"))
    view = after._replace(table=after.table._replace(buried=(0, 0, 1, 0)))
    assert share_of(view, 2, DIGS, rng) < 0.8 * share_of(before, 2, DIGS, rng)
    drawn = [now.buried[2][0] for now in imagine_rounds(view, rng, 400)]
    assert sum(card in DIGS for card in drawn) < 400 / 6, "by chance it is a fifth"
    dead_ends = sum(bool(card.ways) and not card.ways[0].through for card in drawn)
    assert dead_ends > 400 / 4
