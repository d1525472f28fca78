"""Moments of a game that are shown in place of the rest: roles, the end of a round or game.

The end of a round replaces the hand, the end of a game the mine, with the dwarves on a podium where
cards are drawn. `draw_postcard` makes a picture of a finished game for friends: its last mine,
where the way to the gold shines, and everybody on the podium. `draw_evening` has the podium of
several games.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from rich.cells import cell_len

from engine.board import GOAL_CELLS, Cell
from engine.cards import Goal, Role
from engine.events import RoundEnded
from engine.tally import RoundTally, Tally
from engine.view import View
from sabtui.art.catalogue import Drawing, find_dwarf, find_mine, find_pile
from sabtui.art.colours import Colour, Tint
from sabtui.art.pixels import Canvas
from sabtui.art.store import Size, list_sizes
from sabtui.table.sight import Sight
from sabtui.text.cards import cards_counted, role_initial, role_words
from sabtui.text.evening import award_lines, saboteurs_line, saboteurs_of
from sabtui.text.events import how_to_see_role, round_won, unveil_lines, winners, your_role
from sabtui.text.i18n import _, pgettext
from sabtui.text.layout import confine_lines
from sabtui.text.names import PlayerNames
from sabtui.tui.mine.card_tiles import draw_picture
from sabtui.tui.mine.picture import WHOLE
from sabtui.tui.table.animation import RoleCard, Unmasking, find_way
from sabtui.tui.table.hand import FaceStyle, draw_largest, find_role_face, frame_card
from sabtui.tui.table.log import role_look
from sabtui.tui.theme import Glyphs, draw_large, drawable, spell_dots
from sabtui.tui.widgets.panel import (
    Ground,
    Look,
    Row,
    StyledSpan,
    align_right,
    centre_text,
    cut,
    fill_row,
    fit_text,
    join_rows,
    merge_pieces,
    narrow_row,
    overlaid,
    player_look,
    width,
)

GAP_COLUMNS = 2  # blank columns before each column


@dataclass(frozen=True, slots=True)
class Column:
    """Column of a table: its heading, and by seat the text and its look."""

    heading: str
    cells: tuple[str, ...]
    looks: tuple[Look, ...]

    @property
    def width(self) -> int:
        return max(cell_len(text) for text in (self.heading, *self.cells))


def width_of(columns: Iterable[Column]) -> int:
    """Return the terminal cells that columns take side by side, with their gaps."""
    return sum(column.width + GAP_COLUMNS for column in columns)


def played_columns(tally: Tally) -> tuple[Column, ...]:
    """Return what each player laid, broke and passed."""
    counts = (
        # Translators: headings of columns with numbers: tunnels and dead ends laid, tools broken.
        (pgettext("column", "tunnels"), [seat.tunnels for seat in tally.seats]),
        (pgettext("column", "dead ends"), [seat.dead_ends for seat in tally.seats]),
        (pgettext("column", "breaks"), [seat.breaks for seat in tally.seats]),
        (pgettext("column", "passes"), [seat.passes for seat in tally.seats]),
    )
    return tuple(
        Column(heading, tuple(str(count or "-") for count in of), (Look.PLAIN,) * len(of))
        for heading, of in counts
    )


MAX_SIGNS: Final = 5  # a round in which nobody gets more nuggets shows them one by one


def _list_rounds(tally: Tally, *, is_brief: bool = False) -> Iterator[Column]:
    """Yield a column for each round that is over: everybody's role and nuggets."""
    name_role = role_initial if is_brief else role_shown
    for round_ in tally.rounds:
        if round_.roles is None:
            continue
        number = str(round_.number)
        heading = number if is_brief else _("round {number}").format(number=number)
        cells = tuple(
            f"{name_role(role)} {_show_nuggets(round_, at)}".rstrip()
            for at, role in enumerate(round_.roles)
        )
        yield Column(heading, cells, tuple(map(role_look, round_.roles)))


def _show_nuggets(tally: RoundTally, seat: int) -> str:
    """Return a seat's nuggets of a round, "" if a latecomer to a moved game cannot know them."""
    own = tally.nuggets[seat]
    if own is None:
        return ""
    if own and all((nuggets or 0) <= MAX_SIGNS for nuggets in tally.nuggets):
        return "$" * own
    return gold_won(tally, seat)


