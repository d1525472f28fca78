"""Study of a position: try moves on the mine, take them back, ask for hints, see why not.

A `Study` is a value: an answer to a typed line is the next study and lines of text. Of a position
with gaps the seat's own knowledge is studied; once a move is tried, the cards that nobody knows are
imagined, always alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random
from typing import Final, assert_never

from engine.bots import Playouts
from engine.bots.hints import hints
from engine.edition import Edition
from engine.game import Game
from engine.mistakes import NotationError
from engine.moves import Move, parse_own_move
from engine.notation import Position, format_position, parse_position
from engine.sampling import sample_game
from engine.state import Phase
from engine.view import View
from sabtui.after.text import percent
from sabtui.app.errors import UsageError
from sabtui.text.cards import cards_counted, role_words
from sabtui.text.events import round_won
from sabtui.text.i18n import _, phrases
from sabtui.text.moves import MAX_HINTS, broken_tools, hint_words, pile_words, waiting
from sabtui.text.names import PlayerNames
from sabtui.text.reasons import why_not
from sabtui.text.summary import hand_shown, marks, play_lines

STUDY_BUDGET: Final = Playouts(300)  # play-outs for the hints of a position
MINE_COLUMNS, MINE_ROWS = 79, 40  # largest drawing of a mine, in columns and rows


class StudyCommand(StrEnum):
    """Command that can be typed besides a move."""

    MOVES = "moves"
    HINT = "hint"
    BACK = "back"
    MINE = "mine"
    LINE = "line"
    HELP = "help"
    QUIT = "quit"


_SHORT: Final[Mapping[str, str]] = {"?": StudyCommand.HELP, "q": StudyCommand.QUIT}
"""Short forms that the whole of `--plain` takes."""


@dataclass(frozen=True, slots=True)
class Study:
    """A position and the moves that were tried on it.

    `views` are those of the seat to move, first that of the position itself; after the end of the
    round, where a study ends, it is a watcher's. `games` are beside them, and `None`
    where not all cards are known and none were imagined yet.
    """

    views: tuple[View, ...]
    games: tuple[Game | None, ...]

    @property
    def view(self) -> View:
        """The present view."""
        return self.views[-1]

    @property
    def names(self) -> PlayerNames:
        """The players, by their seats; the one to move is "you"."""
        names = PlayerNames.of(("",) * self.view.table.players, self.view.seat)
        return replace(names, spelt=True)


def study(line: str, edition: Edition) -> Study:
    """Return the study of a position.

    Raises UsageError: the line is no position, or nobody is to move in it whose hand is known.
    """
    try:
        position = parse_position(line, edition)
    except NotationError as error:
        raise UsageError(str(error)) from error
    seat = position.turn
    if seat is None:
        raise UsageError("in this position it is nobody's turn")
    if position.gaps and position.viewer != seat:
        raise UsageError(f"the hand of player {seat + 1}, whose turn it is, must be known")
    view = position.view(seat)
    return Study((view,), (None if position.gaps else _whole(position, view),))


def _whole(position: Position, view: View) -> Game:
    """Return the game at a position of which everything is known."""
    imagined = sample_game(view, Random(0))
    return imagined._replace(round=position.round())


def answer(now: Study, line: str) -> tuple[Study | None, list[str]]:
    """Return the study after a typed line, `None` to quit, and what to say."""
    word = _SHORT.get(line.strip(), line.strip())
    match StudyCommand(word) if word in set(StudyCommand) else None:
        case None:
            return _answer_to_move(now, word) if word else (now, show_position(now))
        case StudyCommand.MOVES:
            return now, _moves(now)
        case StudyCommand.HINT:
            return now, _hints(now)
        case StudyCommand.BACK:
            return _back(now)
        case StudyCommand.MINE:
            return now, show_position(now)
        case StudyCommand.LINE:
            return now, [line_of(now)]
        case StudyCommand.HELP:
            return now, help_lines()
        case StudyCommand.QUIT:
            return None, []
        case never:
            assert_never(never)


def show_position(now: Study) -> list[str]:
    """Return the mine, the players, the hand, and who is to move."""
    view, names = now.view, now.names
    places = marks(view.legal_moves())
    seats = []
    for seat, cards in enumerate(view.table.hands):
        broken = broken_tools(seat, view)
        facts = [cards_counted(cards)]
        if broken:
            facts.append(_("broken: {tools}").format(tools=broken))
        seats.append(_("{title}: {facts}").format(title=names.name(seat), facts=phrases(facts)))
    lines = [
        *view.draw(places, columns=MINE_COLUMNS, rows=MINE_ROWS),
        pile_words(view),
        *seats,
        _describe_awaited(now),
    ]
    if view.role is not None and view.seat is not None:
        lines.append(_("You play as a {role}.").format(role=role_words(view.role)))
    if view.seat is not None:
        lines += hand_shown(view, numbered=False)  # A number is that of a move, as in the mine.
    return lines


def _describe_awaited(now: Study) -> str:
    """Return the sentence on whose turn it is, or on the end of the round."""
    end = now.view.table.end
    return waiting(now.view, now.names) if end is None else round_won(end)


def _moves(now: Study) -> list[str]:
    moves = now.view.legal_moves()
    return play_lines(moves, now.view, now.names) if moves else [_describe_awaited(now)]


def _hints(now: Study) -> list[str]:
    view = now.view
    if view.table.end is not None:
        return [_describe_awaited(now)]
    found = hints(view, Random(0), STUDY_BUDGET)[:MAX_HINTS]
    lines = []
    for hint in found:
        line = hint_words(hint, view.role, now.names)
        if hint.wins is not None:
            # Translators: {hint} is a sentence; {share} is a percentage.
            line = _("{hint} If bots play on, your side wins {share} of the time.").format(
                hint=line, share=percent(hint.wins)
            )
        lines.append(line)
    return lines


def _back(now: Study) -> tuple[Study, list[str]]:
    if len(now.views) == 1:
        return now, [nothing_tried()]
    before = take_back(now)
    return before, show_position(before)


def nothing_tried() -> str:
    """Return the reason why no move can be taken back."""
    return _("This is the position that you began with.")


def purpose_of(command: StudyCommand) -> str:
    """Return the purpose of a command that the screen has, too."""
    if command is StudyCommand.BACK:
        return _("take the last move back")
    return _("the position as a line, to paste elsewhere")


def take_back(now: Study) -> Study:
    """Return the study before the last move that was tried."""
    return Study(now.views[:-1], now.games[:-1])


def line_of(now: Study) -> str:
    """Return the present position as a line, with all that is known of it."""
    game = now.games[-1]
    return format_position(Position.of(now.view if game is None else game.round))


def _answer_to_move(now: Study, text: str) -> tuple[Study, list[str]]:
    """Return the study after a move, or why it cannot be made."""
    moves = now.view.legal_moves()
    number = text.lstrip("0")
    if number in map(str, range(1, len(moves) + 1)):
        return _make(now, moves[int(number) - 1])
    try:
        move = parse_own_move(text)
    except NotationError as error:
        return now, [
            f"{text}: {error.problem}.",
            how_to_get_help(),
        ]
    reason = now.view.why_not(move)
    if reason is not None:
        return now, [why_not(reason, move, now.view, now.names)]
    return _make(now, move)


def _make(now: Study, move: Move) -> tuple[Study, list[str]]:
    """Return the study after a legal move, and what to say."""
    is_imagined = now.games[-1] is None
    notices = [imagined_sentence()] if is_imagined else []
    after = after_move(now, move)
    return after, [*notices, *show_position(after)]


def imagined_sentence() -> str:
    """Return the sentence that cards are imagined."""
    return _("From here on, unknown cards are made up.")


def is_first_imagined(now: Study) -> bool:
    """Return True after the first move of a study of a position with gaps."""
    return len(now.games) == 2 and now.games[0] is None


def after_move(now: Study, move: Move) -> Study:
    """Return the study after a legal move."""
    game = now.games[-1] or sample_game(now.view, Random(0))
    game, _events = game.apply(move)
    seat = game.to_act if game.phase is Phase.PLAY else None
    return replace(now, views=(*now.views, game.view(seat)), games=(*now.games, game))


def how_to_get_help() -> str:
    """Return the sentence on how to get help."""
    return _("help shows what you can type.")


def help_lines() -> list[str]:
    """Return what can be typed."""
    rows = (
        ("EW@3, 12 ...", _("try a move, in notation or by its number")),
        (StudyCommand.MOVES, _("all moves, numbered")),
        (StudyCommand.HINT, _("the moves that the hard bot considers, and why")),
        (StudyCommand.BACK, purpose_of(StudyCommand.BACK)),
        (StudyCommand.MINE, _("the mine and your hand")),
        (StudyCommand.LINE, purpose_of(StudyCommand.LINE)),
        (StudyCommand.QUIT, _("leave")),
    )
    return [f"{word:<13} {purpose}" for word, purpose in rows]
