"""Bots say what suits their side, for reasons in actions; they listen, and liars gain nothing."""

from dataclasses import replace
from functools import reduce
from random import Random
from typing import cast

import pytest

from engine import Game, Goal, Move, Role, Tool, View, deal
from engine.actions import TurnEvent
from engine.board import GOAL_CELLS, Cell
from engine.bots import BOTS, Bot, Budget, Playouts, SpokenMove, claims, greedy, search, wary
from engine.bots.beliefs import (
    MATE_PROBABILITY,
    form_beliefs,
    infer_beliefs,
    infer_public_beliefs,
    rank_moves,
)
from engine.bots.bot import (
    MAX_CLAIMS_PER_MOVE,
    NO_CLAIM,
    NO_LIST,
    NO_TEXT,
    BadReply,
    bind_talk,
    call_bot,
    listens,
)
from engine.bots.evaluation import GIVEAWAY_VALUE, SPARED_GOLD
from engine.bots.evidence import AGAINST, IN_FAVOUR, find_action, observe
from engine.bots.searching import _find_feared_gold
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
    TrackRecord,
    WhoMe,
)
from engine.bots.temper import USUAL_TEMPER, draw_temper
from engine.notation.record import format_claim
from sabtui.kit.arena import Player, play_round
from tests.engine import cases
from tests.engine.cases import read_events, read_talk, view_at, view_of

NORTH, MIDDLE, SOUTH = GOAL_CELLS


def spell(*said: Claim | None) -> str:
    """Spell claims; "" is nothing."""
    return "; ".join(format_claim(claim) for claim in said if claim)


def view(role: str, events: str = "", goals: str = "?/?/?", broken: str = "") -> View:
    """What seat 1, who has this dwarf, knows at a table of three."""
    return view_of(events, roles=f"{role}??+?", goals=goals, broken=broken)


@pytest.mark.parametrize(
    ("role", "goals", "looked", "cell", "claim"),
    [
        ("m", "(NESW)/(NE)/?", "", NORTH, "gold 8n2"),
        ("s", "(NESW)/?/?", "", NORTH, "stone 8n2"),
        ("s", "(NE)/?/?", "", NORTH, "stone 8n2"),
        ("m", "?/(NE)/(NESW)", "", NORTH, ""),
        ("m", "(NE)/(NW)/?", "", MIDDLE, "stone 8"),
        ("s", "(NESW)/?/?", "Looked 2 8n2", NORTH, "gold 8n2"),
        ("s", "(NE)/(NW)/?", "Looked 2 8", MIDDLE, "stone 8"),
        ("s", "(NE)/(NW)/?", "", MIDDLE, "gold 8"),  # the truth would give the treasure away
        ("s", "(NESW)/(NE)/?", "", MIDDLE, "stone 8"),  # it has lied before
    ],
)
def test_miners_tell_what_they_saw_and_saboteurs_lie_unless_somebody_finds_them_out(
    role: str, goals: str, looked: str, cell: Cell, claim: str
) -> None:
    knows = reduce(View.after, read_events(looked), view(role, goals=goals))
    assert spell(claims.claim_after_map(knows, cell)) == claim


@pytest.mark.parametrize(
    ("goals", "said", "cell", "claim"),
    [
        ("?/(NESW)/?", "2 stone 8", MIDDLE, "stone 8"),
        ("?/(NESW)/?", "2 stone 8; 3 gold 8", MIDDLE, "gold 8"),
        ("?/(NE)/?", "2 gold 8", MIDDLE, "gold 8"),
        ("?/(NESW)/?", "", MIDDLE, "gold 8"),  # who looked may yet tell
        ("(NE)/(NESW)/?", "1 gold 8n2; 3 gold 8", MIDDLE, "stone 8"),
        ("(NESW)/(NE)/(NW)", "1 stone 8n2; 1 stone 8", SOUTH, "gold 8s2"),
        ("?/(NESW)/?", "1 stone 8; 2 gold 8", MIDDLE, "stone 8"),
        ("?/(NESW)/?", "2 gold 8n2", MIDDLE, "stone 8"),  # its mate has put the gold elsewhere
        ("?/(NESW)/?", "2 stone 8n2", MIDDLE, "gold 8"),  # which says nothing of this goal
        ("(NE)/(NESW)/?", "1 stone 8n2", MIDDLE, "gold 8"),
    ],
)
def test_a_saboteur_keeps_its_mates_lie_and_its_own_word(
    goals: str, said: str, cell: Cell, claim: str
) -> None:
    looked = read_events("Looked 2 8; Looked 3 8; Looked 2 8n2")
    knows = reduce(View.after, looked, view("s", goals=goals))
    assert spell(claims.claim_after_map(knows, cell, read_talk(said))) == claim


