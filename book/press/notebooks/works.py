"""The works that a chapter cites, in words: authors and year in the text, and a list at its end."""

import re
from functools import cached_property

import yaml
from pybtex.backends.markdown import Backend
from pybtex.database import BibliographyData, parse_file
from pybtex.richtext import Text
from pybtex.style.formatting.unsrt import Style

from press.structure import ROOT

#: More authors than these are named by the first one.
MANY = 2
#: What the backend escapes although Markdown takes it as it is.
ESCAPED = re.compile(r"\\([().\-+])")


class Works:
    """The bibliography of the book."""

    def __init__(self, root=ROOT):
        self.root = root

    @cached_property
    def entries(self):
        """{key: entry} of all bibliographies that `_config.yml` names."""
        config = yaml.safe_load((self.root / "_config.yml").read_text(encoding="utf-8"))
        found = (parse_file(self.root / name).entries for name in config["bibtex_bibfiles"])
        return {key: entry for entries in found for key, entry in entries.items()}

    def authors(self, key):
        """Returns the last names of the authors."""
        persons = self.entries[key].persons
        people = persons.get("author") or persons.get("editor")
        names = [" ".join([*person.prelast_names, *person.last_names]) for person in people]
        names = [str(Text.from_latex(name)) for name in names]
        return f"{names[0]} et al." if len(names) > MANY else " and ".join(names)

    def year(self, key):
        """Returns the year in which a work appeared, or "" if it has none."""
        return self.entries[key].fields.get("year", "")

    def textual(self, keys):
        """Returns works as a part of a sentence: Robbins and Monro (1951)."""
        years = {key: f" ({self.year(key)})" if self.year(key) else "" for key in keys}
        return ", ".join(f"{self.authors(key)}{years[key]}" for key in keys)

    def parenthetical(self, keys):
        """Returns works in parentheses: (Robbins and Monro, 1951)."""
        return f"({'; '.join(', '.join(filter(None, (self.authors(key), self.year(key)))) for key in keys)})"

    def listed(self, keys):
        """Returns a list of works in Markdown, by author and year."""
        ordered = sorted(set(keys), key=lambda key: (self.authors(key).casefold(), self.year(key), key))
        chosen = BibliographyData({key: self.entries[key] for key in ordered})
        made = {entry.key: entry.text.render(Backend()).split() for entry in Style().format_bibliography(chosen)}
        return "\n".join(ESCAPED.sub(r"\1", " ".join(["-", *made[key]])) for key in ordered)
