"""How the book is made: what it consists of, its Sphinx extensions (`pages`) and its commands (`commands`).

`python book/press --help` lists the commands.
"""
