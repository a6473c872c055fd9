// The explorer of attention mass: what a query of some alignment sees.
(() => {
  "use strict";
  const {
    mass, significant, two, it, range, decades, Panel, Handle, THETA, BETA, Frame, RHO, UNIT_TICKS, percent,
    explorer,
  } = window.sga;

  const DEFAULTS = { theta: 2.5, ratio: 21, beta: 1, rho: 0.5 };

  // Two bars over each other: tokens by kind above, attention by kind below, and what links them.
  function drawStrip(panel, share, mass) {
    panel.width = Math.max(200, panel.box.clientWidth);
    panel.height = panel.full;
    panel.parts = [];
    panel.over = [];
    const left = 8, width = panel.width - 24, cut = (v) => left + Math.max(1.5, width * v);
    const bar = (y, v, name) => {
      panel.parts.push(`<rect class="x-noise" x="${left}" y="${y}" width="${width}" height="22"/>`);
      panel.parts.push(`<rect class="x-signal" x="${left}" y="${y}" width="${(cut(v) - left).toFixed(1)}" height="22"/>`);
      panel.text(left + width, y + (y < 50 ? -7 : 38), `${name}: ${percent(v)} informative`, "x-note x-end");
    };
    panel.parts.push(`<path class="x-link" d="M${left} 46H${cut(share).toFixed(1)}L${cut(mass).toFixed(1)} 80H${left}Z"/>`);
    bar(24, share, "tokens");
    bar(80, mass, "attention");
    panel.end();
  }

  function make(figure) {
    const ratio = { key: "ratio", name: "tokens per informative token", symbol: "L/R", kind: "log", min: 1.1, max: 1000, step: 0.005, format: (v) => (v < 10 ? v.toFixed(1) : String(Math.round(v))) };
    const rho = { key: "rho", name: "alignment", symbol: "ρ", min: -1, max: 1, step: 0.01 };
    const frame = new Frame(figure, "attention mass", DEFAULTS, [rho, ratio, THETA, BETA]);
    const curve = new Panel(270, "Attention mass on informative tokens against the alignment");
    const tail = new Panel(270, "Attention mass at perfect alignment against the number of tokens per informative token");
    const strip = new Panel(128, "Two bars: the share of informative tokens, and the share of attention that they get");
    frame.column(curve);
    frame.column(tail);
    strip.box.classList.add("explorer-wide");
    frame.stage.append(strip.box);
    const ball = new Handle(curve, (x) => frame.move({ rho: x }), (x) => frame.nudge("rho", x));
    const top = { min: 0, max: 1, ...UNIT_TICKS };
    frame.start((s) => {
      const m = { theta: s.theta, beta: s.beta, pi: 1 / s.ratio, gamma: 0 }, p = mass(m, s.rho), full = mass(m, 1);
      curve.begin(RHO, { ...top, label: `mass ${it("p")} on informative tokens` });
      curve.line([[-1, m.pi], [1, m.pi]], "x-mark");
      curve.text(curve.left + 6, curve.y(m.pi) + (m.pi < 0.9 ? -6 : 16), `even attention, ${it("R/L")}`, "x-note x-soft");
      curve.line(range(-1, 1, 200).map((r) => [r, mass(m, r)]), "x-good");
      curve.end();
      ball.set(s.rho, p, `Point at alignment ${two(s.rho)}`);
      tail.begin(
        { min: 1, max: 1000, kind: "log", ticks: decades(0, 3), format: (v) => v.toLocaleString("en-US"), label: `tokens per informative token ${it("L/R")}` },
        { ...top, label: `mass at ${it("ρ")} = 1` },
      );
      const ratios = range(0.0001, 3, 160).map((e) => 10 ** e);
      const at = (x) => mass({ ...m, pi: 1 / x }, 1), half = 1 + Math.exp(m.beta * m.theta);
      tail.area([[1, 1], ...ratios.map((x) => [x, at(x)]), [1000, 1]], "x-gray");
      tail.line(ratios.map((x) => [x, at(x)]), "x-good");
      tail.place((x, y) => y > at(Math.max(x, 1.0001)), "left on noise", 84, [s.ratio, full]);
      if (half < 1000) {
        tail.dot(half, 0.5, "x-open");
        tail.text(tail.x(half) - 9, tail.y(0.5) + 16, `½ at ${significant(half)}`, "x-note x-end");
      }
      tail.parts.push(`<circle class="x-ball" cx="${tail.x(s.ratio).toFixed(1)}" cy="${tail.y(full).toFixed(1)}" r="6"/>`);
      tail.end();
      drawStrip(strip, m.pi, p);
      const noise = mass({ ...m, pi: 1 - m.pi, theta: -m.theta }, 1);
      return `One token in ${frame.sliders.ratio.format(s.ratio)} is informative. At ρ = ${two(s.rho)} the informative tokens get ` +
        `${percent(p)} of the attention instead of ${percent(m.pi)}. Perfect alignment would still leave ${percent(noise)} on noise; ` +
        `half of it is lost once there are ${significant(half)} tokens to an informative one.`;
    });
    return frame;
  }

  explorer("mass", DEFAULTS, make);
})();
