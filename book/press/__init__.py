"""How the book is made: what it consists of, its Sphinx extensions (`pages`) and its commands (`commands`).

`python book/press --help` lists the commands.
"""


class CommandError(Exception):
    """What stops a command; its text is all that the user sees of it."""
