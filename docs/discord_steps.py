"""Draws the steps of `docs/discord.md` as sketches of Discord's pages, of which nothing is copied.

Run in the program's folder: python -m docs.discord_steps. It needs what `make check` installs.
"""

from dataclasses import dataclass
from pathlib import Path

import reportlab
from PIL import Image, ImageDraw, ImageFont

DOCS = Path(__file__).parent
FONTS = Path(reportlab.__file__).parent / "fonts"
WIDTH, MENU, MARGIN = 1100, 290, 36
DARK, PANEL, FIELD, EDGE = "#1e1f22", "#2b2d31", "#1a1b1e", "#4a4d55"
TEXT, FAINT, BLUE, GREEN, MARK = "#f2f3f5", "#b0b4bc", "#5865f2", "#23a55a", "#f0b232"
MENU_ENTRIES = ("General Information", "Installation", "OAuth2", "Bot")
COLOURS = 48
APPLICATION = "1234567890123456789"
ADDRESS = (
    ("?client_id=", APPLICATION),
    ("&scope=", "bot%20applications.commands"),
    ("&permissions=", "309237763072"),
)


@dataclass(frozen=True, slots=True)
class Invitation:
    """What Discord's window for the choice of a server says, in a language."""

    title: str
    server: str
    button: str
    file: str


INVITATIONS = (
    Invitation("Add to server", "Your group's server", "Authorize", "discord-invite.png"),
    Invitation("Adicionar ao servidor", "O servidor do seu grupo", "Autorizar", "discord-invite.pt-BR.png"),
)


class Sketch:
    """A picture with the few things that Discord's pages consist of, placed by pixels from the upper left."""

    def __init__(self, height: int) -> None:
        self._image = Image.new("RGB", (WIDTH, height), DARK)
        self._draw = ImageDraw.Draw(self._image)

    def save(self, name: str) -> None:
        """Write the picture beside the pages, in few colours."""
        self._image.quantize(COLOURS).save(DOCS / name, optimize=True)

    def text(self, x: int, y: int, words: str, colour: str = TEXT, size: int = 24, bold: bool = False) -> int:
        """Write a line, whose middle is at y; returns where it ends."""
        font = ImageFont.truetype(FONTS / ("VeraBd.ttf" if bold else "Vera.ttf"), size)
        self._draw.text((x, y), words, fill=colour, font=font, anchor="lm")
        return x + round(font.getlength(words))

    def panel(self, x: int, y: int, width: int, height: int, fill: str = PANEL) -> None:
        """Draw a rounded box."""
        self._draw.rounded_rectangle((x, y, x + width, y + height), 10, fill, EDGE, 2)

    def menu(self, chosen: str) -> None:
        """Draw the list on the left of the developers' pages."""
        self._draw.rectangle((0, 0, MENU, self._image.height), PANEL)
        for number, entry in enumerate(MENU_ENTRIES):
            y = 50 + 54 * number
            if entry == chosen:
                self.panel(12, y - 22, MENU - 24, 44, BLUE)
            self.text(30, y, entry, TEXT if entry == chosen else FAINT, 22)

    def field(self, x: int, y: int, width: int, words: str) -> None:
        """Draw a field that holds some words."""
        self.panel(x, y - 24, width, 48, FIELD)
        self.text(x + 16, y, words, FAINT, 22)

    def button(self, x: int, y: int, words: str, colour: str = BLUE) -> None:
        """Draw a button as wide as its words."""
        end = self.text(x + 20, y, words, bold=True, size=22)
        self.panel(x, y - 24, end + 20 - x, 48, colour)
        self.text(x + 20, y, words, bold=True, size=22)

    def switch(self, y: int, words: str) -> None:
        """Draw a row with a switch that is off."""
        self.text(MENU + MARGIN, y, words, bold=True)
        self.panel(WIDTH - 190, y - 20, 76, 40, EDGE)
        self._draw.ellipse((WIDTH - 186, y - 16, WIDTH - 154, y + 16), TEXT)

    def tick(self, x: int, y: int, words: str, is_ticked: bool) -> None:
        """Draw a box to tick, with its words."""
        self.panel(x, y - 16, 32, 32, BLUE if is_ticked else FIELD)
        if is_ticked:
            self._draw.line((x + 8, y, x + 14, y + 8, x + 25, y - 8), TEXT, 4, joint="curve")
        self.text(x + 48, y, words)

    def mark(self, x: int, y: int, letter: str) -> None:
        """Draw the letter by which the page names what to click."""
        self._draw.ellipse((x - 22, y - 22, x + 22, y + 22), MARK)
        font = ImageFont.truetype(FONTS / "VeraBd.ttf", 26)
        self._draw.text((x, y), letter, fill=DARK, font=font, anchor="mm")


