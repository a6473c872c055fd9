"""The commands, one a module; `press.__main__` runs the one that is named by its word."""

import argparse


def parser(module, doc):
    """Returns the parser of a command's arguments, given the name of its module and its docstring."""
    word = module.rpartition(".")[2].replace("_", "-")
    first, _, rest = doc.partition("\n")
    description = first.split(": python ")[0].rstrip(".:") + "."
    return argparse.ArgumentParser(
        prog=f"python book/press {word}",
        description=f"{description}\n{rest}".rstrip(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
