"""Facts for the side of the table: claims, cards unseen, a player, one's own role.

Each is a list of rows in aligned columns, from plain values. All of it follows from what the
player's own client knows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import Final

from rich.cells import cell_len

from engine.board import GOAL_CELLS
from engine.cards import Card, Goal, Role, Tool
from engine.view import View
from sabtui.art.blocks import fit_size
from sabtui.art.catalogue import Drawing
from sabtui.art.store import Size
from sabtui.table.sight import Sight
from sabtui.text.actions import action_rows, nothing_done
from sabtui.text.cards import card_words, role_words, shape_name, tool
from sabtui.text.events import your_role
from sabtui.text.i18n import _, ngettext, pgettext
from sabtui.text.layout import confine_lines
from sabtui.text.names import PlayerNames
from sabtui.text.summary import UnseenCards, double_repair, own_lines
from sabtui.text.talk import (
    ClaimStatus,
    goal_claims,
    goal_word,
    no_claims,
    player_claims,
    player_word,
    short_goal,
    status_words,
)
from sabtui.tui.table.faces import draw_largest, find_role_face
from sabtui.tui.table.players import PlayerNote, note_look
from sabtui.tui.table.result_columns import role_look
from sabtui.tui.theme import Glyphs
from sabtui.tui.widgets.rows import (
    Ground,
    Look,
    Row,
    StyledSpan,
    centre_text,
    cut,
    fill_row,
    fit_text,
    join_rows,
    player_look,
    width,
)

MAX_NAME_COLUMNS: Final = 12
"""Most columns of a player's name in the first column."""

MAX_TITLE_COLUMNS: Final = 10
"""Most columns for the titles of what a player has done."""

WIDE_FACTS_COLUMNS: Final = 44
"""Columns from which words stand where there is room for signs only."""

LEAST_ROLE_COLUMNS: Final = 30
"""Fewest columns of the words of one's role beside its card."""

LOW_ROLE_ROWS: Final = 5
"""Most rows of one's role where it leaves most of a low pane to the news."""

_SIGNS: Final = {
    ClaimStatus.OPEN: "",
    ClaimStatus.DISPUTED: "!",
    ClaimStatus.TRUE: "=",
    ClaimStatus.FALSE: "x",
}
_STATUS_LOOKS: Final = {
    ClaimStatus.OPEN: Look.PLAIN,
    ClaimStatus.DISPUTED: Look.GOLD,
    ClaimStatus.TRUE: Look.GOOD,
    ClaimStatus.FALSE: Look.BAD,
}


def claim_rows(sight: Sight, notes: Mapping[str, PlayerNote], columns: int) -> list[Row]:
    """Return the board of claims: goal by goal, player by player, and one's own notes.

    There are no rows for goals and players of whom nothing is claimed or known.
    """
    names = sight.names
    table = [*_goal_table(sight), *_player_table(sight), *_notes(names, notes)]
    if not table:
        return []
    first = min(max(width(line[0]) for line in table), MAX_NAME_COLUMNS)
    second = max(cell_len(line[1].text) for line in table)
    rows = []
    for about, said, seats, status in table:
        left = columns - first - second - 2
        head = (*fill_row(about, first + 1), StyledSpan(fit_text(said.text, second + 1), said.look))
        rows.append(fill_row((*head, *_by(seats, status, names, left)), columns))
    return rows


def no_claim_rows(columns: int) -> list[Row]:
    """Return the sentence that there are no claims, for a board that somebody asked for."""
    return [(StyledSpan(line, Look.DIM),) for line in confine_lines([no_claims()], columns, 0)]


_ClaimLine = tuple[Row, StyledSpan, tuple[int, ...] | str, ClaimStatus]
"""Line of the board: its subject, the claim, those who made it or how it is known, its status."""