def bot_page() -> None:
    """The page on which the token is made and two switches stay off."""
    left, sketch = MENU + MARGIN, Sketch(380)
    sketch.menu("Bot")
    sketch.text(left, 50, "Token", bold=True)
    sketch.field(left, 104, 330, "•" * 18)
    sketch.button(left + 350, 104, "Reset Token")
    sketch.mark(left + 552, 78, "A")
    sketch.button(left + 586, 104, "Copy", GREEN)
    sketch.mark(left + 690, 78, "B")
    sketch.switch(200, "Public Bot")
    sketch.mark(WIDTH - 70, 200, "C")
    sketch.text(left, 280, "Privileged Gateway Intents", FAINT, 20)
    sketch.switch(330, "Message Content Intent")
    sketch.mark(WIDTH - 70, 330, "D")
    sketch.save("discord-bot.png")


def installation_page() -> None:
    """The page that says where the bot may be installed."""
    left, sketch = MENU + MARGIN, Sketch(430)
    sketch.menu("Installation")
    sketch.text(left, 50, "Installation Contexts", bold=True)
    sketch.tick(left, 110, "User Install", is_ticked=False)
    sketch.mark(left + 250, 110, "A")
    sketch.tick(left, 166, "Guild Install", is_ticked=True)
    sketch.text(left, 240, "Install Link", bold=True)
    sketch.field(left, 296, 400, "None")
    sketch.mark(left + 440, 296, "B")
    sketch.button(WIDTH - 270, 380, "Save Changes", GREEN)
    sketch.mark(WIDTH - 300, 354, "C")
    sketch.save("discord-installation.png")


def invitation(said: Invitation) -> None:
    """The id of the application, the address that it belongs into, and the window that the address opens."""
    left, sketch = MENU + MARGIN, Sketch(608)
    sketch.menu("General Information")
    sketch.text(left, 50, "Application ID", bold=True)
    sketch.field(left, 104, 400, APPLICATION)
    sketch.button(left + 420, 104, "Copy")
    sketch.mark(left + 550, 78, "A")
    sketch.panel(left, 170, WIDTH - left - MARGIN, 160, FIELD)
    sketch.text(left + 16, 200, "https://discord.com/oauth2/authorize", FAINT, 20)
    for number, (name, value) in enumerate(ADDRESS):
        end = sketch.text(left + 16, 234 + 34 * number, name, FAINT, 20)
        sketch.text(end, 234 + 34 * number, value, MARK if value == APPLICATION else TEXT, 20)
    sketch.mark(WIDTH - MARGIN, 180, "B")
    sketch.panel(left, 366, 560, 206)
    sketch.text(left + 28, 404, said.title, bold=True)
    sketch.field(left + 28, 458, 420, said.server)
    sketch.mark(left + 490, 458, "C")
    sketch.button(left + 28, 526, said.button)
    sketch.mark(left + 240, 526, "D")
    sketch.save(said.file)


if __name__ == "__main__":
    bot_page()
    installation_page()
    for one in INVITATIONS:
        invitation(one)
