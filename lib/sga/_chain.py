"""The exact reduction of projected SGA to the alignment: one run of the chain, compiled."""

import math

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def run(rng, tokens, informative, dim, theta, beta, eta, record, rho, out_rho, out_mass):
    """Advance one run from alignment `rho` (nan: a query uniform on the sphere) and store its records."""
    u, a, n = np.empty(tokens), np.empty(tokens), np.empty(tokens)
    if math.isnan(rho):
        first, rest = rng.standard_normal(), _chi_square(rng, dim - 1)
        rho, w = first / math.sqrt(first**2 + rest), math.sqrt(rest / (first**2 + rest))
    else:
        w = math.sqrt((1.0 - rho) * (1.0 + rho))
    row = 0
    for k in range(record[-1] + 1):
        mass, U, Q, dot, scale = _scores(rng, tokens, informative, theta, beta, rho, u, a, n)
        if k == record[row]:
            out_rho[row], out_mass[row] = rho, mass
            row += 1
        if k == record[-1]:
            break
        g_q, g_t, g_r, rest = _push(rng, tokens, informative, dim, theta, w, u, a, n, mass, U, Q, dot, scale)
        step = 2.0 * beta * eta[k]
        v_q, v_t, v_r = 1.0 + step * g_q, step * g_t, step * g_r
        toward, away = rho * v_q + w * v_t, w * v_q - rho * v_t
        away = math.sqrt(away**2 + v_r**2 + (step * rest) ** 2)
        size = math.hypot(toward, away)
        rho, w = toward / size, away / size


@njit(nogil=True, cache=True)
def gradients(rng, tokens, informative, dim, theta, beta, rho, out_power, out_radial):
    """|g_T|^2 and <q, g> of the gradients g of fresh bags, one an entry, at alignment `rho`."""
    u, a, n = np.empty(tokens), np.empty(tokens), np.empty(tokens)
    w = math.sqrt((1.0 - rho) * (1.0 + rho))
    for bag in range(out_power.size):
        mass, U, Q, dot, scale = _scores(rng, tokens, informative, theta, beta, rho, u, a, n)
        g_q, g_t, g_r, rest = _push(rng, tokens, informative, dim, theta, w, u, a, n, mass, U, Q, dot, scale)
        out_power[bag] = 4.0 * beta**2 * (g_t**2 + g_r**2 + rest**2)
        out_radial[bag] = 2.0 * beta * g_q


@njit(nogil=True, cache=True)
def _scores(rng, tokens, informative, theta, beta, rho, u, a, n):
    """Draw the scores u, the weights a before they are scaled, and n, the tokens' noise along the pooled one across q.

    n is not yet made orthogonal to a. Returns the mass, <a, u>, <a, a>, <a, n> before scaling, and the scale.
    """
    top = -math.inf
    for i in range(tokens):
        u[i] = rng.standard_normal()
        if i < informative:
            u[i] += theta * rho
        top = max(top, u[i])
    mass = total = U = Q = dot = 0.0
    for i in range(tokens):
        if i == informative:
            mass = total
        n[i] = rng.standard_normal()
        a[i] = y = math.exp(beta * (u[i] - top))
        total += y
        U += y * u[i]
        Q += y * y
        dot += y * n[i]
    if informative == tokens:
        mass = total
    scale = 1.0 / total
    return mass * scale, U * scale, Q * scale * scale, dot, scale


@njit(nogil=True, cache=True)
def _push(rng, tokens, informative, dim, theta, w, u, a, n, mass, U, Q, dot, scale):
    """Gradient over 2 beta: along q, toward xi across q, along the pooled one across both, and the size of the rest."""
    # The pooled token across q: its noise is sqrt(Q) h, h standard normal in d - 1 dimensions.
    h_t, h_r = rng.standard_normal(), math.sqrt(_chi_square(rng, dim - 2))
    root = math.sqrt(Q)
    F_t, F_r = theta * w * mass + root * h_t, root * h_r
    F = math.hypot(F_t, F_r)
    square = U**2 + F**2
    # The rest of the tokens' noise along F is independent of h, and orthogonal to the weights.
    dot *= scale / Q
    with_h = (h_t * F_t + h_r * F_r) / root
    shift = theta * w * F_t - square
    g_q = g_s = g_h = g_F = power = total = 0.0
    for i in range(tokens):
        if i == informative:
            g_s, shift = total, -square
        weight = a[i] * scale
        along = n[i] - weight * dot
        c = weight * (u[i] * U + weight * with_h + along * F + shift)
        total += c
        g_q += c * u[i]
        g_h += c * weight
        g_F += c * along
        power += c * c
    if informative == tokens:
        g_s = total
    g_h /= root
    over = math.sqrt(max(power - g_h**2, 0.0))
    if dim > 2:
        turn, rest = rng.standard_normal() * over, over * math.sqrt(_chi_square(rng, dim - 3))
    else:
        turn, rest = 0.0, 0.0
    g_t = theta * w * g_s + g_h * h_t + (g_F * F_t - turn * F_r) / F
    return g_q, g_t, g_h * h_r + (g_F * F_r + turn * F_t) / F, rest


@njit(nogil=True, cache=True)
def _chi_square(rng, degrees):
    return 2.0 * rng.standard_gamma(degrees / 2.0) if degrees > 0 else 0.0
