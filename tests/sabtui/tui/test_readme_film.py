"""The moving picture of the README: what is in it, when, and for how long."""

from __future__ import annotations

import re
from itertools import pairwise

from tests.sabtui.tui.readme_film import FILE


def starts_of(words: str, film: str) -> float:
    """The share of the film, in percent, after which words are first to be seen."""
    groups = re.findall(r'<g id="(s\d+)">\n(.*?)</g>', film, re.DOTALL)
    names = [name for name, drawn in groups if words in drawn]
    assert names, words
    found = [
        re.search(rf"@keyframes {name}{{.*?([\d.]+)%{{visibility:visible}}", film) for name in names
    ]
    return min(float(one[1]) for one in found if one)


def test_the_film_shows_what_its_words_in_the_readme_say_in_that_order() -> None:
    film = FILE.read_text(encoding="utf-8")
    told = (
        "broke your cart",
        "I think Frida is a saboteur",
        "Enter: lay it",
        "Gold!",
        "Saboteurs: Frida.",
    )
    assert all(
        before < after for before, after in pairwise(starts_of(words, film) for words in told)
    )


def test_the_film_takes_eight_to_ten_seconds_and_less_than_four_megabytes() -> None:
    film = FILE.read_text(encoding="utf-8")
    assert 8 <= float(re.findall(r"([\d.]+)s step-end", film)[0]) <= 10
    assert FILE.stat().st_size < 4_000_000
    assert "<script" not in film
