"""Events of a game, its rounds, awards, and an evening of games, in words."""

from __future__ import annotations

import pathlib
from dataclasses import replace
from functools import reduce
from typing import get_args

import pytest
from msgspec import structs

from engine import events
from engine.actions import Broke, Collapsed, Looked, Repaired
from engine.board import GOAL_CELLS, Cell
from engine.bots.talk import SILENCE, Bluff, DigsAgainstUs, GoldAt, Statement, StoneAt
from engine.cards import Card, Goal, Path, Role, Tool
from engine.events import Event
from engine.notation import Record, Utterance, format_record, parse_record, replay
from engine.tally import RoundTally, SeatTally, Tally
from engine.view import View
from net.client.session import ConnectionState, Status
from net.client.trail import GameState
from net.protocol.lobby import Evening, Lobby
from net.protocol.lobby_events import Rematch
from net.protocol.messages import CloseReason
from sabtui.text.evening import (
    award_lines,
    earned_facts,
    evening_lines,
    farewell_lines,
    final_lines,
    finished_lines,
    round_line,
    saboteurs_line,
    standing_lines,
    tally_of,
)
from sabtui.text.events import (
    action_lines,
    event_sentence,
    since_turn,
    unveil_lines,
    winners,
)
from sabtui.text.lobby import lobby_sentence
from sabtui.text.names import PlayerNames
from tests.sabtui import tables
from tests.sabtui.cases import CAST, view_of
from tests.sabtui.games import game_record
from tests.sabtui.tui import scenes

ANA, BRUNO, CHIARA = range(3)
NORTH = GOAL_CELLS[0]
END = events.RoundEnded(
    Role.MINER,
    (Role.MINER, Role.SABOTEUR, Role.MINER),
    Role.MINER,
    (Goal.STONE_NW, Goal.STONE_NE, Goal.TREASURE),
)

SENTENCES: list[tuple[Event, str]] = [
    (events.DwarfDealt(ANA, Role.MINER), "Your role card lies face down: r shows it."),
    (events.DwarfDealt(ANA, Role.SABOTEUR), "Your role card lies face down: r shows it."),
    (events.Dealt(ANA, Card.DEAD_NS), "You drew: dead end (north, south)."),
    (events.Dealt(ANA, Card.REPAIR_PICK_CART), "You drew: pick repair / cart repair."),
    (events.DiscardedCard(ANA, Card.ROCKFALL), "You passed and discarded face down: rockfall."),
    (events.GoalPeeked(ANA, NORTH, Goal.TREASURE), "Your map: the north goal is the treasure."),
    (events.GoalPeeked(ANA, NORTH, Goal.STONE_NE), "Your map: the north goal is stone."),
    (events.GoldReceived(ANA, (2,)), "You got 2 nuggets."),
    (events.GoldReceived(ANA, (3, 1)), "You got 4 nuggets."),
    (
        events.RoundBegan(2, BRUNO, (6, 6, 6), 49),
        "Round 2: 3 players, 6 cards each, 49 to draw; Bruno goes first.",
    ),
    (
        events.RoundBegan(1, ANA, (6, 6, 6), 49),
        "Round 1: 3 players, 6 cards each, 49 to draw; you go first.",
    ),
    (events.Laid(ANA, Path.read("NES"), (3, -1)), "You laid a T-junction at 3 east, 1 north."),
    (events.Laid(BRUNO, Path.read("sw"), (3, 0)), "Bruno laid a dead end at 3 east."),
    (events.Revealed((8, 0), Path.read("NESW")), ("The middle goal is the TREASURE!")),
    (
        events.Revealed((8, 2), Path.read("SW")),
        ("The south goal is stone, open to south and west."),
    ),
    (Broke(BRUNO, Tool.LANTERN, ANA), "Bruno broke your lantern."),
    (Broke(BRUNO, Tool.CART, CHIARA), "Bruno broke Chiara's cart."),
    (Broke(BRUNO, Tool.PICK, BRUNO), "Bruno broke their own pick."),
    (Broke(ANA, Tool.PICK, ANA), "You broke your pick."),
    (Repaired(CHIARA, Card.REPAIR_CART, ANA, Tool.CART), "Chiara repaired your cart."),
    (Repaired(ANA, Card.REPAIR_PICK, BRUNO, Tool.PICK), "You repaired Bruno's pick."),
    (
        Collapsed(BRUNO, (3, -1), Path.read("NES")),
        "Bruno brought down a T-junction at 3 east, 1 north.",
    ),
    (Looked(CHIARA, NORTH), "Chiara looked at the north goal."),
    (events.Passed(BRUNO), "Bruno passed."),
    (events.Skipped(ANA), "You passed."),
    (END, "Treasure found! The miners win the round."),
    (events.GoldDrawn(2), "2 gold cards are drawn for the miners."),
    (events.GoldDrawn(1), "1 gold card is drawn for the miners."),
    (events.GoldTaken(CHIARA), "Chiara took a gold card."),
    (events.SaboteursPaid(4, (0, 2, 0), (0, 0, 0)), "4 nuggets for each saboteur: Bruno."),
    (
        events.SaboteursPaid(3, (1, 1, 0), (1, 2, 0)),
        (
            "3 nuggets for each saboteur: you and Bruno. The gold ran out: you get 1 in IOUs. "
            "The gold ran out: Bruno gets 2 in IOUs."
        ),
    ),
]


