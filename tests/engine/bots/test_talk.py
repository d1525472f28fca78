"""What bots say suits their side and has deeds for reasons; they listen, and liars gain nothing."""

from dataclasses import replace
from random import Random
from typing import cast

import pytest

from benchmarks.arena.players import TALKERS, DeafPlayer
from engine import INTERNATIONAL, Game, Goal, Move, Role, Tool, View, deal
from engine.actions import TurnEvent
from engine.board import GOAL_CELLS
from engine.bots import BOTS, Bot, Budget, Playouts, SpokenMove, claims, greedy, search, wary
from engine.bots.actions import AGAINST, IN_FAVOUR, find_deed, observe
from engine.bots.bot import MAX_CLAIMS_PER_MOVE, BadReply, call_bot, hearing, listens
from engine.bots.talk import (
    SILENCE,
    Claim,
    DigsAgainstUs,
    DigsForUs,
    GoldAt,
    HelpMe,
    Honesty,
    Statement,
    StoneAt,
    Talk,
    TrackRecord,
    WhoMe,
)
from engine.notation.record import format_claim
from sabtui.kit.arena import Player, play_round
from tests.engine.cases import read_events, read_talk, view_at, view_of

NORTH, MIDDLE, SOUTH = GOAL_CELLS


def spell(*said: Claim | None) -> str:
    """Spell claims; "" is nothing."""
    return "; ".join(format_claim(claim) for claim in said if claim)


def view(role: str, events: str = "", goals: str = "?/?/?", broken: str = "") -> View:
    """What seat 1, who has this dwarf, knows at a table of three."""
    return view_of(events, roles=f"{role}??+?", goals=goals, broken=broken)


@pytest.mark.parametrize(
    ("role", "goals", "claim"),
    [
        ("m", "(NESW)/(NE)/?", "gold 8n2"),
        ("s", "(NESW)/?/?", "stone 8n2"),
        ("s", "(NE)/?/?", "stone 8n2"),
        ("m", "?/(NE)/(NESW)", ""),
    ],
)
def test_miners_tell_what_they_saw_and_saboteurs_lie_about_the_treasure(
    role: str, goals: str, claim: str
) -> None:
    assert spell(claims.claim_after_map(view(role, goals=goals), NORTH)) == claim


def test_saboteurs_tell_the_truth_where_somebody_finds_them_out() -> None:
    (looked,) = read_events("Looked 2 8n2")
    witnessed = view("s", goals="(NESW)/?/?").after(looked)
    assert spell(claims.claim_after_map(witnessed, NORTH)) == "gold 8n2"


def test_a_saboteur_calls_a_stone_the_treasure_only_if_the_truth_would_give_the_treasure_away() -> (
    None
):
    def tell(view: View) -> str:
        return spell(claims.claim_after_map(view, MIDDLE))

    two_stones = view("s", goals="(NE)/(NW)/?")
    assert tell(two_stones) == "gold 8"
    assert tell(view("m", goals="(NE)/(NW)/?")) == "stone 8"
    (witnessed,) = read_events("Looked 2 8")
    assert tell(two_stones.after(witnessed)) == "stone 8"
    assert tell(view("s", goals="(NESW)/(NE)/?")) == "stone 8", "it has lied before"


HARM = "Broke {0} P 2; Laid {0} e 1; Broke {0} C 2"
"""What a seat may do to be known for a saboteur."""


@pytest.mark.parametrize(
    ("role", "events", "claim"),
    [
        ("m", HARM.format(3), "saboteur 3"),
        ("m", "Laid 1 EW 1; Laid 1 EW 2; Laid 1 EW 3", "me"),
        ("m", "", "me"),
        ("s", HARM.format(1), "me"),
        ("s", HARM.format(3), "saboteur 3"),
    ],
)
def test_who_is_blamed_names_whom_all_suspect_but_never_themselves(
    role: str, events: str, claim: str
) -> None:
    assert spell(claims.claim_when_blamed(view(role, events), by=1)) == claim


def test_whose_tool_is_broken_asks_for_help() -> None:
    assert spell(claims.claim_when_broken(view("m", broken="LC,-,-"))) == "help L"
    assert spell(claims.claim_when_broken(view("s", broken="-,P,-"))) == ""


def test_a_bot_accuses_of_its_own_accord_whom_it_takes_for_a_saboteur_alone() -> None:
    harmed = "Broke 2 P 3; Laid 2 e 1; Broke 2 C 3"
    for role in "ms":
        accused = [spell(claims.claim_when_harmed(view(role, harmed), seat)) for seat in range(3)]
        assert accused == ["", "saboteur 2", ""], "nobody accuses themselves"


