// The explorer of step sizes: stored runs against the ODE.
(() => {
  "use strict";
  const {
    slope, flowY, flow, minus, significant, it, range, decades, powerOfTen, Panel, Frame, explorer,
  } = window.sga;

  const DEFAULTS = { scale: 0.3, power: 0.5 };

  function make(figure) {
    const data = window.sgaRuns;
    if (!data) return null;
    const { bag, records, unit } = data;
    const m = { theta: bag.theta, beta: bag.beta, pi: bag.informative / bag.tokens, gamma: (bag.dim - 1) / bag.tokens };
    const last = records[records.length - 1];
    const frame = new Frame(figure, "step sizes", DEFAULTS, [
      { key: "scale", name: "constant", symbol: "c", kind: "list", values: data.scales, format: String },
      { key: "power", name: "power", symbol: "α", kind: "list", values: data.powers, format: String },
    ]);
    const left = new Panel(300, "Alignment against time: twelve stored runs, their median, and the ODE");
    const right = new Panel(300, "Misalignment against the step, both logarithmic: runs, median, the ODE, and the level that theory gives");
    frame.column(left);
    frame.column(right);
    const clock = range(Math.log10(0.02), Math.log10(6000), 160).map((e) => 10 ** e);
    const path = flow(m, 0, clock);
    const lambda = slope({ ...m, gamma: 0 }, 1);
    const level = (eta, k) => {
      const rest = 2 * lambda - (1 / eta(k + 1) - 1 / eta(k));
      return rest > 0 ? (bag.dim - 1) * eta(k) * data.noise / rest / 2 : null;
    };
    const median = (values) => {
      const sorted = [...values].sort((a, b) => a - b), half = sorted.length >> 1;
      return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    };
    const gap = (y) => 2 / (1 + Math.exp(2 * y));
    frame.start(({ scale, power }) => {
      const runs = data.runs[data.scales.indexOf(scale)][data.powers.indexOf(power)].map((run) => run.map((v) => v / unit));
      const middle = records.map((_, i) => median(runs.map((run) => run[i])));
      const eta = (k) => scale / (1 + k) ** power, times = [];
      let t = 0;
      for (let k = 0, i = 0; i < records.length; k += 1) {
        if (k === records[i]) {
          times.push(t);
          i += 1;
        }
        t += eta(k);
      }
      const total = times[times.length - 1], ends = flowY(m, 0, times);
      left.begin(
        { min: 0.02, max: 6000, kind: "log", ticks: decades(-1, 3), format: powerOfTen, label: `time ${it("t")} = ${it("η")}₀ + … + ${it("η")}ₖ₋₁` },
        { min: -0.4, max: 1, ticks: [-0.4, 0, 0.5, 1], format: (v) => minus(String(v)), label: `alignment ${it("ρ")}` },
      );
      for (const run of runs) left.line(run.map((y, i) => [times[i], Math.tanh(y)]), "x-run");
      left.line(middle.map((y, i) => [times[i], Math.tanh(y)]), "x-good");
      left.line(clock.map((x, i) => [x, path[i]]), "x-ode");
      const stop = left.x(total), side = stop > (left.left + left.right) / 2 ? -1 : 1;
      left.line([[total, -0.4], [total, 1]], "x-mark");
      left.text(stop + 6 * side, left.bottom - 8, `${last.toLocaleString("en-US")} steps`, `x-note ${side < 0 ? "x-end" : ""}`);
      left.text(left.x(clock[path.findIndex((v) => v > 0.6)]) - 8, left.y(0.6), "ODE", "x-note x-end");
      left.text(left.right - 4, left.y(0.16), `${runs.length} runs, median`, "x-note x-end x-good-ink");
      left.end();
      right.begin(
        { min: 1, max: last, kind: "log", ticks: decades(0, 3), format: powerOfTen, label: `step ${it("k")}` },
        { min: 3e-4, max: 2, kind: "log", ticks: decades(-3, 0), format: powerOfTen, label: `misalignment 1 − ${it("ρ")}` },
      );
      for (const run of runs) right.line(run.map((y, i) => [records[i], gap(y)]), "x-run");
      right.line(middle.map((y, i) => [records[i], gap(y)]), "x-good");
      const below = ends.findIndex((y) => gap(y) < 3e-4), shown = below < 0 ? ends : ends.slice(0, below + 1);
      right.line(shown.map((y, i) => [records[i], gap(y)]), "x-ode");
      const floor = records.map((k) => [k, level(eta, k)]).filter(([k, v]) => v !== null && v < 0.3 && k >= 10);
      right.line(floor, "x-floor");
      if (floor.length > 1) right.text(right.right - 4, right.top + 16, "level of the noise, theory", "x-note x-end x-bad-ink");
      right.end();
      const reach = 1 - Math.tanh(median(runs.map((run) => run[records.length - 1])));
      const behind = gap(ends[ends.length - 1]);
      const cause = behind > 0.05
        ? "The steps fall so fast that even the ODE has not arrived: time is short."
        : reach < 3 * behind ? "Noise adds little to what the ODE has left." : "The ODE has arrived; what is left is noise.";
      const sums = power > 0.5
        ? "the Robbins–Monro conditions hold"
        : "the squares of the steps have an infinite sum, so the Robbins–Monro conditions fail";
      return `Constant ${scale}, power ${power}: ${sums}. ${last.toLocaleString("en-US")} steps make a time of ${significant(total)}. ` +
        `There the median run is ${significant(reach)} short of alignment 1, the ODE ${behind < 1e-6 ? "less than a millionth" : significant(behind)}. ${cause}`;
    });
    return frame;
  }

  explorer("ode", DEFAULTS, make);
})();