SILENT = (
    *(
        events.HandDealt(ANA, (Card.NES,)),
        events.Drew(BRUNO),
        events.TurnBegan(ANA),
        events.GameEnded(((3,), (), ())),
    ),
    *(events.ChoiceBegan(BRUNO), events.GoldShown(ANA, (3, 1))),
)


@pytest.mark.parametrize("event", SILENT)
def test_what_is_in_sight_needs_no_sentence(event: Event) -> None:
    assert event_sentence(event, CAST) == ""


@pytest.mark.parametrize(("event", "sentence"), SENTENCES, ids=range(len(SENTENCES)))
def test_an_event_is_told(event: Event, sentence: str) -> None:
    assert event_sentence(event, CAST) == sentence


def test_a_card_of_ones_own_has_its_code_only_where_moves_are_typed() -> None:
    spelt = replace(CAST, spelt=True)
    assert (
        event_sentence(events.Dealt(ANA, Card.DEAD_NS), spelt)
        == "You drew: ns (dead end north, south)."
    )
    discarded = events.DiscardedCard(ANA, Card.ROCKFALL)
    assert event_sentence(discarded, spelt) == "You passed and discarded face down: R (rockfall)."


def test_every_event_is_told_here() -> None:
    told = {type(event) for event, _sentence in SENTENCES}
    assert told | set(map(type, SILENT)) == set(get_args(Event))


@pytest.mark.rule("R4")
def test_the_end_of_a_round_tells_who_everybody_was() -> None:
    assert unveil_lines(END, CAST) == ["Saboteurs: Bruno.", "Miners: you and Chiara."]


@pytest.mark.rule("D6")
def test_a_round_without_a_saboteur_says_so() -> None:
    end = events.RoundEnded(Role.SABOTEUR, (Role.MINER,) * 3, Role.SABOTEUR, END.goals)
    assert unveil_lines(end, CAST)[0] == "Saboteurs: none."
    assert event_sentence(end, CAST) == "The treasure stays hidden: nobody wins the round."


def test_a_watcher_is_nobody_at_the_table() -> None:
    names = PlayerNames.of(CAST.names, None)
    assert event_sentence(Broke(BRUNO, Tool.LANTERN, ANA), names) == "Bruno broke Ana's lantern."


def test_a_shared_win_is_told_from_the_readers_side() -> None:
    names = PlayerNames.of(("Ana", "Bruno", "Chiara"), 0)
    assert winners([0, 1], names) == "You share the win with Bruno."
    assert winners([1, 2], names) == "Bruno and Chiara share the win."
    assert winners([0], names) == "You win the game!"


STRAIGHT, DEAD = Path.read("EW"), Path.read("ew")
BEGAN = events.RoundBegan(1, ANA, (6, 6, 6), 40)


