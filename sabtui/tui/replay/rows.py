"""Parts of the replay as rows: as the table shows them to a seat, or with all cards open."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len

from engine.cards import Card, Tool
from engine.state import Phase
from engine.view import View
from net.client.session import Status
from net.lobby.chat import talk_of
from net.lobby.model import Lobby
from sabtui.app.replays import SPEEDS_PER_S, ReplayPosition
from sabtui.text.cards import role_initial, role_words
from sabtui.text.i18n import _, pgettext
from sabtui.text.layout import confined
from sabtui.text.names import PlayerNames
from sabtui.text.replays import said_words, seen_by_words, step_lines
from sabtui.text.review import beside_lines
from sabtui.tui.replay.model import ReplayModel, status_of
from sabtui.tui.table import hand, header, narrow, render, side
from sabtui.tui.table.facts import claim_rows
from sabtui.tui.table.log_entry import card_sign
from sabtui.tui.table.model import SidePanel
from sabtui.tui.table.result_columns import role_look
from sabtui.tui.table.selection import Selection
from sabtui.tui.theme import ASCII, Glyphs
from sabtui.tui.widgets.rows import (
    Ground,
    Look,
    Row,
    StyledSpan,
    cut,
    filled,
    fitted,
    player_look,
    ruled,
    width,
)
from sabtui.tui.widgets.text import CUT, cut_short

LEAST_PANE_ROWS: Final = 2
"""Fewest rows of the pane below a list of all hands."""

MIN_NAME_COLUMNS: Final = 4
"""Columns that a name keeps beside the cards of a player."""

PART_GAP: Final = "  "

TURN, ROUND, PILE = 2, 3, 4
"""Indices of the parts of the header that go first where there is little room."""


def sentence(model: ReplayModel) -> str:
    """Return the message, else what happened or was said in this frame, in one line."""
    position, columns = model.position, model.table.layout.columns - 2
    if model.message:
        return model.message
    step, said = position.step, position.said
    if said is not None:
        return cut(said_words(said, model.names, position.truth(step, said)), columns)
    view = None if position.seen_from.is_open else position.view
    told = [line for line in step_lines(step, model.names, view) if not line.startswith(" ")]
    text = told[0] if told else ""
    for more in told[1:]:
        if cell_len(text) + 1 + cell_len(more) > columns:
            break
        text += f" {more}"
    return cut(text, columns)


def head(model: ReplayModel) -> list[Row]:
    """Return the header: where one is, whose turn it is, the round, the pile, and whose view."""
    position, layout = model.position, model.table.layout
    if layout.is_too_small:
        return render.head(position.view, _lobby(model), model.names, model.table)
    view, count = position.view, len(position.game.replay.steps)
    speed = SPEEDS_PER_S[model.speed]
    # Translators: in the header of a game that plays by itself: so many steps a second.
    playing = _("playing {speed:g}/s").format(speed=speed) if model.is_playing else ""
    parts: list[Row] = [
        (StyledSpan(f" {position.step.number + 1}/{count}", Look.STRONG),),
        (StyledSpan(playing, Look.TURN),),
        tuple(span._replace(text=span.text.strip()) for span in header.turn(view, model.names)),
        _titled(pgettext("header", "round"), f"{view.score.number}/{view.score.rounds}"),
        _titled(pgettext("header", "pile"), str(view.table.pile)),
        _viewer(model),
    ]
    shown = [part for part in parts if width(part)]
    for part in (parts[PILE], parts[ROUND], parts[TURN]):
        if sum(map(width, shown)) + len(PART_GAP) * (len(shown) - 1) > layout.columns:
            shown.remove(part)  # whose view it is matters more
    row: Row = ()
    for part in shown:
        grown = (*row, StyledSpan(PART_GAP), *part) if row else part
        if width(grown) > layout.columns:
            break
        row = grown
    return [
        tuple(
            span._replace(ground=span.ground or Ground.TITLE)
            for span in filled(row, layout.columns)
        )
    ]


def _titled(title: str, value: str) -> Row:
    return StyledSpan(f"{title} ", Look.DIM), StyledSpan(value, Look.STRONG)


def _viewer(model: ReplayModel) -> Row:
    """Return from whose side one looks, with that seat's role."""
    seen_from, view = model.position.seen_from, model.position.view
    names = model.position.game.names()
    words = StyledSpan(seen_by_words(seen_from.seat, names, is_open=seen_from.is_open), Look.DIM)
    if view.role is None:
        return (words,)
    return words, StyledSpan(f"  {role_words(view.role).upper()}", role_look(view.role))


def _lobby(model: ReplayModel) -> Lobby:
    lobby = status_of(model.position).lobby
    assert lobby is not None
    return lobby


def mine(model: ReplayModel, status: Status) -> list[Row]:
    """Return the mine, or the result once the game is over."""
    held = status.game_state
    assert held is not None
    return render.mine(model.position.view, held, model.names, model.table)


def players_rows(model: ReplayModel) -> int:
    """Return the rows of the players, with the rule below them."""
    view = model.position.view
    return (
        view.table.players + 1 if _lists_hands(model) else side.seats_part(view, model.table).rows
    )


def _lists_hands(model: ReplayModel) -> bool:
    """Return True if all cards are open, and there is room for a row for each player."""
    players = model.position.view.table.players
    is_open = model.position.seen_from.is_open
    return is_open and _side_rows(model) > players + LEAST_PANE_ROWS


def _side_rows(model: ReplayModel) -> int:
    """Return the rows of players and pane together: there is no chat line below them."""
    layout = model.table.layout
    return layout.body - (layout.mine_rows if layout.is_narrow else 0)


