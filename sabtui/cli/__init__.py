"""The command line: arguments, dispatch, and the commands without a screen."""
