"""What is dealt, and to whom (RULES S): a deal from its seed, and a seed drawn together."""

import hashlib
import hmac
from collections import Counter
from hashlib import sha256
from random import Random
from typing import cast

import pytest

from engine import DwarfDealt, Game, RoundBegan, TurnBegan, visible_to
from engine.cards import CARDS, GOALS, Path
from engine.dealing import (
    ALL_GOLD,
    DRAW_ID_BYTES,
    Deal,
    Draw,
    SeedShare,
    _Chance,
    commitment,
    deal,
    draw_id,
)
from engine.state import PLAYERS


@pytest.mark.rule("S2", "K")
def test_each_player_alone_is_told_their_dwarf_and_nobody_the_one_left_over(rng: Random) -> None:
    dealt = deal(rng.randbytes(32), 1, 7)
    _, events = Game.begin(dealt)
    for seat in range(7):
        told = [event for event in visible_to(events, seat) if isinstance(event, DwarfDealt)]
        assert told == [DwarfDealt(seat, dealt.roles[seat])]
    assert not any(isinstance(event, DwarfDealt) for event in visible_to(events, None))


@pytest.mark.rule("S3")
def test_the_tunnels_are_those_of_the_box() -> None:
    through = {"NS": 4, "EW": 3, "NE": 5, "NW": 4, "NES": 5, "NEW": 5, "NESW": 5}
    dead_ends = dict.fromkeys(["n", "e", "ns", "ew", "ne", "nw", "nes", "new", "nesw"], 1)
    tunnels = {card.text: card.copies for card in CARDS if card.ways}
    assert tunnels == through | dead_ends
    assert sum(tunnels.values()) == 40
    assert all(way.through == (card.text in through) for card in CARDS for way in card.ways)


@pytest.mark.rule("S3")
def test_a_card_turned_by_half_is_the_same_card() -> None:
    turned = " ".join("=".join(way.text for way in card.ways) for card in CARDS if card.ways[1:])
    assert turned == "NE=SW NW=ES NES=NSW NEW=ESW n=s e=w ne=sw nw=es nes=nsw new=esw"


@pytest.mark.rule("S4")
def test_the_action_cards_are_those_of_the_box() -> None:
    actions = {card.text: card.copies for card in CARDS if not card.ways}
    broken = dict.fromkeys(["-P", "-L", "-C"], 3)
    repairs = dict.fromkeys(["+P", "+L", "+C"], 2) | dict.fromkeys(["+PL", "+PC", "+LC"], 1)
    assert actions == broken | repairs | {"R": 3, "M": 6}
    assert sum(actions.values()) == 27


@pytest.mark.rule("S1", "S3", "S6", "S7", "K")
def test_everybody_knows_how_many_cards_are_where(rng: Random) -> None:
    game, events = Game.begin(deal(rng.randbytes(32), 1, 10), youngest=4)
    assert game.score.rounds == 3
    assert events[0] == RoundBegan(1, 4, (4,) * 10, 27)
    watched = game.view(None)
    assert (watched.table.hands, watched.table.pile, watched.hand) == ((4,) * 10, 27, ())
    assert watched.table.board.cards == {(0, 0): Path.read("NESW")}
    assert watched.table.board.hidden == ((8, -2), (8, 0), (8, 2))
    assert [" ".join(map(str, goal.ways)) for goal in GOALS] == ["NESW", "NE SW", "NW ES"]


@pytest.mark.rule("S8")
def test_the_table_names_who_begins_or_one_is_drawn(rng: Random) -> None:
    seed = rng.randbytes(32)
    for youngest in range(5):
        game, events = Game.begin(deal(seed, 1, 5), youngest=youngest)
        assert game.to_act == youngest
        assert events[-1] == TurnBegan(youngest)
    drawn = Counter(Game.begin(deal(rng.randbytes(32), 1, 5))[0].to_act for _ in range(200))
    assert set(drawn) == set(range(5))


# A deal from its seed.

