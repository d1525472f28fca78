"""A game put together from what some of its seats know (RULES K), and written as plain values."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import combinations
from json import loads
from random import Random
from typing import assert_never, cast

import pytest

import engine
from engine import Card, Cell, Game, Goal, IllegalMove, Map, Role, View, sampling
from engine.assembling import Contradiction, RoundSoFar, assemble
from engine.dealing import ALL_GOLD, deal
from engine.events import Private
from engine.facts import Secrets, gold_before, secrets_of
from engine.sampling import sample_game, sample_ledger
from engine.state import PLAYERS, Phase
from tests.engine.cases import read_events
from tests.engine.random_games import (
    DRIVERS,
    anyhow,
    check_dead_table,
    check_whole,
    games,
    keen,
    seats,
)
from tests.samples import first

SEED = bytes(32)

RULES = [
    *engine.EDITIONS.values(),
    engine.ITALIA.replace(engine.ConnectRule.LINKED, engine.DeadTable.ENDS_ROUND),
    engine.INTERNATIONAL.replace(engine.ShareRule.ALL_PLAYERS),
]
SETTINGS = [
    (rules, players, driver) for players in PLAYERS for rules in RULES for driver in DRIVERS
]
SHUFFLED = Random(1).sample(SETTINGS, len(SETTINGS))
Setting = tuple[engine.Edition, int, str]
"""What games are played by: edition, players, driver."""

LONG = 140
"""Positions of each setting's games in a long run: more than 20,000 in all."""


def some_seats(game: Game, rng: Random) -> list[int]:
    """Some of those who play, perhaps nobody, in any order."""
    players = range(game.round.table.players)
    return rng.sample(players, rng.randint(0, len(players)))


def secrets_in(game: Game, present: Iterable[int]) -> Secrets:
    """What these seats were told alone."""
    return {seat: secrets_of(game.view(seat)) for seat in present}


def check(game: Game, present: list[int], rng: Random) -> Game:
    """Put a game together, and see that those who are there cannot tell it from the real one."""
    watcher = rng.choice([None, *present])
    made = assemble(game.view(watcher), secrets_in(game, present), rng.randbytes(32))
    for seat in (*present, None):
        assert made.view(seat) == game.view(seat)
    check_whole(made)
    check_dead_table(game.view(None), made)
    for seat in rng.sample(seats(made), 2):
        assert fold(made.view(seat)) == made.view(seat), "all others were told as well"
    assert made.legal_moves() or made.to_act is None
    assert RoundSoFar.of(made).game() == made
    return made


def fold(view: View) -> View:
    """A view as it follows from the events that its seat received, one by one."""
    again = View.before(view.table.edition, view.table.players, view.score.rounds, view.seat)
    again = follow(again, *gold_before(view))
    score = replace(again.score, wins=view.score.wins[: view.score.number - 1])
    return follow(again._replace(score=score), *view.history)


def play_on(game: Game, rng: Random) -> Game:
    """Play to the end with random moves."""
    while game.phase is not Phase.OVER:
        if game.phase is Phase.DEAL:
            game, _ = game.deal(rng.randbytes(32))
        else:
            game, _ = game.apply(anyhow(game, rng))
    return game


