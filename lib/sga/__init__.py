"""Signal recovery by softmax attention: model, population landscape, projected SGA, and the evidence for each.

A name is imported when it is first used, so that a program waits only for what it needs.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # for editors and type checkers, which don't run `__getattr__`
    from evidence.claims import checked as checked
    from evidence.claims import claim as claim
    from evidence.levels import sample_size as sample_size
    from sga import figures as figures
    from sga import rates as rates
    from sga import symbols as symbols
    from sga.ascent import Paths as Paths
    from sga.ascent import ascend as ascend
    from sga.attention import gradient as gradient
    from sga.attention import objective as objective
    from sga.attention import pool as pool
    from sga.attention import weights as weights
    from sga.exercises import check_answer as check_answer
    from sga.finite import FiniteSize as FiniteSize
    from sga.flow import flow as flow
    from sga.flow import shadow_distance as shadow_distance
    from sga.flow import time_to as time_to
    from sga.landscape import Landscape as Landscape
    from sga.landscape import Tabulated as Tabulated
    from sga.limits import Limit as Limit
    from sga.limits import Proportional as Proportional
    from sga.limits import critical_gamma as critical_gamma
    from sga.limits import critical_theta as critical_theta
    from sga.model import Model as Model
    from sga.steps import Constant as Constant
    from sga.steps import PowerLaw as PowerLaw
    from sga.sweep import sweep as sweep

#: Where each public name lives. A plain literal: it can be read without running it.
_HOME = {
    "Constant": "sga.steps",
    "FiniteSize": "sga.finite",
    "Landscape": "sga.landscape",
    "Limit": "sga.limits",
    "Model": "sga.model",
    "Paths": "sga.ascent",
    "PowerLaw": "sga.steps",
    "Proportional": "sga.limits",
    "Tabulated": "sga.landscape",
    "ascend": "sga.ascent",
    "check_answer": "sga.exercises",
    "checked": "evidence.claims",
    "claim": "evidence.claims",
    "critical_gamma": "sga.limits",
    "critical_theta": "sga.limits",
    "figures": "sga.figures",
    "flow": "sga.flow",
    "gradient": "sga.attention",
    "objective": "sga.attention",
    "pool": "sga.attention",
    "rates": "sga.rates",
    "sample_size": "evidence.levels",
    "shadow_distance": "sga.flow",
    "sweep": "sga.sweep",
    "symbols": "sga.symbols",
    "time_to": "sga.flow",
    "weights": "sga.attention",
}

__all__ = sorted(_HOME)


def __getattr__(name):
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = _named(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *__all__})


def _named(module, name):
    """What `name` means in a module: what the module holds under it, or the module itself."""
    return getattr(module, name, module)


class _Package(ModuleType):
    """The package, in which `flow` and `sweep` are the functions, not the modules that hold them."""

    def __setattr__(self, name, value):
        super().__setattr__(name, _named(value, name) if isinstance(value, ModuleType) else value)


sys.modules[__name__].__class__ = _Package
