"""The rules of the game as pages to read: paragraphs, columns and pictures of cards.

Each interface draws them in its own way. Each page cites the rules of docs/rules.md that it
teaches, and is short enough for a usual terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Final, TypeAlias

from engine.board import CardState
from engine.cards import Card, Goal, Path, Role, Tool
from engine.edition import EDITIONS
from sabtui.text.cards import shape_words, tool_words
from sabtui.text.i18n import _, capitalise, join_words, pgettext
from sabtui.text.layout import width
from sabtui.text.moves import your_turn
from sabtui.text.settings import book_name, differences
from sabtui.text.signs import mine_signs, notation_signs, place_signs, player_signs

TILE_COLUMNS: Final = 5  # minimum columns of a card in a picture
CARD_GAP_COLUMNS: Final = 3  # columns between two cards with captions

_INDENT: Final = "  "


@dataclass(frozen=True, slots=True)
class TwoColumns:
    """Rows of a word and its meaning."""

    rows: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class CardRows(TwoColumns):
    """Rows about cards of the hand or roles; drawn cards are shown beside the words."""

    cards: Sequence[Sequence[Card | Role]]


@dataclass(frozen=True, slots=True)
class PicturedCard:
    """A path card that lies face up."""

    path: Path
    state: CardState = CardState.REACHED
    is_start: bool = False


@dataclass(frozen=True, slots=True)
class PicturedGoal:
    """A goal; `goal` is its face if it is known, and `path` how it lies once it is turned over."""

    goal: Goal | None
    path: Path | None = None


PicturedCell: TypeAlias = PicturedCard | PicturedGoal | None
"""A cell of a picture; `None` is an empty one."""

DrawCell: TypeAlias = Callable[[PicturedCell], Sequence[str]]
"""Function that draws a cell as lines of as many columns as each cell has."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Cells as they lie in the mine or, with `captions` of one or more lines, separate cards."""

    cells: Sequence[PicturedCell]
    captions: Sequence[str] = ()

    @staticmethod
    def of(*cards: tuple[PicturedCell, str]) -> Picture:
        """Return a picture of separate cards with their captions."""
        cells, captions = zip(*cards, strict=True)
        return Picture(cells, captions)

    def lines(self, draw: DrawCell, wide: int = TILE_COLUMNS) -> list[str]:
        return [self._line(parts, wide) for parts in zip(*map(draw, self.cells), strict=True)]

    def fit(self, columns: int, wide: int = TILE_COLUMNS) -> Picture:
        """Return the picture with its captions in two lines if they are wider than `columns`."""
        if all(width(line.rstrip()) <= columns for line in self.caption_lines(wide)):
            return self
        return replace(self, captions=[_break_caption(caption) for caption in self.captions])

    def find_columns(self, wide: int) -> list[int]:
        """Return the column at which each cell of this many columns begins."""
        found, begins = list[int](), len(_INDENT)
        for room in self._widths(wide) or [wide] * len(self.cells):
            found.append(begins + (room - wide) // 2)
            begins += room + (CARD_GAP_COLUMNS if self.captions else 0)
        return found

    def caption_lines(self, wide: int = TILE_COLUMNS) -> list[str]:
        """Return the lines of captions below cells of this many columns, none without captions."""
        lines = zip_longest(*(caption.split("\n") for caption in self.captions), fillvalue="")
        return [self._line(line, wide) for line in lines]

    def _line(self, parts: Sequence[str], wide: int) -> str:
        if not self.captions:
            return _INDENT + "".join(parts)
        return _INDENT + "".join(map(_centre, parts, self._widths(wide)))

    def _widths(self, wide: int) -> list[int]:
        """Return the columns that each cell and its caption take."""
        return [max(wide, *map(width, caption.split("\n"))) for caption in self.captions]


def _break_caption(caption: str) -> str:
    """Return a caption in two lines, broken at the blank nearest to its middle."""
    blanks = [at for at, letter in enumerate(caption) if letter == " "]
    if not blanks:
        return caption
    middle = min(blanks, key=lambda at: abs(len(caption) - 1 - 2 * at))
    return f"{caption[:middle]}\n{caption[middle + 1 :]}"


def _centre(text: str, columns: int) -> str:
    """Return a text centred in `columns`, with the gap to the next card on its right."""
    room = columns - width(text)
    left = room // 2
    return " " * left + text + " " * (room - left + CARD_GAP_COLUMNS)


Block: TypeAlias = str | TwoColumns | Picture
"""A part of a page; a text is a paragraph, to be wrapped."""


@dataclass(frozen=True, slots=True)
class RulesPage:
    """A page of the rules: blocks with a blank line before each one that is not a picture."""

    title: str
    blocks: Sequence[Block]
    teaches: Sequence[str] = ()
    """Numbers of rules in docs/rules.md, each of which some page teaches."""


def rules_pages() -> Sequence[RulesPage]:
    """Return the pages in reading order."""
    return (
        _write_aim(),
        _write_turn(),
        _write_tunnels(),
        _write_laying(),
        _write_broken_tools(),
        _write_rockfalls_and_maps(),
        _write_reaching_a_goal(),
        _write_end_of_round(),
        _write_next_round(),
        _write_editions(),
        _write_deck(),
        _write_notation(),
        _write_reading_the_mine(),
        _write_reading_places(),
        _write_reading_players(),
        _write_tips(),
    )


def _card(text: str, state: CardState = CardState.REACHED) -> PicturedCard:
    return PicturedCard(Path.read(text), state)


_START: Final = PicturedCard(Path.read("NESW"), is_start=True)


_ROWS: Final = ("E-direction", "E-link", "E-dead-table", "E-share", "E-next")
"""Rows in which editions differ."""


def _write_aim() -> RulesPage:
    rock = (None,) * 5
    return RulesPage(
        _("What it is about"),
        [
            _(
                "You are dwarves in a mine. Some are miners, who dig a tunnel from the "
                "start to the treasure. Some are saboteurs, who make sure that nobody "
                "gets there. Each of you knows only their own role."
            ),
            Picture((_START, _card("EW"), _card("NEW"), *rock, PicturedGoal(None))),
            _(
                "Three goals lie face down: one is the treasure, two are stones. There is "
                "room for seven cards between the start and the goals, and for one card "
                "between two goals. If the treasure is reached, the miners share gold; if "
                "the cards run out first, the saboteurs are paid. After three rounds, each "
                "with new roles, the player with the most gold wins."
            ),
        ],
        ("R1", "R2"),
    )


def _write_turn() -> RulesPage:
    rows = [
        # Translators: you choose one of three: lay, play, pass; at most 8 columns each.
        (_("lay"), _("a path card in the mine, or")),
        (_("play"), _("an action card: break or repair a tool, a rockfall, a map, or")),
        (_("pass"), _("and discard a card face down. You may always pass.")),
    ]
    return RulesPage(
        your_turn(),
        [
            _("On your turn you do one thing:"),
            TwoColumns(rows),
            _(
                "Then you draw a card, and the next player's turn begins. Both happen "
                "automatically. Once the pile is empty nobody draws: play on until your hand is "
                "empty. Without cards you pass."
            ),
            _(
                "Say whatever you like, true or false. Nobody may show a hidden card: the others "
                "only have your word, and whether to believe it is what the game is about. Choose "
                "a card to see every place where it fits. ? lists what you can do."
            ),
        ],
        ("T1", "T2", "T3", "T4", "T5", "T6"),
    )


def _write_tunnels() -> RulesPage:
    tunnels = Picture.of(
        *((_card(text), shape_words(Path.read(text))) for text in ("EW", "NES", "NESW", "NE"))
    )
    ends = Picture.of(
        (_card("ew", CardState.DEAD), shape_words(Path.read("ew"))),
        (_card("nes", CardState.DEAD), shape_words(Path.read("nes"))),
        (_card("EW", CardState.CUT_OFF), _("cut off")),
        (_card("NES", CardState.CUT_OFF), _("cut off")),
    )
    return RulesPage(
        _("Tunnels and dead ends"),
        [
            _("Tunnels join all their open sides in the middle:"),
            tunnels,
            _(
                "Dead ends, blocked in the middle, join nothing: there is a way in but no way on. "
                "Fainter tunnels are cut off: no tunnel leads there from the start."
            ),
            ends,
        ],
        ("P5",),
    )


def _write_laying() -> RulesPage:
    return RulesPage(
        _("Laying a card"),
        [
            _(
                "Lay a card next to the cards on the table, upright or upside down, never "
                "sideways. Open sides must meet open sides, and rock must meet rock:"
            ),
            Picture((_START, _card("EW"), _card("NESW"), _card("NEW"))),
            _(
                "It must also continue a tunnel that leads back to the start without a "
                "break. Any side may meet a face-down goal; when a tunnel reaches it, it is "
                "turned over."
            ),
            _(
                "In Italy 2004 and France 2004 it need only touch a card (not a face-down goal), "
                "but the sides that meet must still match. With a broken tool you cannot lay path "
                "cards at all."
            ),
        ],
        ("P1", "P2", "P3", "P4"),
    )


def _write_broken_tools() -> RulesPage:
    rows = [
        (
            "-P -L -C",
            _(
                "break anybody's pick, lantern or cart. They cannot lay path cards until it "
                "is repaired."
            ),
        ),
        ("+P +L +C", _("repair that tool, yours or anybody's; both cards are discarded.")),
        ("+PL +PC +LC", _("repair one of the two, whichever you choose.")),
    ]
    single = [card for card in Card if len(card.repairs) == 1]
    double = [card for card in Card if len(card.repairs) > 1]
    return RulesPage(
        capitalise(_("broken tools")),
        [
            CardRows(rows, ([card for card in Card if card.breaks], single, double)),
            _(
                "Each of the three tools can be broken only once at a time, so a player may have "
                "up to three broken tools; all of them must be repaired. Broken tools are shown "
                "beside each name. Whose tools you break or repair tells the others what you may "
                "be."
            ),
        ],
        ("A1", "A2", "A3"),
    )


def _write_rockfalls_and_maps() -> RulesPage:
    rows = [
        (
            "R",
            _(
                "rockfall: removes any path card from the mine, except the start "
                "and the goals. Another card can be laid there later."
            ),
        ),
        (
            "M",
            _(
                "map: you alone look at one face-down goal. Then tell the truth, lie, "
                "or keep quiet."
            ),
        ),
    ]
    seen = Picture.of(
        (PicturedGoal(None), _("unknown")),
        (PicturedGoal(Goal.TREASURE), _("treasure")),
        (PicturedGoal(Goal.STONE_NE), _("stone")),
    )
    return RulesPage(
        _("Rockfalls and maps"),
        [
            CardRows(rows, ([Card.ROCKFALL], [Card.MAP])),
            _(
                "You can play both even with broken tools. What your maps showed stays on your "
                "screen:"
            ),
            seen,
            _("The others see which goal you looked at, but not what it is."),
        ],
        ("A4", "A5"),
    )


def _write_reaching_a_goal() -> RulesPage:
    tunnel = (_card("EW"), _card("NEW"))
    before, after = PicturedGoal(None), PicturedGoal(Goal.STONE_NW, Path.read("NW"))
    return RulesPage(
        _("Reaching a goal"),
        [
            _(
                "When a tunnel from the start opens onto a goal, from any side, the goal is "
                "turned over; two at once if it reaches both. The treasure ends the round."
            ),
            Picture((*tunnel, before, None, *tunnel, after)),
            _(
                "A stone stays on the table as a tunnel, turned to join the last card; it alone "
                "need not match its neighbours. The round goes on. A rockfall never turns a goal "
                "over."
            ),
        ],
        ("P6", "G1", "G2", "G3", "G4"),
    )


def _write_end_of_round() -> RulesPage:
    rows = [
        (
            pgettext("dwarves", "miners"),
            _(
                "win if the treasure is reached. Gold cards of 1 to 3 nuggets are drawn, one "
                "for each miner: the miner who reached it chooses first, then the others, "
                "counter-clockwise."
            ),
        ),
        (
            pgettext("dwarves", "saboteurs"),
            _(
                "win if nobody gets there: 4 nuggets for a single saboteur, 3 each for two "
                "or three, 2 each for four."
            ),
        ),
    ]
    return RulesPage(
        _("The end of a round"),
        [
            CardRows(rows, ([Role.MINER], [Role.SABOTEUR])),
            _(
                "Number of saboteurs: none or one with 3 or 4 players, one or two with 5 or 6, "
                "two or three with 7 to 9, three or four with 10. One dwarf card is always left "
                "over, so you never know for sure. If a saboteur lays the card that reaches the "
                "treasure, the miners win all the same: the saboteur gets nothing, and the next "
                "miner chooses first. Saboteurs are paid automatically."
            ),
        ],
        ("R1", "R2", "D1", "D3", "D5"),
    )


def _write_next_round() -> RulesPage:
    return RulesPage(
        _("Next round, end of game"),
        [
            _(
                "When a round is over, all roles and goals are shown. Then everything is "
                "shuffled and dealt again; you keep your gold. The player left of whoever "
                "laid the last path card begins."
            ),
            _(
                "Everybody sees how many gold cards you have, but not their nuggets, until the "
                "game ends. A miner who chooses sees only the cards still there. If there is no "
                "saboteur and no treasure, nobody is paid. If the gold runs out, saboteurs get "
                "IOUs, which count like nuggets at the end. After the last round, the player with "
                "the most nuggets wins. Ties share the win."
            ),
        ],
        ("R4", "D4", "D6", "D7", "D8", "N1", "N2", "F1"),
    )


def _write_editions() -> RulesPage:
    rows = [(book_name(book), differences(edition)) for book, edition in EDITIONS.items()]
    return RulesPage(
        _("What editions change"),
        [
            _("The printed rules differ a little. The host chooses:"),
            TwoColumns(rows),
            _("Italy 2004, France 2004: ten players share 9 gold cards."),
        ],
        ("R3", "D2", *_ROWS),
    )


def _write_deck() -> RulesPage:
    rows = [
        ("31", _("tunnels, and 9 dead ends")),
        (
            "9",
            _("broken tools, 3 each: {tools}").format(tools=join_words([*map(tool_words, Tool)])),
        ),
        ("9", _("repairs: 6 for one tool, 3 for either of two")),
        ("6", _("maps")),
        ("3", _("rockfalls")),
        ("28", _("gold cards, kept apart: 16 of 1 nugget, 8 of 2, 4 of 3")),
    ]
    return RulesPage(
        _("The cards in the box"),
        [
            _("A game is for 3 to 10 players. They draw from one pile of 67 cards:"),
            TwoColumns(rows),
            _(
                "You are dealt 6 cards (5 with 6 or 7 players, 4 with 8 or more) and one "
                "dwarf card. The youngest player begins, or one drawn at random."
            ),
        ],
        ("S1", "S2", "S3", "S4", "S5", "S7", "S8"),
    )


def _write_notation() -> RulesPage:
    return RulesPage(
        _("How places and cards are written"),
        [_("Places and cards are written the same way everywhere:"), TwoColumns(notation_signs())],
    )


def _write_reading_the_mine() -> RulesPage:
    return RulesPage(
        _("How to read the mine"),
        [
            _("The mine has no edge: it may grow on every side. Its signs:"),
            TwoColumns(mine_signs()),
        ],
        ("S6",),
    )


def _write_reading_places() -> RulesPage:
    return RulesPage(
        _("Where your card can be played"),
        [_("Choose a card, and the mine shows where it can be played:"), TwoColumns(place_signs())],
    )


def _write_reading_players() -> RulesPage:
    return RulesPage(
        _("How to read the players"),
        [
            _("Signs beside the names and in your hand:"),
            TwoColumns(player_signs()),
            _("You see what everybody sees, your own hand, and what your maps showed."),
        ],
        ("K",),
    )


def _write_tips() -> RulesPage:
    rows = [
        (
            pgettext("dwarves", "miners"),
            _(
                "Watch who lays dead ends and who breaks whose tools. A rockfall takes a dead "
                "end out of the way; then another card can be laid there."
            ),
        ),
        (
            pgettext("dwarves", "saboteurs"),
            _(
                "Do not give yourself away too early, or nobody will repair your tools. A "
                "rockfall can cut a tunnel close to its goal."
            ),
        ),
        (
            # Translators: who a tip is for: everybody; at most 14 columns.
            pgettext("dwarves", "everybody"),
            _("A map is worth most while the others believe you."),
        ),
    ]
    return RulesPage(_("Tips from the rulebooks"), [TwoColumns(rows)])
