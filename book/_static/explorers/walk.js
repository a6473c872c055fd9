// The explorer of stochastic ascent: runs on the sphere, computed as they are shown, against the ODE.
(() => {
  "use strict";
  const {
    trap, flow, gradient, normals, significant, two, it, still, range, Panel, Handle, THETA, PI, Frame, RHO, verdict,
    explorer,
  } = window.sga;

  const DEFAULTS = { theta: 4, pi: 0.3, scale: 0.03, power: 0, rho: -0.5, seed: 1 };
  const TOKENS = 200, STEPS = 300, RUNS = 5, BETA = 1;
  const POWERS = [0, 0.5, 0.75, 1];

  // The queries of a run in three dimensions, xi the first axis: each step takes a fresh bag.
  function run(state, eta, seed) {
    const normal = normals(seed), informative = Math.round(state.pi * TOKENS);
    const turn = normal(), other = normal(), length = Math.hypot(turn, other), across = Math.sqrt(1 - state.rho ** 2);
    let q = [state.rho, across * turn / length, across * other / length];
    const path = [q];
    for (let k = 0; k < STEPS; k += 1) {
      const bag = Array.from({ length: TOKENS }, (_, i) => [(i < informative ? state.theta : 0) + normal(), normal(), normal()]);
      const g = gradient(q, bag, BETA), moved = q.map((v, j) => v + eta(k) * g[j]), norm = Math.hypot(...moved);
      q = moved.map((v) => v / norm);
      path.push(q);
    }
    return path;
  }

  function make(figure) {
    const frame = new Frame(figure, "stochastic ascent", DEFAULTS, [
      { key: "rho", name: "start", symbol: "ρ₀", min: -0.95, max: 0.95, step: 0.05 },
      { key: "scale", name: "constant of the steps", symbol: "c", kind: "log", min: 0.003, max: 1, step: 0.02, format: significant },
      { key: "power", name: "power of the steps", symbol: "α", kind: "list", values: POWERS, format: String },
      THETA, PI,
    ]);
    const ball = new Panel(300, "The sphere seen from the side, xi on top, with the path of the query of the last run");
    const time = new Panel(300, "Alignment against time: the runs and the ODE");
    frame.column(ball);
    frame.column(time);
    const start = new Handle(time, (_, y) => frame.move({ rho: y }), (_, y) => frame.nudge("rho", y / 4));
    let timer = 0, shown = STEPS;
    const change = frame.change.bind(frame);
    frame.change = (patch) => {
      cancelAnimationFrame(timer);
      shown = STEPS;
      change(patch);
    };
    let kept = null;
    const runs = (state, eta) => {
      const key = JSON.stringify(state);
      if (kept?.key !== key) kept = { key, paths: Array.from({ length: RUNS }, (_, i) => run(state, eta, state.seed + i)) };
      return kept.paths;
    };
    frame.button("New run", () => {
      frame.change({ seed: frame.state.seed + 1 });
      if (still()) return;
      let began = null;
      const step = (now) => {
        began = began === null ? now : began;
        shown = Math.min(STEPS, Math.floor((now - began) / 10));
        frame.draw();
        timer = shown < STEPS ? requestAnimationFrame(step) : 0;
      };
      timer = requestAnimationFrame(step);
    });
    frame.start((state) => {
      const m = { theta: state.theta, pi: Math.round(state.pi * TOKENS) / TOKENS, beta: BETA, gamma: 0 };
      const eta = (k) => state.scale / (1 + k) ** state.power, paths = runs(state, eta), edge = trap(m);
      const times = [0];
      for (let k = 0; k < STEPS; k += 1) times.push(times[k] + eta(k));
      const total = times[STEPS], ode = flow(m, state.rho, range(0, total, 150));
      const last = paths[RUNS - 1].slice(0, shown + 1);

      ball.begin({ min: -1.45, max: 1.45, ticks: [], format: String, label: "" }, { min: -1.1, max: 1.1, ticks: [], format: String, label: "the query on the sphere" });
      const radius = ball.y(0) - ball.y(1), middle = (ball.left + ball.right) / 2;
      const at = ([up, side]) => `${(middle + radius * side).toFixed(1)} ${(ball.y(up)).toFixed(1)}`;
      ball.parts.push(`<circle class="x-globe" cx="${middle}" cy="${ball.y(0)}" r="${radius}"/>`);
      for (const up of [0, ...(edge === null ? [] : [edge])]) {
        const wide = radius * Math.sqrt(1 - up * up);
        ball.parts.push(`<ellipse class="x-line ${up ? "x-bad" : "x-zero"}" cx="${middle}" cy="${ball.y(up).toFixed(1)}" rx="${wide.toFixed(1)}" ry="${(wide * 0.12).toFixed(1)}"/>`);
      }
      ball.parts.push(`<path class="x-line x-walk" d="M${last.map(at).join("L")}"/>`);
      const [x, y] = at(last[last.length - 1]).split(" ");
      ball.parts.push(`<circle class="x-ball" cx="${x}" cy="${y}" r="6"/>`);
      ball.text(middle, ball.y(1) - 8, `+${it("ξ")}`, "x-note x-middle");
      ball.text(middle, ball.y(-1) + 18, `−${it("ξ")}`, "x-note x-middle");
      if (edge !== null) ball.text(middle, ball.y(edge) + 4, "edge of the trap", "x-note x-bad-ink x-middle");
      ball.end();

      time.begin(
        { min: 0, max: total, ticks: range(0, total, 4), format: significant, label: `time ${it("t")} = ${it("η")}₀ + … + ${it("η")}ₖ₋₁` },
        { min: -1, max: 1, ticks: [-1, -0.5, 0, 0.5, 1], format: RHO.format, label: `alignment ${it("ρ")}` },
      );
      if (edge !== null) time.line([[0, edge], [total, edge]], "x-mark");
      for (const path of paths.slice(0, -1)) time.line(path.map((q, k) => [times[k], q[0]]), "x-run");
      time.line(last.map((q, k) => [times[k], q[0]]), "x-walk");
      time.line(range(0, total, 150).map((t, i) => [t, ode[i]]), "x-ode");
      time.end();
      start.set(0, state.rho, `Start at alignment ${two(state.rho)}`);
      const ends = paths.map((path) => two(path[STEPS][0])), goal = edge !== null && state.rho < edge ? "−ξ" : "+ξ";
      return `${verdict(edge)} ${RUNS} runs of ${STEPS} steps, a fresh bag of ${TOKENS} tokens each, from ρ₀ = ${two(state.rho)}, ` +
        `end at ${ends.join(", ")}; the ODE heads for ${goal} and is at ${two(ode[150])} at the same time, ${significant(total)}.`;
    });
    return frame;
  }

  window.sga.walk = run;
  explorer("walk", DEFAULTS, make);
})();
