"""Pages of the rules, short enough for a small terminal, and pictures of cards for them.

The numbered rules are in docs/rules.md; each page cites those that it teaches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from textual.content import Content

from engine.cards import Path
from engine.edition import EDITIONS
from sabtui.text.editions import book_name, book_words, differences
from sabtui.text.i18n import _, pgettext
from sabtui.text.mine import CardState
from sabtui.text.names import width
from sabtui.tui.mine.tiles import (
    EmptyCell,
    FaceDown,
    LaidCard,
    Sign,
    Tile,
    TileContent,
    TileSize,
    drawn,
)
from sabtui.tui.theme import Glyphs
from sabtui.tui.widgets.rows import plain
from sabtui.tui.widgets.text import in_columns, prose

CARD_GAP_COLUMNS: Final = 3
"""Columns between two cards with captions."""

Rows = Sequence[Content]

START_TILE: Final = LaidCard(Path.read("NESW"), sign=Sign.START)
GOAL_TILE: Final = FaceDown(Sign.UNKNOWN)
GOLD_TILE: Final = FaceDown(Sign.TREASURE)
STONE_TILE: Final = FaceDown(Sign.STONE)
EMPTY_TILE: Final = EmptyCell()


def path(text: str, state: CardState = CardState.REACHED) -> LaidCard:
    """Return a path card by its notation."""
    return LaidCard(Path.read(text), state)


def mine(rows: Sequence[Sequence[TileContent]], glyphs: Glyphs) -> list[Content]:
    """Return the lines of cells side by side and row below row, as they lie in the mine."""
    lines: list[Content] = []
    for row in rows:
        tiles = [_tile(lying, glyphs) for lying in row]
        lines += [
            Content("  " + "".join(parts)).stylize("bold") for parts in zip(*tiles, strict=True)
        ]
    return lines


def cards(shown: Sequence[tuple[TileContent, str]], glyphs: Glyphs) -> list[Content]:
    """Return the lines of separate cards, each with a caption below."""
    columns = [
        max(TileSize.NORMAL.columns, width(word)) + CARD_GAP_COLUMNS for _lying, word in shown
    ]
    tiles = [_tile(lying, glyphs) for lying, _word in shown]
    lines = [
        Content(
            "  " + "".join(_centred(part, wide) for part, wide in zip(parts, columns, strict=True))
        )
        for parts in zip(*tiles, strict=True)
    ]
    words = "".join(
        _centred(word, wide) for (_lying, word), wide in zip(shown, columns, strict=True)
    )
    return [*(line.stylize("bold") for line in lines), Content("  " + words)]


def _tile(lying: TileContent, glyphs: Glyphs) -> tuple[str, ...]:
    rows = [plain(row) for row in drawn(Tile(lying), TileSize.NORMAL, glyphs)]
    return (
        tuple(" " * TileSize.NORMAL.columns for _row in rows)
        if lying == EMPTY_TILE
        else tuple(rows)
    )


def _centred(text: str, columns: int) -> str:
    """Return a text centred in `columns`, with the gap on its right left free."""
    room = columns - CARD_GAP_COLUMNS - width(text)
    left = room // 2
    return " " * left + text + " " * (room - left + CARD_GAP_COLUMNS)


PageLines = list[Content]
BLANK_LINE = Content("")


@dataclass(frozen=True, slots=True)
class Lesson:
    """Page of rules: its title, and a function that returns its lines for a width and glyphs."""

    title: str
    tell: Callable[[int, Glyphs], PageLines]


def lessons() -> Sequence[Lesson]:
    """Return the pages in order."""
    return (
        Lesson(_("What it is about"), _aim),
        Lesson(_("Your turn"), _turn),
        Lesson(_("Tunnels and dead ends"), _paths),
        Lesson(_("Laying a card"), _laying),
        Lesson(_("Broken tools"), _tools),
        Lesson(_("Rockfalls and maps"), _rockfalls),
        Lesson(_("The end of a round, and the gold"), _gold),
        Lesson(_("What the editions change"), _editions),
        Lesson(_("What the books call it"), _books),
    )


def _aim(columns: int, glyphs: Glyphs) -> PageLines:
    """Return the page on the aim of the game (S6, R1, R2, F1)."""
    nothing: list[TileContent] = [EMPTY_TILE] * 5
    tunnel: list[TileContent] = [START_TILE, path("EW"), path("NEW"), *nothing, GOAL_TILE]
    picture = mine([tunnel], glyphs)
    return [
        *prose(
            _(
                "You are dwarves in a mine. Some are miners: they dig a tunnel from the start, "
                "S, to the treasure. Some are saboteurs: they see to it that nobody gets there. "
                "Each knows only their own role."
            ),
            columns,
        ),
        *picture,
        BLANK_LINE,
        *prose(
            _(
                "Three goals lie seven cards away from the start, face down: one is the "
                "treasure, two are stone. If the treasure is reached, the miners share gold; if "
                "all cards are played before, the saboteurs are paid. After three rounds, each "
                "with new roles, whoever has most gold wins."
            ),
            columns,
        ),
    ]


def _turn(columns: int, _glyphs: Glyphs) -> PageLines:
    """Return the page on a turn (T1 to T6)."""
    rows = [
        # Translators: you choose one of three: lay, play, pass; at most 8 columns each.
        (_("lay"), _("a path card into the mine, or")),
        (_("play"), _("an action card: break or repair a tool, a rockfall, a map, or")),
        (_("pass"), _("and discard a card face down. You may always pass.")),
    ]
    return [
        *prose(_("On your turn you do one thing:"), columns),
        BLANK_LINE,
        *in_columns(rows, columns),
        BLANK_LINE,
        *prose(
            _("Then you draw a card, and it is the next player's turn. All that by itself."),
            columns,
        ),
        BLANK_LINE,
        *prose(
            _(
                "Talk as much as you like, true or false. Nobody shows a hidden card: what you "
                "say is all the others have, and whether to believe it is the game."
            ),
            columns,
        ),
        BLANK_LINE,
        *prose(
            _("Choose a card and all places where it can go light up. ? tells every key."), columns
        ),
    ]


def _paths(columns: int, glyphs: Glyphs) -> PageLines:
    """Return the page on path cards, connected and cut off (S3, P5)."""
    tunnels = [
        (path("EW"), _("straight")),
        (path("NES"), _("three ways")),
        (path("NESW"), _("crossing")),
        (path("NE"), _("bend")),
    ]
    ends = [
        (path("ew", CardState.DEAD), _("dead end")),
        (path("nes", CardState.DEAD), _("dead end")),
        (path("EW", CardState.CUT_OFF), _("cut off")),
        (path("NES", CardState.CUT_OFF), _("cut off")),
    ]
    return [
        *prose(_("Tunnels join all their open sides in the middle:"), columns),
        *cards(tunnels, glyphs),
        BLANK_LINE,
        *prose(
            _(
                "Dead ends, with an x, join nothing: a way in and no way on. What is thin or "
                "dotted is cut off: no tunnel leads there from the start."
            ),
            columns,
        ),
        *cards(ends, glyphs),
    ]


def _laying(columns: int, glyphs: Glyphs) -> PageLines:
    """Return the page on laying path cards (P1 to P4)."""
    right = mine([[START_TILE, path("EW"), path("NESW"), path("NEW")]], glyphs)
    return [
        *prose(
            _(
                "A card goes beside the cards that lie there, as they lie or turned upside down, "
                "never sideways. Open sides meet open sides, rock meets rock:"
            ),
            columns,
        ),
        *right,
        BLANK_LINE,
        *prose(
            _(
                "And it must go on from a tunnel that leads back to the start without a break. "
                "A goal face down asks nothing; when a tunnel reaches it, it is turned over."
            ),
            columns,
        ),
        BLANK_LINE,
        *prose(_("With a broken tool you cannot lay path cards at all."), columns),
    ]


def _tools(columns: int, _glyphs: Glyphs) -> PageLines:
    """Return the page on broken tools and repairs (A1 to A3)."""
    rows = [
        (
            "-P -L -C",
            _("break somebody's pick, lantern or cart. They lay no paths until repaired."),
        ),
        ("+P +L +C", _("repair that tool, yours or anybody's.")),
        ("+PL +PC +LC", _("repair one of the two, whichever you choose.")),
    ]
    return [
        *in_columns(rows, columns),
        BLANK_LINE,
        *prose(
            _(
                "Each of the three can be broken once at a time, so a dwarf may have up to three "
                "broken tools; all have to be repaired. Beside each name you see what is broken."
            ),
            columns,
        ),
        BLANK_LINE,
        *prose(_("Whom you break and whom you repair tells the others what you may be."), columns),
    ]


def _rockfalls(columns: int, glyphs: Glyphs) -> PageLines:
    """Return the page on rockfalls and maps (A4, A5)."""
    seen = [(GOAL_TILE, _("unknown")), (GOLD_TILE, _("treasure")), (STONE_TILE, _("stone"))]
    return [
        *in_columns(
            [
                (
                    "R",
                    _("rockfall: takes any tunnel card out of the mine, not the start or a goal."),
                ),
                ("M", _("map: you alone look at one goal. Tell the others what you saw, or not.")),
            ],
            columns,
        ),
        BLANK_LINE,
        *prose(
            _("You can play both with broken tools. What your maps showed stays drawn:"), columns
        ),
        *cards(seen, glyphs),
        BLANK_LINE,
        *prose(_("The others see which goal you looked at, and not what it is."), columns),
    ]


def _gold(columns: int, _glyphs: Glyphs) -> PageLines:
    """Return the page on the end of a round and the gold (R1, R2, D1 to D5, F1)."""
    rows = [
        (
            pgettext("dwarves", "miners"),
            _(
                "win if the treasure is reached. Gold cards of 1 to 3 nuggets are drawn, one for "
                "each miner: who reached it takes the first, then it goes round."
            ),
        ),
        (
            pgettext("dwarves", "saboteurs"),
            _(
                "win if nobody gets there: 4 nuggets for one alone, 3 each for two or three, "
                "2 each for four."
            ),
        ),
    ]
    return [
        *in_columns(rows, columns),
        BLANK_LINE,
        *prose(
            _(
                "Saboteurs among so many players: none or one of 3 or 4, one or two of 5 or 6, "
                "two or three of 7 to 9, three or four of 10. One role card is always left over, "
                "so you never know for sure."
            ),
            columns,
        ),
        BLANK_LINE,
        *prose(_("Nobody sees your gold before the end of the game. Most nuggets win."), columns),
    ]


def _editions(columns: int, _glyphs: Glyphs) -> PageLines:
    """Return the page on the differences between editions (E)."""
    rows = [(book_name(book), differences(edition)) for book, edition in EDITIONS.items()]
    return [
        *prose(_("The printed rules differ a little. Whoever hosts chooses:"), columns),
        BLANK_LINE,
        *in_columns(rows, columns),
    ]


def _books(columns: int, _glyphs: Glyphs) -> PageLines:
    """Return the page on the words of each rulebook, in its own language."""
    rows = [(book_name(book), book_words(book)) for book in EDITIONS]
    return [
        *prose(_("Which box do you have? Each rulebook has words of its own:"), columns),
        BLANK_LINE,
        *in_columns(rows, columns),
    ]
