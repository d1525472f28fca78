"""Golden play-throughs: whole games, and all that every seat knew at every step.

`tests/data/playthroughs/*.txt`, after OpenSpiel's. Each begins with what is needed to play it
again; then comes a block for each step: the move (`deal` for a deal), what everybody was told,
the position as everybody sees it, and below it a line for each seat: its own view as a position,
where `=` stands for a field like everybody's, how many moves it has, and what it alone was told.
Gold follows where there is any: on offer to it, and its own.

    .venv/bin/python -m tests.playthroughs      play the same moves again, and write the files

Do that only after a change on purpose of what is told, and read what git shows as different. A file
that is missing is begun anew, with moves by the bots.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from engine.bots import Playouts, greedy, random_bot
from engine.dealing import ALL_GOLD, deal
from engine.edition import Edition
from engine.events import Event, addressee
from engine.game import Game
from engine.moves import Move
from engine.notation import format_position, parse_move
from engine.state import Phase
from tests.engine.cases import say_all

FOLDER = Path(__file__).parent / "data" / "playthroughs"

FIRST_LINES = {
    "argentina": "argentina, 4 players, 1 rounds, seat 2 begins, seed 9",
    "france": "france, 5 players, 1 rounds, seat 1 begins, seed 5",
    "international": "international, 3 players, 2 rounds, seat 3 begins, seed 8",
    "italia": "italia, 3 players, 2 rounds, seat 1 begins, seed 2",
    "ten": "france+linked, 10 players, 1 rounds, seat 10 begins, seed 2",
}
"""How each file begins, where it has to be begun anew."""


@dataclass(frozen=True)
class Setting:
    """What a game begins with."""

    edition: Edition
    players: int
    rounds: int
    youngest: int
    number: int

    @staticmethod
    def read(line: str) -> "Setting":
        """Read the first line of a file."""
        edition, *words = line.replace(",", "").split()
        players, rounds, seat, number = (int(word) for word in words if word.isdigit())
        return Setting(Edition.read(edition), players, rounds, seat - 1, number)

    def deal_round(self, game: Game | None) -> tuple[Game, tuple[Event, ...]]:
        """Deal the first round, or the next one."""
        number = 1 if game is None else game.score.number + 1
        gold = ALL_GOLD if game is None else game.purse.pile
        dealt = deal(self.number.to_bytes(32, "big"), number, self.players, gold)
        if game is not None:
            return game.deal(dealt)
        return Game.begin(dealt, self.edition, self.rounds, self.youngest)

    def play_game(self, moves: Iterable[Move]) -> Iterator[tuple[str, Game, tuple[Event, ...]]]:
        """Play a game: each step, as it is called, the game after it and what happened."""
        game, events = self.deal_round(None)
        yield "deal", game, events
        for move in moves:
            game, events = game.apply(move)
            yield str(move), game, events
            if game.phase is Phase.DEAL:
                game, events = self.deal_round(game)
                yield "deal", game, events

    def bots_moves(self) -> list[Move]:
        """Play it with bots: mostly greedy, now and then anything."""
        rng = Random(self.number)
        moves: list[Move] = []
        game, _ = self.deal_round(None)
        while game.phase is not Phase.OVER:
            bot = random_bot if rng.random() < 0.2 else greedy
            moves.append(bot(game.view(game.to_act), rng, Playouts(0)))
            game, _ = game.apply(moves[-1])
            if game.phase is Phase.DEAL:
                game, _ = self.deal_round(game)
        return moves


def write_playthrough(first: str, moves: Iterable[Move]) -> str:
    """The text of a play-through."""
    blocks = [first]
    for number, (name, game, events) in enumerate(Setting.read(first).play_game(moves)):
        lines = [f"{number} {name}"]
        lines += [f"  {line}" for line in show_knowledge(game, events)]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def show_knowledge(game: Game, events: tuple[Event, ...]) -> Iterator[str]:
    """What everybody knows after a step, and then each seat."""
    yield "told " + say_all(event for event in events if addressee(event) is None)
    everybody = format_position(game.view(None)).split()
    score = game.score
    gold = f" gold {','.join(map(str, score.cards))} of {score.pile}" if any(score.cards) else ""
    yield f"all {' '.join(everybody)}{gold}"
    for seat in range(game.round.table.players):
        view = game.view(seat)
        fields = zip(format_position(view).split(), everybody, strict=True)
        words = [str(seat + 1), *("=" if own == all_ else own for own, all_ in fields)]
        words.append(str(len(view.legal_moves())))
        words += ["offer", "".join(map(str, view.offer))] if view.offer else []
        words += ["gold", "".join(map(str, view.gold))] if view.gold else []
        alone = say_all(event for event in events if addressee(event) == seat)
        yield " ".join((*words, "told", alone) if alone else words)


def again(text: str) -> str:
    """The text of the play-through with the same beginning and the same moves."""
    first, *blocks = text.rstrip("\n").split("\n\n")
    names = [block.split(maxsplit=2)[1] for block in blocks]
    return write_playthrough(first, [parse_move(name) for name in names if name != "deal"])


def main() -> None:
    """Write all files anew."""
    for name, first in FIRST_LINES.items():
        file = FOLDER / f"{name}.txt"
        if file.exists():
            text = again(file.read_text(encoding="utf-8"))
        else:
            text = write_playthrough(first, Setting.read(first).bots_moves())
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
