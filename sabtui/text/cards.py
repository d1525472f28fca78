"""Names of cards, tools, sides and goals, and the mine in words.

A dead end is always named as such: screen readers do not pronounce lower case differently.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple, assert_never

from engine.actions import ActionPlay, Break, Repair
from engine.board import GOAL_CELLS, START, Board, CardState, Cell, neighbours
from engine.cards import SIDES, Card, CardKind, E, Goal, N, Path, Role, S, Tool, W
from engine.events import Laid
from engine.tokens import format_cell
from engine.view import View
from sabtui.text.i18n import (
    _,
    add_facts,
    begins_with_vowel,
    capitalise,
    join_words,
    ngettext,
    pgettext,
    phrases,
    put_title,
)
from sabtui.text.names import PlayerNames


def side_words(edge: int) -> str:
    """Return the name of a card's side: N, E, S or W."""
    return {
        N: pgettext("side", "north"),
        E: pgettext("side", "east"),
        S: pgettext("side", "south"),
        W: pgettext("side", "west"),
    }[edge]


def side_names(edges: int) -> list[str]:
    return [side_words(edge) for edge in SIDES if edges & edge]


class PathShape(Enum):
    """Shape of a path card, whichever way it is turned."""

    STRAIGHT = auto()
    BEND = auto()
    T_JUNCTION = auto()
    CROSSING = auto()
    DEAD_END = auto()

    @staticmethod
    def of(path: Path) -> PathShape:
        if not path.through:
            return PathShape.DEAD_END
        match path.edges.bit_count():
            case 4:
                return PathShape.CROSSING
            case 3:
                return PathShape.T_JUNCTION
            case _:
                return PathShape.STRAIGHT if path.edges in (N | S, E | W) else PathShape.BEND


def shape_words(path: Path) -> str:
    return shape_name(PathShape.of(path))


def shape_name(shape: PathShape) -> str:
    return {
        # Translators: on a card, at most 10 columns.
        PathShape.STRAIGHT: _("straight"),
        # Translators: on a card, at most 10 columns.
        PathShape.BEND: _("bend"),
        # Translators: on a card, at most 10 columns.
        PathShape.T_JUNCTION: _("T-junction"),
        # Translators: on a card, at most 10 columns.
        PathShape.CROSSING: _("crossing"),
        PathShape.DEAD_END: _("dead end"),
    }[shape]


def shape_on_card(path: Path) -> str:
    """Return the name of a path card's shape in at most 10 columns, for its face."""
    shape = PathShape.of(path)
    # Translators: on a card, at most 10 columns.
    return pgettext("card face", "dead end") if shape is PathShape.DEAD_END else shape_name(shape)


def path_words(path: Path) -> str:
    """Return a path card in words, as it is turned: its shape and its open sides."""
    return f"{shape_words(path)} {', '.join(side_names(path.edges))}"


def title_path(path: Path) -> str:
    """Return a path card in words, outside a sentence: its shape, then its sides."""
    return add_facts(shape_words(path), ", ".join(side_names(path.edges)))


def a_path(path: Path) -> str:
    """Return a path card's shape, as the object of a sentence about laying it."""
    return {
        # Translators: within sentences, with the article: Anna laid a straight at 3 east.
        PathShape.STRAIGHT: pgettext("a card", "a straight"),
        PathShape.BEND: pgettext("a card", "a bend"),
        PathShape.T_JUNCTION: pgettext("a card", "a T-junction"),
        PathShape.CROSSING: pgettext("a card", "a crossing"),
        PathShape.DEAD_END: pgettext("a card", "a dead end"),
    }[PathShape.of(path)]


def name_path(path: Path, names: PlayerNames) -> str:
    """Return a path card as the object of a sentence, with its sides if cards are spelt."""
    if not names.spelt:
        return a_path(path)
    return f"{a_path(path)}, {join_words(side_names(path.edges))},"


