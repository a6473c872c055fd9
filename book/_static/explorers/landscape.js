// The explorer of the landscape: a ball on the objective, the drift, and where there is a trap.
(() => {
  "use strict";
  const {
    objective, drift, trap, criticalTheta, criticalShare, flow, timeTo, significant, two, it, still, range, Panel,
    Handle, THETA, PI, BETA, GAMMA, Frame, UNIT_TICKS, J_GAMMA, OBJECTIVE, drawObjective, drawForce, drawShares,
    BAD, GOOD, verdict, criticalDimension, explorer,
  } = window.sga;

  const DEFAULTS = { theta: 4, pi: 0.3, beta: 1, gamma: 0, rho: -0.6 };

  function make(figure) {
    const start = { key: "rho", name: "start", symbol: "ρ₀", min: -0.99, max: 0.99, step: 0.01 };
    const frame = new Frame(figure, "landscape", DEFAULTS, [THETA, PI, BETA, { ...GAMMA, kind: "log0", max: 10 }, start]);
    const hill = new Panel(210, "The objective against the alignment, with a ball at the start");
    const line = new Panel(210, "The drift against the alignment, with arrows where the flow goes and dots where it rests");
    const map = new Panel(420, "Shares and signal strengths for which minus xi attracts, with the present point");
    frame.column(hill, line);
    frame.column(map);
    let timer = 0;
    let rolling = null; // {path, times, i} while the ball is on its way, and after
    const stop = () => {
      cancelAnimationFrame(timer);
      rolling = null;
    };
    const change = frame.change.bind(frame);
    frame.change = (patch) => {
      stop();
      change(patch);
    };
    const ball = new Handle(hill, (x) => frame.move({ rho: x }), (x) => frame.nudge("rho", x));
    const point = new Handle(map, (x, y) => frame.move({ pi: x, theta: y }), (x, y) => {
      frame.nudge("pi", x);
      frame.nudge("theta", y);
    });
    const end = (m, rho) => {
      const edge = trap(m);
      return edge !== null && Math.abs(rho - edge) < 1e-9 ? 0 : edge !== null && rho < edge ? -1 : 1;
    };
    frame.button("Let it flow", () => {
      stop();
      const { rho, ...m } = frame.state, goal = 0.99 * end(m, rho);
      const whole = timeTo(m, rho, goal);
      if (!Number.isFinite(whole)) return;
      const times = range(0, whole, 150), path = flow(m, rho, times);
      if (still()) {
        rolling = { path, times, i: 150 };
        frame.draw();
        return;
      }
      let began = null;
      const step = (now) => {
        began = began === null ? now : began;
        const i = Math.min(150, Math.floor((now - began) / 20));
        rolling = { path, times, i };
        frame.draw();
        timer = i < 150 ? requestAnimationFrame(step) : 0;
      };
      timer = requestAnimationFrame(step);
    });
    frame.start(({ rho, ...m }) => {
      const edge = trap(m), at = rolling === null ? rho : rolling.path[rolling.i];
      drawObjective(hill, m, edge, m.gamma ? OBJECTIVE : `objective ${it("J")}`);
      if (rolling !== null) {
        hill.line(rolling.path.slice(0, rolling.i + 1).map((r) => [r, objective(m, r)]), "x-trail");
        hill.text(hill.right, hill.top - 15, `time ${it("t")} = ${significant(rolling.times[rolling.i])}`, "x-note x-end");
      }
      hill.end();
      ball.set(at, objective(m, at), `Ball at alignment ${two(at)}`);
      drawForce(line, m, edge, drift, `drift (1 − ${it("ρ")}²) ${m.gamma ? J_GAMMA : it("J")}′`);
      line.parts.push(`<circle class="x-ball" cx="${line.x(at).toFixed(1)}" cy="${line.y(0).toFixed(1)}" r="6"/>`);
      line.end();
      map.begin(
        { min: 0, max: 1, ...UNIT_TICKS, label: `share ${it("π")}` },
        { min: 0, max: 6, ticks: [0, 1, 2, 3, 4, 5, 6], format: String, label: `strength ${it("θ")}` },
      );
      drawShares(map, m.gamma, m.beta, false, 6);
      const bad = (x, y) => x < criticalShare(m.gamma, Math.max(y, 1e-6), m.beta);
      map.place(bad, BAD, 86, [m.pi, m.theta]);
      map.place((x, y) => !bad(x, y), GOOD, 76, [m.pi, m.theta]);
      map.end();
      point.set(m.pi, m.theta, `Point at share ${two(m.pi)} and signal strength ${two(m.theta)}`);
      const goal = end(m, rho), time = goal ? timeTo(m, rho, 0.99 * goal) : Infinity;
      const there = 0.99 * goal === rho || Math.abs(rho) >= 0.99 ? "" : `, within 0.01 of it after a time of ${significant(time)}`;
      const bound = m.gamma ? criticalDimension(m) : `The critical strength is θ = ${two(criticalTheta(m.pi, m.beta))}.`;
      const fate = goal ? `From ρ₀ = ${two(rho)} the flow ends at ${goal < 0 ? "−ξ" : "+ξ"}${there}.` : "The start is on the edge, where the flow rests.";
      return `${verdict(edge)} ${fate} ${bound}`;
    });
    return frame;
  }

  explorer("landscape", DEFAULTS, make);
})();
