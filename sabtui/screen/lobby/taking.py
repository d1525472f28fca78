"""The lobby's screen as far as each player decides: to begin, to be ready, to sit and to stand."""

from __future__ import annotations

from collections.abc import Iterable

from net.lobby import BotChair, Free, Lobby, Taken
from net.messages import SetReady, Sit, Stand, Start
from sabtui.screen.commands import Command
from sabtui.screen.lobby.chairs import why_not_start
from sabtui.screen.lobby.deciding import Deciding
from sabtui.words.tongue import _, pgettext


class Taking(Deciding):
    """A screen with a row under the cursor, on which one takes part."""

    @property
    def hall(self) -> Lobby | None:
        """The table and all who are there, `None` before one has come in."""
        return self.now.lobby

    @property
    def is_typing(self) -> bool:
        """Whether one is typing, so that Enter says it."""
        raise NotImplementedError

    def game_commands(self) -> Iterable[Command]:
        """What makes the game begin."""
        yield Command(
            "start", ("s",), _("start"), _("start the game"), self.start, self.why_not_start
        )
        yield Command(
            "ready",
            ("r",),
            pgettext("label", "ready"),
            _("be ready, or no longer"),
            self.ready,
            self.why_not_ready,
        )

    def seat_commands(self) -> Iterable[Command]:
        """What is done with one's own seat."""
        yield Command(
            "sit",
            ("enter",),
            _("sit here"),
            _("take the free seat under the cursor"),
            self.sit,
            self.why_not_sit,
        )
        yield Command(
            "stand",
            ("u",),
            _("stand up"),
            _("free your seat and watch"),
            self.stand_up,
            self.why_not_stand,
        )

    def why_not_start(self) -> str | None:
        """Why the game cannot begin, or not by us."""
        if self.hall is None:
            return _("You are not at the table yet.")
        if not self.now.is_host:
            return _("The host starts the game.")
        return why_not_start(self.hall)

    def start(self) -> None:
        """Begin."""
        self.seat.want(Start())

    def why_not_ready(self) -> str | None:
        """Why there is nothing to be ready for."""
        if self.now.seat is None:
            return _("You watch: sit down first.")
        return _("The host need not say so: s starts the game.") if self.now.is_host else None

    def ready(self) -> None:
        """Be ready, or no longer."""
        assert self.hall is not None
        assert self.now.seat is not None
        chair = self.hall.chairs[self.now.seat]
        self.seat.want(SetReady(not (isinstance(chair, Taken) and chair.ready)))

    def why_not_sit(self) -> str | None:
        """Why one cannot sit there."""
        spot = self.spot
        if self.is_typing:
            return _("You are typing: Escape goes back to the seats.")
        if spot is None or spot.chair is None:
            return _("There is no seat under the cursor.")
        if isinstance(spot.chair, Free):
            return None
        if spot.place.seat == self.now.seat:
            return _("You sit there already.")
        if isinstance(spot.chair, BotChair) and self.now.is_host:
            return _("{name} sits there: x takes the bot away.").format(name=spot.name)
        return _("{name} sits there.").format(name=spot.name)

    def sit(self) -> None:
        """Sit down under the cursor."""
        assert self.spot is not None
        assert self.spot.place.seat is not None
        self.seat.want(Sit(self.spot.place.seat))

    def why_not_stand(self) -> str | None:
        """Why one cannot stand up."""
        return _("You have no seat.") if self.now.seat is None else None

    def stand_up(self) -> None:
        """Watch from now on."""
        self.seat.want(Stand())
