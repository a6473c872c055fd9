"""Runs in a notebook's kernel before its first cell: notes every file below a folder that the notebook opens."""

import os
import sys
from importlib.util import source_from_cache


class Guard:
    """The files below `root` that were opened since `watch`, as names relative to it."""

    def __init__(self, root):
        self.root = os.path.realpath(root)
        self.apart = os.path.realpath(sys.prefix)
        self.opened = set()

    def watch(self):
        """Starts to note; there is no way to stop an audit hook."""
        sys.addaudithook(self._hear)

    def _hear(self, event, arguments):
        if event == "open" and isinstance(arguments[0], str | bytes | os.PathLike):
            self.note(os.fsdecode(arguments[0]))

    def note(self, path):
        """Notes a file, unless it belongs to the installed Python or is made from a source that Python checks."""
        path = os.path.realpath(path)
        if "__pycache__" in path:
            if not path.endswith(".pyc"):
                return
            path = source_from_cache(path)
        if _is_below(path, self.root) and not _is_below(path, self.apart) and os.path.isfile(path):
            self.opened.add(os.path.relpath(path, self.root).replace(os.sep, "/"))


def _is_below(path, folder):
    return path.startswith(folder + os.sep)
