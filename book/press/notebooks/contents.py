"""The first page of an edition of notebooks: how to open it, how to work with it, and the list of its chapters."""

import tomllib

import nbformat
import yaml
from nbformat.v4 import new_markdown_cell

from press.notebooks.chapters import notebook_of
from press.notebooks.numbers import chapter_numbers, title_of
from press.structure import ROOT, required, toc_notebooks

FIRST = """\
# {title}

The chapters of the book as notebooks that run from top to bottom. Their text is plain Markdown, so JupyterLab, VS Code
and Colab show formulas, theorems and references as they are meant. The numbers are those of the book.

## Open it

You need Python {python}. In this folder:

```sh
python3 -m venv .venv
.venv/bin/pip install ./lib jupyterlab
.venv/bin/jupyter lab contents.ipynb
```

On Windows write `py` for `python3`, and `.venv\\Scripts\\` for `.venv/bin/`. In VS Code open this folder and choose the
environment as the kernel. A hosted service needs the whole folder; the first code cell of a chapter installs the
library where it is missing.{extras}

## Work with it

- *Run All Cells* shows the numbers and pictures that are stored here. Then change something: a strength, a number of
  tokens, a step size. A check may fail then, and says so; it was planned for the values that stand there.
- Code that imports, draws or checks is folded in JupyterLab and Colab. *View, Expand All Code* opens it.
- A line that begins with *Passed* is a check of a claim. The *rivals* of a check are plausible wrong formulas; it
  passes only if the data accept the right one and reject all of them.
- A cell that begins with `answer = None` takes your number in place of `None`, and says whether it is right.
- {solutions}
"""
SOLUTIONS = {
    False: "Solutions stand at the end of each chapter. A click opens the text of one; in JupyterLab first the arrow\n"
    "  beside its heading.",
    True: "The empty cell below an exercise is yours. This edition holds no solutions, and its library no readable\n"
    "  answers: it can only say whether yours is right.",
}


def readme(root=ROOT, student=False):
    """Returns the page as Markdown."""
    config = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    library = tomllib.loads((root / "lib" / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    text = FIRST.format(
        title=f"{config['title']}{': student edition' if student else ''}",
        python=library["requires-python"].removeprefix(">=").replace(",<", " or later, below "),
        extras=extras(root),
        solutions=SOLUTIONS[student],
    )
    return f"{text}\n## Chapters\n{chapters(root)}"


def contents(root=ROOT, student=False):
    """Returns the page as a notebook."""
    return notebook_of([new_markdown_cell(readme(root, student).rstrip("\n"), id="contents")])


def extras(root=ROOT):
    """Returns a sentence on each chapter that needs more than the library does."""
    numbers, said = chapter_numbers(root), ""
    for path in toc_notebooks(root):
        if names := required(nbformat.read(path, as_version=4)):
            said += f" Chapter {numbers[path]} needs more: `.venv/bin/pip install './lib[{','.join(names)}]'`."
    return said


def chapters(root=ROOT):
    """Returns a list of the chapters in Markdown, part by part."""
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    numbers, lines = chapter_numbers(root), []
    for part in toc["parts"]:
        found = [(root / chapter["file"]).with_suffix(".ipynb") for chapter in part["chapters"]]
        listed = [
            f"{numbers[path]}. [{title_of(path)}]({path.relative_to(root).as_posix()})"
            for path in found
            if path in numbers
        ]
        if listed:
            lines += ["", f"*{part['caption']}*", "", *listed]
    return "\n".join(lines) + "\n"
