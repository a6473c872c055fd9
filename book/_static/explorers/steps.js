// The explorer of the three rates: a linear equation with noise, its exact error and runs computed as they are shown.
(() => {
  "use strict";
  const { normals, significant, fixed, it, decades, powerOfTen, minus, Panel, Frame, explorer } = window.sga;

  const DEFAULTS = { scale: 0.3, power: 1, seed: 1 };
  const STEPS = 10000, RUNS = 6;
  const RECORDS = [...new Set(Array.from({ length: 81 }, (_, i) => Math.round(10 ** (i / 20))))];

  // Root mean squares of x_k and of the mean of x_0..x_k at RECORDS: x_{k+1} = x_k - eta_k (x_k + noise), x_0 = 1.
  function errors(scale, power) {
    let x = 1, both = 1, mean = 1, i = 0;
    const found = { iterate: [], average: [] };
    for (let k = 1; i < RECORDS.length; k += 1) {
      const eta = scale / k ** power, w = 1 / (k + 1), kept = 1 - eta;
      const cross = kept * both;
      x = kept * kept * x + eta * eta;
      mean = (1 - w) ** 2 * mean + 2 * w * (1 - w) * cross + w * w * x;
      both = (1 - w) * cross + w * x;
      if (k === RECORDS[i]) {
        found.iterate.push(Math.sqrt(x));
        found.average.push(Math.sqrt(mean));
        i += 1;
      }
    }
    return found;
  }

  function run(scale, power, seed) {
    const normal = normals(seed), path = [];
    let x = 1, i = 0;
    for (let k = 1; i < RECORDS.length; k += 1) {
      x -= scale / k ** power * (x + normal());
      if (k === RECORDS[i]) {
        path.push(x);
        i += 1;
      }
    }
    return path;
  }

  // The slope of the error over the last decade, on logarithmic axes.
  const slope = (values) => {
    const ten = RECORDS.findIndex((k) => k >= STEPS / 10), last = RECORDS.length - 1;
    return Math.log(values[last] / values[ten]) / Math.log(RECORDS[last] / RECORDS[ten]);
  };

  function theory(c, power) {
    if (power === 0) return c < 2 ? `Steps that do not shrink: the error stays at √(c/(2 − c)) = ${significant(Math.sqrt(c / (2 - c)))}.` : "Steps that do not shrink, and are too long: the error grows without bound.";
    if (power > 1) return "The steps have a finite sum: the iterate never forgets where it began, however long it runs.";
    if (power < 1) return `The error falls like k to the power −α/2 = ${minus((-power / 2).toFixed(3))}; the mean of the iterates does better, like k to the power −1/2, once the start is forgotten.`;
    if (c > 0.5) return "Here cλ > 1/2: the error falls like k to the power −1/2, the best rate there is.";
    if (c === 0.5) return "Here cλ = 1/2, the critical constant: a logarithm slows the rate −1/2.";
    return `Here cλ < 1/2: the steps are too small to forget the start, and the error falls only like k to the power −cλ = ${minus((-c).toFixed(2))}.`;
  }

  function make(figure) {
    const frame = new Frame(figure, "step sizes and rates", DEFAULTS, [
      { key: "scale", name: "constant", symbol: "c", kind: "list", values: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.5, 2, 3], format: String },
      { key: "power", name: "power", symbol: "α", min: 0, max: 1.2, step: 0.05 },
    ]);
    const left = new Panel(300, "The iterate against the step, which is logarithmic: several runs");
    const right = new Panel(300, "Root mean square error against the step, both logarithmic: of the iterate, and of the mean of the iterates");
    frame.column(left);
    frame.column(right);
    frame.button("New runs", () => frame.change({ seed: frame.state.seed + RUNS }));
    frame.start(({ scale, power, seed }) => {
      const { iterate, average } = errors(scale, power);
      const axis = { min: 1, max: STEPS, kind: "log", ticks: decades(0, 4), format: powerOfTen, label: `step ${it("k")}` };
      left.begin(axis, { min: -1.5, max: 1.5, ticks: [-1, 0, 1], format: (v) => minus(String(v)), label: `iterate ${it("x")}ₖ; the root is 0` });
      left.line([[1, 0], [STEPS, 0]], "x-zero");
      for (let i = 0; i < RUNS; i += 1) left.line(run(scale, power, seed + i).map((x, j) => [RECORDS[j], x]), "x-run");
      for (const sign of [-1, 1]) left.line(iterate.map((x, j) => [RECORDS[j], sign * x]), "x-ode");
      left.text(left.right - 4, left.top + 16, `${RUNS} runs, and ± the error`, "x-note x-end");
      left.end();
      right.begin(axis, { min: 0.003, max: 3, kind: "log", ticks: [0.01, 0.1, 1], format: powerOfTen, label: "root mean square error, exact" });
      right.line([[1, 1], [STEPS, 0.01]], "x-mark");
      right.text(right.left + 6, right.bottom - 10, `dots: slope −½`, "x-note x-soft");
      right.line(average.map((v, j) => [RECORDS[j], v]), "x-ode");
      right.line(iterate.map((v, j) => [RECORDS[j], v]), "x-good");
      right.text(right.right - 4, right.top + 16, `iterate: slope ${fixed(2)(slope(iterate))} in the last decade`, "x-note x-end x-good-ink");
      right.text(right.right - 4, right.top + 34, `mean of the iterates: ${fixed(2)(slope(average))}`, "x-note x-end");
      right.end();
      const conditions = power > 1 ? "Their sum is finite" : power > 0.5 ? "The Robbins–Monro conditions hold" : "The sum of their squares is infinite";
      return `Steps ${scale}/k${power === 1 ? "" : power === 0 ? "⁰" : ` to the power ${power}`}, with λ = 1. ${conditions}. ${theory(scale, power)} ` +
        `After ${STEPS.toLocaleString("en-US")} steps the error is ${significant(iterate[iterate.length - 1])}.`;
    });
    return frame;
  }

  window.sga.errors = errors;
  explorer("steps", DEFAULTS, make);
})();
