"""Screen of the player's preferences, saved as soon as they change."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from textual.app import ComposeResult

from net.protocol.cleaning import clean_name
from sabtui.app.preferences import Bell, Preferences, Reactions, Theme, player_name
from sabtui.art import Art
from sabtui.text.i18n import AUTO, _, autonym, capitalise, pgettext
from sabtui.text.i18n import languages as list_languages
from sabtui.text.settings import off_words, on_words
from sabtui.text.signs import plain_characters
from sabtui.tui.command import Command
from sabtui.tui.screens.bases import FormScreen, game_title
from sabtui.tui.widgets.form import ChoiceRow, Form, LabelledField, NameField, Option, TextField


class SettingsScreen(FormScreen):
    """Form of the player's preferences."""

    AUTO_FOCUS = "TextField"

    def __init__(self, text: str = "", *, at_language: bool = False) -> None:
        """Make the screen with a status `text`, and the focus on the name or the language."""
        super().__init__()
        self._text = text
        self._at_language = at_language

    def on_mount(self) -> None:
        if self._at_language:
            self.query(ChoiceRow).first().focus()
        self.say(self._text)

    def remake(self) -> SettingsScreen:
        """Return a copy in the newly chosen language, with the status text."""
        return SettingsScreen(self.footer.text, at_language=True)

    def commands(self) -> Iterable[Command]:
        yield from self.row_commands()
        yield from self.form_commands()

    def body(self) -> ComposeResult:
        preferences = self.context.preferences
        text = _("The name others see. If empty: your user name on this computer.")
        name = NameField("name", preferences.name, text, player_name(Preferences()))
        text_language = _("Your screens only: everybody at a table reads their own language.")
        languages = [
            Option(AUTO, _("same as the system"), text_language),
            *(Option(name, autonym(name), text_language) for name in list_languages()),
        ]
        on, off = on_words(), off_words()
        bells = [
            Option(Bell.ON, on, _("The terminal's bell rings when it is your turn.")),
            Option(Bell.OFF, off, _("No sound, whoever's turn it is.")),
        ]
        reactions = [
            Option(Reactions.ON, on, _("With --plain, a line says who laughs or applauds.")),
            Option(Reactions.OFF, off, _("With --plain, nothing says who laughs or applauds.")),
        ]
        boxes = {
            capitalise(pgettext("a player", "you")): (
                LabelledField(_("Name"), name),
                ChoiceRow("language", _("Language"), languages, preferences.language),
            ),
            _("How it looks"): (
                # Translators: how cards are drawn. Labels of a form have 13 columns.
                ChoiceRow("art", _("Cards"), _list_arts(), preferences.art),
                ChoiceRow("theme", _("Colours"), _list_themes(), preferences.theme),
            ),
            game_title(): (
                ChoiceRow("bell", _("Bell"), bells, preferences.bell, on=Bell.ON),
                ChoiceRow(
                    "reactions",
                    # Translators: a setting: lines on what others feel. At most 13 columns.
                    _("Reactions"),
                    reactions,
                    preferences.reactions,
                    on=Reactions.ON,
                ),
            ),
        }
        text = _("Settings: Left and Right change values, saved at once")
        yield from self.lay_out(text, Form(boxes))

    def on_choice_row_changed(self, changed: ChoiceRow.Changed) -> None:
        """Apply and save a choice, and the name, which another language would take away."""
        super().on_choice_row_changed(changed)
        preferences, field = self.context.preferences, str(changed.choice.name)
        chosen = type(getattr(preferences, field))(changed.choice.value)
        name = clean_name(self.query_one(TextField).value)
        changes = {"name": name, field: chosen}
        self.say(self.context.save_preferences(replace(preferences, **changes)))

    def take_line(self, _text: str) -> None:
        self._save_name()
        self.focus_next()

    def back(self) -> None:
        self._save_name()
        super().back()

    def _save_name(self) -> None:
        line, preferences = self.query_one(TextField), self.context.preferences
        line.value = name = clean_name(line.value)
        if name != preferences.name:
            self.say(self.context.save_preferences(replace(preferences, name=name)))


def _list_arts() -> list[Option]:
    return [
        Option(Art.AUTO, _("same as the system"), _("The best that this terminal can show.")),
        Option(Art.PICTURES, _("pictures"), _("For terminals that show images.")),
        Option(Art.BLOCKS, _("drawn cards"), _("Small pictures made of coloured blocks.")),
        Option(Art.LINES, _("box drawing"), _("Drawn tunnels. Do these join up: ╠═╬═╣ ?")),
        Option(Art.ASCII, "ASCII", plain_characters()),
    ]


def _list_themes() -> list[Option]:
    text = _("The terminal's own sixteen colours. Also used with NO_COLOR.")
    ground = _("The background: dark, light, or as the terminal has it.")
    return [
        Option(Theme.AUTO, _("same as the terminal"), ground),
        Option(Theme.DARK, pgettext("theme", "dark"), ground),
        Option(Theme.LIGHT, pgettext("theme", "light"), ground),
        Option(
            Theme.BLUE_ORANGE,
            _("without red and green"),
            _("Good and bad in blue and orange, for all eyes."),
        ),
        Option(Theme.TERMINAL, _("terminal colours"), text),
    ]
