"""Shares and their differences have the intervals of the books."""

import pytest

from engine.bots.estimates import Estimate, change, paired_change, wilson


@pytest.mark.parametrize(
    ("won", "of", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (340, 400, 0.8117, 0.8817)],
)
def test_intervals_are_those_of_wilson(won: int, of: int, low: float, high: float) -> None:
    assert wilson(won, of) == pytest.approx((low, high), abs=0.0001)
    assert Estimate.share(won, of) == Estimate(won / of, *wilson(won, of), won, of)


def test_the_change_of_a_share_has_the_interval_of_agresti_and_caffo() -> None:
    # (2+1)/(12) and (8+1)/(12): 0.5 +- 1.96 * sqrt(2 * 0.25 * 0.75 / 12)
    found = change(Estimate.share(2, 10), Estimate.share(8, 10))
    assert (found.value, found.low, found.high) == pytest.approx((0.6, 0.1535, 0.8465), abs=1e-4)
    assert found.cases == 20


def test_few_equal_cases_never_look_certain_and_known_values_are() -> None:
    none = change(Estimate.share(0, 5), Estimate.share(0, 5))
    assert none.value == 0
    assert none.low < -0.2
    assert none.high > 0.2
    assert none.margin == pytest.approx(none.high)
    assert change(Estimate.certain(0.25), Estimate.certain(1.0)) == Estimate.certain(0.75)
    assert change(Estimate.share(30, 40), Estimate.certain(1.0)).low > 0


def test_a_paired_change_counts_the_cases_that_differ() -> None:
    same = [(True, True)] * 40 + [(False, False)] * 40
    gained = paired_change(same + [(False, True)] * 20)
    assert gained.value == pytest.approx(0.2)
    assert gained.low > 0.1
    wide = paired_change([*same, *[(False, True)] * 20, *[(True, False)] * 20])
    assert wide.value == 0
    assert wide.low < -0.09
    # (0+1)/12 and (3+1)/12: 0.25 +- 1.96 * sqrt((5/12 - 0.25**2) / 12)
    few = paired_change([(False, True)] * 3 + [(True, True)] * 7)
    assert (few.low, few.high) == pytest.approx((-0.0867, 0.5867), abs=1e-4)
    assert paired_change([(False, True)] * 3).high <= 1
    assert paired_change([(True, False)] * 3).low >= -1
