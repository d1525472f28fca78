"""What is dealt, and to whom (RULES S): a deal from its seed, and a seed drawn together."""

import hmac
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import count, islice
from random import Random
from struct import unpack
from typing import cast

import pytest

from engine import Game, RoundBegan, TurnBegan
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
from tests.oracle import oracle_deck


@pytest.mark.rule("S3", "S4")
def test_the_cards_are_those_of_the_box() -> None:
    assert {card.text: card.copies for card in CARDS} == oracle_deck.DECK
    tunnels = {card.text: card for card in CARDS if card.ways}
    assert sum(card.copies for card in tunnels.values()) == 40
    assert all(
        way.through == (text in oracle_deck.THROUGH)
        for text, card in tunnels.items()
        for way in card.ways
    )


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


def draw_words(seed: bytes, number: int) -> Iterator[int]:
    """The numbers of one round: blocks of HMAC-SHA256, 4 bytes at a time."""
    for block in count():
        message = b"sabtui deal 1" + number.to_bytes(4, "big") + block.to_bytes(4, "big")
        yield from unpack(">8I", hmac.digest(seed, message, "sha256"))


def draw_below(words: Iterator[int], n: int) -> int:
    """A number below n: those that would favour some are thrown away."""
    return next(word % n for word in words if word < 2**32 // n * n)


def shuffle(words: Iterator[int], items: Iterable[str]) -> list[str]:
    """Fisher and Yates's, from the last down."""
    shuffled = [*items]
    for last in range(len(shuffled) - 1, 0, -1):
        other = draw_below(words, last + 1)
        shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
    return shuffled


def by_the_book(seed: bytes, number: int, players: int, gold: str) -> list[str]:
    """All of a deal, in words."""
    words = draw_words(seed, number)
    miners, saboteurs = oracle_deck.MINERS[players], oracle_deck.SABOTEURS[players]
    dwarves = "".join(shuffle(words, "m" * miners + "s" * saboteurs))
    goals = shuffle(words, ["NESW", "NE", "NW"])
    deck, size = [*oracle_deck.DECK.elements()], oracle_deck.HAND[players]
    cards = shuffle(words, deck)
    hands = [sorted(cards[size * seat :][:size], key=deck.index) for seat in range(players)]
    nuggets = "".join(shuffle(words, sorted(gold)))
    hands_and_pile = [" ".join(hand) for hand in (*hands, cards[size * players :])]
    return [dwarves, " ".join(goals), *hands_and_pile, nuggets, str(draw_below(words, players))]


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
    words = [*islice(draw_words(bytes(32), 1), 16)]
    assert drawn == [word % 3 for word in (*words[:7], *words[8:15])]
    assert len(calls) == 2


# Seeds drawn together: what follows from the shares.

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


def test_somebody_who_put_in_nothing_is_no_dealer() -> None:
    assert DRAW.dealers == ("Ana", "Bruno", "Dédé")
    assert DRAW.left_out == ("Chiara",)


def test_the_id_of_a_draw_binds_what_the_deal_depends_on() -> None:
    nonce, basis = bytes(range(16)), b"B" * 32
    whole = sha256(parts(b"sabtui draw 1", nonce, basis)).digest()
    assert draw_id(nonce, basis) == whole[:16]