def after(*events: Event, seat: int | None = ANA) -> View:
    """The round of three after these events, Bruno's pick and lantern being broken."""
    view = view_of("EW@1/NEW@2 ?/?/? 1 -,PL,- NES/NW,3,2 9 m??+?", ANA)
    if seat is None:
        view = view_of("EW@1/NEW@2 ?/?/? 1 -,PL,- 2,3,2 9 ???+?", None)
    return view._replace(history=(BEGAN, *events))


def test_what_a_player_laid_is_counted_and_all_else_is_told() -> None:
    view = after(
        events.Laid(BRUNO, STRAIGHT, (1, 0)),
        events.Laid(BRUNO, DEAD, (2, 0)),
        events.Laid(CHIARA, STRAIGHT, (3, 0)),
        Broke(BRUNO, Tool.PICK, ANA),
        Repaired(BRUNO, Card.REPAIR_CART, BRUNO, Tool.CART),
        Collapsed(BRUNO, (2, 0), DEAD),
        Looked(BRUNO, (8, -2)),
        events.Passed(BRUNO),
        events.Passed(BRUNO),
    )
    said = SILENCE.after([Statement(BRUNO, GoldAt((8, 0)), 9), Statement(ANA, Bluff(BRUNO), 9)])
    assert action_lines(BRUNO, view, said, CAST) == [
        "1 tunnel, 1 dead end and 2 passes.",
        "Bruno broke your pick.",
        "Bruno repaired their own cart.",
        "Bruno brought down a dead end at 2 east.",
        "Bruno looked at the north goal.",
        "“middle goal is gold”",
    ]


def test_what_has_happened_since_ones_last_turn_begins_after_it() -> None:
    first, mine, last = (
        events.Laid(seat, STRAIGHT, (1 + seat, 0)) for seat in (CHIARA, ANA, BRUNO)
    )
    assert since_turn(after(first), ()) == (first,), "with the round, before one's first turn"
    assert since_turn(after(first, mine, events.Drew(ANA), last), ()) == (events.Drew(ANA), last)
    passed = (events.Passed(ANA), events.DiscardedCard(ANA, Card.MAP), last)
    assert since_turn(after(first, *passed), ()) == (last,), "a secret is not for onlookers"
    watched = [events.Passed(seat) for seat in (ANA, BRUNO, CHIARA, ANA)]
    assert since_turn(after(*watched, seat=None), ()) == tuple(watched[1:])


# An evening of games.

NAMES = ("Ana", "Bruno", "Dede", "Borin")
ONE = Evening().after(NAMES, (7, 3, 1, 3))
TWO = ONE.after(NAMES, (5, 5, 0, 0))
LEVEL = Evening().after(NAMES, (7, 3, 1, 3)).after(NAMES, (3, 7, 1, 3))


def table(evening: Evening = TWO) -> Lobby:
    """A table of Ana's with an evening."""
    return structs.replace(tables.lobby(), evening=evening)


def test_beside_a_name_stands_what_they_have_won() -> None:
    assert earned_facts("Ana", table(ONE)) == ["1 of 1 won", "7 nuggets"]
    assert earned_facts("bruno", table()) == ["1 of 2 won", "8 nuggets"]
    assert earned_facts("Eva", table()) == []


def test_after_a_game_all_read_what_everybody_has_won_unless_it_was_the_first() -> None:
    told = [
        "2 finished games.",
        "Games won: Ana 2 and Bruno 1.",
        "Gold: Ana 12, Bruno 8, Borin 3 and Dede 1.",
    ]
    assert standing_lines(table()) == finished_lines(table()) == told
    assert standing_lines(table(ONE))[0] == "1 finished game."
    assert finished_lines(table(ONE)) == standing_lines(table(Evening())) == []
    before_the_next = lobby_sentence(Rematch(), table(ONE), tables.ANA) or ""
    assert before_the_next.startswith(
        "New game: everybody is ready. 1 finished game. Games won: Ana 1. Gold"
    )


def test_the_table_of_the_evening_has_a_line_for_each_who_played() -> None:
    assert evening_lines(table()) == [
        "2 finished games.",
        "name   gold  won  games",
        "Ana    12    2    2",
        "Bruno  8     1    2",
        "Borin  3     0    2",
        "Dede   1     0    2",
    ]
    assert evening_lines(table(Evening())) == []


