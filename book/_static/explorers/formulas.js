// Formulas of explorers, those of lib/sga/landscape.py and flow.py with sigma = 1. A model m is {pi, theta, beta, gamma}.
(() => {
  "use strict";

  const sigmoid = (s) => (s >= 0 ? 1 / (1 + Math.exp(-s)) : Math.exp(s) / (1 + Math.exp(s)));
  const score = (m, rho) => Math.log(m.pi) - Math.log1p(-m.pi) + m.beta * m.theta * rho;
  const mass = (m, rho) => sigmoid(score(m, rho));
  const pull = (m) => (m.gamma || 0) * Math.exp(m.beta ** 2);

  function objective(m, rho) {
    const p = mass(m, rho), q = sigmoid(-score(m, rho));
    const along = m.beta ** 2 + 2 * m.beta * m.theta * p * rho + (m.theta * p) ** 2;
    return along + pull(m) * (p * p / m.pi + q * q / (1 - m.pi));
  }

  // (r - 1)/D, r = e^{beta theta rho}, D = pi r + 1 - pi
  function tilt(m, rho) {
    const x = Math.expm1(m.beta * m.theta * rho);
    return x / (1 + m.pi * x);
  }

  function slope(m, rho) {
    const p = mass(m, rho), q = sigmoid(-score(m, rho));
    const bracket = 1 + q * m.theta * (m.beta * rho + m.theta * p) + pull(m) * q * tilt(m, rho);
    return 2 * m.beta * m.theta * p * bracket;
  }

  const drift = (m, rho) => (1 - rho) * (1 + rho) * slope(m, rho);

  // The slope over 2 beta theta p (1 - p): strictly increasing in rho.
  function force(m, rho) {
    const odds = Math.exp(score(m, rho));
    return 1 + odds + m.beta * m.theta * rho + m.theta ** 2 * mass(m, rho) + pull(m) * tilt(m, rho);
  }

  // Zero of f, negative at low and positive at high, by bisection until the interval can't be halved.
  function bisect(f, low, high) {
    for (;;) {
      const middle = (low + high) / 2;
      if (middle <= Math.min(low, high) || middle >= Math.max(low, high)) return middle;
      if (f(middle) < 0) low = middle;
      else high = middle;
    }
  }

  const trap = (m) => (force(m, -1) >= 0 ? null : bisect((rho) => force(m, rho), -1, 0));

  function criticalTheta(pi, beta) {
    const excess = (theta) => -force({ pi, theta, beta, gamma: 0 }, -1);
    let high = 2 / beta;
    while (excess(high) < 0) high *= 2;
    return bisect(excess, 0, high);
  }

  function criticalGamma(pi, theta, beta) {
    const fall = -Math.expm1(-beta * theta);
    const bracket = force({ pi, theta, beta, gamma: 0 }, -1);
    return Math.max(0, Math.exp(-beta * beta) * (1 - pi * fall) * bracket / fall);
  }

  // The share below which -xi attracts: a quadratic equation for the odds at the wrong pole.
  function criticalShare(gamma, theta, beta) {
    const c = beta * theta, noise = gamma * Math.exp(beta * beta) * -Math.expm1(-c);
    const half = 1 + (theta * theta - c - noise * Math.exp(c)) / 2, product = 1 - c - noise;
    if (product >= 0) return 0;
    const root = Math.sqrt(half * half - product);
    const odds = half > 0 ? -product / (half + root) : root - half;
    return sigmoid(Math.log(odds) + c);
  }

  // artanh of the flow from rho0 at increasing times: y' = J'(tanh y) by RK4, each step against two halves.
  function flowY(m, rho0, times, tolerance = 1e-12) {
    const rate = (y) => slope(m, Math.tanh(y));
    const rk4 = (y, h) => {
      const a = rate(y), b = rate(y + h * a / 2), c = rate(y + h * b / 2), d = rate(y + h * c);
      return y + h * (a + 2 * b + 2 * c + d) / 6;
    };
    let t = 0, y = Math.atanh(rho0), h = 1e-3;
    return times.map((end) => {
      while (t < end) {
        const step = Math.min(h, end - t), whole = rk4(y, step), halves = rk4(rk4(y, step / 2), step / 2);
        const error = Math.abs(whole - halves) / 15 / (1 + Math.abs(halves));
        if (error <= tolerance || step < 1e-12) {
          t = step === end - t ? end : t + step;
          y = halves + (halves - whole) / 15;
        }
        const factor = Math.min(4, Math.max(0.2, 0.9 * (tolerance / (error || 1e-300)) ** 0.2));
        if (error > tolerance || step === h) h = step * factor;
      }
      return y;
    });
  }

  const flow = (m, rho0, times) =>
    Math.abs(rho0) === 1 ? times.map(() => rho0) : flowY(m, rho0, times).map(Math.tanh);

  // Time from rho0 to rho1, by Simpson's rule in artanh rho; Infinity where the flow never gets there.
  function timeTo(m, rho0, rho1, n = 2000) {
    if (rho0 === rho1) return 0;
    if (Math.abs(rho0) === 1 || Math.abs(rho1) === 1) return Infinity;
    const a = Math.atanh(rho0), h = (Math.atanh(rho1) - a) / n;
    let sum = 0;
    for (let i = 0; i <= n; i += 1) {
      const speed = slope(m, Math.tanh(a + i * h));
      if (speed * h <= 0) return Infinity;
      sum += (i === 0 || i === n ? 1 : i % 2 ? 4 : 2) / speed;
    }
    return sum * h / 3;
  }

  // The gradient of |f|^2 in q, 2 beta sum_i a_i (<x_i, f> - |f|^2) x_i, for a bag of tokens x (an array of vectors).
  function gradient(q, x, beta) {
    const dot = (u, v) => u.reduce((sum, part, j) => sum + part * v[j], 0);
    const mix = (c) => q.map((_, j) => x.reduce((sum, token, i) => sum + c[i] * token[j], 0));
    const scores = x.map((token) => beta * dot(q, token)), top = Math.max(...scores);
    const powers = scores.map((s) => Math.exp(s - top)), total = powers.reduce((sum, v) => sum + v, 0);
    const a = powers.map((v) => v / total), f = mix(a), square = dot(f, f);
    return mix(x.map((token, i) => 2 * beta * a[i] * (dot(token, f) - square)));
  }

  // A source of independent standard normal numbers, the same for the same seed (mulberry32, Box and Muller).
  function normals(seed) {
    let state = Math.imul(seed + 1, 0x9e3779b9);
    const uniform = () => {
      state = (state + 0x6d2b79f5) | 0;
      let t = Math.imul(state ^ (state >>> 15), 1 | state);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
    let spare = null;
    return () => {
      if (spare !== null) {
        const v = spare;
        spare = null;
        return v;
      }
      const r = Math.sqrt(-2 * Math.log(1 - uniform())), angle = 2 * Math.PI * uniform();
      spare = r * Math.sin(angle);
      return r * Math.cos(angle);
    };
  }

  window.sga = {
    ...window.sga,
    sigmoid, score, mass, pull, objective, tilt, slope, drift, force, bisect, trap, criticalTheta, criticalGamma,
    criticalShare, flowY, flow, timeTo, gradient, normals,
  };
})();