def _goal_table(sight: Sight) -> list[_ClaimLine]:
    lines: list[_ClaimLine] = []
    view, claims = sight.view, goal_claims(sight.view, sight.talk)
    for goal, cell in enumerate(GOAL_CELLS):
        face = view.goal_on(cell)
        of_goal: list[_ClaimLine] = []
        if face is not None:
            is_gold = face is Goal.TREASURE
            is_up = cell in view.table.board.cards or view.table.end is not None
            known = _("face up") if is_up else _("your map")
            look = Look.GOLD if is_gold else Look.STONE
            of_goal.append(((), StyledSpan(goal_word(gold=is_gold), look), known, _OPEN))
        of_goal += [
            ((), StyledSpan(goal_word(gold=one.gold)), one.seats, one.status)
            for one in claims
            if one.goal == goal
        ]
        title = (StyledSpan(short_goal(goal), Look.STRONG),)
        lines += [(title if not at else (), *line[1:]) for at, line in enumerate(of_goal)]
    return lines


_OPEN: Final = ClaimStatus.OPEN


def _player_table(sight: Sight) -> list[_ClaimLine]:
    lines: list[_ClaimLine] = []
    before = None
    for one in player_claims(sight.view, sight.talk):
        about = () if one.about == before else (_name(one.about, sight.names, MAX_NAME_COLUMNS),)
        lines.append((about, StyledSpan(player_word(one.opinion)), one.seats, one.status))
        before = one.about
    return lines


def _notes(names: PlayerNames, notes: Mapping[str, PlayerNote]) -> list[_ClaimLine]:
    words = {
        PlayerNote.FRIEND: pgettext("note", "friend"),
        PlayerNote.FOE: pgettext("note", "foe"),
        PlayerNote.UNSURE: pgettext("note", "unsure"),
    }
    marked = [(seat, notes.get(name, PlayerNote.NONE)) for seat, name in enumerate(names.names)]
    return [
        (
            (_name(seat, names, MAX_NAME_COLUMNS),),
            StyledSpan(words[note], note_look(note)),
            _("your mark"),
            _OPEN,
        )
        for seat, note in marked
        if note is not PlayerNote.NONE
    ]


def _by(seats: tuple[int, ...] | str, status: ClaimStatus, names: PlayerNames, columns: int) -> Row:
    """Return the players who made a claim, and at the right its status in a word or a sign.

    A text in place of seats says how something is known.
    """
    if isinstance(seats, str):
        return (StyledSpan(cut(seats, columns), Look.DIM),)
    said = join_rows(_with_comma(seat, names, last=seat == seats[-1]) for seat in seats)
    worth = status_words(status)
    if width(said) + 1 + cell_len(worth) > columns:
        worth = _SIGNS[status]
    room = columns - cell_len(worth) - bool(worth)
    if width(said) > room:
        said = _abridge(seats, names, room)
    return (
        *fill_row(said, columns - cell_len(worth)),
        StyledSpan(worth, _STATUS_LOOKS[status]),
    )


def _with_comma(seat: int, names: PlayerNames, *, last: bool) -> Row:
    name = _name(seat, names, MAX_NAME_COLUMNS)
    return (name,) if last else (name, StyledSpan(", ", Look.DIM))


def _abridge(seats: tuple[int, ...], names: PlayerNames, columns: int) -> Row:
    """Return as many names as fit, at least the first one cut, and the number of the others."""
    for count in range(len(seats) - 1, 0, -1):
        kept = seats[:count]
        more = StyledSpan(f" +{len(seats) - count}", Look.DIM)
        row = (*join_rows(_with_comma(one, names, last=one == kept[-1]) for one in kept), more)
        if width(row) <= columns:
            return row
    others = f" +{len(seats) - 1}" if len(seats) > 1 else ""
    name = _name(seats[0], names, columns - len(others))
    return (name, StyledSpan(others, Look.DIM))


def _name(seat: int, names: PlayerNames, columns: int) -> StyledSpan:
    """Return a player's name in the player's colour, cut to what fits."""
    name = names.call(seat) if seat == names.me else names.names[seat]
    return StyledSpan(cut(name, columns), player_look(names.colour(seat)))


def unseen_title(view: View) -> str:
    """Return the title above the cards unseen."""
    count = len(view.unseen())
    # Translators: a title: cards that the player has not seen yet; at most 25 columns.
    return ngettext("{count} card unseen", "{count} cards unseen", count).format(count=count)


