"""The program `sabtui`: command line, terminal interfaces, and the texts that players read.

    after  games that are over: records, watching again, review, standings
    app    services that every interface uses: tables, credentials, settings, files
    cli    arguments, dispatch, and the commands without a screen
    kit    `sabtui arena`, which measures bots
    plain  the plain-text interface: lines in, lines out
    text   every sentence a player reads, and its translations
    tui    the Textual interface: screens and widgets

    pettingzoo_env  a game as an environment for programs that learn, if the extra is installed

It decides no rule of the game (see `engine`) and speaks no protocol (see `net`).
"""

__version__ = "1.0.0"
