"""Signal recovery by softmax attention: model, population landscape, projected SGA, and the evidence for each."""

from evidence import checked, claim, sample_size
from sga import figures, rates, symbols
from sga.ascent import Paths, ascend
from sga.attention import gradient, objective, pool, weights
from sga.exercises import check_answer
from sga.finite import FiniteSize
from sga.flow import flow, shadow_distance, time_to
from sga.landscape import Limit, Proportional, Tabulated, critical_gamma, critical_theta
from sga.model import Model
from sga.steps import Constant, PowerLaw
from sga.sweep import sweep

__all__ = [
    "Constant",
    "FiniteSize",
    "Limit",
    "Model",
    "Paths",
    "PowerLaw",
    "Proportional",
    "Tabulated",
    "ascend",
    "check_answer",
    "checked",
    "claim",
    "critical_gamma",
    "critical_theta",
    "figures",
    "flow",
    "gradient",
    "objective",
    "pool",
    "rates",
    "sample_size",
    "shadow_distance",
    "sweep",
    "symbols",
    "time_to",
    "weights",
]