def role_shown(role: Role) -> str:
    """Return a role's name; a saboteur's stands out without colours, too."""
    return role_words(role).upper() if role is Role.SABOTEUR else role_words(role)


def gold_won(tally: RoundTally, seat: int, columns: int = 0) -> str:
    """Return a seat's nuggets of a round, else its cards: in words if these fit into `columns`."""
    nuggets, cards = tally.nuggets[seat], tally.cards[seat]
    if nuggets is not None:
        return str(nuggets or "-")
    counted = cards_counted(cards)
    return counted if cell_len(counted) <= columns else f"={cards}"  # "=": gold cards face down


MAX_STEPS: Final = 3
"""Heights of the podium's steps: all but the first ranks stand on the last one."""

PILE: Final = (6, 3)  # columns and rows of a pile of gold
PILED_ROWS: Final = 6  # minimum rows of dwarves for piles of gold on the steps


class Winner(NamedTuple):
    """Somebody on a podium: their dwarf, their gold, and how many amounts are larger."""

    name: str
    dwarf: Drawing
    gold: int
    rank: int
    is_first: bool


def rank_players(sight: Sight) -> list[Winner]:
    """Return the players of a game by their gold, nobody before its end."""
    score, names = sight.view.score, sight.names
    return [
        Winner(
            names.names[seat],
            find_dwarf(*names.dwarf(seat)),
            gold,
            rank_gold(gold, score.nuggets or ()),
            seat in (score.winners or ()),
        )
        for seat, gold in sorted(enumerate(score.nuggets or ()), key=lambda each: -each[1])
    ]


def rank_gold(gold: int, others: Collection[int]) -> int:
    """Return the step of a podium, 0 the highest: equal gold shares one, and no step is empty."""
    return len({more for more in others if more > gold})


def draw_podiums(
    ranked: Sequence[Winner], columns: int, glyphs: Glyphs, places: int | None = None
) -> Iterator[list[Row]]:
    """Yield a podium as large as fits, then smaller ones.

    With `places`, only that many of the last winners already stand on it.
    """
    if glyphs.cards is None or not ranked:
        return
    below = 0 if places is None else len(ranked) - places
    drawn_up = [(winner, at >= below) for at, winner in enumerate(ranked)]
    across = [*drawn_up[1::2][::-1], *drawn_up[::2]]
    for size in list_sizes(find_dwarf(0, 0).name)[::-1]:
        if (size[0] + 1) * len(ranked) - 1 <= columns:
            drawn = [_draw_place(winner, size, glyphs, is_up=is_up) for winner, is_up in across]
            yield _join(drawn, columns)


def _draw_place(winner: Winner, size: Size, glyphs: Glyphs, *, is_up: bool) -> list[Row]:
    """Return a dwarf on its step, or only the step."""
    wide = size[0]
    is_piled = size[1] >= PILED_ROWS
    least = 2 + (PILE[1] if is_piled else 0)
    high = least + max(MAX_STEPS - 1 - winner.rank, 0)
    dwarf: Sequence[Row] = ()
    lines: list[Row] = []
    if is_up:
        dwarf = draw_picture(winner.dwarf, size, glyphs)
        lines = [_write(winner.name, Look.GOLD if winner.is_first else Look.STRONG, wide)]
        pile = find_pile(winner.gold) if is_piled else None
        if pile is not None:
            lines += draw_largest(pile, (wide, PILE[1]), glyphs, FaceStyle(Ground.CARD))
        lines.append(_write(f"${winner.gold}", Look.GOLD, wide))
    lines += [fill_row((), wide, Ground.CARD)] * (high - len(lines))
    above = size[1] - len(dwarf) + least + MAX_STEPS - 1 - high
    return [*[fill_row((), wide)] * above, *dwarf, *lines]


def _write(text: str, look: Look, columns: int) -> Row:
    """Return a text in the middle of a card, or of a step."""
    return (StyledSpan(centre_text(text, columns), look, Ground.CARD),)


