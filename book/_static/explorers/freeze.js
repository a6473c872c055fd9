// The explorer of freezing: the weights of one bag of noise as the inverse temperature rises.
(() => {
  "use strict";
  const { normals, significant, two, it, range, Panel, Handle, Frame, percent, explorer } = window.sga;

  const DEFAULTS = { ratio: 1, tokens: 1000, seed: 1 };
  const BARS = 25, TOP = 3;

  // The largest weights and the sum of all squares, at the inverse temperature beta, of sorted scores.
  function attention(scores, beta) {
    let total = 0, squares = 0;
    for (const u of scores) {
      const w = Math.exp(beta * (u - scores[0]));
      total += w;
      squares += w * w;
    }
    return { top: Array.from(scores.slice(0, BARS), (u) => Math.exp(beta * (u - scores[0])) / total), squares: squares / total ** 2 };
  }

  function make(figure) {
    const frame = new Frame(figure, "freezing", DEFAULTS, [
      { key: "ratio", name: "inverse temperature over the critical one", symbol: "b", min: 0.05, max: TOP, step: 0.05 },
      { key: "tokens", name: "tokens", symbol: "L", kind: "log", min: 10, max: 30000, step: 0.02, format: (v) => Math.round(v).toLocaleString("en-US") },
    ]);
    const bars = new Panel(300, "The largest weights of the bag, in order");
    const curve = new Panel(300, "The sum of the squared weights against the inverse temperature: this bag, and the limit of many tokens");
    frame.column(bars);
    frame.column(curve);
    const handle = new Handle(curve, (x) => frame.move({ ratio: x }), (x) => frame.nudge("ratio", x / 4));
    frame.button("New bag", () => frame.change({ seed: frame.state.seed + 1 }));
    frame.start((state) => {
      const count = Math.round(state.tokens), normal = normals(state.seed);
      const scores = Float64Array.from({ length: count }, normal).sort().reverse();
      const critical = Math.sqrt(2 * Math.log(count)), { top, squares } = attention(scores, state.ratio * critical);
      const grid = range(0.05, TOP, 40), path = grid.map((b) => attention(scores, b * critical).squares);

      const most = Math.min(BARS, count);
      bars.begin({ min: 0.5, max: BARS + 0.5, ticks: [1, 5, 10, 15, 20, 25], format: String, label: "rank of the token" }, { min: 0, max: 1, ticks: [0, 0.5, 1], format: String, label: `weight ${it("a")}` });
      for (let i = 0; i < most; i += 1) bars.area([[i + 0.65, 0], [i + 0.65, top[i]], [i + 1.35, top[i]], [i + 1.35, 0]], "x-signal");
      const rest = 1 - top.reduce((sum, v) => sum + v, 0);
      bars.text(bars.right, bars.top + 16, `all other tokens together: ${percent(Math.max(0, rest))}`, "x-note x-end");
      bars.end();

      curve.begin({ min: 0, max: TOP, ticks: [0, 1, 2, 3], format: String, label: `inverse temperature over the critical one, ${it("b")}` }, { min: 0, max: 1, ticks: [0, 0.5, 1], format: String, label: `concentration ${it("Q")} = sum of squared weights` });
      curve.line([[0, 0], [1, 0], ...range(1, TOP, 60).map((b) => [b, 1 - 1 / b])], "x-ode");
      curve.line(grid.map((b, i) => [b, path[i]]), "x-good");
      curve.line([[1, 0], [1, 1]], "x-mark");
      curve.text(curve.x(1) - 6, curve.top + 16, "freezing", "x-note x-end");
      curve.text(curve.right, curve.y(1 - 1 / TOP) - 8, "many tokens: 1 − 1/b", "x-note x-end");
      curve.end();
      handle.set(state.ratio, squares, `Point at ${two(state.ratio)} times the critical inverse temperature`);
      const side = state.ratio > 1
        ? `Above it, the limit keeps ${two(1 - 1 / state.ratio)}, however many tokens there are.`
        : "Below it, the limit is 0: attention spreads over ever more tokens.";
      return `${count.toLocaleString("en-US")} tokens of noise; the critical inverse temperature is √(2 log L) = ${two(critical)}. At β = ${two(state.ratio * critical)} ` +
        `the largest weight is ${percent(top[0])}, and the weights count as ${significant(1 / squares)} equal ones (Q = ${two(squares)}). ${side}`;
    });
    return frame;
  }

  window.sga.attention = attention;
  explorer("freeze", DEFAULTS, make);
})();
