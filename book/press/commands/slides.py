"""Writes slides for a projector: python book/press slides [folder]

The folder (default: `_build/slides`) must be new, empty or earlier slides, which are replaced. `index.html` in it lists
one deck a chapter and one a session of `book/appendix/teaching.md`. All of a deck is taken from the built pages of the
book, so numbers, captions and pictures are those that readers see: the pages in `_build/html` if they were made from
the present sources, or else they are built first. The decks need no network.
"""

import json
from importlib.resources import files as package_files
from pathlib import Path

import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from press import CommandError, slides
from press.commands.build import build
from press.commands.editions import admit, folder_parser, write
from press.made import PAGES, fresh
from press.slides.decks import decks
from press.slides.pages import Book
from press.structure import ROOT

KIND = "edition of the slides"
DECK = Path(slides.__file__).with_name("deck")


def assets(pages):
    """Returns reveal.js, the book's MathJax and the own style and script, {path in the edition: content}."""
    reveal = package_files("sphinx_revealjs") / "_static" / "revealjs"
    fonts = reveal / "dist" / "theme" / "fonts" / "source-sans-pro"
    found = {
        "_static/LICENSE.reveal.txt": reveal / "LICENSE",
        "_static/LICENSE.source-sans-pro.txt": fonts / "LICENSE",
        **{f"_static/{name}": reveal / "dist" / name for name in ("reveal.css", "reveal.js")},
        "_static/notes.js": reveal / "plugin" / "notes" / "notes.js",
        **{f"_static/fonts/{path.name}": path for path in fonts.iterdir() if path.name.endswith(".woff")},
        **{f"_static/{name}": DECK / name for name in ("deck.css", "deck.js")},
    }
    mathjax = pages / "_static" / "mathjax"
    for path in mathjax.rglob("*"):
        if path.is_file():
            found[f"_static/mathjax/{path.relative_to(mathjax).as_posix()}"] = path
    return {name: path.read_bytes() for name, path in found.items()}


def edition(pages, root=ROOT):
    """Returns the files of the slides of the built `pages`, {path in their folder: content}, and writes nothing."""
    book = Book(pages)
    made = decks(book, root)
    config = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    templates = Environment(
        loader=FileSystemLoader(DECK),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    usual = {
        "book": config["title"],
        "mathjax": json.dumps(config["sphinx"]["config"]["mathjax3_config"]),
    }
    files = {"index.html": templates.get_template("index.html").render(decks=made, **usual).encode()}
    for deck in made:
        files[f"{deck.name}.html"] = templates.get_template("deck.html").render(deck=deck, **usual).encode()
    shown = b"".join(files.values()).decode()
    files |= {name: path.read_bytes() for name, path in book.pictures.items() if f'"{name}"' in shown}
    return {**files, **assets(pages)}


def pages(root=ROOT):
    """Returns the folder of the book's pages, built if they are not those of the present sources, and says which."""
    if fresh(root):
        print("using the pages in _build/html: they were made from the present sources")
    else:
        print("building the pages, which takes a minute or two", flush=True)
        if build(root=root):
            raise CommandError("no slides: the book does not build, see above")
    return root / PAGES


def main(arguments=None):
    """Writes the slides into the folder named on the command line."""
    words = folder_parser(__name__, __doc__)
    words.add_argument("--pages", type=Path, help="pages of the book that are built already; default: those of _build")
    given = words.parse_args(arguments)
    admit(given.folder, KIND)
    files = edition(given.pages or pages())
    write(files, given.folder, KIND)
    count = sum(name.endswith(".html") for name in files) - 1
    print(f"{count} {'deck is' if count == 1 else 'decks are'} in {given.folder}: open index.html there")
