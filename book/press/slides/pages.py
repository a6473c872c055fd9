"""Reads the built pages of the book for the slides, by their elements and classes, and never by their words."""

from copy import copy
from urllib.parse import unquote

from bs4 import BeautifulSoup, SoupStrainer

#: What a slide can show of a page: figures, statements with a number, equations with a number, exercises.
SHOWN = "figure[id], div.proof:has(.admonition-title), div.math[id], div.exercise"


class Book:
    """The built pages of the book, as the slides need them."""

    def __init__(self, folder):
        self.folder, self.pictures, self._articles = folder.resolve(), {}, {}

    def article(self, name):
        """Returns the article of the page `name`, with the targets of its links and its pictures found."""
        if name not in self._articles:
            path = self.folder / f"{name}.html"
            if not path.is_file():
                raise FileNotFoundError(f"there is no page {path}: build the book, or leave out --pages")
            only = SoupStrainer("article")
            article = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser", parse_only=only).article
            for node in article.select("a.headerlink, script, style, button, picture > source"):
                node.decompose()
            unfold(article)
            for link in article.select("a.internal[href]"):
                page, _, anchor = link["href"].partition("#")
                target = (path.parent / page).resolve() if page else path
                link["data-target"] = f"{target.relative_to(self.folder).with_suffix('').as_posix()}#{unquote(anchor)}"
            for image in article.select('img:not([src^="data:"])'):
                picture = (path.parent / unquote(image["src"])).resolve()
                image["src"] = f"_images/{picture.name}"
                self.pictures[image["src"]] = picture
            self._articles[name] = article
        return self._articles[name]

    def target(self, link):
        """Returns what `link` leads to, if a slide can show it, as a list of at most one element."""
        name, _, anchor = link["data-target"].partition("#")
        element = self.article(name).find(id=anchor)
        return [element] if element is not None and element.css.match(SHOWN) else []

    def named(self, nodes):
        """Returns what the links in `nodes` lead to and a slide can show, in order."""
        return [element for node in nodes for link in node.select("a[data-target]") for element in self.target(link)]


def unfold(article):
    """Puts the content of every fold in its place; of the summaries only the title of a solution stays."""
    for fold in article.select("details.sga-fold"):
        summary = fold.find("summary", recursive=False)
        if "sga-fold-solution" in fold["class"]:
            summary.name, summary["class"] = "p", ["admonition-title"]
        else:
            summary.decompose()
        fold.unwrap()


def inner(*nodes):
    """Returns nodes as HTML for a slide: no links, no ids, no sections, which would be slides of their own."""
    soup = BeautifulSoup("<div></div>", "html.parser")
    soup.div.extend(copy(node) for node in nodes)
    for node in soup.select("a"):
        node.unwrap()
    for node in soup.select("[id]"):
        del node["id"]
    for node in soup.select(".sga-lead"):
        del node["class"]
    for node in soup.select("section"):
        node.name = "div"
    return soup.div.decode_contents().strip()


def contents(node, but=None):
    """Returns the HTML inside `node`, without the children that match the CSS selector `but`."""
    return inner(*(child for child in node.children if not (but and child.name and child.css.match(but))))


def heading(node):
    """Returns the title of the innermost section that holds `node`, without its number."""
    titles = (section.find(["h1", "h2", "h3", "h4"], recursive=False) for section in node.find_parents("section"))
    return contents(next(filter(None, titles)), ".section-number")


def before(node):
    """Returns the paragraph before `node` in its section, for the speaker notes, or ""."""
    section = node.find_parent("section")
    paragraph = node.find_previous(lambda tag: tag.name == "p" and tag.parent is section)
    return inner(paragraph) if paragraph else ""


def of(kind, element):
    """Says whether `element` is of a kind: figure, math, proof or exercise."""
    return element.name == kind or kind in element.get("class", ())