def draw_masks(
    end: RoundEnded, unmasked: Collection[int], sight: Sight, room: Size, glyphs: Glyphs
) -> list[Row]:
    """Return everybody's role card, the `unmasked` turned up, over names, if there is room."""
    seats, (columns, rows) = sight.seats, room
    if glyphs.cards is None:
        return []
    found = [
        (size, across)
        for size in list_sizes("back")
        for across in (len(seats), -(-len(seats) // 2))
        if (size[0] + 1) * across - 1 <= columns
        and (size[1] + 2) * -(-len(seats) // across) <= rows
    ]
    if not found:
        return []
    size, across = max(found, key=lambda pair: pair[0])
    names = sight.names
    cards, wide = list[list[Row]](), size[0]
    for seat, role in enumerate(end.roles):
        is_known = seat in unmasked
        word, of_role = (role_shown(role), role_look(role)) if is_known else ("", Look.PLAIN)
        word = "" if cell_len(word) > wide else word
        called, look = centre_text(names.names[seat], wide), player_look(names.colour(seat))
        drawing = find_role_face(role, veiled=not is_known)
        card = [*draw_picture(drawing, size, glyphs), (StyledSpan(called, look),)]
        cards.append([*card, (StyledSpan(centre_text(word, wide), of_role),)])
    lines = (cards[first : first + across] for first in range(0, len(seats), across))
    return [row for line in lines for row in _join(line, (wide + 1) * across - 1)]


def _join(places: Sequence[Sequence[Row]], columns: int) -> list[Row]:
    gap = StyledSpan(" ")
    joined = (join_rows((gap, *row) for row in line)[1:] for line in zip(*places, strict=True))
    return [
        merge_pieces(fill_row((StyledSpan(" " * ((columns - width(row)) // 2)), *row), columns))
        for row in joined
    ]


MAX_INNER_COLUMNS: Final = 120  # maximum columns inside the box on a screen

MIN_NAME_COLUMNS, MAX_NAME_COLUMNS = 12, 26
"""Columns that a name keeps when others are shown beside it, and its maximum columns."""

MIN_SEAT_COLUMNS, MAX_SEAT_COLUMNS = 6, 16
"""Minimum and maximum columns of a player in the table of a round."""

MIN_TABLE_ROWS: Final = 4
"""Rows below which a round is described only in sentences: the winner, names, roles and gold."""


def round_rows(sight: Sight, columns: int, rows: int) -> list[Row]:
    """Return the result of a round: who won, the dwarves, their gold.

    What each player did is shown if there is room for it.
    """
    end, names = sight.view.table.end, sight.names
    if end is None:
        return []
    won, *_others = lines = [round_won(end), *unveil_lines(end, names)]
    if rows >= MIN_TABLE_ROWS and (table := _draw_round_table(end, sight, columns)):
        text = won if cell_len(won) <= columns - 2 else treasure_sentence(end.winner)
        return [(StyledSpan(f" {text}", Look.STRONG),), *table][:rows]
    broken = confine_lines(lines, columns - 2, 0)
    shown: list[Row] = [
        (StyledSpan(f" {line}", Look.STRONG if at == 0 else Look.PLAIN),)
        for at, line in enumerate(broken)
    ]
    return shown[:rows]


def award_rows(sight: Sight, columns: int, rows: int) -> list[Row]:
    """Return what failed the check, the evening's standings, the saboteurs, and awards.

    A sentence that has no room is left out whole.
    """
    awards = award_lines(sight.tally, sight.record, sight.names)
    saboteurs = saboteurs_line(sight.tally, sight.names)
    wrong: list[Row] = [(StyledSpan(f" {line}", Look.BAD),) for line in sight.wrong]
    room = rows - len(wrong)
    fits = set[str]()
    for text in filter(None, [saboteurs, *sight.evening, *awards]):  # the most wanted first
        high = len(confine_lines([text], columns - 2, 2))
        if high <= room:
            fits.add(text)
            room -= high
    sentences = [text for text in (*sight.evening, saboteurs, *awards) if text in fits]
    lines = confine_lines(sentences, columns - 2, 2)
    return [*wrong, *((StyledSpan(f" {line}", Look.STRONG),) for line in lines)][:rows]


def _measure_longest_name(sight: Sight) -> int:
    """Return the terminal cells of the longest name."""
    return max(cell_len(sight.names.name(seat)) for seat in sight.seats)


def treasure_sentence(winner: Role) -> str:
    """Return what happened to the treasure, without revealing who is who."""
    if winner is Role.MINER:
        return _("The treasure is reached.")
    return _("The treasure stays hidden.")


def _draw_round_table(end: RoundEnded, sight: Sight, columns: int) -> list[Row]:
    """Return a column for each player, no rows if there is no room for that."""
    tally, names, seats = sight.tally, sight.names, range(len(end.roles))
    of_gold, played = _("gold"), played_columns(tally)
    headings = (*([of_gold] if tally.rounds else []), *(line.heading for line in played))
    left = max(map(cell_len, headings)) + 2
    each = min((columns - left - 1) // len(seats), MAX_SEAT_COLUMNS)
    if each < MIN_SEAT_COLUMNS:
        return []
    lines = [Column("", tuple(map(role_shown, end.roles)), tuple(map(role_look, end.roles)))]
    if tally.rounds:
        gold = tuple(gold_won(tally.rounds[-1], seat, each - 1) for seat in seats)
        lines.append(Column(of_gold, gold, (Look.GOLD,) * len(seats)))
    lines += played
    marked = tuple(map(names.name, seats))
    called = marked if _measure_longest_name(sight) < each else names.names
    lines.insert(0, Column("", called, (Look.STRONG,) * len(seats)))
    return [
        (
            StyledSpan(f" {fit_text(line.heading, left)}", Look.DIM),
            *(
                StyledSpan(fit_text(cut(text, each - 1), each), look)
                for text, look in zip(line.cells, line.looks, strict=True)
            ),
        )
        for line in lines
    ]


def final_rows(
    sight: Sight, columns: int, rows: int, glyphs: Glyphs, places: int | None = None
) -> list[Row]:
    """Return the winner in large letters, and everybody's gold, rounds and counts, in the middle.

    With few columns, the counts are left out, then the rounds; with few rows, blank rows, the box
    and large letters. With `places`, only so many of the last places are on the podium yet.
    """
    for podium in draw_podiums(rank_players(sight), columns, glyphs, places):
        for lines in _compose(sight, _choose_columns(sight, columns), columns, glyphs, places):
            for both in ([*podium, (), *lines], [*podium, *lines]):
                if len(both) <= rows:
                    return _centre_rows(both, columns, columns, rows)
    inner = min(columns - 4, MAX_INNER_COLUMNS)
    boxed, bare = _choose_columns(sight, inner), _choose_columns(sight, columns)
    if len(boxed) == len(bare):
        first, *others = _compose(sight, boxed, inner, glyphs, places)
        for lines in (first, *others):
            is_airy = len(lines) > sight.view.table.players + 3 and lines[0] == first[0]
            if len(lines) + 2 <= rows and is_airy:
                return _centre_rows(draw_box(lines, inner, glyphs), inner + 4, columns, rows)
    for lines in _compose(sight, bare, columns, glyphs, places):
        if len(lines) <= rows:
            break
    return _centre_rows(lines[:rows], columns, columns, rows)


def _choose_columns(sight: Sight, columns: int) -> tuple[Column, ...]:
    """Return the most columns that leave room for the names."""
    named, score = min(_measure_longest_name(sight), MIN_NAME_COLUMNS), sight.view.score
    nuggets, winners = score.nuggets or (), score.winners or ()
    looks = tuple(Look.GOLD if seat in winners else Look.STRONG for seat in range(len(nuggets)))
    total = (Column(_("gold"), tuple(map(str, nuggets)), looks),)
    rounds = (*total, *_list_rounds(sight.tally))
    brief = (*_list_rounds(sight.tally, is_brief=True), *total)
    sets = ((*rounds, *played_columns(sight.tally)), rounds, brief)
    return next((chosen for chosen in sets if width_of(chosen) + named <= columns), total)


def _compose(
    sight: Sight, chosen: Sequence[Column], columns: int, glyphs: Glyphs, places: int | None
) -> Iterator[list[Row]]:
    """Yield the result as rows, from the airiest to one without a heading."""
    winning, names = sight.view.score.winners, sight.names
    assert winning is not None
    heading, *ranks = _draw_table(sight, chosen, columns)
    letters = _write_large(winning, names, columns, glyphs)
    won = _centre_text(winners(winning, names), columns, Look.GOLD)
    if places is not None and places < len(ranks):
        letters, won = [()] * len(letters), [()] * len(won)
        ranks[: len(ranks) - places] = [()] * (len(ranks) - places)
    table = [heading, *ranks]
    if letters:
        yield [*letters, (), *won, (), *table]
        yield [*letters, *won, (), *table]
        yield [*letters, *won, *table]
    yield [*won, (), *table]
    yield [*won, *table]
    yield [*won, *ranks]


def _write_large(
    seats: Sequence[int], names: PlayerNames, columns: int, glyphs: Glyphs
) -> list[Row]:
    """Return the winners' names in large letters, nothing if they cannot be drawn or are long."""
    spelt = [drawable(names.names[seat]) for seat in seats]
    if not all(spelt):
        return []
    lines = draw_large(" + ".join(spelt), glyphs)
    wide = max(map(len, lines))
    if wide > columns:
        return []
    return [_centre_line(line.ljust(wide), columns, Look.GOLD) for line in lines]


def _centre_text(text: str, columns: int, look: Look) -> list[Row]:
    return [_centre_line(line, columns, look) for line in confine_lines([text], columns, 0)]


def _centre_line(text: str, columns: int, look: Look) -> Row:
    """Return a text centred in `columns` cells; wide letters take two."""
    # str.center counts letters, not cells.
    return (StyledSpan(text.center(columns - cell_len(text) + len(text)), look),)


def _draw_table(sight: Sight, chosen: Sequence[Column], columns: int) -> list[Row]:
    """Return the headings, then the players, those with the most gold first."""
    score, names = sight.view.score, sight.names
    assert score.nuggets is not None
    assert score.winners is not None
    wide = width_of(chosen)
    named = min(columns - wide, MAX_NAME_COLUMNS, _measure_longest_name(sight))
    side, gap = " " * ((columns - wide - named) // 2), StyledSpan(" " * GAP_COLUMNS)
    heading: list[StyledSpan] = [StyledSpan(side + " " * named)]
    for column in chosen:
        heading += [gap, StyledSpan(align_right(column.heading, column.width), Look.DIM)]
    rows: list[Row] = [tuple(heading)]
    for seat, _nuggets in sorted(enumerate(score.nuggets), key=lambda each: -each[1]):
        look = Look.GOLD if seat in score.winners else Look.PLAIN
        row = [StyledSpan(side + fit_text(cut(names.name(seat), named), named), look)]
        for column in chosen:
            text = align_right(column.cells[seat], column.width)
            row += [gap, StyledSpan(text, column.looks[seat])]
        rows.append(tuple(row))
    return rows


def draw_box(lines: Sequence[Row], inner: int, glyphs: Glyphs) -> list[Row]:
    rows = ((StyledSpan(" "), *fill_row(line, inner)) for line in lines)
    return frame_card(rows, inner + 4, glyphs.face_down, Look.RULE, None)


def _centre_rows(lines: Sequence[Row], wide: int, columns: int, rows: int) -> list[Row]:
    """Return lines centred in `columns` and `rows`."""
    left = StyledSpan(" " * max((columns - wide) // 2, 0))
    above = max((rows - len(lines)) // 2, 0)
    shown: list[Row] = [()] * above + [(left, *line) for line in lines]
    return [fill_row(row, columns) for row in (shown + [()] * rows)[:rows]]


CARD_COLUMNS: Final = 27
"""Columns of the role card: an odd number, so that its middle stays in place as it is turned."""

PORTRAIT: Final = 12, 8  # columns and rows of the dwarf on the role card

MAX_MASKED_NAME_COLUMNS: Final = 14
"""Maximum columns of a name in the list of the players that are unmasked."""


def draw_stage(
    stage: RoleCard | Unmasking, mine: Sequence[Row], sight: Sight, columns: int, glyphs: Glyphs
) -> list[Row]:
    """Draw a ceremony (role card or unmasking) over the middle of the mine."""
    room = columns, len(mine)
    if isinstance(stage, Unmasking):
        drawn = _draw_unmasking(stage, sight, room, glyphs)
    else:
        card = _draw_card(stage, sight, len(mine), glyphs)
        drawn = [narrow_row(row, CARD_COLUMNS, stage.sevenths) for row in card]
    found, top = list(mine), max((len(mine) - len(drawn)) // 2, 0)
    for at, row in enumerate(drawn[: len(mine)], top):
        found[at] = overlaid(found[at], max((columns - width(row)) // 2, 0), *row)
    return found


def _draw_unmasking(
    unmasking: Unmasking, sight: Sight, room: tuple[int, int], glyphs: Glyphs
) -> list[Row]:
    """Return the roles that are known by now: as cards where they are drawn, else as a list."""
    end, (columns, rows) = unmasking.end, room
    title = treasure_sentence(end.winner)
    if masks := draw_masks(end, unmasking.unmasked, sight, (columns, rows - 1), glyphs):
        return [(StyledSpan(centre_text(title, width(masks[0])), Look.STRONG),), *masks]
    names = sight.names
    named = min(max(map(cell_len, names.names)), MAX_MASKED_NAME_COLUMNS)
    worn = max(map(cell_len, map(role_shown, Role)))
    inner = min(max(cell_len(title), named + 2 + worn), columns - 4)
    lines: list[Row] = [(StyledSpan(cut(title, inner), Look.STRONG),)]
    for seat, role in enumerate(end.roles):
        text = fit_text(cut(names.names[seat], named), named + 2)
        is_known = seat in unmasking.unmasked
        word, look = (role_shown(role), role_look(role)) if is_known else ("?", Look.DIM)
        lines.append((StyledSpan(text, player_look(names.colour(seat))), StyledSpan(word, look)))
    return draw_box(lines, inner, glyphs) if len(lines) + 2 <= rows else lines


def _draw_card(card: RoleCard, sight: Sight, rows: int, glyphs: Glyphs) -> list[Row]:
    """Return the player's role card: equally high for each role, so its back reveals nothing."""
    role, inner = sight.view.role or Role.MINER, CARD_COLUMNS - 2
    texts = confine_lines([your_role(role)], inner - 2, 0)
    most = max(len(confine_lines([your_role(role)], inner - 2, 0)) for role in Role)
    portrait = draw_picture(find_role_face(role, veiled=not card.is_up), PORTRAIT, glyphs)
    if len(portrait) + most + 2 > rows:
        portrait = ()
    height = (len(portrait) or 2) + most
    look = role_look(role) if card.is_up else Look.STRONG
    body: list[Row] = []
    if card.sevenths == WHOLE:
        head = role_words(role).upper() if card.is_up else "?"
        body = [_write(text, look, inner) for text in (head, "")]
        if portrait:
            side = StyledSpan(" " * ((inner - PORTRAIT[0]) // 2), Look.PLAIN, Ground.CARD)
            body = [fill_row((side, *row), inner, Ground.CARD) for row in portrait]
        if not card.is_up:
            texts = confine_lines([how_to_see_role()], inner - 2, 0)
        body += [_write(text, Look.PLAIN if card.is_up else look, inner) for text in texts]
    above = (height - len(body)) // 2
    body = [*[()] * above, *body, *[()] * (height - len(body) - above)]
    return frame_card(body, CARD_COLUMNS, glyphs.chosen_face_down, look)


CARD: Final = (144, 128)  # pixels of a card of the mine
MIN_COLUMNS: Final = 9  # minimum width of a picture, in cards

_MARGIN: Final = 40
_HEAD: Final = 96

_STEPS: Final = (174, 144, 122, 106)
"""Heights of the podium's steps by rank; all others stand on the last one."""

_DWARF: Final = 128
_PILE: Final = 48
_PODIUM: Final = _STEPS[0] + _DWARF + 2 * _MARGIN
_LINE: Final = 48

_GROUND: Final = Colour(23, 21, 18)
_STEP: Final = Colour(64, 55, 48)
_LETTERS: Final = Colour(220, 214, 200)
_GOLD: Final = Colour(242, 193, 78)


def draw_postcard(sight: Sight, day: str) -> bytes:
    """Return the picture of a game that is over, with its day in digits, as a PNG file."""
    view = sight.view
    cells = find_mine(view.table.board, tuple(map(view.goal_on, GOAL_CELLS)))
    west, north = (min(cell[axis] for cell in cells) for axis in (0, 1))
    across = max(cell[0] for cell in cells) + 1 - west
    down = max(cell[1] for cell in cells) + 1 - north
    width = max(across, MIN_COLUMNS) * CARD[0] + 2 * _MARGIN
    mine_bottom = _HEAD + down * CARD[1]
    bottom = mine_bottom + _LINE + _PODIUM
    canvas = Canvas((width, bottom), _GROUND)
    _write_head(canvas, sight.title, day)
    left = (width - across * CARD[0]) // 2
    shining = _find_way(view)
    for cell, drawing in cells.items():
        x, y = left + (cell[0] - west) * CARD[0], _HEAD + (cell[1] - north) * CARD[1]
        canvas.paste(drawing, x, y, CARD, Tint.NEW if cell in shining else Tint.PLAIN)
    dots = _spell(_name_saboteurs(sight))
    side = max(1, min(4, (width - 2 * _MARGIN) // len(dots[0])))
    canvas.write(dots, ((width - side * len(dots[0])) // 2, mine_bottom + 16), side, _LETTERS)
    names = sight.names.names
    ranked = [
        winner._replace(name=_spell_name(names.index(winner.name), sight))
        for winner in rank_players(sight)
    ]
    _draw_podium(canvas, ranked, bottom)
    return canvas.encode()


def draw_evening(title: str, ranked: Sequence[Winner], day: str) -> bytes:
    """Return the picture of an evening that is over: `draw_postcard` without a mine."""
    canvas = Canvas((MIN_COLUMNS * CARD[0] + 2 * _MARGIN, _HEAD + _PODIUM), _GROUND)
    _write_head(canvas, title, day)
    named = [
        winner if drawable(winner.name) else winner._replace(name=str(winner.rank + 1))
        for winner in ranked
    ]
    _draw_podium(canvas, named, canvas.size[1])
    return canvas.encode()


def _write_head(canvas: Canvas, title: str, day: str) -> None:
    width, dots = canvas.size[0], _spell(title)
    side = max(1, min(6, width * 2 // 3 // len(dots[0])))
    canvas.write(dots, (_MARGIN, _MARGIN - 6), side, _GOLD)
    dots = _spell(day)
    canvas.write(dots, (width - _MARGIN - 4 * len(dots[0]), _MARGIN), 4, _LETTERS)


def _find_way(view: View) -> frozenset[Cell]:
    """Return the cells of the way to the treasure, none if nobody dug it."""
    board = view.table.board
    for goal in GOAL_CELLS:
        if goal in board.cards and view.goal_on(goal) is Goal.TREASURE:
            way = find_way(goal, board)
            return frozenset((*way, goal)) if way else frozenset()
    return frozenset()


def _name_saboteurs(sight: Sight) -> str:
    """Return the saboteurs of each round in letters that can be drawn."""
    rounds = list[str]()
    for round_ in sight.tally.rounds:
        if round_.roles is not None:
            names = ", ".join(_spell_name(seat, sight) for seat in saboteurs_of(round_))
            rounds.append(f"{round_.number}: {names or '-'}")
    return "   ".join([pgettext("dwarves", "saboteurs"), *rounds])


def _spell_name(seat: int, sight: Sight) -> str:
    """Return a player's name, or the number of the seat if it cannot be drawn."""
    name = sight.names.names[seat]
    return name if drawable(name) else str(seat + 1)


def _draw_podium(canvas: Canvas, ranked: Sequence[Winner], bottom: int) -> None:
    """Draw everybody on a podium, those with the most gold in the middle."""
    places = [*ranked[1::2][::-1], *ranked[::2]]
    slot = (canvas.size[0] - 2 * _MARGIN) // max(len(places), 1)
    for number, winner in enumerate(places):
        height = _STEPS[min(winner.rank, len(_STEPS) - 1)]
        left, top = _MARGIN + number * slot, bottom - height
        canvas.fill(left + 4, top, (slot - 8, height), _STEP)
        side = min(_DWARF, slot - 8)
        canvas.paste(winner.dwarf, left + (slot - side) // 2, top - side, (side, side))
        colour = _GOLD if winner.is_first else _LETTERS
        dots = _spell(winner.name)
        dot = max(1, min(4, (slot - 16) // len(dots[0])))
        corner = left + (slot - dot * len(dots[0])) // 2, top + 12
        canvas.write(dots, corner, dot, colour)
        dots, pile = _spell(str(winner.gold)), find_pile(winner.gold)
        at = left + slot // 2 - 5 * len(dots[0]) // 2
        if pile is not None:
            at = left + slot // 2 + 6
            canvas.paste(pile, at - _PILE - 8, bottom - _PILE - 2, (_PILE, _PILE))
        canvas.write(dots, (at, bottom - 38), 5, _GOLD)


def _spell(text: str) -> list[str]:
    """Return a text in dots, blank if it cannot be drawn."""
    return spell_dots(drawable(text) or " ")
