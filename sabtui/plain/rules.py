"""The rules in plain-text mode, a page at a time: the pages of `sabtui.tui.rules`, in ASCII."""

from __future__ import annotations

from typing import Final

from sabtui.text.i18n import _

RULES_TOPICS: Final = (
    *("aim", "turn", "tunnels", "laying", "tools", "actions", "gold", "editions", "books"),
)
"""Words for the pages of `sabtui.tui.rules.pages`, in their order."""


def rules_lines(asked: str, columns: int) -> list[str]:
    """Return the page with this word or number, or the list of pages if there is none."""
    from sabtui.tui.rules.pages import lessons  # noqa: PLC0415 - the same
    from sabtui.tui.theme import ASCII  # noqa: PLC0415 - with Textual, and rarely needed

    pages = dict(zip(RULES_TOPICS, lessons(), strict=True))
    word = RULES_TOPICS[int(asked) - 1] if asked.isdecimal() and _is_page(int(asked)) else asked
    page = pages.get(word.casefold())
    if page is None:
        rows = [f"{at} {topic}: {pages[topic].title}" for at, topic in enumerate(RULES_TOPICS, 1)]
        return [_("rules and a word or a number shows a page:"), *rows]
    lines = [line.plain.rstrip() for line in page.tell(columns, ASCII)]
    at = RULES_TOPICS.index(word.casefold()) + 1
    more = [_("{command} goes on.").format(command=f"rules {at + 1}")] if _is_page(at + 1) else []
    return [f"{page.title}.", *(line for line in lines if line), *more]


def _is_page(number: int) -> bool:
    return 1 <= number <= len(RULES_TOPICS)
