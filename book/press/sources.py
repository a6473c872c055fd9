"""What Python code depends on, told from sources alone: the modules it can import, the data it reads, their digests.

A notebook's code reaches the packages of `lib/` and the modules and the folder `data/` beside it. Where reading cannot
tell what runs (a whole lazy package, an import by a computed name, a computed path), everything there counts as read.
"""

import ast
import hashlib
import json
import re
import tomllib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from press.structure import ROOT

#: The name of the table {public name: module} of a package that imports its modules when a name is first used.
TABLE = "_HOME"
#: Bare names, attributes and modules behind which code hides from reading, or by which it reads itself.
OPAQUE_NAMES = frozenset({"__import__", "compile", "eval", "exec", "get_ipython", "help"})
OPAQUE_ATTRIBUTES = frozenset(
    {"__doc__", "exec_module", "import_module", "load_module", "module_from_spec", "reload", "spec_from_file_location"}
)
OPAQUE_MODULES = frozenset({"imp", "inspect", "pkgutil", "runpy", "subprocess", "zipimport"})
#: Line magics that run no code of ours.
MAGIC = re.compile(r"^(\s*)%(pip|matplotlib)\b.*$", re.MULTILINE)
#: The kinds of nodes that say something here.
TELLING = (ast.Import, ast.ImportFrom, ast.Name, ast.Attribute, ast.Constant)


def digest(content):
    """Returns 16 hexadecimal digits of the sha256 of bytes or text."""
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()[:16]


def parse(code):
    """Returns the tree of a module or of a cell, or None if it is not Python even without its harmless magics."""
    for text in (code, MAGIC.sub(r"\1pass", code)):
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError):
            continue
    return None


def runs(node):
    """Returns the nodes below `node` that can run: neither docstrings nor what stands under `if TYPE_CHECKING`."""
    found, left = [], [node]
    while left:
        for child in ast.iter_child_nodes(left.pop()):
            if not (_is_text(child) or _is_for_types(child)):
                found.append(child)
                left.append(child)
    return found


def _is_text(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _is_for_types(node):
    if not isinstance(node, ast.If) or node.orelse:
        return False
    return "TYPE_CHECKING" in (getattr(node.test, "id", None), getattr(node.test, "attr", None))


def normal_form(node):
    """Returns a tree as text, the same in every version of Python, without docstrings, comments and layout."""
    if isinstance(node, ast.AST):
        told = ((name, value) for name, value in ast.iter_fields(node) if value is not None and value != [])
        shown = (f"{name}={normal_form(value)}" for name, value in told)
        return f"{type(node).__name__}({','.join(shown)})"
    if isinstance(node, list):
        return f"[{','.join(normal_form(child) for child in node if not (_is_text(child) or _is_for_types(child)))}]"
    return ascii(node)


@dataclass(frozen=True, eq=False)
class Source:
    """What the text of a module or a cell says of itself.

    `imports` holds (module, names, level): `names` is None for `import module as x`, () for `import module`.
    """

    imports: tuple = ()
    strings: frozenset = frozenset()
    names: frozenset = frozenset()
    opaque: bool = False
    lazy: bool = False
    table: dict = field(default_factory=dict)
    tree: ast.AST = None

    @property
    def asks(self):
        """Whether a module can ask for files of its package."""
        modules = [module for module, _, _ in self.imports]
        return not self.names.isdisjoint({"__file__", "resources"}) or "importlib.resources" in modules

    @cached_property
    def form(self):
        """The code as text, without docstrings, comments and layout."""
        return normal_form(self.tree)


def read(code):
    """Returns the Source of a module or a cell."""
    tree = parse(code)
    if tree is None:
        return Source(opaque=True)
    nodes = [node for node in runs(tree) if isinstance(node, TELLING)]
    lazy = any(isinstance(node, ast.FunctionDef) and node.name == "__getattr__" for node in tree.body)
    table = _table(tree) if lazy else {}
    if table:
        tree.body = [node for node in tree.body if not _assigns(node, TABLE, "__all__")]
    return Source(
        imports=tuple(statement for node in nodes for statement in _imports(node)),
        strings=frozenset(n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)),
        names=frozenset(name for node in nodes for name in _names(node)),
        opaque=not table and any(map(_is_opaque, nodes)),
        lazy=lazy,
        table=table,
        tree=tree,
    )


