"""What the library consists of: its modules, and all that is public in them."""

import importlib
import inspect
from pathlib import Path

import sga

HOME = Path(sga.__file__).parent
ROOT = HOME.parents[1]
MODULES = sorted(path.stem for path in HOME.glob("*.py") if path.stem != "__init__")


def documented():
    """Every public function, class, method and property of the library, by dotted name."""
    for name in MODULES:
        if name.startswith("_"):
            continue
        module = importlib.import_module(f"sga.{name}")
        yield name, module
        for key, thing in vars(module).items():
            if key.startswith("_") or getattr(thing, "__module__", None) != module.__name__:
                continue
            yield f"{name}.{key}", thing
            if inspect.isclass(thing):
                for member, value in vars(thing).items():
                    if (not member.startswith("_") or member == "__call__") and (
                        inspect.isfunction(value) or isinstance(value, property)
                    ):
                        yield f"{name}.{key}.{member}", value


PUBLIC = dict(documented())
FUNCTIONS = {name: thing for name, thing in PUBLIC.items() if inspect.isfunction(thing)}


def parameters(function):
    return [name for name in inspect.signature(function).parameters if name != "self"]