TUNNELS = "NS 4, EW 3, NE 5, NW 4, NES 5, NEW 5, NESW 5, n, e, ns, ew, ne, nw, nes, new, nesw"
ACTIONS = "-P 3, -L 3, -C 3, +P 2, +L 2, +C 2, +PL, +PC, +LC, R 3, M 6"
"""The deck in the order of S3 and S4, each kind with its copies."""

DWARVES = {3: "mmms", 4: "mmmms", 5: "mmmmss", 6: "mmmmmss", 7: "mmmmmsss", 8: "mmmmmmsss"} | {
    9: "mmmmmmmsss",
    10: "mmmmmmmssss",
}
HANDS = {3: 6, 4: 6, 5: 6, 6: 5, 7: 5, 8: 4, 9: 4, 10: 4}


class Stream:
    """Numbers of one round: HMAC-SHA256 blocks, 4 bytes at a time."""

    def __init__(self, seed: bytes, number: int) -> None:
        self.seed = seed
        self.number = number
        self.block = 0
        self.bytes = b""

    def word(self) -> int:
        """The next 4 bytes."""
        if not self.bytes:
            message = b"sabtui deal 1"
            message += self.number.to_bytes(4, "big") + self.block.to_bytes(4, "big")
            self.bytes = hmac.new(self.seed, message, hashlib.sha256).digest()
            self.block += 1
        word, self.bytes = self.bytes[:4], self.bytes[4:]
        return int.from_bytes(word, "big")

    def below(self, n: int) -> int:
        """A number below n: those that would favour some are thrown away."""
        while True:
            word = self.word()
            if word < 2**32 // n * n:
                return word % n

    def shuffle(self, items: list[str]) -> list[str]:
        """Fisher and Yates's, from the last down."""
        last = len(items) - 1
        while last > 0:
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
            last -= 1
        return items


def deck() -> list[str]:
    """The 67 cards in the order of the rules."""
    kinds = [kind.split() for kind in f"{TUNNELS}, {ACTIONS}".split(", ")]
    return [kind[0] for kind in kinds for _ in range(int(kind[1]) if kind[1:] else 1)]


def by_the_book(seed: bytes, number: int, players: int, gold: str) -> list[str]:
    """All of a deal, in words."""
    stream = Stream(seed, number)
    dwarves = "".join(stream.shuffle(list(DWARVES[players])))
    goals = stream.shuffle(["NESW", "NE", "NW"])
    cards = stream.shuffle(deck())
    size = HANDS[players]
    hands = [sorted(cards[size * seat :][:size], key=deck().index) for seat in range(players)]
    nuggets = "".join(stream.shuffle(sorted(gold)))
    starter = str(stream.below(players))
    hands_and_pile = [" ".join(hand) for hand in hands] + [" ".join(cards[size * players :])]
    return [dwarves, " ".join(goals), *hands_and_pile, nuggets, starter]


def in_words(dealt: Deal) -> list[str]:
    """A deal of the engine's, in the same words."""
    return [
        "".join((*dealt.roles, dealt.spare)),
        " ".join(goal.text for goal in dealt.goals),
        *(" ".join(card.text for card in cards) for cards in (*dealt.hands, dealt.pile)),
        "".join(map(str, dealt.gold)),
        str(dealt.starter),
    ]


@pytest.mark.rule("S2", "S6", "S7", "S8", "N1")
@pytest.mark.parametrize("players", PLAYERS)
def test_anybody_can_work_out_a_deal_from_its_seed(players: int, rng: Random) -> None:
    for number in (1, 2, 3, 2**32 - 1):
        seed = rng.randbytes(32)
        gold = rng.sample(ALL_GOLD, rng.randrange(6, 29))
        text = "".join(map(str, gold))
        dealt = deal(seed, number, players, gold)
        assert in_words(dealt) == by_the_book(seed, number, players, text), seed.hex()


