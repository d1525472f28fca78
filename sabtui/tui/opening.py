"""All that the first frame can do without: each module is loaded here, as what is in it opens."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.screen import Screen
    from textual.widget import Widget

    from sabtui.app.requests import TableHandle
    from sabtui.tui.app import SabtuiApp
    from sabtui.tui.navigation import Navigator


def make_join_screen() -> Screen[None]:
    """Make the list of games on this network."""
    from sabtui.tui.screens.join import JoinScreen

    return JoinScreen()


def make_resume_screen() -> Screen[None]:
    """Make the list of tables that can be resumed."""
    from sabtui.tui.screens.join import ResumeScreen

    return ResumeScreen()


def make_host_screen() -> Screen[None]:
    """Make the form for hosting a table."""
    from sabtui.tui.screens.host import HostScreen

    return HostScreen()


def make_practise_screen() -> Screen[None]:
    """Make the form for a game against bots."""
    from sabtui.tui.screens.host import PractiseScreen

    return PractiseScreen()


def make_rules_screen() -> Screen[None]:
    """Make the rules, on their first page."""
    from sabtui.tui.screens.rules import RulesScreen

    return RulesScreen()


def make_settings_screen() -> Screen[None]:
    """Make the form of the player's preferences."""
    from sabtui.tui.screens.settings import SettingsScreen

    return SettingsScreen()


def make_living_mine(app: SabtuiApp, *, is_still: bool) -> Widget:
    """Make the mine of the welcome screen."""
    from sabtui.tui.screens.living import LivingMine

    return LivingMine(app, is_still=is_still)


def begin_lesson(name: str) -> TableHandle:
    """Return the handle of a new lesson for a player."""
    from sabtui.app.lesson import learn

    return learn(name)


def make_navigator(app: SabtuiApp, leave: Callable[[str], None] | None) -> Navigator:
    """Make what shows sessions, with all screens of tables."""
    from sabtui.tui.navigation import Navigator

    return Navigator(app, leave)
