"""The rho-ODE, rho' = (1 - rho^2) dJ/d rho: its flow and its clock.

Both use y = artanh(rho), in which the equation reads y' = dJ/d rho at tanh y: the poles are at infinity and
nothing is stiff.
"""

import numpy as np
from scipy.integrate import quad, solve_ivp

from sga import _validate as check

RELATIVE, ABSOLUTE = 1e-11, 1e-13


def flow(landscape, rho0, t):
    """Solution of the rho-ODE from rho0, at the times t.

    Args:
        landscape: an object with `slope(rho)`, such as `Limit`.
        rho0: initial alignment in [-1, 1], any shape S.
        t: times >= 0 in any order, a number or shape (n,), in units of step size times steps.

    Returns:
        Array of shape S + t.shape.

    Raises:
        ValueError: rho0 outside [-1, 1], t negative, not finite or of more than one axis; a slope that is not finite.
        RuntimeError: the integrator failed.

    Source: claim B3; the book's equation (rho-ode).
    """
    rho0 = check.alignment("rho0", rho0)
    t = check.array("t", t, 0.0)
    if t.ndim > 1:
        raise ValueError(f"t must be a number or have shape (n,), got shape {t.shape}")
    times, where = np.unique(t, return_inverse=True)
    start = rho0.ravel()
    out = np.repeat(start[:, None], times.size, axis=1)
    inside = np.abs(start) < 1.0
    check.array("landscape.slope(rho0)", landscape.slope(start))
    if times.size and times[-1] > 0.0 and inside.any():
        solution = solve_ivp(
            lambda _, y: landscape.slope(np.tanh(y)),
            (0.0, times[-1]),
            np.arctanh(start[inside]),
            method="DOP853",
            t_eval=times,
            rtol=RELATIVE,
            atol=ABSOLUTE,
        )
        if not solution.success:
            raise RuntimeError(f"the rho-ODE could not be integrated to t = {times[-1]:g}: {solution.message}")
        out[inside] = np.tanh(solution.y)
    return out[:, where.ravel()].reshape(rho0.shape + t.shape)


def time_to(landscape, rho0, rho1):
    """Time the rho-ODE takes from rho0 to rho1.

    Args:
        landscape: an object with `slope(rho)`, such as `Limit`.
        rho0: initial alignment, a number in [-1, 1].
        rho1: target alignment, a number in [-1, 1].

    Returns:
        The time as a float, in units of step size times steps; `inf` if the flow from rho0 never reaches rho1
        (it moves away, an equilibrium lies between, or rho1 is a pole).

    Raises:
        TypeError, ValueError: rho0 or rho1 is not a number in [-1, 1].

    Source: claim B7; the book's equation (clock).
    """
    rho0 = check.real("rho0", rho0, -1.0, 1.0)
    rho1 = check.real("rho1", rho1, -1.0, 1.0)
    if rho0 == rho1:
        return 0.0
    if abs(rho0) == 1.0 or abs(rho1) == 1.0:
        return np.inf
    y0, y1 = np.arctanh([rho0, rho1])
    along = landscape.slope(np.tanh(np.linspace(y0, y1, 2001))) * np.sign(y1 - y0)
    if np.any(along <= 0.0):
        return np.inf
    return quad(lambda y: 1.0 / landscape.slope(np.tanh(y)), y0, y1, epsabs=0.0, epsrel=1e-11, limit=500)[0]
