"""What is taught, a page each: short enough for a small terminal, enough to play.

The numbered rules are in docs/rules.md; each page cites those that it tells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual.content import Content

from engine.edition import EDITIONS
from sabtui.screen.glyphs import Glyphs
from sabtui.screen.mine.tiles import Lying
from sabtui.screen.pane import in_columns, prose
from sabtui.screen.rules.pictures import GOAL, GOLD, NOTHING, START, STONE, cards, mine, path
from sabtui.words.editions import book_name, book_words, differences
from sabtui.words.mine import State
from sabtui.words.tongue import _, pgettext

Lines = list[Content]
BLANK = Content("")


@dataclass(frozen=True, slots=True)
class Lesson:
    """A page: its title, and its lines for so many columns."""

    title: str
    tell: Callable[[int, Glyphs], Lines]


def lessons() -> Sequence[Lesson]:
    """The pages in their order."""
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


def _aim(columns: int, glyphs: Glyphs) -> Lines:
    """What all want (S6, R1, R2, F1)."""
    nothing: list[Lying] = [NOTHING] * 5
    tunnel: list[Lying] = [START, path("EW"), path("NEW"), *nothing, GOAL]
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
        BLANK,
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


def _turn(columns: int, _glyphs: Glyphs) -> Lines:
    """What a turn is (T1 to T6)."""
    rows = [
        # Translators: you choose one of three: lay, play, pass; at most 8 columns each.
        (_("lay"), _("a path card into the mine, or")),
        (_("play"), _("an action card: break or repair a tool, a rockfall, a map, or")),
        (_("pass"), _("and discard a card face down. You may always pass.")),
    ]
    return [
        *prose(_("On your turn you do one thing:"), columns),
        BLANK,
        *in_columns(rows, columns),
        BLANK,
        *prose(
            _("Then you draw a card, and it is the next player's turn. All that by itself."),
            columns,
        ),
        BLANK,
        *prose(
            _(
                "Talk as much as you like, true or false. Nobody shows a hidden card: what you "
                "say is all the others have, and whether to believe it is the game."
            ),
            columns,
        ),
        BLANK,
        *prose(
            _("Choose a card and all places where it can go light up. ? tells every key."), columns
        ),
    ]


def _paths(columns: int, glyphs: Glyphs) -> Lines:
    """What path cards are, and how they look when cut off (S3, P5)."""
    tunnels = [
        (path("EW"), _("straight")),
        (path("NES"), _("three ways")),
        (path("NESW"), _("crossing")),
        (path("NE"), _("bend")),
    ]
    ends = [
        (path("ew", State.DEAD), _("dead end")),
        (path("nes", State.DEAD), _("dead end")),
        (path("EW", State.CUT_OFF), _("cut off")),
        (path("NES", State.CUT_OFF), _("cut off")),
    ]
    return [
        *prose(_("Tunnels join all their open sides in the middle:"), columns),
        *cards(tunnels, glyphs),
        BLANK,
        *prose(
            _(
                "Dead ends, with an x, join nothing: a way in and no way on. What is thin or "
                "dotted is cut off: no tunnel leads there from the start."
            ),
            columns,
        ),
        *cards(ends, glyphs),
    ]


def _laying(columns: int, glyphs: Glyphs) -> Lines:
    """Where a path card may lie (P1 to P4)."""
    right = mine([[START, path("EW"), path("NESW"), path("NEW")]], glyphs)
    return [
        *prose(
            _(
                "A card goes beside the cards that lie there, as they lie or turned upside down, "
                "never sideways. Open sides meet open sides, rock meets rock:"
            ),
            columns,
        ),
        *right,
        BLANK,
        *prose(
            _(
                "And it must go on from a tunnel that leads back to the start without a break. "
                "A goal face down asks nothing; when a tunnel reaches it, it is turned over."
            ),
            columns,
        ),
        BLANK,
        *prose(_("With a broken tool you cannot lay path cards at all."), columns),
    ]


def _tools(columns: int, _glyphs: Glyphs) -> Lines:
    """Broken tools and repairs (A1 to A3)."""
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
        BLANK,
        *prose(
            _(
                "Each of the three can be broken once at a time, so a dwarf may have up to three "
                "broken tools; all have to be repaired. Beside each name you see what is broken."
            ),
            columns,
        ),
        BLANK,
        *prose(_("Whom you break and whom you repair tells the others what you may be."), columns),
    ]


def _rockfalls(columns: int, glyphs: Glyphs) -> Lines:
    """Rockfalls and maps (A4, A5)."""
    seen = [(GOAL, _("unknown")), (GOLD, _("treasure")), (STONE, _("stone"))]
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
        BLANK,
        *prose(
            _("You can play both with broken tools. What your maps showed stays drawn:"), columns
        ),
        *cards(seen, glyphs),
        BLANK,
        *prose(_("The others see which goal you looked at, and not what it is."), columns),
    ]


def _gold(columns: int, _glyphs: Glyphs) -> Lines:
    """How a round ends and what it brings (R1, R2, D1 to D5, F1)."""
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
        BLANK,
        *prose(
            _(
                "Saboteurs among so many players: none or one of 3 or 4, one or two of 5 or 6, "
                "two or three of 7 to 9, three or four of 10. One role card is always left over, "
                "so you never know for sure."
            ),
            columns,
        ),
        BLANK,
        *prose(_("Nobody sees your gold before the end of the game. Most nuggets win."), columns),
    ]


def _editions(columns: int, _glyphs: Glyphs) -> Lines:
    """What the rows of the editions change (E)."""
    rows = [(book_name(book), differences(edition)) for book, edition in EDITIONS.items()]
    return [
        *prose(_("The printed rules differ a little. Whoever hosts chooses:"), columns),
        BLANK,
        *in_columns(rows, columns),
    ]


def _books(columns: int, _glyphs: Glyphs) -> Lines:
    """The words of each rulebook, in its language."""
    rows = [(book_name(book), book_words(book)) for book in EDITIONS]
    return [
        *prose(_("Which box do you have? Each rulebook has words of its own:"), columns),
        BLANK,
        *in_columns(rows, columns),
    ]