def cell_words(cell: Cell, *, spelt: bool) -> str:
    """Return a cell in notation if `spelt`, else counted from the start as at the mine's edges."""
    if spelt:
        return format_cell(cell)
    x, y = cell
    steps = ((x, E if x > 0 else W), (y, S if y > 0 else N))
    # Translators: part of a place in the mine, counted in cards from the start, such as 4 east.
    text = _("{count} {side}")
    found = [text.format(count=abs(count), side=side_words(edge)) for count, edge in steps if count]
    return ", ".join(found) or format_cell(cell)


def goal_name(cell: Cell) -> str:
    return (
        pgettext("goal", "north goal"),
        pgettext("goal", "middle goal"),
        pgettext("goal", "south goal"),
    )[GOAL_CELLS.index(cell)]


def the_goal(cell: Cell, *, spelt: bool) -> str:
    """Return the name of a goal within a sentence, with its cell if `spelt`."""
    if cell not in GOAL_CELLS:  # Only a host that cheats sends such a goal.
        return format_cell(cell)
    # Translators: within sentences, with the article: You looked at the middle goal.
    name = (
        pgettext("the goal", "the north goal"),
        pgettext("the goal", "the middle goal"),
        pgettext("the goal", "the south goal"),
    )[GOAL_CELLS.index(cell)]
    return add_facts(name, format_cell(cell)) if spelt else name


class ActionWords(NamedTuple):
    """The words for an action card: its row in `action_words`.

    Sentences have the fields of `play_fields`.
    """

    name: str
    short: str  # where there is little room
    verb: str  # what it does
    title: str  # a play of the card, in words that begin a sentence
    mine: str  # the sentence about the reader's own play
    theirs: str  # the sentence about a play of the player {name}


def action_words(card: Card) -> ActionWords:
    """Return the words for an action card. Raises `ValueError` for a path card."""
    match card.kind:
        case CardKind.BREAK:
            return ActionWords(
                name=broken_card(card.tools[0]),
                short=f"-{tool_words(card.tools[0])}",
                # Translators: on a button, or on a card (10 columns): what it does.
                verb=pgettext("action", "break"),
                title=_("Break {tool}"),
                mine=_("You broke {tool}."),
                theirs=_("{name} broke {tool}."),
            )
        case CardKind.REPAIR:
            first, *others = card.tools
            return ActionWords(
                name=" / ".join(map(repair_card, card.tools)),
                short=card.text if others else f"+{tool_words(first)}",
                verb=pgettext("action", "repair"),
                title=_("Repair {tool}"),
                mine=_("You repaired {tool}."),
                theirs=_("{name} repaired {tool}."),
            )
        case CardKind.MAP:
            return ActionWords(
                name=pgettext("card", "map"),
                short=pgettext("card", "map"),
                verb=pgettext("action", "look"),
                title=_("Look at {goal} in secret"),
                mine=_("You looked at {goal}."),
                theirs=_("{name} looked at {goal}."),
            )
        case CardKind.ROCKFALL:
            return ActionWords(
                name=pgettext("card", "rockfall"),
                # Translators: a rockfall card where there is little room, at most 7 columns.
                short=pgettext("short card", "rocks"),
                verb=pgettext("action", "bring down a card"),
                title=_("Rockfall at {cell}"),
                mine=_("Your rockfall removed {card} at {cell}."),
                theirs=_("{name} brought down {card} at {cell}."),
            )
        case CardKind.THROUGH | CardKind.DEAD_END:
            raise ValueError(card)
        case never:
            assert_never(never)


def play_fields(
    play: ActionPlay, names: PlayerNames, card: str = "", actor: int | None = None
) -> dict[str, str]:
    """Return the fields of the sentences about a play of an action card.

    For a play in the mine they are {cell}, {goal} and {card}, the `card` that lies there; for one
    on a player they are {player}, and {tool} if it is about a tool. `actor` is the seat that plays,
    if that is the subject of the sentence.
    """
    place = play.place
    if not isinstance(place, int):
        spelt = names.spelt
        cell, goal = cell_words(place, spelt=spelt), the_goal(place, spelt=spelt)
        return {"cell": cell, "goal": goal, "card": card}
    fields = {"player": names.call(place)}
    if isinstance(play, Break | Repair):
        fields["tool"] = tool_of(play.tool, place, names, actor)
    return fields


