"""Writes the chapters as notebooks that JupyterLab, VS Code and Colab show: python book/press notebooks [folder]

The text is plain Markdown with the numbers of the pages, and the solutions stand folded at the end of each notebook.
With `--student` there are none, but an empty cell for each: the student edition. Either carries the library, the
modules, data and pictures that the notebooks need, a README and `contents.ipynb`, and runs by itself.

The folder (default: `_build/notebooks`, or `_build/student`) must be new, empty or an earlier edition of this kind,
which is replaced.
"""

import json
import re
import tomllib

import nbformat
import yaml

from press.commands.editions import EditionError, folder_parser, write
from press.notebooks.chapters import Plain, written
from press.notebooks.contents import contents, readme
from press.notebooks.numbers import chapter_numbers, targets
from press.notebooks.plain import Chapter
from press.notebooks.works import Works
from press.selfchecks import answers_in
from press.structure import ROOT, toc_notebooks
from sga.exercises import seal

KINDS = {False: "reading edition", True: "student edition"}
PICTURE = re.compile(r"""!\[[^\]]*\]\(([^)\s]+)|<img\b[^>]*\bsrc=["']([^"']+)|\{(?:image|figure)\} *(\S+)""")
PACKAGES = ("evidence", "sga")
STORED, SEALED = "lib/sga/exercises.toml", "lib/sga/exercises.json"


def needs(notebook, folder):
    """Yields the files that `notebook` needs in `folder`: modules and data beside it, and pictures in its text."""
    yield from folder.glob("*.py")
    yield from (path for path in folder.glob("data/**/*") if path.is_file())
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    for found in PICTURE.finditer(text):
        if not re.match(r"\w+:", target := found[found.lastindex]):
            yield (folder / target).resolve()


def library(root=ROOT, student=False):
    """Returns the files of the library; what is asked for in the notebooks it knows, but for students sealed."""
    folders = [root / "lib" / name for name in PACKAGES]
    found = [path for folder in folders for path in folder.rglob("*") if "__pycache__" not in path.parts]
    paths = [root / "LICENSE", root / "lib" / "pyproject.toml", *found]
    files = {path.relative_to(root).as_posix(): path.read_bytes() for path in paths if path.is_file()}
    hidden = answers_in(root)
    if student:
        hidden |= tomllib.loads(files.pop(STORED).decode())
    return files | ({SEALED: json.dumps(seal(hidden), indent=1).encode()} if hidden else {})


def edition(root=ROOT, student=False):
    """Returns the files of an edition, {path in its folder: content}, and writes nothing."""
    files, numbers, found, works = library(root, student), chapter_numbers(root), targets(root), Works(root)
    config = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    macros = config["sphinx"]["config"]["mathjax3_config"]["tex"]["macros"]
    for path in toc_notebooks(root):
        name, notebook = path.relative_to(root).as_posix(), nbformat.read(path, as_version=4)
        chapter = Chapter(path, numbers[path], found, macros, works, solutions=not student)
        try:
            plain = Plain(notebook, chapter).notebook()
        except EditionError as error:
            raise EditionError(f"{name}: {error}") from error
        files[name] = written(plain)
        for needed in needs(plain, path.parent):
            if not (needed.is_file() and needed.is_relative_to(root)):
                raise EditionError(f"{name}: there is no picture {needed} in the book")
            files[needed.relative_to(root).as_posix()] = needed.read_bytes()
    files["README.md"] = readme(root, student).encode()
    files["contents.ipynb"] = written(contents(root, student))
    return dict(sorted(files.items()))


def main(arguments=None):
    """Writes an edition into the folder named on the command line."""
    words = folder_parser(__name__, __doc__)
    words.add_argument("--student", action="store_true", help="without solutions; default folder: _build/student")
    given = words.parse_args(arguments)
    if given.student and given.folder == words.get_default("folder"):
        given.folder = ROOT / "_build" / "student"
    files = edition(student=given.student)
    write(files, given.folder, KINDS[given.student])
    count = sum(name.startswith("book/") and name.endswith(".ipynb") for name in files)
    without = " without solutions" if given.student else ""
    print(f"{count} notebooks{without} are in {given.folder}: open contents.ipynb there in JupyterLab")