@pytest.mark.parametrize(
    ("event", "doer"),
    [
        ("Broke 2 P 3", 1),
        ("Laid 3 e 3", 2),
        ("Laid 3 EW 3", None),
        ("Collapsed 1 3 EW", 0),
        ("Collapsed 1 3 e", None),
        ("Passed 2", None),
    ],
)
def test_harm_is_a_broken_tool_a_dead_end_or_a_tunnel_brought_down(
    event: str, doer: int | None
) -> None:
    (happened,) = read_events(event)
    assert claims.harm_doer(happened) == doer


def test_a_bot_thanks_for_a_repair_unless_a_saboteur_made_it() -> None:
    assert spell(claims.claim_when_helped(view("m"), 1)) == "miner 2"
    assert claims.claim_when_helped(view("m", "Broke 2 P 3; Laid 2 e 1; Broke 2 C 3"), 1) is None


def test_a_bot_changes_its_mind_only_when_it_believes_the_other_side() -> None:
    mended, broke = "Repaired 2 +C 1 C; Repaired 2 +C 1 C", "Broke 2 P 3; Broke 2 P 3"
    assert spell(claims.claim_when_redeemed(view("m", mended), 1)) == "miner 2"
    assert claims.claim_when_redeemed(view("m", broke), 1) is None


# Deeds that speak against a player, or for one: the reasons that bots give.


def play_randomly(seed: int, moves: int) -> View:
    """Return what everybody knows of a round of five after this many moves by chance."""
    chance = Random(seed)
    game, _events = Game.begin(deal(bytes([seed]) * 32, 1, 5))
    for _move in range(moves):
        if legal := game.legal_moves():
            game, _events = game.apply(chance.choice(sorted(legal, key=str)))
    return game.view(None)


@pytest.mark.parametrize("seed", range(6))
def test_the_last_deed_of_the_worst_kind_is_found(seed: int) -> None:
    seen = play_randomly(seed, 45)
    events = [event for event in seen.history if isinstance(event, TurnEvent)]
    actions = list(zip(events, observe(seen).actions, strict=False))
    for seat in range(5):
        for kinds in (AGAINST, IN_FAVOUR):
            there = {
                action.kinds[0]: event
                for event, action in actions
                if action.seat == seat and len(set(action.kinds)) == 1
            }
            worst = next((kind for kind in kinds if kind in there), None)
            found = find_deed(seen, seat, kinds)
            assert (found is None) is (worst is None)
            if found is not None:
                assert (found.kind, found.event) == (worst, there[found.kind])
                assert found.event.seat == seat


def test_what_was_done_after_a_claim_is_no_reason_for_it() -> None:
    seen = play_randomly(1, 45)
    events = [event for event in seen.history if isinstance(event, TurnEvent)]
    for seat in range(5):
        found = find_deed(seen, seat, AGAINST)
        assert found is not None, "who plays by chance does harm"
        assert found.ways == len({cell for cell, _ in found.board.openings})
        earlier = find_deed(seen, seat, AGAINST, seen.table.unplayed + 40)
        assert earlier is None or earlier.event in events[: len(events) - 40]
        assert find_deed(seen, seat, AGAINST, seen.table.unplayed) == found


# Bots that listen, and liars.


def test_records_come_from_what_the_end_of_a_round_proves() -> None:
    sides = {role: Player("greedy", Playouts(0)) for role in Role}
    rounds = (play_round(number, 5, INTERNATIONAL, sides)[0][-1].round for number in range(20))
    now = next(round_ for round_ in rounds if any(round_.table.looks))
    table, seat = now.table, next(seat for seat in range(5) if now.table.looks[seat])
    assert table.end is not None
    cell = min(table.looks[seat])
    gold = now.goals[GOAL_CELLS.index(cell)] is Goal.TREASURE
    truth, lie = (GoldAt, StoneAt) if gold else (StoneAt, GoldAt)
    unseen = next(cell for cell in GOAL_CELLS if cell not in table.looks[seat])
    talk = SILENCE.after([Statement(seat, claim, 30) for claim in (truth(cell), GoldAt(unseen))])
    later = talk.after_round(table)
    true = Honesty(1, 0)
    is_miner = table.end.roles[seat] is Role.MINER
    own = TrackRecord(true) if is_miner else TrackRecord(saboteur=true)
    assert later.said == ()
    assert later.records == tuple(own if number == seat else TrackRecord() for number in range(5))
    lies = later.after([Statement(seat, lie(cell), 30)]).after_round(table)
    assert sum(sum(honesty.false for honesty in record) for record in lies.records) == 1
    roles = tuple(Role.SABOTEUR if role is Role.MINER else Role.MINER for role in table.end.roles)
    swapped = talk.after_round(table._replace(end=replace(table.end, roles=roles)))
    assert swapped.records[seat] == TrackRecord(*reversed(own))