def positions(whole: list[Game], count: int, rng: Random) -> list[Game]:
    """Some moments of a game that is not over: of all phases, and each while gold is shared."""
    going = [game for game in whole if game.phase is not Phase.OVER]
    dry = [game for game in going if not game.round.table.pile and game.phase is Phase.PLAY]
    gold = [game for game in going if game.phase is not Phase.PLAY]
    return [*rng.sample(going, count // 2), *rng.choices([*dry, *gold], k=count - count // 2)]


def go_on_everywhere(setting: Setting, count: int, rng: Random) -> Iterator[Phase]:
    """Put games together at some moments and play them on, each told by some seats, then by liars.

    Yields the phases of the moments.
    """
    edition, players, driver = setting
    whole = list(games(edition, players, DRIVERS[driver], rng))
    for number, game in enumerate(positions(whole, count, rng)):
        made = check(game, some_seats(game, rng), rng)
        check_whole(play_on(made, rng))
        if number % 10 == 0:
            mix(game, rng)
        yield game.phase


def mix(game: Game, rng: Random) -> bool:
    """Put a game together of what some know, and others imagine; return True if that could be.

    If not, the seats named are as few as possible, and the same in whatever order they come.
    """
    twins = [game, *(assemble(game.view(None), secrets_in(game, some_seats(game, rng)), SEED),) * 2]
    told = {seat: secrets_of(rng.choice(twins).view(seat)) for seat in some_seats(game, rng)}
    public = game.view(None)
    failed = refusal(public, told, SEED)
    if failed is None:
        for number in range(3):
            in_any_order = dict(rng.sample([*told.items()], len(told)))
            check_whole(assemble(public, in_any_order, bytes([number])))
        return True
    assert not failed.is_alone, "each of them could be"
    least = {seat: told[seat] for seat in failed.seats}
    for number in range(3):
        in_any_order = dict(rng.sample([*least.items()], len(least)))
        again = refusal(public, in_any_order, bytes([number]))
        assert again is not None
        assert again.seats == failed.seats
    for fewer in combinations(least, len(least) - 1):
        assemble(public, {seat: told[seat] for seat in fewer}, SEED)
    return False


def refusal(public: View, told: Secrets, seed: bytes) -> Contradiction | None:
    """The error with which a game cannot be put together, or nothing."""
    try:
        assemble(public, told, seed)
    except Contradiction as failed:
        return failed
    return None


@pytest.mark.level("broad")
@pytest.mark.rule("K")
@pytest.mark.parametrize(("edition", "players", "driver"), first(6, SHUFFLED, thorough=16))
def test_a_game_goes_on_out_of_what_some_seats_know(
    edition: engine.Edition, players: int, driver: str, rng: Random
) -> None:
    assert len([*go_on_everywhere((edition, players, driver), 16, rng)]) == 16


@pytest.mark.level("soak")
@pytest.mark.rule("K", "R3")
@pytest.mark.parametrize("setting", SHUFFLED, ids=str)
def test_games_go_on_from_20_000_moments(setting: Setting, rng: Random) -> None:
    phases = Counter(go_on_everywhere(setting, LONG, rng))
    assert phases.total() == LONG
    assert {*phases} == {Phase.PLAY, Phase.GOLD, Phase.DEAL} or phases[Phase.PLAY] > LONG // 2


def test_the_same_seed_makes_the_same_game_whoever_comes_first(rng: Random) -> None:
    whole = list(games(engine.EDITIONS["argentina"], 6, anyhow, rng))
    drawn = set()
    for game in positions(whole, 12, rng):
        told = secrets_in(game, [1, 4, 2])
        made = assemble(game.view(None), told, SEED)
        assert assemble(game.view(4), {seat: told[seat] for seat in (2, 4, 1)}, SEED) == made
        drawn.add(assemble(game.view(None), told, bytes([1])) == made)
    assert False in drawn, "another seed draws otherwise"


def test_a_finished_game_and_one_that_was_not_dealt_are_not_put_together(rng: Random) -> None:
    *_, over = games(engine.INTERNATIONAL, 3, anyhow, rng, rounds=1)
    with pytest.raises(ValueError, match="the game is over"):
        assemble(over.view(None), {}, SEED)
    with pytest.raises(ValueError, match="nothing has been dealt yet"):
        assemble(View.before(engine.INTERNATIONAL, 3, 3, None), {}, SEED)


def test_a_public_view_is_believed_only_as_far_as_its_events_lead(rng: Random) -> None:
    game = Game.new(5, seed=rng.randbytes(32))
    public = game.view(None)
    began, turn = public.history
    assert isinstance(began, engine.RoundBegan)
    assert isinstance(turn, engine.TurnBegan)
    for wrong in (
        game.view(0, history=False),
        public._replace(table=public.table._replace(pile=3)),
        public._replace(history=(turn, began)),
        public._replace(history=(replace(began, hands=(6, 6)), turn)),
    ):
        with pytest.raises(ValueError, match=r"does not follow|5 play"):
            assemble(wrong, secrets_in(game, [0]), SEED)
    only_turn = public._replace(
        table=View.before(engine.INTERNATIONAL, 5, 3, None).after(turn).table,
        score=View.before(engine.INTERNATIONAL, 5, 3, None).score,
        history=(turn,),
    )
    with pytest.raises(ValueError, match="nothing has been dealt yet"):
        assemble(only_turn, {}, SEED)


def follow(view: View, *events: engine.Event) -> View:
    """A view after events that need not be those of a game."""
    for event in events:
        view = view.after(event)
    return view


@pytest.mark.parametrize(
    "events",
    [
        "Revealed 8n2 EW",
        "Revealed 3s3 NE; Drew 1",
        "; ".join(f"Laid 1 NS {column}" for column in range(1, 8)),
        "; ".join(["Drew 1"] * 60),
        "Laid 1 EW 1; TurnBegan 1",
    ],
    ids=["no goal", "no goal's place", "more than a hand", "more than the pile", "another's turn"],
)
def test_public_events_of_no_game_are_refused(events: str, rng: Random) -> None:
    game = Game.new(5, seed=rng.randbytes(32))
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - each in words of its own
        assemble(follow(game.view(None), *read_events(events)), secrets_in(game, ()), SEED)
    assert not isinstance(refused.value, Contradiction)


def test_seats_that_do_not_exist_tell_nothing(rng: Random) -> None:
    game = Game.new(5, seed=rng.randbytes(32))
    for seat in (-1, 5):
        with pytest.raises(ValueError, match="no seat"):
            assemble(game.view(None), {seat: ()}, SEED)


def test_secrets_of_another_seat_or_moment_are_no_secrets_of_this(rng: Random) -> None:
    *_, game = games(engine.INTERNATIONAL, 3, anyhow, rng, rounds=1)
    game = RoundSoFar.of(game)._replace(moves=RoundSoFar.of(game).moves[:20]).game()
    own = secrets_of(game.view(0))
    for wrong in ((), secrets_of(game.view(1)), own[1:], own[:-1], (*own, own[-1])):
        with pytest.raises(Contradiction, match="seats 1: what each tells") as failed:
            assemble(game.view(None), {0: wrong, 2: secrets_of(game.view(2))}, SEED)
        assert failed.value.is_alone
        assert failed.value.seats == (0,)
    with pytest.raises(Contradiction) as both:
        assemble(game.view(None), {0: (), 2: own}, SEED)
    assert both.value.seats == (0, 2)


def test_values_that_are_none_are_no_secrets(rng: Random) -> None:
    game = Game.new(5, seed=rng.randbytes(32))
    dwarf, hand = secrets_of(game.view(0))
    assert isinstance(dwarf, engine.DwarfDealt)
    assert isinstance(hand, engine.HandDealt)
    null, five, texts, letter = loads('[null, 5, ["NS"], "m"]')
    wrong = [
        *((null, hand), (dwarf, five), (replace(dwarf, role=letter), hand), five),
        *((dwarf, replace(hand, cards=cards)) for cards in (five, texts)),
        (dwarf, replace(hand, to=null)),
    ]
    for secrets in wrong:
        with pytest.raises(Contradiction):
            assemble(game.view(None), {0: secrets}, SEED)
    in_a_list: dict[int, list[Private]] = {0: [dwarf, hand]}
    assert assemble(game.view(None), in_a_list, SEED).view(0) == game.view(0)


def claim(secrets: tuple[Private, ...], **said: object) -> tuple[Private, ...]:
    """Secrets with other contents in the fields of these names."""
    changed = []
    for event in secrets:
        mine = {name: value for name, value in said.items() if hasattr(event, name)}
        changed.append(replace(event, **mine))  # type: ignore[arg-type] # - a field of its type
    return tuple(changed)


def test_seats_that_hold_more_copies_than_there_are_are_named(rng: Random) -> None:
    game = Game.new(5, seed=rng.randbytes(32))
    rocks = (Card.NS, Card.EW, Card.NE, Card.ROCKFALL, Card.ROCKFALL, Card.MAP)
    miners = claims(game, range(5), role=Role.MINER)
    told = {seat: claim(miners[seat], cards=rocks) for seat in (2, 0)}
    with pytest.raises(Contradiction, match="more copies of a card") as failed:
        assemble(game.view(None), told, SEED)
    assert failed.value.seats == (0, 2)
    assert not failed.value.is_alone
    made = assemble(game.view(None), {0: told[0]}, SEED)
    assert made.round.hands[0] == rocks, "one of them alone is believed"
    with pytest.raises(Contradiction, match="more dwarves of a side") as failed:
        assemble(game.view(None), claims(game, range(5), role=Role.SABOTEUR), SEED)
    assert len(failed.value.seats) == 3, "two of five may be saboteurs"


def claims(game: Game, seats: Iterable[int], **said: object) -> dict[int, tuple[Private, ...]]:
    """Secrets of these seats, with other contents."""
    return {seat: claim(secrets_of(game.view(seat)), **said) for seat in seats}


@pytest.mark.parametrize(
    ("cell", "problem"), [((8, 0), "different goals"), ((8, 2), "one goal is known in two places")]
)
def test_seats_that_cannot_both_have_seen_these_goals_are_named(cell: Cell, problem: str) -> None:
    games = (Game.new(5, seed=bytes([number]) * 32, youngest=0) for number in range(99))
    dealt = next(game for game in games if all(Card.MAP in hand for hand in game.round.hands[:2]))
    game = dealt.apply(Map((8, 0)))[0].apply(Map(cell))[0]
    seen = game.view(0).peeks[1]
    said = seen if cell != (8, 0) else next(goal for goal in Goal if goal is not seen)
    with pytest.raises(Contradiction, match=problem) as failed:
        assemble(game.view(None), claims(game, [0]) | claims(game, [1], goal=said), SEED)
    assert failed.value.seats == (0, 1)


def second_round(rng: Random, found: str) -> Game:
    """A game in round two, after miners found the treasure and this gold was on offer."""
    while True:
        seed = rng.randbytes(32)
        rest = Counter(ALL_GOLD) - Counter(map(int, found))
        gold = (*map(int, found), *rest.elements())
        game, _ = Game.begin(replace(deal(seed, 1, 4), gold=gold))
        while game.phase is not Phase.DEAL:
            game, _ = game.apply(keen(game, rng))
        if game.score.wins == (Role.MINER,):
            return game.deal(rng.randbytes(32))[0]


def change_gold(
    secrets: tuple[Private, ...],
    kind: type[engine.GoldShown | engine.GoldReceived],
    gold: tuple[int, ...],
) -> Secrets:
    """What one seat tells, with other gold in events of a kind."""
    to = secrets[0].to
    return {to: tuple(kind(to, gold) if isinstance(event, kind) else event for event in secrets)}


def test_gold_that_was_not_on_offer_cannot_have_been_kept(rng: Random) -> None:
    game = second_round(rng, "2222")
    seat = next(event.seat for event in game.ledger if isinstance(event, engine.ChoiceBegan))
    told = secrets_of(game.view(seat))
    made = assemble(game.view(None), {seat: told}, SEED)
    assert made.view(seat) == game.view(seat)
    with pytest.raises(Contradiction, match="what each tells"):
        assemble(game.view(None), change_gold(told, engine.GoldReceived, (3,)), SEED)


def test_two_who_saw_different_gold_on_offer_are_named(rng: Random) -> None:
    game = second_round(rng, "2222")
    one, other = [event.seat for event in game.ledger if isinstance(event, engine.ChoiceBegan)][:2]
    told = secrets_of(game.view(other))
    shown = next(event.nuggets for event in told if isinstance(event, engine.GoldShown))
    lie = change_gold(told, engine.GoldShown, (2, *shown[1:-1], 1))
    assert assemble(game.view(None), lie, SEED), "alone it is believed"
    with pytest.raises(Contradiction) as failed:
        assemble(game.view(None), {**lie, **secrets_in(game, [one])}, SEED)
    assert failed.value.seats == tuple(sorted((one, other)))


@pytest.mark.level("broad")
def test_a_seat_that_tells_is_given_nothing_to_keep_the_round_going(
    rng: Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampling, "MAX_FAIR_TRIES", 0)
    tried = 0
    for _ in range(4):
        for game in games(engine.EDITIONS["argentina"], 6, DRIVERS["idle"], rng, rounds=1):
            if game.phase is Phase.PLAY and not game.round.table.pile and rng.random() < 0.5:
                check(game, some_seats(game, rng), rng)
                tried += 1
    assert tried > 10


ANY_CARD = [*Card, cast("Card", "NS")]


def forge(event: Private, rng: Random) -> Private:
    """A secret with other contents, of which there may be too many or too few."""
    match event:
        case engine.DwarfDealt():
            return replace(event, role=rng.choice([*Role, cast("Role", "m")]))
        case engine.HandDealt(_, cards):
            more = rng.choice((-1, 0, 0, 0, 1))
            return replace(event, cards=tuple(rng.choices(ANY_CARD, k=len(cards) + more)))
        case engine.Dealt() | engine.DiscardedCard():
            return replace(event, card=rng.choice(ANY_CARD))
        case engine.GoalPeeked(_, cell):
            return replace(event, goal=rng.choice([*Goal]), cell=rng.choice((cell, (3, 3))))
        case engine.GoldShown(_, nuggets) | engine.GoldReceived(_, nuggets):
            return replace(event, nuggets=(3,) * rng.choice((len(nuggets), len(nuggets), 0, 9)))
        case _:
            assert_never(event)


@pytest.mark.parametrize(("edition", "players", "driver"), first(5, SHUFFLED[20:], thorough=10))
def test_what_a_changed_program_tells_is_believed_or_refused(
    edition: engine.Edition, players: int, driver: str, rng: Random
) -> None:
    whole = list(games(edition, players, DRIVERS[driver], rng))
    for game in positions(whole, 12, rng):
        told = dict(secrets_in(game, range(players)))
        for seat in rng.sample(range(players), rng.randint(1, players)):
            secrets = [*told[seat]]
            at = rng.randrange(len(secrets))
            secrets[at] = forge(secrets[at], rng)
            told[seat] = tuple(secrets)
        with suppress(Contradiction):
            check_whole(assemble(game.view(None), told, SEED))
        alone = rng.randrange(players)
        with suppress(Contradiction):
            check_whole(assemble(game.view(None), {alone: told[alone]}, SEED))


def test_more_gold_than_there_is_cannot_have_been_seen(rng: Random) -> None:
    game = second_round(rng, "3333")
    seat = next(event.seat for event in game.ledger if isinstance(event, engine.ChoiceBegan))
    view = game.view(seat)
    twice = view._replace(ledger=(*view.ledger, *view.ledger))
    with pytest.raises(ValueError, match="more gold cards than there are"):
        sample_ledger(twice, rng)


# A game written down as plain values, and read back.


def test_a_game_of_which_one_seat_alone_knows_is_not_written(rng: Random) -> None:
    game, *_ = games(engine.EDITIONS["france"], 4, anyhow, rng)
    for part in (sample_game(game.view(0), rng), Game(game.score, game.round, game.purse)):
        with pytest.raises(ValueError, match="not whole"):
            RoundSoFar.of(part)


def test_what_no_game_has_led_to_is_not_read(rng: Random) -> None:
    *_, over = games(engine.EDITIONS["italia"], 4, anyhow, rng)
    written = RoundSoFar.of(over)
    gold = tuple(engine.GoldReceived(0, (3,)) for _ in range(5))
    move = written.moves[0]
    for wrong, why in (
        (written._replace(rounds=4), "one to three rounds"),
        (written._replace(wins=(Role.MINER,) * 3), "fewer rounds"),
        (written._replace(ledger=gold), "less gold"),
        (written._replace(deal=replace(written.deal, pile=())), "not made of the cards"),
        (written._replace(deal=replace(written.deal, starter=4)), "no seat"),
    ):
        with pytest.raises(ValueError, match=why):
            wrong.game()
    with pytest.raises(IllegalMove):
        written._replace(moves=(*written.moves, move)).game()
