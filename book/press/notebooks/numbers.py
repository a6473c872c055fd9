"""What references say: the number or the title of everything that has a label, counted as the pages count it."""

import re
from dataclasses import dataclass
from pathlib import Path

import nbformat

from press.structure import ROOT, numbered_files, toc_files

#: What has a label in the Markdown of a chapter: a heading, an equation, or a directive with its options.
LABELED = re.compile(
    r"^\((?P<heading>[\w:-]+)\)=\n+#+ +(?P<title>.+)$"
    r"|\$\$ *\((?P<equation>[\w:-]+)\)"
    r"|^[:`]{3,}\{(?P<kind>prf:(?!proof)\w+|exercise|explorer|solution-start)\} *(?P<name>.*)\n(?P<options>(?::.*\n)*)",
    re.MULTILINE,
)
OPTION = re.compile(r"^:(?:label|name): *(\S+)", re.MULTILINE)
TITLE = re.compile(r"^# +(.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Target:
    """What a label leads to: the words of a reference to it, these with its own name, and the page where it stands."""

    words: str
    full: str
    page: Path


def chapter_numbers(root=ROOT):
    """Returns {path: the number of its chapter as a text}; "" in a part without numbers."""
    numbered = numbered_files(root)
    return {path: str(numbered.index(path) + 1) if path in numbered else "" for path in toc_files(root)}


def title_of(path):
    """Returns the title of a page."""
    return TITLE.search(_texts(path)[0])[1].strip()


def targets(root=ROOT):
    """Returns {label: Target} of the whole book; a page has its path without suffix, from the root, as a label too."""
    found = {}
    for path, number in chapter_numbers(root).items():
        title = title_of(path)
        found["/" + path.relative_to(root).with_suffix("").as_posix()] = Target(title, title, path)
        parts = list(_parts(path))
        for label, words, name in _named(parts, number):
            found[label] = Target(words, f"{words} ({name})" if name else words, path)
        for label, exercise in _solutions(parts):
            if of := found.get(exercise):
                found[label] = Target(f"Solution to {of.words}", f"Solution to {of.full}", path)
    return found


def _named(parts, number):
    """Yields (label, words, name) for what the parts of a page name."""
    counts = dict.fromkeys(("equation", "figure", "theorem", "exercise"), 0)

    def count(kind):
        counts[kind] += 1
        return f"{number}.{counts[kind]}" if number else str(counts[kind])

    for part in parts:
        if isinstance(part, str):
            yield part, f"Fig. {count('figure')}", ""
        elif part["heading"]:
            yield part["heading"], part["title"].strip(), ""
        elif part["equation"]:
            yield part["equation"], f"({count('equation')})", ""
        elif part["kind"] != "solution-start" and (label := OPTION.search(part["options"])):
            kind = part["kind"].removeprefix("prf:")
            if kind == "explorer":
                yield label[1], f"Fig. {count('figure')}", ""
            else:
                counted = count("exercise" if kind == "exercise" else "theorem")
                yield label[1], f"{kind.capitalize()} {counted}", part["name"].strip()


def _solutions(parts):
    for part in parts:
        if not isinstance(part, str) and part["kind"] == "solution-start" and (label := OPTION.search(part["options"])):
            yield label[1], part["name"].strip()


def _parts(path):
    """Yields matches of LABELED and, for a figure that code makes, its label, in order."""
    if path.suffix == ".md":
        yield from LABELED.finditer(path.read_text(encoding="utf-8"))
        return
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            yield from LABELED.finditer(cell.source + "\n")
        elif name := cell.metadata.get("mystnb", {}).get("figure", {}).get("name"):
            yield name


def _texts(path):
    if path.suffix == ".md":
        return [path.read_text(encoding="utf-8")]
    return [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "markdown"]
