"""Makes the notebook of a chapter in plain Markdown: captions stand below pictures, solutions at the end or nowhere."""

import base64
import json
import platform

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from evidence.records import MIME
from press.depths import Role, role_of
from press.notebooks.plain import folded, spelled
from press.notebooks.records import markdown
from press.notebooks.solutions import Solution, parted
from press.selfchecks import bare
from press.structure import SHARP

YOURS = "# your solution"
#: Said below the heading of the exercises, with solutions and without.
EXERCISES = "## Exercises"
SAID = {True: "*The solutions stand folded at the end of this notebook.*", False: "*The empty cells are yours.*"}
#: Cells whose code is shown as it is; that of the others is folded where a viewer can fold it.
OPEN = (Role.SHOWN, Role.ANSWER)
#: What JupyterLab writes into a notebook when it starts the kernel of this environment: nothing is left to change.
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {
        "codemirror_mode": {"name": "ipython", "version": 3},
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
        "nbconvert_exporter": "python",
        "pygments_lexer": "ipython3",
        "version": platform.python_version(),
    },
}


def notebook_of(cells, metadata=None):
    """Returns a notebook of these cells, with ids that are unique and the same each time."""
    taken = set()
    for number, cell in enumerate(cells):
        if cell.id in taken:
            cell.id = f"{cell.id[:50]}-{number}"
        taken.add(cell.id)
    notebook = new_notebook(cells=cells, metadata=nbformat.from_dict({**(metadata or {}), **METADATA}))
    notebook.nbformat_minor = 5
    return notebook


class Plain:
    """Makes the notebook of one chapter, whose text `chapter` (a `press.notebooks.plain.Chapter`) converts."""

    def __init__(self, notebook, chapter):
        self.parts, self.metadata = parted(notebook), notebook.metadata
        self.chapter, self.macros = chapter, chapter.macros
        self.made = 0

    def notebook(self):
        """Returns the notebook."""
        cells, solutions = [], []
        for part in self.parts:
            if not isinstance(part, Solution):
                cells += self.cells(part)
            elif self.chapter.solutions:
                solutions += self.solution(part)
            else:
                self.made += 1
                cells.append(new_code_cell(YOURS, id=f"yours-{self.made:03d}"))
        if self.chapter.cited:
            cells.append(self.markdown(f"## References\n\n{self.chapter.works.listed(self.chapter.cited)}"))
        if solutions:
            cells += [self.markdown("## Solutions"), *solutions]
        return notebook_of(cells, self.metadata)

    def cells(self, cell):
        """Returns the cells that become of one: its text, or its code and below it the caption of its picture."""
        if cell.cell_type == "markdown":
            source = cell.source.replace(EXERCISES, f"{EXERCISES}\n\n{SAID[self.chapter.solutions]}")
            text = self.chapter.text(source)
            return [new_markdown_cell(text, id=cell.id)] if text else []
        figure, made = cell.metadata.get("mystnb", {}).get("figure"), [self.code(cell)]
        if figure:
            made.append(self.markdown(self.chapter.caption(figure["name"], self.chapter.text(figure["caption"]))))
        return made

    def code(self, cell):
        """Returns a code cell, with its records in Markdown, and folded where a page would fold it."""
        hidden = {} if role_of(cell) in OPEN else {"jupyter": {"source_hidden": True}, "cellView": "form"}
        metadata = {key: value for key, value in cell.metadata.items() if key != "mystnb"}
        outputs = [self.output(output) for output in cell.outputs]
        return new_code_cell(
            spelled(bare(cell.source), self.macros),
            id=cell.id,
            outputs=outputs,
            execution_count=cell.execution_count,
            metadata={**metadata, **hidden},
        )

    def output(self, output):
        """Returns an output: a record in Markdown, which more viewers typeset than HTML, a picture in its size."""
        data = output.get("data", {})
        if "image/png" in data:
            size = {"image/png": {"width": _width(data["image/png"]) // SHARP}}
            return nbformat.from_dict({**output, "metadata": size})
        record = data.get(MIME)
        if record is None:
            return output
        shown = {"text/markdown": markdown(record), "text/plain": data["text/plain"]}
        data = {kind: spelled(text, self.macros) for kind, text in shown.items()}
        return new_output(output.output_type, data=data, metadata={})

    def solution(self, solution):
        """Returns the cells of a solution below a heading of its own, its text folded."""
        title = self.markdown(f"### Solution to {self.chapter.full(solution.exercise)}")
        title.metadata["jp-MarkdownHeadingCollapsed"] = True
        made, summary = [title], "Solution"
        for cell in solution.cells:
            for plain in self.cells(cell):
                if plain.id == cell.id and plain.cell_type == "markdown":
                    plain.source, summary = folded(summary, plain.source), "Continued"
                made.append(plain)
        return made

    def markdown(self, text):
        """Returns a cell of text that the chapter does not have."""
        self.made += 1
        return new_markdown_cell(text, id=f"added-{self.made:03d}")


def _width(png):
    """Returns the width of a PNG in base64, in pixels: a number of four bytes at a fixed place."""
    return int.from_bytes(base64.b64decode(png[:32])[16:20], "big")


def written(notebook):
    """Returns the file of a notebook."""
    return (json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode()