def test_a_saboteur_that_put_the_gold_on_one_goal_puts_it_on_no_other() -> None:
    """From play: `gold 8s2` in one turn, and `gold 8` twelve turns later."""
    line = (
        "ew@0s3/ESW@1n1/NESW@1/NS@1s1/NES@1s2/NSW@1s3/SW@2n1/NESW@2/EW@3/SW@4/NE@4s1/ES@5/NSW@5s1/"
        "EW@6/ESW@7n1/NW@7/EW@8n1/SW@9n2/NSW@9n1/NS@9 ES/(NESW)/(NE) 1 -,-,-,-,PL,- "
        "NS/NESW/NESW/M,4,4,4,4,3 0 s?????+?"
    )
    assert (
        spell(claims.claim_after_map(view_at(line), MIDDLE, read_talk("1 gold 8s2"))) == "stone 8"
    )


@pytest.mark.parametrize(
    ("goals", "said", "cell", "claim"),
    [
        ("?/NE/(NESW)", "1 stone 8n2", SOUTH, "gold 8s2"),
        ("?/NE/(NW)", "1 gold 8n2", SOUTH, "stone 8s2"),
        ("?/NE/?", "1 gold 8; 2 gold 8", MIDDLE, "stone 8"),
    ],
)
def test_a_saboteur_says_nothing_that_all_can_see_is_false(
    goals: str, said: str, cell: Cell, claim: str
) -> None:
    line = f"EW@1/EW@2/EW@3/NEW@4/NEW@5/NEW@6/NEW@7 {goals} 1 -,-,- NE,1,1 9 s??+?"
    knows = view_at(line, "Looked 2 8")
    knows = knows._replace(peeks=(knows.peeks[0], Goal.STONE_NE, knows.peeks[2]))
    assert spell(claims.claim_after_map(knows, cell, read_talk(said))) == claim


@pytest.mark.parametrize("role", ["m", "s"])
def test_somebody_who_says_the_contrary_is_called_a_liar(role: str) -> None:
    knows = view(role, goals="?/(NESW)/?")
    talk = read_talk("1 gold 8; 2 stone 8; 3 gold 8")
    called = [spell(claims.claim_when_contradicted(knows, seat, talk)) for seat in range(3)]
    assert called == ["", "bluff 2", ""]
    elsewhere = read_talk("1 gold 8; 2 gold 8n2; 3 stone 8n2")
    called = [spell(claims.claim_when_contradicted(knows, seat, elsewhere)) for seat in range(3)]
    assert called == ["", "bluff 2", ""]
    # A miner stands to what it has seen, a saboteur to what it has said.
    called_unsaid = claims.claim_when_contradicted(knows, 1, read_talk("2 stone 8"))
    assert spell(called_unsaid) == ("bluff 2" if role == "m" else "")


@pytest.mark.parametrize("role", ["m", "s"])
def test_a_goal_that_is_turned_up_shows_all_who_lied(role: str) -> None:
    line = f"EW@1/EW@2/EW@3/NEW@4/NEW@5/NEW@6/NEW@7 ?/NE/? 1 -,-,- NE,1,1 9 {role}??+?"
    knows = view_at(line, "Looked 2 8")
    said = read_talk("2 gold 8; 3 gold 8n2")
    assert said.find_liars(MIDDLE, is_gold=False) == [1]
    told = [spell(claims.claim_when_contradicted(knows, seat, said)) for seat in (1, 2)]
    assert told == ["bluff 2", ""]


def test_a_saboteur_contradicts_and_accuses_no_mate() -> None:
    mate = "Broke 2 P 3; Laid 2 e 1; Broke 2 C 3; Broke 2 L 3"
    knows = view_of(f"{mate}; Looked 1 8; Looked 2 8", roles="s????+?", goals="?/(NESW)/?")
    assert claims.claim_when_contradicted(knows, 1, read_talk("1 gold 8; 2 stone 8")) is None
    assert claims.claim_when_harmed(knows, 1) is None
    assert claims.claim_when_blamed(knows, 2) != DigsAgainstUs(1)


def test_a_saboteur_frames_whom_the_table_suspects_most_of_those_it_takes_for_miners() -> None:
    knows = view_of("Broke 2 P 3; Laid 2 e 1; Broke 2 C 3; Broke 3 P 4", roles="s????+?")
    suspected = infer_public_beliefs(observe(knows)).saboteur
    assert sorted(range(1, 5), key=suspected.__getitem__, reverse=True) == [1, 3, 2, 4]
    own = infer_beliefs(observe(knows)).saboteur
    assert [seat + 1 for seat in range(1, 5) if own[seat] >= MATE_PROBABILITY] == [2, 3]
    assert spell(claims.claim_when_blamed(knows, 1)) == "saboteur 4"
    assert claims.claim_when_harmed(knows, 2) is None


