// Pieces that several explorers share.
(() => {
  "use strict";
  const { objective, criticalGamma, criticalShare, minus, significant, two, it, range, decades, nice } = window.sga;

  const RHO = { min: -1, max: 1, ticks: [-1, -0.5, 0, 0.5, 1], format: (v) => minus(String(v)), label: `alignment ${it("ρ")}` };
  const UNIT_TICKS = { ticks: [0, 0.2, 0.4, 0.6, 0.8, 1], format: (v) => String(v) };

  const J_GAMMA = `${it("J")}<tspan class="x-math x-sub" dy="3">γ</tspan><tspan dy="-3">\u200b</tspan>`;
  const OBJECTIVE = `objective ${J_GAMMA}`;

  function basins(panel, edge, f) {
    if (edge !== null) panel.band(-1, edge, "x-wash");
    const from = edge === null ? -1 : edge;
    if (edge !== null) panel.line(range(-1, edge, 120).map((r) => [r, f(r)]), "x-bad");
    panel.line(range(from, 1, 240).map((r) => [r, f(r)]), "x-good");
  }

  function drawObjective(panel, m, edge, label) {
    const values = range(-1, 1, 100).map((r) => objective(m, r));
    const low = Math.min(...values), high = Math.max(...values), pad = 0.06 * (high - low);
    const log = high > 4 * low, grow = (high / low) ** 0.06;
    const ticks = decades(-3, 5).flatMap((v) => [v, 2 * v, 5 * v]).filter((v) => v > low / grow && v < high * grow);
    const axis = log
      ? { min: low / grow, max: high * grow, kind: "log", ticks, format: significant }
      : { min: low - pad, max: high + pad, ...nice(low, high, 3) };
    panel.begin({ ...RHO, label: "" }, { ...axis, label: log ? `${label}, log scale` : label });
    basins(panel, edge, (r) => objective(m, r));
  }

  // A phase line: the curve of f, arrows and rest points on its zero line, and where the edge is.
  function drawForce(panel, m, edge, f, label) {
    const values = range(-1, 1, 200).map((r) => f(m, r));
    const low = Math.min(-0.12, ...values) * 1.6, high = Math.max(0.12, ...values) * 1.6;
    const ticks = [0, ...decades(-1, 4).flatMap((v) => [v, -v])].filter((v) => v > low && v < high);
    panel.begin(RHO, { min: low, max: high, kind: "asinh", ticks, format: (v) => minus(String(v)), label });
    basins(panel, edge, (r) => f(m, r));
    panel.line([[-1, 0], [1, 0]], "x-zero");
    if (edge !== null && edge > -0.9) panel.arrow((edge - 1) / 2, 0, -1, "x-bad");
    panel.arrow(((edge === null ? -1 : edge) + 1) / 2, 0, 1, "x-good");
    panel.dot(-1, 0, edge === null ? "x-open" : "x-bad");
    panel.dot(1, 0, "x-good");
    if (edge === null) return;
    panel.dot(edge, 0, "x-open");
    const left = edge < -0.3, at = panel.x(edge) + (left ? 9 : -9);
    panel.text(at, panel.y(0) + (left ? 20 : -10), `${it("ρ*")} = ${two(edge)}`, `x-note ${left ? "" : "x-end"}`);
  }

  // Where -xi attracts, over (share, strength).
  function drawShares(panel, gamma, beta, flip, top) {
    const strengths = range(1e-4, top, 240);
    const curve = strengths.map((theta) => [criticalShare(gamma, theta, beta), theta]).map((p) => (flip ? p.reverse() : p));
    const border = curve.filter((_, i) => curve[Math.min(i + 1, 240)][flip ? 1 : 0] > 0);
    panel.area([...border, flip ? [top, 0] : [0, top]], "x-wash");
    panel.line(border, "x-bad");
  }

  const BAD = `−${it("ξ")} attracts`, GOOD = `−${it("ξ")} repels`;

  function verdict(edge) {
    if (edge === null) return "−ξ repels: every start ends at +ξ, except −ξ itself.";
    return `−ξ attracts: a start below ρ = ${two(edge)} ends there, a start above it ends at +ξ.`;
  }

  const criticalDimension = (m) => {
    const v = criticalGamma(m.pi, m.theta, m.beta);
    return v === 0
      ? "At this strength and share −ξ attracts in every dimension."
      : `The critical dimension per token is γ = ${significant(v)}.`;
  };

  const percent = (v) => `${v >= 0.0995 ? (100 * v).toFixed(0) : significant(100 * v)}%`;

  window.sga = {
    ...window.sga,
    RHO, UNIT_TICKS, J_GAMMA, OBJECTIVE, basins, drawObjective, drawForce, drawShares, BAD, GOOD, verdict,
    criticalDimension, percent,
  };
})();