def card_words(card: Card) -> str:
    return path_words(card.ways[0]) if card.ways else action_words(card).name


def card_name(card: Card) -> str:
    return shape_words(card.ways[0]) if card.ways else card_words(card)


def name_card(card: Card, *, spelt: bool) -> str:
    """Return a card outside a sentence, with its notation if cards are spelt."""
    if spelt:
        return card_spelt(card)
    return title_path(card.ways[0]) if card.ways else action_words(card).name


def card_spelt(card: Card) -> str:
    return add_facts(card.text, card_words(card))


def tool_words(kind: Tool) -> str:
    return {
        Tool.PICK: pgettext("tool", "pick"),
        Tool.LANTERN: pgettext("tool", "lantern"),
        Tool.CART: pgettext("tool", "cart"),
    }[kind]


def broken_card(kind: Tool) -> str:
    words = _("broken pick"), _("broken lantern"), _("broken cart")
    return dict(zip(Tool, words, strict=True))[kind]


def repair_card(kind: Tool) -> str:
    words = _("pick repair"), _("lantern repair"), _("cart repair")
    return dict(zip(Tool, words, strict=True))[kind]


def tool_of(kind: Tool, owner: int, names: PlayerNames, actor: int | None = None) -> str:
    """Return a player's tool as the object of a sentence whose subject is the seat `actor`."""
    match kind:
        case Tool.PICK:
            mine, own, theirs = _("your pick"), _("their own pick"), _("{name}'s pick")
            elided = pgettext("before a vowel", "{name}'s pick")
        case Tool.LANTERN:
            mine, own, theirs = _("your lantern"), _("their own lantern"), _("{name}'s lantern")
            elided = pgettext("before a vowel", "{name}'s lantern")
        case Tool.CART:
            mine, own, theirs = _("your cart"), _("their own cart"), _("{name}'s cart")
            elided = pgettext("before a vowel", "{name}'s cart")
        case _:
            assert_never(kind)
    if owner == actor:
        return names.say(owner, mine, own)
    return names.say(owner, mine, elided if begins_with_vowel(names.names[owner]) else theirs)


def goal_words(goal: Goal) -> str:
    is_gold = goal is Goal.TREASURE
    return pgettext("goal", "the treasure") if is_gold else pgettext("goal", "stone")


def role_words(role: Role) -> str:
    return pgettext("role", "miner") if role is Role.MINER else pgettext("role", "saboteur")


def role_initial(role: Role) -> str:
    # Translators: one letter that stands for a role in a narrow table: miner, SABOTEUR.
    return pgettext("initial", "m") if role is Role.MINER else pgettext("initial", "S")


def cards_counted(count: int) -> str:
    return ngettext("{count} card", "{count} cards", count).format(count=count)


def nuggets_counted(count: int) -> str:
    return ngettext("{count} nugget", "{count} nuggets", count).format(count=count)


def rank_by_treasure(cell: Cell, view: View) -> tuple[int, int]:
    """Return a sort key for cells: distance to a possible treasure, then easternmost first."""
    goals = [goal for goal in GOAL_CELLS if view.goal_on(goal) in (None, Goal.TREASURE)]
    x, y = cell
    return min(abs(x - east) + abs(y - south) for east, south in goals or GOAL_CELLS), -x


def goal_known(cell: Cell, view: View) -> str:
    """Describe what this seat knows about a goal."""
    goal = view.goal_on(cell)
    if goal is None:
        return _("unknown")
    is_up = cell in view.table.board.cards or view.table.end is not None
    if is_up or view.seat is None:  # people who replay a finished game know all, without a map
        return goal_words(goal)
    return _("{goal} on your map").format(goal=goal_words(goal))