def players(model: ReplayModel, status: Status) -> list[Row]:
    """Return the players above a rule with the title of the pane."""
    position, table = model.position, model.table
    view = position.view
    if not _lists_hands(model):
        assert status.lobby is not None
        return side.players(status, view, status.lobby, table, pane_rows(model))
    rows = [_open_player(seat, model) for seat in range(view.table.players)]
    title = _("claims") if table.pane is SidePanel.CLAIMS else _("what happened")
    return [*rows, ruled(title, table.layout.text, table.glyphs.across)]


def pane_rows(model: ReplayModel) -> int:
    """Return the rows of the pane."""
    return max(_side_rows(model) - players_rows(model), 0)


def pane(model: ReplayModel, status: Status) -> list[Row]:
    """Return the pane below the players."""
    table, rows = model.table, pane_rows(model)
    if not model.position.seen_from.is_open:
        return side.pane(status, model.position.view, table, rows)
    if table.pane is SidePanel.CLAIMS:
        assert status.game_state is not None
        public = model.position.step.view(None)
        talk = talk_of(public, status.game_state.talk)
        return claim_rows(public, talk, model.names, {}, table.layout.text)[:rows]
    beside = _reviewed(model, rows)
    log = table.log.rows(table.layout.text, rows - len(beside), table.glyphs, table.back)
    return [*beside, *log]


def _reviewed(model: ReplayModel, room: int) -> list[Row]:
    """Return the review of the step, if the reader asked for it; dots mark where it is cut."""
    if model.review is None or not room:
        return []
    columns = model.table.layout.text
    lines = confined(
        beside_lines(model.review.steps[model.position.step.number], model.names), columns, 1
    )
    if len(lines) > room:
        lines[room - 1 :] = [cut_short(lines[room - 1] + CUT, columns)]
    return [filled((StyledSpan(line, Look.DIM),), columns) for line in lines]


def _open_player(seat: int, model: ReplayModel) -> Row:
    """Return a player with role, cards, broken tools and gold, as far as they fit."""
    view, game = model.position.view, model.position.step.game
    assert game is not None
    columns, count = model.table.layout.text, view.table.players
    role = game.round.roles[seat]
    mark = ">" if seat == view.to_act else " "
    head: Row = (
        StyledSpan(mark, Look.TURN),
        StyledSpan(f"{seat + 1:{len(str(count))}} ", Look.KEY),
    )
    gold = sum(game.purse.held[seat]) + game.score.chits[seat]
    broken = "".join(tool.value for tool in Tool.within(view.table.broken[seat]))
    tail: Row = (
        StyledSpan(f" -{broken}" if broken else "", Look.BAD),
        StyledSpan(f" ${gold}" if gold else "", Look.GOLD),
    )
    initial = StyledSpan(f"{role_initial(role)} ", role_look(role))
    name = model.names.names[seat]
    fixed = width(head) + width(tail) + cell_len(initial.text)
    cards = _hand(
        game.round.hands[seat], columns - fixed - MIN_NAME_COLUMNS - 1, model.table.glyphs
    )
    room = columns - fixed - cell_len(cards)
    row = (
        *head,
        initial,
        StyledSpan(fitted(cut(name, room - 1), room), player_look(model.names.colour(seat))),
        StyledSpan(cards),
        *tail,
    )
    return filled(row, columns)


def _hand(cards: tuple[Card, ...], columns: int, glyphs: Glyphs) -> str:
    """Return the cards of a hand in a few letters, with a count of those that do not fit."""
    signs = [_sign(card, glyphs) for card in cards]
    for kept in range(len(signs), -1, -1):
        more = f"+{len(signs) - kept}" if kept < len(signs) else ""
        text = " ".join([*signs[:kept], *([more] if more else [])])
        if cell_len(text) <= columns:
            return text
    return ""


def _sign(card: Card, glyphs: Glyphs) -> str:
    """Return a card in a few letters, a path card as a drawing."""
    return card.text if glyphs is ASCII or not card.ways else card_sign(card.ways[0], glyphs)


def bottom(model: ReplayModel, status: Status) -> list[Row]:
    """Return the hand of the seat whose view is shown, or with all cards open of who plays next."""
    position, table = model.position, model.table
    view, held = position.view, status.game_state
    assert held is not None
    if not position.seen_from.is_open or view.phase is not Phase.PLAY or view.to_act is None:
        return render.bottom(view, held, model.names, table)
    return _hand_of(view.to_act, position, model)


def _hand_of(seat: int, position: ReplayPosition, model: ReplayModel) -> list[Row]:
    """Return the hand of the seat that plays next, below a rule with its name."""
    layout, glyphs = model.table.layout, model.table.glyphs
    view: View = position.step.view(seat)
    title = _hand_title(seat, view, model.names)
    if layout.is_narrow:
        below = narrow.hand(view, Selection(), layout.columns, glyphs)
        return [ruled(title, layout.columns, glyphs.across), *below]
    joint = layout.columns - layout.side
    rule = ruled(title, layout.columns, glyphs.across, joint, glyphs.foot)
    return [rule, *hand.hand(view, Selection(), layout.columns, layout.hand - 1, glyphs)]


def _hand_title(seat: int, view: View, names: PlayerNames) -> str:
    assert view.role is not None
    # Translators: a title: Ana, a miner, plays next. {role} is "miner" or "saboteur".
    return _("next: {name}, {role}").format(name=names.names[seat], role=role_words(view.role))
