"""Turns the Markdown of a chapter, MyST with roles and directives, into Markdown that every notebook viewer shows.

Statements and exercises become quotes with a bold head, long proofs fold, references become their numbers or links, and
macros are spelled out. A role or a directive that is not known here is an error: nothing raw is ever written.
"""

import os
import re

from press.commands.editions import EditionError

#: A proof of more words folds.
LONG = 120
FENCE = re.compile(r"^([:`])\1{2,}(?=[^:`]|$)")
DIRECTIVE = re.compile(r"^([:`]{3,})\{([\w:-]+)\} *(.*)$")
OPTION = re.compile(r"^:([\w-]+): *(.*)$")
#: Where no role, label or macro is looked for, or what one looks like.
TOKEN = re.compile(
    r"(?P<escaped>\\[\\$`])"
    r"|\{(?P<role>[\w:-]+)\}`(?P<inside>[^`]+)`"
    r"|(?P<code>(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`))"
    r"|\$\$(?P<display>.*?)\$\$(?: *\((?P<label>[\w:-]+)\))?"
    r"|\$(?P<math>(?:[^$\\]|\\.)+)\$"
    r"|^\((?P<target>[\w:-]+)\)=\n",
    re.MULTILINE | re.DOTALL,
)
EXPLICIT = re.compile(r"^(.*?)\s*<([^<>]+)>$", re.DOTALL)
COMMENT = re.compile(r"^%.*\n?", re.MULTILINE)
HEADING = re.compile(r"^(#{1,4}) +(.+)$", re.MULTILINE)
DISPLAY = re.compile(r"\$\$\n(.*?)\n *\$\$", re.DOTALL)
STATEMENTS = ("theorem", "lemma", "proposition", "corollary", "definition")
#: Directives that only serve the pages.
LEFT_OUT = ("index",)


def spelled(text, macros):
    """Returns TeX without the macros of the book, given as MathJax takes them: {name: text or [text, arguments]}."""
    for name, meaning in macros.items():
        body, arguments = (meaning, 0) if isinstance(meaning, str) else meaning
        if arguments not in (0, 1):
            raise EditionError(f"the macro {name} takes {arguments} arguments, and at most one can be spelled out")
        pattern = re.compile(rf"\\{name}(?![A-Za-z])\s*" if arguments else rf"\\{name}(?![A-Za-z])")
        while found := pattern.search(text):
            value, end = _argument(text, found.end()) if arguments else ("", found.end())
            text = text[: found.start()] + body.replace("#1", value) + text[end:]
    return text


def _argument(text, start):
    """Returns the argument of TeX that begins at `start`, and where it ends."""
    if text[start] != "{":
        end = re.compile(r"\\[A-Za-z]+|\\?.").match(text, start).end()
        return text[start:end], end
    depth = 0
    for place in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return text[start + 1 : place], place + 1
    raise EditionError(f"a brace is not closed in {text[start : start + 40]!r}")


def quoted(text):
    """Returns Markdown as a quote; a formula stands on one line, since viewers read the marks of the quote into it."""
    text = DISPLAY.sub(lambda found: f"$$ {' '.join(found[1].split())} $$", text)
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def folded(summary, text):
    """Returns Markdown that opens by a click on its summary."""
    return f"<details><summary>{summary}</summary>\n\n{text}\n\n</details>"


def begun(head, text):
    """Returns Markdown that begins with a bold head, in the same line where it begins with a sentence."""
    gap = "\n\n" if re.match(r"[-|>#<]|\d+\. |\$\$|!\[", text) else " "
    return f"**{head}**{gap}{text}"