@pytest.mark.parametrize(
    ("evening", "told"),
    [
        (Evening(), ""),
        (ONE, ""),
        (TWO, "Ana has won the evening."),
        (LEVEL, "Ana and Bruno have won the evening."),
    ],
)
def test_a_table_that_closes_says_who_has_won_the_evening(evening: Evening, told: str) -> None:
    status = Status(
        ConnectionState.ENDED,
        tables.ANA,
        GameState(1, 9, table(evening), None, ()),
        ending=CloseReason.CLOSED,
    )
    assert "".join(farewell_lines(status)[:1]) == told
    assert len(farewell_lines(status)) == (7 if told else 0)
    assert farewell_lines(replace(status, ending=None)) == farewell_lines(Status()) == []


RECORD = pathlib.Path(__file__).parents[2] / "data" / "records" / "whole.sab"
TEXT = RECORD.read_text(encoding="utf-8")
SEAT = 1


def whole() -> tuple[Record, tuple[Event, ...]]:
    """A game that is over, and all its events."""
    record = parse_record(TEXT)
    assert isinstance(record, Record)
    return record, tuple(event for _game, step in replay(record) for event in step)


def held_at_end(record: str = TEXT) -> GameState:
    """What a seat holds of that game at its end, with the published `record`, "" for none."""
    game, told = whole()
    seen = events.visible_to(told, SEAT)
    before = View.before(game.edition, len(game.names), game.rounds, SEAT)
    view = reduce(View.after, seen, before)
    last = max(at for at, event in enumerate(seen) if isinstance(event, events.RoundBegan))
    return GameState(1, 9, scenes.lobby(), view, record=record, past=seen[:last])


def count_actions(state: GameState) -> Tally:
    """What is known of who did what."""
    assert state.view is not None
    return tally_of(state.view, state.past, state.record)


def test_the_record_of_a_finished_game_tells_everybodys_nuggets_by_rounds() -> None:
    _game, told = whole()
    assert count_actions(held_at_end()) == Tally.of(told, 5)
    assert all(None not in round_.nuggets for round_ in count_actions(held_at_end()).rounds)


def test_somebody_who_came_late_has_all_rounds_from_the_record() -> None:
    assert count_actions(replace(held_at_end(), past=None)) == count_actions(held_at_end())
    late = replace(held_at_end(record=""), past=None)  # came in round 2, and has no record
    assert [round_.number for round_ in count_actions(late).rounds] == [2], "no more than was seen"


def unfinished_record() -> str:
    """A record of the same game without its last move."""
    game, _told = whole()
    first, second = game.moves
    return format_record(replace(game, moves=(first, second[:-1])))


@pytest.mark.parametrize("record", ["", "no record", TEXT[:-5], unfinished_record()])
def test_a_record_that_is_broken_or_tells_another_game_is_not_believed(record: str) -> None:
    _game, told = whole()
    assert count_actions(held_at_end(record)) == Tally.of(events.visible_to(told, SEAT), 5)


def test_a_record_with_the_same_gold_but_other_moves_is_not_believed() -> None:
    past = held_at_end().past
    assert past is not None
    assert count_actions(replace(held_at_end(), past=past[:-30])) != count_actions(held_at_end())


def test_a_finished_game_is_told_round_by_round_and_then_by_its_awards() -> None:
    names = PlayerNames(("Ana", "Bruno", "Chiara", "Dede", "Norri"), 0)
    state = scenes.finished_status().game_state
    assert state is not None
    tally = count_actions(state)
    lines = final_lines(tally, state.record, names)
    assert lines[0] == (
        "Round 1 went to the miners. Ana (you): miner, 3 nuggets; Bruno: miner, 3 nuggets; "
        "Chiara: saboteur, 0 nuggets; Dede: miner, 1 nugget; Norri: saboteur, 0 nuggets."
    )
    assert lines[1].startswith("Round 2 went to the saboteurs. ")
    assert lines[3:] == award_lines(tally, state.record, names)
    assert saboteurs_line(tally, names).startswith("Saboteurs: round 1: Chiara and Norri; round 2")


