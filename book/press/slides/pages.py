"""Reads the built pages of the book for the slides, by their elements and classes, and never by their words."""

import re
from copy import copy
from itertools import zip_longest
from urllib.parse import unquote

from bs4 import BeautifulSoup, NavigableString, SoupStrainer

MATH = re.compile(r'<(span|div) class="[^"]*\bmath\b.*?</\1>', re.DOTALL)
#: What ends a sentence, and what begins the next one; formulas are single characters when this is used.
END = re.compile(r"(?<=[.?!])(?:</(?!strong)\w+>)*[\"”)]*\s+(?=[(\"“]*(?:<\w[^>]*>)*[A-Z\uE000-\uF8FE])")
WHOLE = re.compile(r"[.?!][\"”)]*(?:</\w+>)*$")
#: Stands behind an equation in the text that leads to it.
MARK = "\uf8ff"
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


def of(kind, element):
    """Says whether `element` is of a kind: figure, math, proof or exercise."""
    return element.name == kind or kind in element.get("class", ())


def sentences(html):
    """Returns the sentences of HTML, none of which ends in a formula."""
    formulas = []

    def hidden(found):
        formulas.append(found[0])
        return chr(0xE000 + len(formulas) - 1)

    text = MATH.sub(hidden, html)
    shown = [
        re.sub("[\ue000-\uf8fe]", lambda found: formulas[ord(found[0]) - 0xE000], part) for part in END.split(text)
    ]
    return [BeautifulSoup(part, "html.parser").decode().strip() for part in shown if part.strip()]


def spoken(*elements):
    """Returns whole sentences on elements that stand together, for the speaker notes, or "".

    An equation stands in its sentence by its number, and a figure by a reference to it, or else behind the text before
    it; the sentences before and behind that one are said as well.
    """
    link, start = (None, elements[0]) if of("math", elements[0]) else _naming(elements[0])
    run, mark = _run(start) if start else [], NavigableString(MARK)
    if link is not None:
        link.append(mark)
    last = elements if link is None else ()
    texts = [_said(node, after) + MARK * (node in last) for node, after in zip_longest(run, run[1:])]
    mark.extract()
    parts = sentences(" ".join(texts))
    places = [place for place, part in enumerate(parts) if MARK in part] or [len(parts) - 1]
    said = " ".join(parts[max(0, places[0] - 1) : places[-1] + 1]).replace(MARK, "").strip()
    if not re.search("[A-Za-z]{2}", BeautifulSoup(said, "html.parser").get_text()):
        return ""
    return said if WHOLE.search(said) else re.sub(r"[,:;]?((?:</\w+>)*)$", r".\1", said)


def _run(node):
    """Returns a paragraph or an equation with those around it, as far as nothing else stands between them."""
    found = [node]
    for others, place in ((node.previous_siblings, 0), (node.next_siblings, None)):
        for other in (other for other in others if other.name):
            if not (other.name == "p" or of("math", other)):
                break
            found.insert(len(found) if place is None else 0, other)
    return found


def _naming(figure):
    """Returns (link, paragraph) where the text names a figure; else (None, the paragraph before it or None)."""
    section = figure.find_parent("section")
    for link in figure.find_parent("article").select(f'a[data-target$="#{figure["id"]}"]'):
        paragraph = link.find_parent("p")
        if paragraph is not None and paragraph.parent.name == "section":
            return link, paragraph
    return None, figure.find_previous(lambda tag: tag.name == "p" and tag.parent is section)


def _said(node, after):
    """Returns a paragraph, or the number of an equation with the mark that the sentence has there."""
    if not of("math", node):
        return contents(node)
    number = node.select_one(".eqno")
    if number is None:
        return inner(node)
    tex = re.sub(r"(\\end\{\w+\*?\}|\\\]|\s)+$", "", node.get_text().replace("#", ""))
    begins = after is None or of("math", after) or after.get_text()[:1].isupper()
    return number.find(string=True) + (tex[-1] if tex[-1] in ".,;" else "." if begins else "")
