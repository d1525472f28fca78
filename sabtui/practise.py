"""`sabtui practise`: a whole game against bots, in this process.

Knows the game with all its secrets, and gives the face and each bot only what their seat may know.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Final, assert_never

from engine.bots import BOTS, Playouts
from engine.edition import INTERNATIONAL, Edition
from engine.events import Event, heard_by
from engine.game import ROUNDS, Game, Step
from engine.moves import Move
from engine.notation import Record, format_record
from engine.view import View
from sabtui.plain.console import Console
from sabtui.plain.face import Face, Said
from sabtui.plain.reading import read
from sabtui.plain.wishes import Again, Deal, Leave, Play, Power, Save
from sabtui.words.cast import Cast
from sabtui.words.tongue import _, listed

ME: Final = 0
"""The player's seat. Who begins is drawn by the deal."""

DWARVES: Final = (
    "Borin",
    "Dagna",
    "Eitri",
    "Frida",
    "Gromm",
    "Hulda",
    "Ivald",
    "Kelda",
    "Norri",
)
"""What bots are called: each by an initial of its own."""

THOUGHT: Final = Playouts(0)


@dataclass(frozen=True, slots=True)
class Setup:
    """What a practice game is to be. Without a `seed` there is a new deal each time."""

    name: str
    bots: int = 4
    edition: Edition = INTERNATIONAL
    rounds: int = ROUNDS
    seed: bytes | None = None
    bot: str = "greedy"

    @property
    def cast(self) -> Cast:
        """Who sits there."""
        return Cast.of((self.name, *DWARVES[: self.bots]), ME)


class Practice:
    """A game of one player and bots, which play until it is the player's turn."""

    def __init__(self, setup: Setup) -> None:
        seed = setup.seed or secrets.token_bytes(32)
        self.record = Record(setup.cast.names, setup.edition, setup.rounds, seed=seed)
        self._bot = BOTS[setup.bot]
        self._chance = Random(seed)
        self._game: Game | None = None

    def deal(self) -> tuple[Event, ...]:
        """Deal the first round or the next one, and tell what the player hears until they act."""
        self.record = self.record.dealt()
        return self._go_on(self.record.next_step(self._game))

    def play(self, move: Move) -> tuple[Event, ...]:
        """Make the player's move, which is legal, and tell what they hear until they act again."""
        assert self._game is not None
        self.record = self.record.moved(move)
        return self._go_on(self._game.apply(move))

    def _go_on(self, step: Step) -> tuple[Event, ...]:
        game, events = step
        heard = heard_by(ME, events)
        while (seat := game.to_act) not in (None, ME):
            move = self._bot(game.view(seat), self._chance, THOUGHT)
            self.record = self.record.moved(move)
            game, events = game.apply(move)
            heard += heard_by(ME, events)
        self._game = game
        return heard


def practise(setup: Setup, console: Console) -> None:
    """Play until the player leaves, or the input ends."""
    said = _opened(setup, console)
    table = Practice(setup)
    said = said.face.hear(table.deal())
    while True:
        console.say(said.lines)
        face = replace(said.face, size=console.size)
        match said.wish:
            case None:
                typed = console.ask(face.prompt())
                if typed is None:
                    return
                said = read(face, typed)
            case Play(move):
                said = face.hear(table.play(move))
            case Deal():
                said = face.hear(table.deal())
            case Save(path):
                said = face.say([saved(table.record, path), *face.where()])
            case Again():
                setup = replace(setup, seed=None)
                table, said = Practice(setup), _opened(setup, console)
                said = said.face.hear(table.deal())
            case Leave():
                return
            case _:
                assert_never(said.wish)


def saved(record: Record, path: str) -> str:
    """Write a record into a new file, and say how that went."""
    try:
        file = Path(path).expanduser()
        file = file if file.suffix else file.with_suffix(".sab")
        with file.open("x", encoding="utf-8", newline="\n") as sheet:
            sheet.write(format_record(record))
    except FileExistsError:
        return _("{path} is there already: choose another name.").format(path=path)
    except (OSError, RuntimeError, ValueError) as error:
        problem = getattr(error, "strerror", None) or error
        return _("{path} cannot be written ({problem}): choose another.").format(
            path=path, problem=problem
        )
    return _("Saved. Look at it with: sabtui record {path}").format(path=file)


def _opened(setup: Setup, console: Console) -> Said:
    """Say who sits there, and make the player's face."""
    cast = setup.cast
    told = _("A practice game, {edition}: you and {bots}. Type ? for help.").format(
        edition=setup.edition.text, bots=listed(cast.names[1:])
    )
    before = View.before(setup.edition, len(cast.names), setup.rounds, ME)
    said = Face(before, cast, frozenset(Power), console.size).say([told])
    console.say(said.lines)
    return said