def test_nobody_accuses_whom_it_has_vouched_for_and_who_has_done_no_harm_since() -> None:
    harm = "Broke 3 P 1; TurnBegan 3; Laid 3 e 1; Broke 3 C 1"
    knows = view_of(harm, roles="m????+?")
    late, early = (
        SILENCE.after([Statement(0, DigsForUs(2), knows.table.unplayed + played)])
        for played in (0, 9)
    )
    assert spell(claims.claim_when_harmed(knows, 2)) == "saboteur 3"
    assert spell(claims.claim_when_harmed(knows, 2, early)) == "saboteur 3", "it has since"
    assert claims.claim_when_harmed(knows, 2, late) is None
    assert claims.claim_when_blamed(knows, 2, late) == WhoMe()


def test_bots_of_one_level_are_several_people_drawn_from_the_seed() -> None:
    tempers = [draw_temper(bytes(32), seat) for seat in range(10)]
    assert tempers == [draw_temper(bytes(32), seat) for seat in range(10)]
    assert tempers[0] != draw_temper(bytes([1]) * 32, 0)
    for values in zip(*tempers, strict=True):
        assert len(set(values)) > 2
    said = read_talk("1 me; 1 miner 2")
    quiet, chatty = (USUAL_TEMPER._replace(words=words) for words in (2, 3))
    assert claims.has_said_enough(view("m"), said, quiet)
    assert not claims.has_said_enough(view("m"), said, chatty)
    knows = view_of("Passed 2", roles="s????+?")
    doubt = infer_public_beliefs(observe(knows)).saboteur[1]
    answers = {
        spell(claims.claim_when_blamed(knows, 2, SILENCE, USUAL_TEMPER._replace(frame=frame)))
        for frame in (doubt - 0.01, doubt + 0.01)
    }
    assert answers == {"saboteur 2", "me"}


def test_nothing_is_said_twice_and_no_liar_is_thanked() -> None:
    said = read_talk("1 me; 1 help L; 2 gold 8; 1 bluff 2")
    worth = {
        claim: claims.is_worth_saying(view("m"), claim, said)
        for claim in (
            WhoMe(),
            HelpMe(Tool.LANTERN),
            HelpMe(Tool.CART),
            GoldAt(MIDDLE),
            DigsForUs(1),
            DigsForUs(2),
        )
    }
    assert [*worth.values()] == [False, False, True, True, False, True]


@pytest.mark.parametrize(
    ("hand", "events", "claim"),
    [
        ("NE", "Broke 2 L 1; Broke 3 C 1", "help C"),
        ("NE", "Broke 3 C 1; Broke 2 L 1", "help L"),
        ("+C", "Broke 2 L 1; Broke 3 C 1", ""),
        ("+LC", "Broke 2 L 1; Broke 3 C 1", ""),
        ("+L", "Broke 2 L 1; Broke 3 C 1", "help C"),
    ],
)
def test_a_call_for_help_names_the_tool_just_broken_unless_its_repair_is_held(
    hand: str, events: str, claim: str
) -> None:
    knows = view_at(f"- ?/?/? 1 LC,-,- {hand},1,1 9 m??+?", events)
    assert spell(claims.claim_when_broken(knows)) == claim


def test_a_saboteur_opens_no_goal_that_all_others_call_the_treasure() -> None:
    """From play: deaf, it gave this goal one chance in five."""
    line = (
        "nsw@0s1/EW@1/esw@2n1/NESW@2/SW@3/NE@3s1/EW@4s1/ES@5/NW@5s1/NES@6n1/NSW@6/NS@6s1/NS@6s2/"
        "nesw@6s3/EW@7n1 ?/?/? 1 -,-,-,-,- NEW,6,6,6,6 18 s????+?"
    )
    looked = "Looked 2 8s2; Looked 3 8s2; Looked 4 8s2; Looked 4 8n2; Looked 5 8n2"
    knows = view_at(line, f"{looked}; Laid 4 NS 6s1; Laid 5 NS 6s2")
    talk = read_talk("2 stone 8s2; 3 stone 8s2; 4 stone 8s2; 4 stone 8n2; 5 stone 8n2")
    feared = infer_beliefs(observe(knows, talk)).gold
    deaf = form_beliefs(observe(knows, talk))
    move = cases.play_of("ESW@8n1")
    assert deaf.gold[1] < SPARED_GOLD < 0.5 < feared[1]
    ranked = rank_moves(knows, deaf, Random(1), feared=feared)
    assert {play: value for value, play in ranked}[move] == GIVEAWAY_VALUE
    assert {play: value for value, play in rank_moves(knows, deaf, Random(1))}[move] > 0
    assert _find_feared_gold(observe(knows, talk)) == feared
    assert all(wary(knows, Random(chance), Playouts(0), talk) != move for chance in range(3)), (
        "by its play either"
    )


