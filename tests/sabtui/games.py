"""Whole games between bots, for what is done with games that are over."""

from random import Random

from engine.actions import Map
from engine.board import GOAL_CELLS
from engine.bots import Playouts, greedy
from engine.bots.talk import DigsAgainstUs, GoldAt, StoneAt
from engine.notation import Record
from engine.state import Phase

NAMES = ("Ana", "Bruno", "Chiara", "Dédé", "Émile", "Fabio", "Gwen", "Hugo", "Inés", "João")


def game_record(
    seed: int, names: tuple[str, ...] = NAMES[:3], rounds: int = 1, *, talks: bool = False
) -> Record:
    """The record of a whole game of `greedy` bots, who say what they saw if there is talk."""
    chance = Random(seed)
    record = Record(names, rounds=rounds, seed=chance.randbytes(32)).add_round()
    game, _ = record.next_step(None)
    while game.phase is not Phase.OVER:
        if game.phase is Phase.DEAL:
            record = record.add_round()
            game, _ = record.next_step(game)
            continue
        seat = game.to_act
        assert seat is not None
        move = greedy(game.view(seat), chance, Playouts(0))
        record, (game, _) = record.add_move(move), game.apply(move)
        if talks and isinstance(move, Map):
            said = GoldAt(move.cell) if seat % 2 else StoneAt(GOAL_CELLS[1])
            record = record.add_utterance(seat, names[seat], said)
            record = record.add_utterance(seat, names[seat], DigsAgainstUs((seat + 1) % len(names)))
    return record
