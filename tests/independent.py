"""Independent routes to the numbers of the library. Nothing here imports it."""

import numpy as np

NODES, CHANCES = np.polynomial.hermite_e.hermegauss(64)
CHANCES = CHANCES / CHANCES.sum()
TINY = 1e-30


def pooled(q, x, beta):
    """Pooled token of one bag, by the definition; q may be complex."""
    a = np.exp(beta * x @ q)
    return a @ x / a.sum()


def squared_pool(q, x, beta):
    """Squared norm of the pooled token, analytic in q and beta."""
    f = pooled(q, x, beta)
    return f @ f


def complex_gradient(q, x, beta):
    """Euclidean gradient in q of `squared_pool`, by complex steps."""
    steps = 1j * TINY * np.eye(len(q))
    return np.array([squared_pool(q + step, x, beta).imag / TINY for step in steps])


def complex_slope(function, rho):
    """Derivative of an analytic function of rho, by a complex step."""
    return function(np.asarray(rho) + 1j * TINY).imag / TINY


def quadrature(rho, pi, theta, beta=1.0, sigma=1.0):
    """Attention mass and pooled token (along xi, across it) of infinitely many tokens, by Gauss-Hermite quadrature.

    The query is (rho, sqrt(1 - rho^2)) and the exponential weight factors over the two coordinates of a token. The
    second coordinate is folded at 0, so that odd terms cancel exactly. Analytic in rho; all arguments broadcast.
    """
    rho, pi, theta, beta, sigma = (np.asarray(a)[..., None] for a in (rho, pi, theta, beta, sigma))
    z = sigma * NODES
    along = np.exp(beta * rho * z)
    h = beta * np.sqrt(1.0 - rho * rho + 0j)
    z1, m1 = (CHANCES * along).sum(-1), (CHANCES * z * along).sum(-1)
    z2, m2 = (CHANCES * np.cosh(h * z)).sum(-1), (CHANCES * z * np.sinh(h * z)).sum(-1)
    rho, pi, theta, beta = (a[..., 0] for a in (rho, pi, theta, beta))
    informative, noise = pi * np.exp(beta * theta * rho), 1.0 - pi
    total = (informative + noise) * z1 * z2
    mass = informative * z1 * z2 / total
    first = (informative * (theta * z1 + m1) + noise * m1) * z2 / total
    second = (informative + noise) * z1 * m2 / total
    return mass, first, second


def quadrature_objective(rho, *parameters):
    """Squared norm of the pooled token of `quadrature`, analytic in rho."""
    _, first, second = quadrature(rho, *parameters)
    return first**2 + second**2


def excess(rho, pi, theta, beta=1.0, sigma=1.0):
    """Objective of infinitely many tokens less its value for noise alone, by completing the square in each Gaussian.

    Accurate relative to itself at any strength of the signal, which the quadrature is not. Analytic in rho.
    """
    noise = (1.0 - pi) * np.exp(-beta * theta * rho)
    p = pi / (pi + noise)
    return 2.0 * beta * sigma**2 * theta * rho * p + (theta * p) ** 2