HARM = "Broke {0} P 3; Laid {0} e 1; Broke {0} C 3"
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
def test_somebody_who_is_blamed_names_whom_all_suspect_but_never_themselves(
    role: str, events: str, claim: str
) -> None:
    assert spell(claims.claim_when_blamed(view(role, events), by=1)) == claim


def test_a_bot_accuses_thanks_and_asks_for_help_of_its_own_accord() -> None:
    harmed, mended = HARM.format(2), "Repaired 2 +C 1 C; Repaired 2 +C 1 C"
    for role in "ms":
        accused = [spell(claims.claim_when_harmed(view(role, harmed), seat)) for seat in range(3)]
        assert accused == ["", "saboteur 2", ""], "nobody accuses themselves"
    assert spell(claims.claim_when_helped(view("m"), 1)) == "miner 2"
    assert spell(claims.claim_when_helped(view("m", harmed), 1)) == ""
    assert spell(claims.claim_when_redeemed(view("m", mended), 1)) == "miner 2"
    assert spell(claims.claim_when_redeemed(view("m", "Broke 2 P 3; Broke 2 P 3"), 1)) == ""
    assert spell(claims.claim_when_broken(view("m", broken="LC,-,-"))) == "help L"
    assert spell(claims.claim_when_broken(view("s", broken="-,P,-"))) == ""


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
    assert claims.find_harm_doer(happened) == doer


# Actions that speak against a player, or for one: the reasons that bots give.


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
            found = find_action(seen, seat, kinds)
            assert (found is None) is (worst is None)
            if found is not None:
                assert (found.kind, found.event) == (worst, there[found.kind])
                assert found.event.seat == seat


def test_what_was_done_after_a_claim_is_no_reason_for_it() -> None:
    seen = play_randomly(1, 45)
    events = [event for event in seen.history if isinstance(event, TurnEvent)]
    for seat in range(5):
        found = find_action(seen, seat, AGAINST)
        assert found is not None, "who plays by chance does harm"
        assert found.ways == len({cell for cell, _ in found.board.openings})
        earlier = find_action(seen, seat, AGAINST, seen.table.unplayed + 40)
        assert earlier is None or earlier.event in events[: len(events) - 40]
        assert find_action(seen, seat, AGAINST, seen.table.unplayed) == found


# Bots that listen, and liars.


def test_records_come_from_what_the_end_of_a_round_proves() -> None:
    seats = [Player("greedy", Playouts(0))] * 5
    rounds = (play_round(number, seats)[0][-1].round for number in range(20))
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
    assert bind_talk(greedy, SILENCE) is greedy
    line = "- ?/?/? 1 -,-,-,-,- NS/NE,1,1,1,1 9 m????+?"
    knows = view_at(line, "Looked 2 8n2; Looked 3 8n2")
    for bot in (wary, search):
        heard = bind_talk(bot, read_talk("2 gold 8n2; 3 gold 8n2"))
        assert knows.why_not(heard(knows, Random(1), Playouts(12))) is None


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
    no_claim = cast("tuple[WhoMe]", ("gold", GoldAt((0, 0)), DigsForUs(5), WhoMe()))
    assert call(SpokenMove(MOVE, no_claim)) == SpokenMove(MOVE, (WhoMe(),), "", (NO_CLAIM,))
    secret = SpokenMove(MOVE, (), "", ("I hold NESW", NO_TEXT))
    assert call(secret) == SpokenMove(MOVE, (), "", (NO_TEXT,)), "what was dropped quotes nothing"


@pytest.mark.parametrize(
    ("text", "claims", "dropped"),
    [
        (5, (), (NO_TEXT,)),
        ("", 5, (NO_LIST,)),
        (None, None, ()),
        ([], {"me": 1}, (NO_LIST, NO_TEXT)),
    ],
)
def test_a_legal_move_counts_whatever_stands_beside_it(
    text: object, claims: object, dropped: tuple[str, ...]
) -> None:
    said = SpokenMove(MOVE, cast("tuple[WhoMe]", claims), cast("str", text))
    assert call(said) == SpokenMove(MOVE, (), "", dropped)


@pytest.mark.parametrize(
    ("found", "why"),
    [
        ("any card will do", "no move"),
        (None, "no move"),
        (SpokenMove(cast("Move", "R")), "no move"),
    ],
)
def test_anything_else_is_told_without_what_it_was(found: object, why: str) -> None:
    with pytest.raises(BadReply, match=why):
        call(found)


def test_what_a_report_makes_a_lie_is_found_of_all_others() -> None:
    talk = read_talk("1 gold 8; 2 stone 8; 3 gold 8n2; 2 stone 8n2")
    assert talk.find_contradicted(0, GoldAt(MIDDLE)) == [1, 2]
    assert talk.find_contradicted(1, StoneAt(MIDDLE)) == [0]