def test_bots_that_listen_say_so_by_a_parameter_and_others_are_left_alone() -> None:
    listening = {name for name, bot in BOTS.items() if listens(bot)}
    assert listening == {"wary", "search", "medium", "hard"}
    assert hearing(greedy, SILENCE) is greedy
    line = "- ?/?/? 1 -,-,-,-,- NS/NE,1,1,1,1 9 m????+?"
    knows = view_at(line, "Looked 2 8n2; Looked 3 8n2")
    for bot in (wary, search):
        heard = hearing(bot, read_talk("2 gold 8n2; 3 gold 8n2"))
        assert knows.why_not(heard(knows, Random(1), Playouts(12))) is None


def test_deaf_players_play_the_same_beside_any_talk() -> None:
    rounds = []
    for name in ("silent", "own", "flooder"):
        deaf = DeafPlayer("wary", Playouts(0), TALKERS[name])
        rounds.append(play_round(2, 4, INTERNATIONAL, dict.fromkeys(Role, deaf)))
    assert rounds[0][0] == rounds[1][0] == rounds[2][0]
    assert rounds[0][1] == SILENCE


def test_talkers_who_mean_ill_say_the_opposite_or_what_others_say_or_everything(
    rng: Random,
) -> None:
    stone, gold = (view_of(goals=f"({goal})/?/?") for goal in ("NE", "NESW"))
    look, helped = read_events("Looked 1 8n2; Repaired 2 +P 1 P")
    blame = Statement(1, DigsAgainstUs(0), 40)

    def says(name: str, view: View, cause: object, talk: Talk = SILENCE) -> str:
        return spell(*TALKERS[name](view, cast("Statement", cause), talk, rng))

    assert says("own", stone, look) == says("liar", gold, look) == "stone 8n2"
    assert says("liar", stone, look) == "gold 8n2"
    assert says("liar", stone, blame) == "me"
    loud = view_of("Broke 3 P 1; Broke 3 C 1; Broke 3 L 2")
    assert says("liar", loud, blame) == "miner 3"
    assert says("own", stone, helped) == "miner 2"
    assert says("liar", stone, helped) == "saboteur 2"
    heard = read_talk("3 gold 8s2")
    assert says("parrot", stone, look, heard) == "gold 8n2"
    assert says("parrot", stone, look) in {"gold 8n2", "stone 8n2"}
    assert says("parrot", stone, blame, heard) == "saboteur 1"
    assert says("parrot", stone, blame, read_talk("3 gold 8s2; 1 saboteur 1")) == ""
    assert says("flooder", stone, look).count(";") == 3 * 2 + 4 * 2 - 1
    assert says("flooder", stone, blame) == ""


# A bot returns a move, or a move and what it says with it.

VIEW = Game.begin(deal(bytes(32), 1, 5), youngest=2)[0].view(2)
MOVE = VIEW.legal_moves()[0]


def call(found: object) -> Move | SpokenMove:
    """Ask a bot that returns this, whatever it is asked."""

    def bot(_view: View, _rng: Random, _budget: Budget) -> Move:
        return cast("Move", found)

    return call_bot(cast("Bot", bot), VIEW, Random(1), Playouts(0))


def test_a_turn_keeps_its_words_but_no_more_claims_than_are_heard_and_nothing_else() -> None:
    assert call(MOVE) is MOVE
    assert isinstance(call_bot(greedy, VIEW, Random(1), Playouts(0)), Move)
    three = (WhoMe(), DigsForUs(1), HelpMe(Tool.CART))
    assert call(SpokenMove(MOVE, three[:1], "I dig.")) == SpokenMove(MOVE, three[:1], "I dig.")
    assert call(SpokenMove(MOVE, three)) == SpokenMove(MOVE, three[:MAX_CLAIMS_PER_MOVE])
    no_claim = cast("tuple[WhoMe]", ("gold", WhoMe()))
    assert call(SpokenMove(MOVE, no_claim)) == SpokenMove(MOVE, (WhoMe(),))


@pytest.mark.parametrize(
    ("found", "why"),
    [
        ("any card will do", "no move"),
        (None, "no move"),
        (SpokenMove(cast("Move", "R")), "no move"),
        (SpokenMove(MOVE, text=cast("str", 5)), "its claims are no tuple"),
        (SpokenMove(MOVE, cast("tuple[WhoMe]", 5)), "its claims are no tuple"),
    ],
)
def test_anything_else_is_told_without_what_it_was(found: object, why: str) -> None:
    with pytest.raises(BadReply, match=why):
        call(found)
