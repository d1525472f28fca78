"""The rules in plain-text mode, a page at a time, in ASCII."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from engine.board import GOAL_SIGNS, CardState, Drawn, tile_rows
from sabtui.app import RULES_TOPICS, topic_typed
from sabtui.text import layout, rules, settings
from sabtui.text.i18n import put_title


def rules_lines(asked: str, columns: int) -> list[str]:
    """Return the page with this word or number, or the list of pages if there is none."""
    pages = dict(zip(RULES_TOPICS, rules.rules_pages(), strict=True))
    word = topic_typed(asked)
    page = pages.get(word)
    if page is None:
        rows = [
            put_title(f"{at} {topic}", pages[topic].title)
            for at, topic in enumerate(RULES_TOPICS, 1)
        ]
        return [settings.type_line("rules 1"), *rows]
    number = RULES_TOPICS.index(word) + 2
    lines = [f"{page.title}.", *_page_lines(page, columns)]
    if number <= len(RULES_TOPICS):
        lines.append(settings.type_line(f"rules {number}"))
    return lines


def printed_rules(topics: Sequence[str], columns: int) -> list[str]:
    """Return the pages on these topics for a shell, with blank lines between them."""
    lines = list[str]()
    for word, page in zip(RULES_TOPICS, rules.rules_pages(), strict=True):
        if word in topics:
            if lines:
                lines.append("")
            lines += [f"{page.title}.", *_page_lines(page, columns)]
    return lines


def _page_lines(page: rules.RulesPage, columns: int) -> list[str]:
    """Return the lines of a page, without blank ones: a small terminal has no room for them."""
    lines = (line.rstrip() for block in page.blocks for line in _block_lines(block, columns))
    return [line for line in lines if line]


def _block_lines(block: rules.Block, columns: int) -> list[str]:
    match block:
        case str():
            return layout.prose_lines(block, columns)
        case rules.TwoColumns(rows):
            return [word + meaning for word, meaning in layout.two_columns(rows, columns)]
        case rules.Picture():
            picture = block.fit(columns)
            return [*picture.lines(_tile), *picture.caption_lines()]
        case _:
            assert_never(block)


def _tile(cell: rules.PicturedCell) -> tuple[str, ...]:
    match cell:
        case None:
            return tile_rows("", large=True)
        case rules.PicturedGoal(goal, path):
            return tile_rows(Drawn(path, GOAL_SIGNS[goal]), large=True)
        case rules.PicturedCard(path, state, is_start):
            sign, is_cut_off = "S" if is_start else "", state is CardState.CUT_OFF
            return tile_rows(Drawn(path, sign, is_cut_off), large=True)
        case _:
            assert_never(cell)
