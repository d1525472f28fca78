"""The lobby's screen as far as the host decides in it: bots, kicks, seats, terms.

Each command acts on the row under the cursor; others are told to ask the host.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from net.client.seat import Now, Seat
from net.messages import DiskIs, GoUnsaved, Kick, Lock, NewCode, Rule, Want
from sabtui.screen.commands import Command
from sabtui.screen.doors import Facts
from sabtui.screen.lobby import powers
from sabtui.screen.lobby.powers import Spot
from sabtui.screen.seated import Seated
from sabtui.words.tongue import _, pgettext


class Deciding(Seated):
    """A screen with a row under the cursor, on which the host decides."""

    def __init__(self, seat: Seat, now: Now, facts: Facts | None = None) -> None:
        self.giving: Spot | None = None
        super().__init__(seat, now, facts)

    @property
    def spot(self) -> Spot | None:
        """The row under the cursor."""
        raise NotImplementedError

    def host_commands(self) -> Iterable[Command]:
        """What the host decides."""
        yield Command(
            "bot",
            ("b",),
            # Translators: add a bot to the seat.
            pgettext("label", "bot"),
            _("put a bot there, or make it a better one"),
            lambda: self._want(powers.bot),
            lambda: self._why_not(powers.why_no_bot),
        )
        yield Command(
            "remove",
            ("x", "delete"),
            _("remove"),
            _("take a bot away, or send somebody away"),
            self._remove,
            lambda: self._why_not(powers.why_not_remove),
        )
        yield Command(
            "youngest",
            ("y",),
            _("youngest"),
            _("the youngest sits there, and begins"),
            lambda: self._want(powers.youngest),
            lambda: self._why_not(powers.why_not_youngest),
        )
        yield Command(
            "terms",
            ("e",),
            # Translators: what the table agrees upon.
            pgettext("label", "terms"),
            _("change edition, rounds, seats, turn time"),
            self._change_terms,
            lambda: self._why_not(lambda spot: spot.host_only),
        )
        yield Command(
            "hand over",
            ("g",),
            # Translators: give a seat to a watcher.
            pgettext("label", "give"),
            _("give the seat there to somebody who watches"),
            self._give,
            self._why_not_give,
        )

        yield Command(
            "lock",
            (),
            _("lock"),
            _("let nobody new in, or let them in again"),
            self._lock,
            lambda: self._why_not(lambda spot: spot.host_only),
            hidden=True,
        )
        yield Command(
            "new code",
            (),
            _("new code"),
            _("another room code; the old one is void"),
            lambda: self.seat.want(NewCode()),
            lambda: self._why_not(lambda spot: spot.host_only),
            hidden=True,
        )
        yield Command(
            "unsaved",
            ("f",),
            _("go unsaved"),
            _("go on although the disk is full; a crash loses the game"),
            lambda: self.seat.want(GoUnsaved()),
            self._why_saved,
        )

    def _lock(self) -> None:
        assert self.spot is not None
        self.seat.want(Lock(not self.spot.hall.locked))

    def _why_saved(self) -> str | None:
        full = self.now.disk is DiskIs.FULL
        told = _("All is saved as it should be.")
        return self._why_not(lambda spot: spot.host_only or (None if full else told))

    def _want(self, want: Callable[[Spot], Want]) -> None:
        """Want something of the row under the cursor."""
        assert self.spot is not None
        self.seat.want(want(self.spot))

    def _why_not(self, ask: Callable[[Spot], str | None]) -> str | None:
        spot = self.spot
        return _("You are not at the table yet.") if spot is None else ask(spot)

    def _remove(self) -> None:
        """A bot goes at once; of a person it is asked whether it is meant."""
        spot = self.spot
        assert spot is not None
        want = powers.remove(spot)
        if isinstance(want, Kick):
            told = _("Send {name} away?").format(name=spot.name)
            self.ask(told, lambda: self.seat.want(want))
        else:
            self.seat.want(want)

    def _change_terms(self) -> None:
        from sabtui.screen.lobby.terms import TermsScreen  # noqa: PLC0415 - not at start

        assert self.spot is not None
        settings = self.spot.hall.settings
        self.show(TermsScreen(settings, lambda changed: self.seat.want(Rule(changed))))

    def _why_not_give(self) -> str | None:
        spot = self.spot
        if spot is not None and self.giving is not None and spot.chair is None:
            return spot.host_only
        return self._why_not(powers.why_not_hand_over)

    def _give(self) -> None:
        """First the seat, then who gets it; with one who watches it is them."""
        spot = self.spot
        assert spot is not None
        if self.giving is not None and spot.chair is None and spot.place.member is not None:
            self._ask_to_give(self.giving, spot.place.member, spot.name)
            return
        watchers = powers.watchers(spot.hall)
        if len(watchers) == 1:
            self._ask_to_give(spot, watchers[0].member, watchers[0].name)
            return
        self.giving = spot
        self.say(_("Now put the cursor on who is to get the seat, and press g again."))

    def _ask_to_give(self, spot: Spot, to: int, name: str) -> None:
        assert spot.place.seat is not None
        told = _("Give {owner}'s seat {seat} to {name}?").format(
            owner=spot.name, seat=spot.place.seat + 1, name=name
        )
        self.giving = None
        self.ask(told, lambda: self.seat.want(powers.hand_over(spot, to)))
