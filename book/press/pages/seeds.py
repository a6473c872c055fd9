"""Sphinx extension: the directive `{fresh-seeds}`, how the statistical checks fared with other random streams."""

from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from press.structure import toc_notebooks
from press.trials import KEPT, REJECTED, RESULTS, tally

NOTHING = "There are no results for the present code: `python book/press fresh-seeds --seeds 10` makes them."
HEADING = ("| check | chapter | prediction rejected | rival kept |", "|---|---|---|---|")


def lines(found):
    """Returns a Tally as Markdown, line by line."""
    if not found.masters:
        return [NOTHING]
    failed = sum(counts[REJECTED] or counts[KEPT] for counts in found.failures.values())
    words = [
        f"With {found.masters} master seeds {found.runs:,} checks were run, in {found.notebooks} chapters. "
        f"A prediction was rejected {found.rejections} times; if all predictions are true and every test spends its "
        f"whole level, {found.spent:.2g} such false alarms are expected. "
    ]
    if found.complete < found.notebooks:
        words.append(f"Only {found.complete} of the chapters were run with all these seeds since their code changed. ")
    if found.errors:
        words.append(
            f"{found.errors} cells stopped, because they hold a number that belongs to the book's own streams. "
        )
    words.append("The checks that failed:" if failed else "No check failed.")
    return ["".join(words), "", *(rows(found) if failed else ())]


def rows(found):
    """Returns the table of the checks that failed."""
    yield from HEADING
    for (name, claim, about), counts in sorted(found.failures.items()):
        shown = about.replace("|", r"\|")
        page = name.removesuffix(".ipynb")
        yield f"| {claim} · {shown} | {{doc}}`/{page}` | {counts[REJECTED]} | {counts[KEPT]} |"


class FreshSeeds(SphinxDirective):
    """`{fresh-seeds}`: the number of master seeds, of checks and of those that failed."""

    def run(self):
        """Returns a paragraph, and a table if a check failed; the page depends on the results and on the notebooks."""
        root = Path(self.env.app.srcdir)
        for path in (root / RESULTS, *toc_notebooks(root)):
            self.env.note_dependency(str(path))
        shown = nodes.container(classes=["sga-seeds"])
        self.state.nested_parse(StringList(lines(tally(root)), RESULTS), self.content_offset, shown)
        return [shown]


def setup(app):
    """Registers the directive."""
    app.add_directive("fresh-seeds", FreshSeeds)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
