"""The game: cards, rules, what each seat may know, and bots.

A pure function of immutable values that knows the standard library and nothing else: no clock, no
socket, no sentences, and no chance but a deal's. From the ground up:

    readonly                     a mapping that nobody can change
    cards, board, edition        what there is
    moves, events, reasons       what can be done, what happened, why something cannot be done
    table, rules, turns          what lies face up, and what it allows to a hand
    round, gold, deals, game     the host's whole game, secrets and all
    view, imagine, imagine_gold  what one seat knows, and the games it could be in
    notation, bots               games as text; players that are programs

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
from engine.view import LegalMoves, View

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
    "LegalMoves",
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
