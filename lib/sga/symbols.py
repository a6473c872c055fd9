r"""The theory in SymPy, derived once: the limit of many tokens at fixed share, temperature and dimension.

Everything follows from one function, the moment generating function of a token drawn from the bag,
M(h) = pi exp(theta h_1 + |h|^2/2) + (1 - pi) exp(|h|^2/2), where h = (h_1, h_2) are the coordinates of the
argument along xi and along the part of q orthogonal to xi (sigma = 1). Pooling with weights exp(<h, x>) gives the
gradient of log M at h = beta q. `Limit` compiles its numbers from the expressions below and types none in again.
"""

from functools import cache

import sympy as sp

rho = sp.Symbol("rho", real=True)
theta, beta = sp.symbols("theta beta", positive=True)
pi = sp.Symbol("pi", positive=True)
p = sp.Symbol("p", positive=True)
s0 = sp.Symbol("s_0", real=True)
h1, h2 = sp.symbols("h_1 h_2", real=True)

#: Moment generating function of a token drawn at random from the bag, at (h_1, h_2).
mgf = pi * sp.exp(theta * h1 + (h1**2 + h2**2) / 2) + (1 - pi) * sp.exp((h1**2 + h2**2) / 2)

#: The argument h = beta q: q has coordinates rho along xi and sqrt(1 - rho^2) across it.
query = (beta * rho, beta * sp.sqrt(1 - rho**2))


def _at_query(expression):
    return expression.subs({h1: query[0], h2: query[1]}, simultaneous=True)


#: The pooled token (along xi, across xi): the gradient of log M at beta q.
pooled = tuple(sp.cancel(sp.together(_at_query(sp.diff(sp.log(mgf), h)))) for h in (h1, h2))

#: Attention on the informative tokens: what theta multiplies in the pooled token.
mass = sp.factor((pooled[0] - query[0]) / theta)

#: The same mass through s_0 = log(pi/(1 - pi)): the form that is compiled, since it never overflows to nan.
mass_logistic = 1 / (1 + sp.exp(-(s0 + beta * theta * rho)))


def in_mass(expression: sp.Expr) -> sp.Expr:
    """Rewrite an expression in exp(beta theta rho) = p(1-pi)/(pi(1-p)) through the mass p."""
    odds = p * (1 - pi) / (pi * (1 - p))
    expanded = sp.expand(sp.powsimp(expression), power_exp=False)
    return sp.factor(sp.simplify(expanded.subs(sp.exp(beta * theta * rho), odds)))


#: d p / d rho in terms of p.
mass_slope = in_mass(sp.diff(mass, rho))

#: The objective J = |pooled token|^2, in rho and p.
objective = sp.expand(sp.simplify((query[0] + theta * p) ** 2 + pooled[1] ** 2))

#: dJ/d rho, by the chain rule through p.
slope = sp.factor(sp.diff(objective, rho) + sp.diff(objective, p) * mass_slope)

#: Right-hand side of the rho-ODE.
drift = (1 - rho**2) * slope


def explicit(expression: sp.Expr) -> sp.Expr:
    """The same expression with p written out in rho, pi, theta and beta."""
    return expression.subs(p, mass)


#: Dimension per token, (d - 1)/L, and the number of tokens.
gamma, L = sp.symbols("gamma L", positive=True)

#: L E Q exp(-beta^2) for many tokens: how concentrated the weights are.
concentration = p**2 / pi + (1 - p) ** 2 / (1 - pi)

#: What noise adds to the objective if the dimension grows with the number of tokens, and its slope.
excess = gamma * sp.exp(beta**2) * concentration
excess_slope = sp.factor(sp.diff(excess, p) * mass_slope)


@cache
def correction() -> sp.Expr:
    """The coefficient of 1/L in the objective of L tokens in d = 1 + gamma L dimensions.

    The objective is the mean of a smooth function G of four averages over the tokens, of y, y u, y s and y^2, where
    y = exp(beta u) and s is 1 for an informative token, else 0. By Taylor's theorem it is off by tr(G'' Sigma)/(2 L),
    with Sigma the covariance of what is averaged, taken within the two kinds of token.

    Returns:
        A SymPy expression in rho, p, pi, theta, beta and gamma.
    """
    means = sp.symbols("m_0:4")
    features = ((1, 0, 0), (1, 1, 0), (1, 0, 1), (2, 0, 0))
    kinds = ((pi, p / pi, theta * rho, 1), (1 - pi, (1 - p) / (1 - pi), sp.S.Zero, 0))

    def moment(j, k, marked, omega, m, informative):
        """E y^j u^k s^marked of one token, where omega is E y and all is in units of the mean of E y."""
        h = sp.Symbol("h")
        normal = sp.diff(sp.exp(h * (m + j * beta) + h**2 / 2), h, k).subs(h, 0)
        return omega**j * sp.exp((j * j - j) * beta**2 / 2) * normal * (informative if marked else 1)

    def covariance(one, two):
        """Covariance of two features within a kind, summed over the kinds."""
        (j, k, a), (i, n, b) = one, two
        return sum(
            share * (moment(j + i, k + n, a or b, *kind) - moment(*one, *kind) * moment(*two, *kind))
            for share, *kind in kinds
        )

    at = {m: sum(share * moment(*f, *kind) for share, *kind in kinds) for m, f in zip(means, features, strict=True)}
    m0, m1, m2, m3 = means
    G = (m1**2 + theta**2 * (1 - rho**2) * m2**2 + gamma * m3) / m0**2
    return sum(
        sp.diff(G, x, y).subs(at, simultaneous=True) * covariance(one, two) / 2
        for x, one in zip(means, features, strict=True)
        for y, two in zip(means, features, strict=True)
    )
