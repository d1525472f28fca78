"""The panels of a table on a screen: header, mine, players and what is below them, hand.

The table itself and a replay have the same ones.
"""

from __future__ import annotations

from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from sabtui.tui.commands import CommandScreen
from sabtui.tui.table.layout import Layout
from sabtui.tui.theme import Glyphs
from sabtui.tui.widgets.panel import Panel
from sabtui.tui.widgets.rows import Look, Row, StyledSpan

PANELS_STYLES: Final = """
    #header { height: 1; }
    #middle { height: 1fr; }
    #mine { width: 1fr; height: 1fr; }
    #rule { width: 2; height: 1fr; }
    #side { height: 1fr; }
    #log { height: 1fr; }
    &.-narrow {
        #middle { layout: vertical; }
        #mine { width: 100%; }
        #rule { display: none; }
    }
    &.-too-small {
        #middle { display: none; }
        #hand { display: none; }
    }
"""
"""Styles below the screen."""


def panels_css(screen: str) -> str:
    """Return the styles of the panels on a screen, by the name of its class.

    A screen cannot inherit them: Textual takes default styles from the first base class alone.
    """
    return f"{screen} {{{PANELS_STYLES}}}"


def rule_rows(layout: Layout, glyphs: Glyphs) -> list[Row]:
    """Return the rule between the mine and the side."""
    return [(StyledSpan(f"{glyphs.along} ", Look.RULE),)] * layout.body


class TablePanelsScreen(CommandScreen, inherit_bindings=False):
    """Screen with the panels of a table."""

    def __init__(self) -> None:
        self.header: Final = Panel("header")
        self.mine: Final = Panel("mine")
        self.rule: Final = Panel("rule")
        self.side: Final = Vertical(id="side")
        self.players: Final = Panel("players")
        self.pane: Final = Panel("log")
        self.hand: Final = Panel("hand")
        super().__init__()

    def panels(self, *below_pane: Widget) -> ComposeResult:
        """Yield the panels, with other widgets below the pane."""
        yield self.header
        with Horizontal(id="middle"):
            yield self.mine
            yield self.rule
            with self.side:
                yield self.players
                yield self.pane
                yield from below_pane
        yield self.hand

    def use_layout(self, layout: Layout) -> None:
        """Show the panels for which a terminal of this size has room, side by side or not."""
        self.set_class(layout.is_too_small, "-too-small")
        self.set_class(layout.is_narrow, "-narrow")

    def size_panels(self, layout: Layout, players_rows: int) -> None:
        """Give each panel its size."""
        self.side.styles.width = layout.text
        self.mine.styles.height = layout.mine_rows if layout.is_narrow else "1fr"
        self.players.styles.height = players_rows
        self.hand.styles.height = layout.hand
