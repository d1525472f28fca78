"""The command line; nothing here plays a game, `sabtui.plain` and `sabtui.tui` do.

    args      the options of each command, and their parser
    doctor    `sabtui doctor`: checks of this machine
    games     `sabtui games`: the games on this network
    main      dispatch to the commands, and exit codes
    requests  options to requests, and these carried out in plain-text mode

Imports are late wherever a command may not need them, for a fast start.
"""
