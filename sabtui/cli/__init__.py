"""The command line; nothing here plays a game: `sabtui.plain` and `sabtui.tui` do.

    args      the commands, and the parser of their options
    doctor    `sabtui doctor`: checks of this machine
    games     `sabtui games`: the games on this network
    main      dispatch to the commands, and exit codes
    options   the options of commands that lead to a table
    play      turns options into requests to play, and carries these out in plain-text mode

`main` imports what a command needs when it runs, for a fast start.
"""