def unseen_rows(view: View, columns: int) -> list[Row]:
    """Return the cards unseen by kind: paths at the left, actions at the right or below.

    Tools have the numbers of cards that break and that repair them: -2 +3. Cards that repair either
    of two tools have a row of their own.
    """
    unseen = UnseenCards.of(view)
    left = [(shape_name(shape), str(count)) for shape, count in unseen.paths.items()]
    right = [(tool(one), f"-{unseen.breaks[one]} +{unseen.repairs[one]}") for one in Tool]
    right += [
        (card_words(Card.ROCKFALL), str(unseen.rockfalls)),
        (card_words(Card.MAP), str(unseen.maps)),
    ]
    half = min((columns - 2) // 2, WIDE_FACTS_COLUMNS // 2)
    doubles = (double_repair(), f"+{unseen.doubles}")
    if any(cell_len(f"{name} {count}") > half for name, count in (*left, *right)):
        wide = min(columns, WIDE_FACTS_COLUMNS // 2)
        return [_draw_count(one, wide) for one in (*left, *right, doubles)]
    return [
        *(
            (*_draw_count(one, half), StyledSpan("  "), *_draw_count(other, half))
            for one, other in zip(left, right, strict=True)
        ),
        _draw_count(doubles, 2 * half + 2),
    ]


def _draw_count(fact: tuple[str, str], columns: int) -> Row:
    name, count = fact
    named = fit_text(cut(name, columns - len(count) - 1), columns - len(count))
    return StyledSpan(named), StyledSpan(count, Look.STRONG)


def player_rows(seat: int, sight: Sight, columns: int) -> list[Row]:
    """Return what a player has done so far in the round."""
    rows: list[Row] = []
    before = ""
    actions = action_rows(seat, sight.view, sight.talk, sight.names)
    first = min(max((cell_len(title) for title, _facts in actions), default=0), MAX_TITLE_COLUMNS)
    for title, facts in actions:
        head = StyledSpan("" if title == before else title, Look.DIM)
        rows += _add_title(head, facts, first + 1, columns, Look.PLAIN)
        before = title
    return rows or [(StyledSpan(nothing_done(), Look.DIM),)]


def _add_title(title: StyledSpan, text: str, first: int, columns: int, look: Look) -> list[Row]:
    """Return a text broken into rows beside its title."""
    head = title._replace(text=fit_text(cut(title.text, first - 1), first))
    parts = confine_lines([text], columns - first, 0)
    heads = [head, *[StyledSpan(" " * first)] * (len(parts) - 1)]
    return [(one, StyledSpan(part, look)) for one, part in zip(heads, parts, strict=True)]


def role_rows(
    view: View, columns: int, rows: int | None, glyphs: Glyphs, *, veiled: bool
) -> list[Row]:
    """Return one's own role as a card, face down if veiled, and below it gold and rounds won.

    The card is as tall as leaves room for them in so many rows; with `None` it is alone, and so low
    that most of a low pane is left. Where it is drawn, its words stand below it or beside it.
    """
    if view.seat is None or view.role is None:
        return [(StyledSpan(line),) for line in confine_lines(own_lines(view), columns, 2)]
    _role, *others = own_lines(view)
    if rows is None:
        words = _role_card(view.role, columns, glyphs, _RoleCard.LOW, veiled=veiled)
        return _draw_beside(view.role, columns, LOW_ROLE_ROWS, glyphs, veiled=veiled) or words
    lines: list[Row] = [(StyledSpan(line),) for line in confine_lines(others, columns, 2)]
    room = rows - len(lines)
    drawn = _draw_role(view.role, columns, room, glyphs, veiled=veiled)
    drawn = drawn or _draw_beside(view.role, columns, room, glyphs, veiled=veiled)
    if drawn:
        return [*drawn, *lines]
    if beside := _draw_page(view.role, others, (columns, rows), glyphs, veiled=veiled):
        return beside
    cards = [_role_card(view.role, columns, glyphs, kind, veiled=veiled) for kind in _RoleCard]
    return [*next((card for card in cards if len(card) <= room), cards[-1]), *lines]


def _draw_role(role: Role, columns: int, rows: int, glyphs: Glyphs, *, veiled: bool) -> list[Row]:
    """Return the role's card drawn above its words, no rows where there is no room for that."""
    words = _role_card(role, columns, glyphs, _RoleCard.LOW, veiled=veiled)
    drawing, room = find_role_face(role, veiled=veiled), (columns, rows - len(words))
    if glyphs.cards is None or fit_size(drawing.name, *room) is None:
        return []
    return [*draw_largest(drawing, room, glyphs), *words]


def _draw_beside(role: Role, columns: int, rows: int, glyphs: Glyphs, *, veiled: bool) -> list[Row]:
    """Return the role's card drawn beside its words, no rows where there is no room for that."""
    drawing = find_role_face(role, veiled=veiled)
    size = fit_size(drawing.name, columns - LEAST_ROLE_COLUMNS - 1, rows)
    if glyphs.cards is None or size is None:
        return []
    words = _role_card(role, columns - size[0] - 1, glyphs, _RoleCard.LOW, veiled=veiled)
    return _set_beside(drawing, size, words, glyphs) if len(words) <= rows else []


def _draw_page(
    role: Role, others: Sequence[str], room: Size, glyphs: Glyphs, *, veiled: bool
) -> list[Row]:
    """Return the role's card drawn beside all that a low page tells, no rows without room for it.

    The first to go is what the role is about.
    """
    columns, rows = room
    drawing = find_role_face(role, veiled=veiled)
    size = fit_size(drawing.name, columns - LEAST_ROLE_COLUMNS - 1, rows)
    if glyphs.cards is None or size is None:
        return []
    title = pgettext("role", "hidden") if veiled else role_words(role)
    look = Look.STRONG if veiled else role_look(role)
    about = _("v shows it.") if veiled else your_role(role)
    for texts in ([about, *others], others):
        lines = confine_lines(texts, columns - size[0] - 1, 2)
        if len(lines) < rows:
            words: list[Row] = [(StyledSpan(title.upper(), look),)]
            words += [(StyledSpan(line),) for line in lines]
            return _set_beside(drawing, size, words, glyphs)
    return []


def _set_beside(drawing: Drawing, size: Size, words: Sequence[Row], glyphs: Glyphs) -> list[Row]:
    """Return a card drawn in a size, and words on its right."""
    wide, high = size
    right = [*words, *[()] * (high - len(words))]
    left = [*draw_largest(drawing, size, glyphs), *[()] * (len(words) - high)]
    return [(*fill_row(card, wide + 1), *row) for card, row in zip(left, right, strict=True)]


class _RoleCard(Enum):
    """Drawings of a role card: whole, with its title in its upper edge, and its title alone.

    As a `LINE` it has no frame, either.
    """

    WHOLE = auto()
    LOW = auto()
    BARE = auto()
    LINE = auto()


def _role_card(
    role: Role, columns: int, glyphs: Glyphs, kind: _RoleCard, *, veiled: bool
) -> list[Row]:
    """Return a drawing of the role card; its back has as many rows as its front."""
    columns = min(columns, WIDE_FACTS_COLUMNS)
    inner = columns - 4
    title = role_words(role).upper()
    look = role_look(role)
    lines = confine_lines([your_role(role)], inner, 0)
    if veiled:
        title, look = pgettext("role", "hidden").upper(), Look.STRONG
        lines = [_("v shows it."), *[""] * (len(lines) - 1)]
    if kind is _RoleCard.LINE:
        return [(StyledSpan(centre_text(title, columns), look),)]
    is_low = kind is _RoleCard.LOW
    frame = glyphs.chosen_face_down
    upper_left, upper_right, lower_left, lower_right = tuple(frame.corners)
    across = frame.across * (columns - 2)
    edge = StyledSpan(frame.along, look, Ground.CARD)
    texts = [(line, Look.PLAIN) for line in lines if kind is not _RoleCard.BARE]
    if not is_low:
        texts.insert(0, (title, look))
    above = f" {title} ".center(columns - 2, frame.across) if is_low else across
    between = [
        (edge, StyledSpan(f" {centre_text(text, inner)} ", of_it, Ground.CARD), edge)
        for text, of_it in texts
    ]
    return [
        (StyledSpan(upper_left + above + upper_right, look, Ground.CARD),),
        *between,
        (StyledSpan(lower_left + across + lower_right, look, Ground.CARD),),
    ]