def mine_words(view: View, *, spelt: bool = True) -> list[str]:
    """Return the mine as lines: goals, open ends, then path cards by state.

    Cells and cards are in notation if `spelt`, else only in words.
    """
    board = view.table.board
    goals = (
        (add_facts(goal_name(cell), format_cell(cell)) if spelt else goal_name(cell))
        + f" {goal_known(cell, view)}"
        for cell in GOAL_CELLS
    )
    lines = [_("Goals: {goals}.").format(goals=", ".join(goals))]
    openings = sorted(
        (cell for cell, _asked in board.openings), key=lambda c: rank_by_treasure(c, view)
    )
    if ends := [_opening(cell, board, spelt=spelt) for cell in openings]:
        lines.append(_("Open ends at: {cells}.").format(cells=phrases(ends)))
    shown = {
        CardState.REACHED: _("Connected tunnels: {cells}."),
        CardState.DEAD: _("Dead ends: {cells}."),
        CardState.CUT_OFF: put_title(capitalise(_("cut off")), "{cells}."),
    }
    for kind in CardState:
        cells = [cell for cell in sorted(board.tunnels()) if board.state_of(cell) is kind]
        if cells:
            if spelt:
                laid = ", ".join(f"{format_cell(cell)} {board.cards[cell].text}" for cell in cells)
            else:
                shapes = [
                    (cell_words(cell, spelt=False), shape_words(board.cards[cell]))
                    for cell in cells
                ]
                laid = phrases([put_title(where, shape) for where, shape in shapes])
            lines.append(shown[kind].format(cells=laid))
    return lines


def cell_sentence(cell: Cell, view: View, *, spelt: bool = False) -> str:
    """Describe the card on a cell, and name the cell, unless it is the start or a goal."""
    what = _describe_cell(cell, view)
    if not spelt and (cell == START or cell in GOAL_CELLS):
        return f"{capitalise(what)}."
    # Translators: what lies on a cell, as in: At 3n1: bend north, east.
    text = _("At {cell}: {what}.")
    return text.format(cell=cell_words(cell, spelt=spelt), what=what)


def around_words(cell: Cell, view: View) -> list[str]:
    """Describe a cell and its four neighbours, for exploring cell by cell."""
    return [
        cell_sentence(cell, view, spelt=True),
        *(
            put_title(
                f"{side_words(edge)}, {format_cell(beside)}", f"{_describe_cell(beside, view)}."
            )
            for edge, _back, beside in neighbours(cell)
        ),
    ]


def history_words(cell: Cell, view: View, names: PlayerNames) -> list[str]:
    """Return a line that names who laid the card on a cell; none for the start and goals."""
    if cell not in view.table.board.cards:
        return []
    laid = [event for event in view.history if isinstance(event, Laid) and event.cell == cell]
    # Translators: who laid the card under the cursor; {name} may be "you".
    return [_("Laid by {name}.").format(name=names.call(event.seat)) for event in laid[-1:]]


def _describe_cell(cell: Cell, view: View) -> str:
    board = view.table.board
    if cell in board.hidden:
        return _("{goal}, face down, {known}").format(
            goal=goal_name(cell), known=goal_known(cell, view)
        )
    if cell not in board.cards:
        # Translators: a cell where no card lies.
        return _("empty")
    path = path_words(board.cards[cell])
    if cell == START:
        return _("the start, {path}").format(path=path)
    if cell in GOAL_CELLS:
        return f"{goal_known(cell, view)}, {path}"
    is_cut_off = board.state_of(cell) is CardState.CUT_OFF
    return ", ".join([path, _("cut off")]) if is_cut_off else path


def _opening(cell: Cell, board: Board, *, spelt: bool) -> str:
    """Describe an empty cell at the end of tunnels, with the sides from which they lead in."""
    from_sides = [
        side_words(edge)
        for edge, back, beside in neighbours(cell)
        if beside in board.reached and board.cards[beside].edges & back
    ]
    where = cell_words(cell, spelt=spelt)
    return _("{cell} from {sides}").format(cell=where, sides=join_words(from_sides))