def test_of_gold_that_was_not_seen_the_cards_are_told() -> None:
    names = PlayerNames(("Anna", "Bruno", "Chiara", "Dede", "Eve"), SEAT)
    told = (
        "Bruno (you): miner, 4 nuggets; Chiara: miner, 3 nuggets; "
        "Dede: saboteur, 0 nuggets; Eve: saboteur, 0 nuggets."
    )
    shown = count_actions(held_at_end("")).rounds[0]
    assert round_line(shown, names).endswith(f"Anna: miner, 1 nugget; {told}")
    hidden = replace(shown, seen=((), *shown.seen[1:]))
    assert round_line(hidden, names).endswith(f"Anna: miner, 1 card; {told}")


def test_a_round_that_no_saboteur_played_in_was_won_by_nobody() -> None:
    names = PlayerNames(("Anna", "Bruno", "Chiara"), 0)
    round_played = replace(RoundTally.begin(1, 3), winner=Role.SABOTEUR, roles=(Role.MINER,) * 3)
    assert round_line(round_played, names).startswith("Nobody won round 1. Anna (you): miner")


def test_awards_go_to_who_did_most_and_to_at_most_two() -> None:
    names = PlayerNames.of(("Ana", "Bruno", "Chiara"), 0)
    tally = Tally((SeatTally(3, breaks=1), SeatTally(2, breaks=1), SeatTally(breaks=1)))
    assert award_lines(tally, "", names) == ["Most tunnels: you, 3."]
    tally = Tally((SeatTally(3), SeatTally(3, breaks=2), SeatTally()))
    assert award_lines(tally, "no record", names) == [
        "Most tunnels: you and Bruno, 3.",
        "Broke the most tools: Bruno, 2.",
    ]


TRIO = PlayerNames.of(("Ana", "Bruno", "Chiara"), None)


def awards(*talk: Utterance) -> list[str]:
    """The awards of a game in which this was said, and nothing else, but for those of moves."""
    record = replace(game_record(1, TRIO.names), talk=talk)
    return award_lines(Tally(()), format_record(record), TRIO)


def seats_and_goals() -> tuple[list[int], list[int], Cell, Cell]:
    """The seats of saboteurs and of miners, a goal of stone, and the treasure's."""
    *_others, (game, _events) = replay(game_record(1, TRIO.names))
    end = game.round.table.end
    assert end is not None
    gold = GOAL_CELLS[end.goals.index(Goal.TREASURE)]
    stone = next(cell for cell in GOAL_CELLS if cell != gold)
    seats = enumerate(end.roles)
    bad = [seat for seat, role in seats if role is Role.SABOTEUR]
    return bad, [seat for seat in range(3) if seat not in bad], stone, gold


def test_the_best_liar_made_most_false_claims() -> None:
    _bad, _good, stone, gold = seats_and_goals()
    lies = (Utterance(1, 2, 0, claim=GoldAt(stone)), Utterance(1, 3, 0, claim=StoneAt(gold)))
    assert awards(*lies) == ["Best liar: Ana, false claims: 2."]
    assert awards(Utterance(1, 2, 0, claim=GoldAt(gold))) == [], "it is true"
    record = replace(game_record(1, TRIO.names), talk=lies[:1])
    begun = replace(record, moves=(record.moves[0][:-6],))
    assert award_lines(Tally(()), format_record(begun), TRIO) == [], "the round did not end"


def test_the_saboteur_unmasked_first_is_named_with_who_said_so() -> None:
    bad, good, *_goals = seats_and_goals()
    him, us = bad[0], good[0]
    late = Utterance(1, 7, good[1], claim=DigsAgainstUs(him))
    said = f"Unmasked first: {TRIO.names[him]}, on move {{}} of round 1, by {{}}."
    assert awards(late) == [said.format(7, TRIO.names[good[1]])]
    early = Utterance(1, 4, us, claim=DigsAgainstUs(him))
    assert awards(early, late) == [said.format(4, TRIO.names[us])]
    wrong = Utterance(1, 1, him, claim=DigsAgainstUs(us))
    blind = Utterance(1, 0, us, claim=DigsAgainstUs(him))
    boast = Utterance(1, 1, him, claim=DigsAgainstUs(him))
    watcher = Utterance(1, 1, None, "Wim", claim=DigsAgainstUs(him))
    assert awards(blind, wrong, boast, watcher) == []