def _assigns(node, *names):
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return any(getattr(target, "id", None) in names for target in targets)


def _table(tree):
    """Returns the table of a lazy package, empty if it has none that is written out."""
    for node in tree.body:
        if _assigns(node, TABLE):
            try:
                return ast.literal_eval(node.value)
            except ValueError:
                return {}
    return {}


def _imports(node):
    if isinstance(node, ast.Import):
        return [(alias.name, () if alias.asname is None else None, 0) for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [(node.module or "", tuple(alias.name for alias in node.names), node.level)]
    return []


def _names(node):
    if isinstance(node, ast.ImportFrom):
        return [alias.name for alias in node.names]
    return [getattr(node, "id", None) or getattr(node, "attr", None) or ""]


def _is_opaque(node):
    if isinstance(node, ast.Name):
        return node.id in OPAQUE_NAMES
    if isinstance(node, ast.Attribute):
        is_path = node.attr == "path" and getattr(node.value, "id", None) == "sys"
        return node.attr in OPAQUE_ATTRIBUTES or is_path
    modules = [module for module, _, _ in _imports(node)]
    names = [name for _, names, _ in _imports(node) for name in names or ()]
    return not OPAQUE_MODULES.isdisjoint(modules) or not OPAQUE_ATTRIBUTES.isdisjoint(names)


class Shelf:
    """The packages of `lib/` in the repository at `root`; each file is read once in the life of a shelf."""

    def __init__(self, root=ROOT):
        self.root = Path(root)
        self.lib = self.root / "lib"
        self._read, self._digests, self._tables, self._listed, self._chains = {}, {}, {}, {}, {}

    def source(self, path):
        """Returns the Source of the module at `path`."""
        if path not in self._read:
            self._read[path] = read(path.read_text(encoding="utf-8"))
        return self._read[path]

    def raw(self, path):
        """Returns the digest of the bytes at `path`."""
        if path not in self._digests:
            self._digests[path] = digest(path.read_bytes())
        return self._digests[path]

    def tables(self, path, names):
        """Returns the digest of the tables in a TOML file that are among `names`; of the whole file if none is."""
        if path.suffix != ".toml":
            return self.raw(path)
        if path not in self._tables:
            self._tables[path] = tomllib.loads(path.read_text(encoding="utf-8"))
        named = {name: table for name, table in self._tables[path].items() if name in names}
        return digest(json.dumps(named, sort_keys=True, default=str)) if named else self.raw(path)

    def files(self, folder):
        """Returns all files below `folder` that are not Python's own by-products."""
        if folder not in self._listed:
            self._listed[folder] = sorted(p for p in folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts)
        return self._listed[folder]

    def packages(self):
        """Returns the folders of the packages in `lib/`."""
        return sorted(path.parent for path in self.lib.glob("*/__init__.py"))

    def chain(self, module, folder):
        """Returns [(name, path)] of what importing `module` runs, parents first, as far as it is ours."""
        if (module, folder) not in self._chains:
            self._chains[module, folder] = self._find(module.split("."), folder)
        return self._chains[module, folder]

    def _find(self, parts, folder):
        for home in (folder, self.lib):
            found, place = [], home
            for depth, part in enumerate(parts, 1):
                place = place / part
                files = (place / "__init__.py", place.with_name(f"{part}.py"))
                path = next((file for file in files if file.is_file()), None)
                if path is None:
                    break
                found.append((".".join(parts[:depth]), path))
            if found:
                return found
        return []


def cover(cells, folder, shelf=None):
    """Returns {name: digest} of the files that the outputs of `cells`, texts that run in `folder`, depend on."""
    shelf = shelf or Shelf()
    return _Reading(Path(folder), shelf).of(cells)


class _Reading:
    """One walk along the imports of some cells."""

    def __init__(self, folder, shelf):
        self.folder, self.shelf = folder, shelf
        self.modules, self.used, self.opaque = {}, set(), False

    def of(self, cells):
        sources = [read(cell) for cell in cells]
        for source in sources:
            self._follow(source, "")
        if self.opaque:
            return self._everything()
        beside = [*sources, *(self._source(path) for path in self.modules.values() if self._is_beside(path))]
        covered = {path: self._digest(name, path) for name, path in self.modules.items()}
        covered |= {path: self.shelf.raw(path) for path in self._data_beside(beside)}
        strings = frozenset().union(*(source.strings for source in beside))
        covered |= {path: self.shelf.tables(path, strings) for path in self._data_of_packages()}
        return self._named(covered)

    def _named(self, covered):
        named = {path.relative_to(self.shelf.root).as_posix(): content for path, content in covered.items()}
        return dict(sorted(named.items()))

    def _everything(self):
        files = [path for package in self.shelf.packages() for path in self.shelf.files(package)]
        files += [*self.folder.glob("*.py"), *self.shelf.files(self.folder / "data")]
        return self._named({path: self.shelf.raw(path) for path in files})

    def _source(self, path):
        return self.shelf.source(path)

    def _is_beside(self, path):
        return path.is_relative_to(self.folder)

    def _digest(self, name, path):
        source = self._source(path)
        entries = sorted((public, source.table[public]) for home, public in self.used if home == name)
        return digest(f"{source.form}{entries}")

    # The walk

    def _follow(self, source, package):
        self.opaque |= source.opaque
        for module, names, level in source.imports:
            if level:
                base = package.split(".")[: -level + 1 or None]
                module = ".".join([*base, *([module] if module else [])])
            self._import(module, names)

    def _import(self, module, names):
        chain = self.shelf.chain(module, self.folder)
        self._run(chain)
        if not chain:
            return
        if not names:
            self._bind(chain[0] if names == () else chain[-1])
        elif chain[-1][0] == module:
            for name in names:
                self._take(module, chain[-1][1], name)

    def _take(self, module, path, name):
        """Follows `from module import name`."""
        source = self._source(path)
        deeper = self.shelf.chain(f"{module}.{name}", self.folder)
        if name in source.table:
            self.used.add((module, name))
            self._run(self.shelf.chain(source.table[name], self.folder))
        elif deeper[-1][0] == f"{module}.{name}":
            self._run(deeper)
            self._bind(deeper[-1])
        elif name == "*" or (source.lazy and not source.table):
            self.opaque = True

    def _bind(self, bound):
        """A lazy package that is bound as a whole can import any of its modules later."""
        self.opaque |= self._source(bound[1]).lazy

    def _run(self, chain):
        for name, path in chain:
            if name not in self.modules:
                self.modules[name] = path
                package = name if path.name == "__init__.py" else name.rpartition(".")[0]
                self._follow(self._source(path), package)

    # Data

    def _data_beside(self, sources):
        files = self.shelf.files(self.folder / "data")
        strings = frozenset().union(*(source.strings for source in sources))
        exact = {path.relative_to(self.folder).as_posix() for path in files}
        if any(text == "data" or (text.startswith("data/") and text not in exact) for text in strings):
            return files
        return _mentioned(files, strings)

    def _data_of_packages(self):
        for package in self.shelf.packages():
            files = [path for path in self.shelf.files(package) if path.suffix != ".py"]
            for path in self.modules.values():
                if path.is_relative_to(package):
                    source = self._source(path)
                    found = _mentioned(files, source.strings)
                    yield from files if source.asks and not found else found


def _mentioned(files, strings):
    """Returns the files whose name ends one of the `strings`."""
    names = {text.rpartition("/")[2] for text in strings}
    return [path for path in files if path.name in names]
