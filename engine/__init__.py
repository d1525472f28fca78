"""The game engine: cards, rules, what each seat may know, text notation, and bots.

>>> from random import Random
>>> from engine import Game, Phase
>>> rng, seed = Random(7), bytes(32)
>>> game = Game.new(players=5, seed=seed)
>>> while game.phase is not Phase.OVER:
...     if game.phase is Phase.DEAL:
...         game, events = game.deal(seed)
...     else:
...         game, events = game.apply(rng.choice(game.legal_moves()))
>>> print(game.score)
round 3 of 3, gold cards 1 1 0 3 1, nuggets 3 3 0 7 3, won by seat 4

A game holds every secret; a view is what one seat knows, and what a bot is given. Seats are counted
from 0 in code, and from 1 in everything that is text: notation, `print` and errors. Moves are read
and written as they are spelt, and an illegal one says why:

>>> game = Game.new(players=5, seed=seed, youngest=2)
>>> view = game.view(seat=2)
>>> print(view)
round 1 of 3, gold cards 0 0 0 0 0: seat 3 to play
    0  1  2  3  4  5  6  7  8
n2                         [?]
n1
0  -S-                     [?]
s1
s2                         [?]
pile 37
   seat 1         6 cards
   seat 2         6 cards
>  seat 3  miner  NS EW NES NEW R R
   seat 4         6 cards
   seat 5         6 cards
>>> view.read("NES@2")
Traceback (most recent call last):
engine.moves.IllegalMove: NES@2 is illegal: no face-up path card lies beside 2
>>> view.read("EW@1") in view.legal_moves()
True
>>> game, events = game.apply(view.read("EW@1"))
>>> events[0]
Laid(seat=2, path=<Path EW>, cell=(1, 0))
>>> from engine.bots import Playouts, greedy
>>> print(greedy(game.view(game.to_act), rng, Playouts(1)))
-C>5

Pure functions of immutable values, on the standard library alone: no clock, no I/O, no text for
players, and no randomness but a deal's seed and the `Random` that a caller passes in. From the
ground up:

    readonly                         mappings and tuples that cannot be changed, and a memo
    mistakes                         the error for text that cannot be read
    cards, board, edition            the cards, the mine and how it is drawn, variants of the rules
    tokens                           text with its position; cells, cards, seats, numbers
    actions                          the action cards: how each kind is played, and what it does
    moves, events                    what can be done, and why not; what happened
    state, legality                  the public state, and the moves it allows to a hand
    dealing, round, game             the host's whole game, secrets included; seeds drawn together
    picture                          what a seat knows, as SVG
    view                             what one seat knows
    facts, sampling                  what several seats know together; games that agree with it
    assembling                       a game put together from what some seats know
    tally                            what each seat did and won, counted from a game's events
    encoding                         actions and observations as numbers, for programs that learn
    notation, bots                   games as text; computer players
    playing                          whole games between bots
"""

from engine.actions import (
    AlreadyBroken,
    Break,
    Broke,
    CannotRepair,
    Collapsed,
    Looked,
    Map,
    NoHiddenGoal,
    NoSuchSeat,
    NotBroken,
    NoTunnel,
    Repair,
    Repaired,
    Rockfall,
)
from engine.assembling import Contradiction, RoundSoFar, assemble
from engine.board import Board, CardState, Cell
from engine.cards import Card, Goal, Path, Role, Tool
from engine.dealing import Deal, deal
from engine.edition import (
    ARGENTINA,
    EDITIONS,
    FRANCE,
    INTERNATIONAL,
    ITALIA,
    ConnectRule,
    DeadTable,
    Direction,
    Edition,
    ShareRule,
    StarterRule,
)
from engine.events import (
    ChoiceBegan,
    Dealt,
    DiscardedCard,
    Drew,
    DwarfDealt,
    Event,
    GameEnded,
    GoalPeeked,
    GoldDrawn,
    GoldReceived,
    GoldShown,
    GoldTaken,
    HandDealt,
    Laid,
    Passed,
    Revealed,
    RoundBegan,
    RoundEnded,
    SaboteursPaid,
    Skipped,
    TurnBegan,
    event_dict,
    visible_to,
)
from engine.facts import secrets_of
from engine.game import Game
from engine.mistakes import NotationError
from engine.moves import (
    CellTaken,
    DealAwaited,
    Discard,
    GameOver,
    GoldBeingShared,
    IllegalMove,
    KeepGold,
    Lay,
    Move,
    NotInHand,
    NotLinked,
    NotOnOffer,
    NotYourTurn,
    OnlyWatching,
    Reason,
    SideClashes,
    ToolsBroken,
    TouchesNothing,
)
from engine.round import Round
from engine.sampling import sample_game
from engine.state import Phase, Score, Table
from engine.view import History, View

__all__ = [
    "ARGENTINA",
    "EDITIONS",
    "FRANCE",
    "INTERNATIONAL",
    "ITALIA",
    "AlreadyBroken",
    "Board",
    "Break",
    "Broke",
    "CannotRepair",
    "Card",
    "CardState",
    "Cell",
    "CellTaken",
    "ChoiceBegan",
    "Collapsed",
    "ConnectRule",
    "Contradiction",
    "DeadTable",
    "Deal",
    "DealAwaited",
    "Dealt",
    "Direction",
    "Discard",
    "DiscardedCard",
    "Drew",
    "DwarfDealt",
    "Edition",
    "Event",
    "Game",
    "GameEnded",
    "GameOver",
    "Goal",
    "GoalPeeked",
    "GoldBeingShared",
    "GoldDrawn",
    "GoldReceived",
    "GoldShown",
    "GoldTaken",
    "HandDealt",
    "History",
    "IllegalMove",
    "KeepGold",
    "Laid",
    "Lay",
    "Looked",
    "Map",
    "Move",
    "NoHiddenGoal",
    "NoSuchSeat",
    "NoTunnel",
    "NotBroken",
    "NotInHand",
    "NotLinked",
    "NotOnOffer",
    "NotYourTurn",
    "NotationError",
    "OnlyWatching",
    "Passed",
    "Path",
    "Phase",
    "Reason",
    "Repair",
    "Repaired",
    "Revealed",
    "Rockfall",
    "Role",
    "Round",
    "RoundBegan",
    "RoundEnded",
    "RoundSoFar",
    "SaboteursPaid",
    "Score",
    "ShareRule",
    "SideClashes",
    "Skipped",
    "StarterRule",
    "Table",
    "Tool",
    "ToolsBroken",
    "TouchesNothing",
    "TurnBegan",
    "View",
    "assemble",
    "deal",
    "event_dict",
    "sample_game",
    "secrets_of",
    "visible_to",
]
