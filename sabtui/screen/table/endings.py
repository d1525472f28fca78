"""The end of a round in the place of the hand, and the end of a game in the place of the mine.

Knows plain values. Once a round has ended everybody's dwarf is known, and told one by one.
"""

from __future__ import annotations

from typing import assert_never

from rich.cells import cell_len

from engine.cards import Role
from engine.view import View
from net.lobby import Lobby, Presence, Taken
from sabtui.plain.wrap import confined
from sabtui.screen.glyphs import Glyphs
from sabtui.screen.rows import Look, Row, Span, cut, filled, fitted
from sabtui.words.cards import nuggets_counted
from sabtui.words.cast import Cast
from sabtui.words.events import round_won, unveiled
from sabtui.words.gold import winners
from sabtui.words.tongue import _


def round_rows(
    view: View, cast: Cast, columns: int, rows: int, so_far: int | None = None
) -> list[Row]:
    """Who won the round, who everybody was or `so_far` is known to be, and what the goals hid."""
    end = view.table.end
    if end is None:
        return []
    lines = [round_won(end.winner), *unveiled(end, cast)]
    if so_far is not None:
        dwarves = [_dwarf(seat, end.roles[seat], cast) for seat in range(so_far)]
        lines = [lines[0], " ".join(dwarves)] if rows > 1 else dwarves[-1:] or lines[:1]
    broken = confined(lines, columns - 2, 0)
    return [
        (Span(f" {line}", Look.STRONG if at == 0 else Look.PLAIN),)
        for at, line in enumerate(broken[:rows])
    ]


def _dwarf(seat: int, role: Role, cast: Cast) -> str:
    """Who somebody was."""
    match role:
        case Role.MINER:
            return cast.say(seat, _("You were a miner."), _("{name} was a miner."))
        case Role.SABOTEUR:
            return cast.say(seat, _("You were a SABOTEUR!"), _("{name} was a SABOTEUR!"))
        case _:
            assert_never(role)


def waited_for(lobby: Lobby) -> tuple[int, ...]:
    """The seats of those who are there and not ready for the next round."""
    return tuple(
        seat
        for seat, chair in enumerate(lobby.chairs)
        if isinstance(chair, Taken) and not chair.ready and _is_there(lobby, chair)
    )


def _is_there(lobby: Lobby, chair: Taken) -> bool:
    person = lobby.person(chair.member)
    return person is not None and person.presence is not Presence.GONE


def final_rows(view: View, cast: Cast, columns: int, rows: int, glyphs: Glyphs) -> list[Row]:
    """Everybody's gold in a box, most first, and who won, in the middle of the room."""
    inner = min(columns - 8, 56)
    score = view.score
    assert score.nuggets is not None
    assert score.winners is not None
    ranks = sorted(enumerate(score.nuggets), key=lambda seat: -seat[1])
    lines: list[Row] = [
        (Span(_centred(cut(_("The game is over"), inner), inner), Look.STRONG),),
        (),
        *(_rank(seat, nuggets, view, cast, inner) for seat, nuggets in ranks),
        (),
        *(
            (Span(_centred(line, inner), Look.GOLD),)
            for line in confined([winners(score.winners, cast)], inner, 0)
        ),
    ]
    if len(lines) + 2 > rows:
        lines = [line for line in lines if line]
    frame = glyphs.face_down
    upper_left, upper_right, lower_left, lower_right = tuple(frame.corners)
    across = frame.across * (inner + 2)
    boxed: list[Row] = [(Span(upper_left + across + upper_right, Look.RULE),)]
    side = Span(f"{frame.along} ", Look.RULE)
    other = Span(f" {frame.along}", Look.RULE)
    boxed += [(side, *filled(line, inner), other) for line in lines]
    boxed.append((Span(lower_left + across + lower_right, Look.RULE),))
    left = Span(" " * max((columns - inner - 4) // 2, 0))
    above = max((rows - len(boxed)) // 2, 0)
    shown: list[Row] = [()] * above + [(left, *row) for row in boxed]
    return [filled(row, columns) for row in (shown + [()] * rows)[:rows]]


def _centred(text: str, columns: int) -> str:
    """A text in the middle of so many cells, some letters of which may take two."""
    return text.center(columns - cell_len(text) + len(text))


def _rank(seat: int, nuggets: int, view: View, cast: Cast, columns: int) -> Row:
    """A player's nuggets: counted, and as many signs as there is room for."""
    told = nuggets_counted(nuggets)
    name = cast.name(seat)
    room = max(columns - 14 - cell_len(told), 10)
    named = fitted(cut(name, min(room, 26)), min(room, 26))
    won = seat in (view.score.winners or ())
    signs = "$" * nuggets
    left = columns - cell_len(named) - cell_len(told) - 2
    return (
        Span(named, Look.GOLD if won else Look.PLAIN),
        Span(f" {told} ", Look.STRONG),
        Span(fitted(signs, left) if len(signs) <= left else " " * left, Look.GOLD),
    )
