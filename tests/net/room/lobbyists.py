"""People in a hall that is a value, without sockets, and what they are told."""

from __future__ import annotations

from dataclasses import dataclass, field

from net.discovery.advert import AdvertStage
from net.protocol.hall import EnterHall, FromHall, FromHallClient
from net.protocol.messages import CommandRefused, Refusal
from net.room.effects import CloseConnection, SendFrame
from net.room.hall import Hall
from net.room.hall_orders import ClubOrder, HallEffects, OpenOrder, Outline

ROOM = Outline("Gold Rush", AdvertStage.LOBBY, "international", 1, 5, (("Ben", True),))


def key_of(number: int) -> bytes:
    """The seat key of the person who comes by this number."""
    return bytes([number % 251]) * 31 + bytes([number // 251])


@dataclass
class Lobbyists:
    """People in a hall, what each was told, and what the club was ordered to do."""

    hall: Hall = field(default_factory=lambda: Hall("0" * 16, "The Nugget", {}, 0.0))
    told: dict[int, list[FromHall]] = field(default_factory=dict)
    closed: list[int] = field(default_factory=list)
    orders: list[ClubOrder] = field(default_factory=list)
    named: list[tuple[bytes, str]] = field(default_factory=list)
    now: float = 0.0

    def come(self, number: int, name: str = "", address: str = "", as_number: int = 0) -> None:
        """Somebody connects, and enters if there is a name, maybe as who is there by a number."""
        self.hall.arrive(number, key_of(as_number or number), address)
        self.told[number] = []
        if name:
            self.say(number, EnterHall(name))

    def say(self, number: int, message: FromHallClient) -> None:
        """Somebody says something."""
        self.hall.receive(number, message)
        self.take(self.hall.collect())

    def wait(self, seconds: float) -> None:
        """Time passes, by ticks as the shell gives them."""
        end = self.now + seconds
        while self.now < end:
            self.now = min(end, self.now + 0.5)
            self.hall.tick(self.now)
            self.take(self.hall.collect())

    def take(self, effects: HallEffects) -> None:
        """Do what the hall orders."""
        for one in effects.do:
            match one:
                case SendFrame(numbers, message):
                    for number in numbers:
                        self.told[number].append(message)
                case CloseConnection(number):
                    self.closed.append(number)
        self.orders += effects.orders
        self.named += effects.named

    @property
    def opens(self) -> list[OpenOrder]:
        """The orders to open a table."""
        return [order for order in self.orders if isinstance(order, OpenOrder)]

    def refusal(self, number: int) -> Refusal | None:
        """The reason why the last request was refused."""
        last = self.told[number][-1]
        return last.reason if isinstance(last, CommandRefused) else None

    def names(self) -> list[str]:
        """The people who are there, as everybody is told."""
        return [one.name for one in self.hall._now_told().people]
