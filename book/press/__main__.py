"""The one entry to every job: python book/press WORD [ARGUMENTS], from any folder, on Linux, macOS and Windows."""

import ast
import importlib
import sys
from pathlib import Path

HOME = Path(__file__).resolve().parent
#: The words, in the order in which `--help` lists them; the module `press.commands.<word>` does the job.
WORDS = (
    "build",
    "test",
    "refresh",
    "lint",
    "new-chapter",
    "notebooks",
    "slides",
    "stills",
    "data",
    "hosted",
    "inventory",
    "fresh-seeds",
)


def summary(word):
    """Returns the first sentence of a command's docstring, read without importing what the command needs."""
    tree = ast.parse((HOME / "commands" / f"{_module(word)}.py").read_text(encoding="utf-8"))
    return ast.get_docstring(tree).splitlines()[0].split(": python ")[0].rstrip(".:")


def _module(word):
    return word.replace("-", "_")


def usage():
    """Returns what `--help` prints."""
    rows = "\n".join(f"  {word:<12} {summary(word)}" for word in WORDS)
    return f"usage: python book/press WORD [ARGUMENTS]\n\n{rows}\n\npython book/press WORD --help says more of a word."


def main(arguments):
    """Runs the command that the first argument names, with the others; returns its exit code."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(usage())
        return 0
    word, *rest = arguments
    if word not in WORDS:
        print(f"there is no word {word!r}: it must be one of {', '.join(WORDS)}", file=sys.stderr)
        return 2
    from press import CommandError

    try:
        return importlib.import_module(f"press.commands.{_module(word)}").main(rest) or 0
    except (CommandError, OSError) as problem:
        print(problem, file=sys.stderr)
        return 1


if __name__ == "__main__":
    # `python book/press` puts book/press first on the path; the package is found from the folder that holds it.
    sys.path[0] = str(HOME.parent)
    sys.exit(main(sys.argv[1:]))