class Chapter:
    """What the text of one chapter becomes, cell by cell in its order."""

    def __init__(self, path, number, targets, macros, works, solutions=True):
        self.path, self.targets, self.macros = path, targets, macros
        self.works, self.solutions, self.cited = works, solutions, []
        self.number, self.at = number, [int(number or 0)]

    def text(self, source):
        """Returns the Markdown of a cell; "" where nothing of it is shown."""
        lines, made, prose = source.split("\n"), [], []
        while lines:
            line = lines.pop(0)
            if not FENCE.match(line):
                prose.append(line)
                continue
            made.append(self.prose("\n".join(prose)))
            prose, content, found = [], self.content(line, lines), DIRECTIVE.match(line)
            if found:
                made.append(self.block(found[2], found[3].strip(), content))
            elif line[0] == "`":
                made.append("\n".join([line, *content, re.match("`+", line)[0]]))
            else:
                raise EditionError(f"{line!r} is no directive")
        made.append(self.prose("\n".join(prose)))
        return "\n\n".join(filter(None, (part.strip("\n") for part in made)))

    def content(self, opened, lines):
        """Takes the lines up to the end of a fence from `lines`, and returns those before it."""
        mark = re.match(r"[:`]+", opened)[0]
        closed = re.compile(rf"^{mark[0]}{{{len(mark)},}} *$")
        taken = []
        while lines:
            line = lines.pop(0)
            if closed.match(line):
                return taken
            taken.append(line)
        raise EditionError(f"{opened!r} is not closed")

    def block(self, kind, argument, lines):
        """Returns what becomes of a directive."""
        options = {}
        while lines and (found := OPTION.match(lines[0])):
            options[found[1]] = found[2]
            lines.pop(0)
        if kind in LEFT_OUT:
            return ""
        text = self.text("\n".join(lines).strip("\n"))
        name = kind.removeprefix("prf:")
        if kind == "margin":
            return quoted(begun(f"{self.prose(argument)}.", text))
        if kind == "prf:proof":
            return folded("Proof", text) if len(text.split()) > LONG else begun("Proof.", text)
        if kind == "exercise" or (kind.startswith("prf:") and name in STATEMENTS):
            return quoted(begun(f"{self.prose(self.full(options['label']))}.", text))
        if kind == "explorer":
            picture, _, caption = text.partition("\n\n")
            return f"{picture}\n\n{self.caption(options['name'], caption)}"
        raise EditionError(f"the directive {kind!r} has no form in plain Markdown")

    def caption(self, label, text):
        """Returns the caption of a figure, with its number."""
        return f"**{self.target(label).words}.** {text}"

    def full(self, label):
        """Returns the number and the name of what has a label."""
        return self.target(label).full

    def target(self, label):
        """Returns what a label leads to."""
        if label not in self.targets:
            raise EditionError(f"there is no label {label!r}")
        return self.targets[label]

    def prose(self, text):
        """Returns text without directives: headings have their numbers, and roles, labels and macros are resolved."""
        resolved = TOKEN.sub(self.token, COMMENT.sub("", text))
        return HEADING.sub(self.heading, resolved) if self.number else resolved

    def token(self, found):
        """Returns what becomes of a role, a formula or a label."""
        if found["role"]:
            return self.role(found["role"], found["inside"])
        if found["display"] is not None:
            tag = rf" \tag{{{self.target(found['label']).words.strip('()')}}}" if found["label"] else ""
            lines = ["$$", f"{spelled(found['display'].strip(), self.macros)}{tag}", "$$"]
            before = found.string[: found.start()].rpartition("\n")[2]
            return "\n".join(lines).replace("\n", f"\n{before if before.isspace() else ''}")
        if found["math"]:
            joined = re.search(r"\w$", found.string[: found.start()])  # VS Code sees no formula there
            return f"{' ' if joined else ''}${spelled(found['math'], self.macros)}$"
        return "" if found["target"] else found[0]

    def heading(self, found):
        """Returns a heading with its number, as the page has it."""
        depth = len(found[1])
        self.at = [*self.at, *[0] * depth][:depth]
        self.at[-1] += depth > 1
        return f"{found[1]} {'.'.join(map(str, self.at))}. {found[2]}"

    def role(self, role, inside):
        """Returns what becomes of a role: a number, a title or words, with a link if they are of another chapter."""
        if role in ("cite:t", "cite:p"):
            keys = [key.strip() for key in inside.split(",")]
            self.cited += keys
            return self.works.textual(keys) if role == "cite:t" else self.works.parenthetical(keys)
        if role not in ("eq", "numref", "prf:ref", "ref", "doc"):
            raise EditionError(f"the role {role!r} has no form in plain Markdown")
        explicit = EXPLICIT.match(inside)
        words, label = explicit.groups() if explicit else (None, inside)
        if label.startswith("sol:") and not self.solutions:
            return words or "the solution"
        target = self.target(label)
        words = words or self.prose(target.words)
        if target.page == self.path:
            return words
        if target.page.suffix != ".ipynb":
            return f"*{words}*"
        return f"[{words}]({os.path.relpath(target.page, self.path.parent)})"
