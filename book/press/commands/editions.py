"""Writes an edition of the book, made by a command, into a folder of its own."""

from pathlib import Path

from press import CommandError
from press.commands import parser
from press.structure import ROOT


class EditionError(CommandError):
    """An edition that cannot be made of the book, or a folder where none can be written."""


def folder_parser(module, doc):
    """Returns the parser of a command that writes an edition into a folder, `_build/<word>` unless it is given one."""
    words = parser(module, doc)
    name = module.rpartition(".")[2]
    words.add_argument("folder", nargs="?", type=Path, default=ROOT / "_build" / name, help=f"default: _build/{name}")
    return words


def inventory(kind):
    """Returns the name of the file that lists the files of an edition, so that the next one can remove them."""
    return f".{kind.replace(' ', '_')}"


def admit(folder, kind, root=ROOT):
    """Returns `folder` as an absolute path if an edition called `kind` can be written into it.

    Raises EditionError if it is neither new nor empty nor an earlier edition of this kind, or is among the sources.
    """
    folder = Path(folder).resolve()
    if folder.is_relative_to(root) and not folder.is_relative_to(root / "_build"):
        raise EditionError(f"{folder} is among the sources of the book: take a folder in _build or elsewhere")
    taken = any(folder.iterdir()) if folder.is_dir() else folder.exists()
    if taken and not (folder / inventory(kind)).is_file():
        raise EditionError(f"{folder} is neither empty nor an earlier {kind}")
    return folder


def write(files, folder, kind, root=ROOT):
    """Writes {path: content}, an edition called `kind`, into `folder` in place of an earlier one, if it is admitted."""
    folder = admit(folder, kind, root)
    listed = folder / inventory(kind)
    for name in listed.read_text(encoding="utf-8").splitlines() if listed.is_file() else ():
        (folder / name).unlink(missing_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    listed.write_text("\n".join(files) + "\n", encoding="utf-8")
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
