"""The program `sabtui`: command line, terminal interfaces, and the texts that players read.

    app    services that every interface uses: tables, credentials, settings, records
    cli    arguments, dispatch, and the commands without a screen
    plain  the plain-text interface: lines in, lines out
    text   every sentence a player reads, and its translations
    tui    the Textual interface: screens and widgets

    pettingzoo_env  a game as an environment for programs that learn, if the extra is installed

It decides no rule of the game (see `engine`) and speaks no protocol (see `net`).
"""

__version__ = "1.0.0"
