"""The game engine: cards, rules, what each seat may know, text notation, and bots.

Pure functions of immutable values, on the standard library alone: no clock, no I/O, no text for
players, and no randomness but a deal's seed and the `Random` that a caller passes in. From the
ground up:

    readonly                         a mapping that cannot be changed
    cards, board, edition            the cards, the mine, the variants of the rules
    moves, events, reasons           what can be done, what happened, why a move is illegal
    state, rules                     the public state, and the moves it allows to a hand
    deal, round, gold, game          the host's whole game, secrets included
    view, sampling, sampling_gold    what one seat knows, and games consistent with it
    notation, bots                   games as text; computer players

>>> from engine import Game, deal
>>> seed = bytes(32)
>>> game, events = Game.begin(deal(seed, number=1, players=5))
>>> game, events = game.apply(game.legal_moves()[0])
>>> view = game.view(seat=2)
"""

from engine.board import Board, Cell
from engine.cards import Card, Goal, Path, Role, Tool
from engine.deal import Deal, deal
from engine.edition import ARGENTINA, EDITIONS, FRANCE, INTERNATIONAL, ITALIA, Edition
from engine.events import Event, visible_to
from engine.game import Game
from engine.moves import Break, Discard, KeepGold, Lay, Map, Move, Repair, Rockfall
from engine.reasons import Reason
from engine.round import IllegalMove, Round
from engine.sampling import sample_game
from engine.state import Phase, Score, Table
from engine.view import View

__all__ = [
    "ARGENTINA",
    "EDITIONS",
    "FRANCE",
    "INTERNATIONAL",
    "ITALIA",
    "Board",
    "Break",
    "Card",
    "Cell",
    "Deal",
    "Discard",
    "Edition",
    "Event",
    "Game",
    "Goal",
    "IllegalMove",
    "KeepGold",
    "Lay",
    "Map",
    "Move",
    "Path",
    "Phase",
    "Reason",
    "Repair",
    "Rockfall",
    "Role",
    "Round",
    "Score",
    "Table",
    "Tool",
    "View",
    "deal",
    "sample_game",
    "visible_to",
]