GOLDEN = """
mmmsm
NW NESW NE
NE NE NEW nes -L +C
NW NES NES nw R M
NS NESW -P -C -C +C
EW NE NW +PL +PC R
+LC NES NESW -P EW ew NW NS n NE -L NEW +P NES M NE NS -L M NS M NESW -P ns ne nesw NW M +P +L e \
NEW -C R NEW NEW +L NES M new NESW EW NESW
2123212131211111121323112111
2
"""
"""The first round of four players from the seed 00 01 02 ... 1f; it may never change."""


def test_a_deal_is_the_same_for_ever() -> None:
    words = GOLDEN.strip().splitlines()
    assert in_words(deal(bytes(range(32)), 1, 4)) == words
    assert by_the_book(bytes(range(32)), 1, 4, "".join(map(str, ALL_GOLD))) == words


def test_words_that_would_favour_some_numbers_are_thrown_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A word above the last multiple of n below 2**32 is as if it had not been there."""
    real = hmac.digest
    calls = []

    def with_high_words(key: bytes, message: bytes, digest: str) -> bytes:
        calls.append(message)
        return b"\xff" * 4 + real(key, message, digest)[:28]

    monkeypatch.setattr(hmac, "digest", with_high_words)
    chance = _Chance(bytes(32), 1)
    drawn = [chance(3) for _ in range(14)]
    monkeypatch.undo()
    stream = Stream(bytes(32), 1)
    words = [stream.word() for _ in range(16)]
    assert drawn == [word % 3 for word in (*words[:7], *words[8:15])]
    assert len(calls) == 2


DRAW = Draw(
    bytes(range(DRAW_ID_BYTES)),
    SeedShare("Ana", b"H" * 32),
    (SeedShare("Bruno", b"B" * 32), SeedShare("Chiara"), SeedShare("Dédé", b"D" * 32)),
)


def parts(*texts: bytes) -> bytes:
    """What the module's docstring calls parts, spelt once more."""
    return b"".join(len(text).to_bytes(4, "big") + text for text in texts)


def test_the_seed_is_made_as_the_docstring_says() -> None:
    draw = bytes(range(16))
    committed = {
        name: sha256(parts(b"sabtui share 1", draw, name.encode(), share * 32)).digest()
        for name, share in (("Ana", b"H"), ("Bruno", b"B"), ("Dédé", b"D"))
    }
    said = parts(
        *(b"sabtui seed 1", draw, b"Ana", committed["Ana"]),
        *(b"Bruno", committed["Bruno"], b"B" * 32),
        *(b"Chiara", b"", b""),
        *("Dédé".encode(), committed["Dédé"], b"D" * 32),
    )
    assert DRAW.seed == hmac.digest(b"H" * 32, said, "sha256")
    assert commitment(draw, "Bruno", b"B" * 32) == committed["Bruno"]


@pytest.mark.parametrize(
    ("part", "value", "problem"),
    [
        ("id", b"", "id has 16 bytes, not 0"),
        ("id", bytes(17), "id has 16 bytes, not 17"),
        ("host", SeedShare("Ana"), "share has 32 bytes, not 0"),
        ("host", SeedShare("Ana", b"H"), "share has 32 bytes, not 1"),
        ("others", (SeedShare("Bruno", b"B" * 33),), "share has 32 bytes, not 33"),
    ],
)
def test_a_draw_of_other_lengths_is_refused(part: str, value: object, problem: str) -> None:
    fields = {"id": DRAW.id, "host": DRAW.host, "others": DRAW.others, part: value}
    with pytest.raises(ValueError, match=problem):
        Draw(
            cast(bytes, fields["id"]),
            cast(SeedShare, fields["host"]),
            cast(tuple[SeedShare, ...], fields["others"]),
        )


def test_who_put_in_nothing_is_no_dealer() -> None:
    assert DRAW.dealers == ("Ana", "Bruno", "Dédé")
    assert DRAW.left_out == ("Chiara",)


def test_the_id_of_a_draw_binds_what_the_deal_depends_on() -> None:
    nonce, basis = bytes(range(16)), b"B" * 32
    whole = sha256(parts(b"sabtui draw 1", nonce, basis)).digest()
    assert draw_id(nonce, basis) == whole[:16]
