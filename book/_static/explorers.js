// Explorers: figures that a reader moves. A classic script without libraries, so that it runs from a folder, offline.
// book/press/pages/explorers.py puts the still pictures on the page; this script puts the moving figures in their place.
(() => {
  "use strict";

  // ---------------------------------------------------------------------------------------------------------------
  // Formulas, those of lib/sga/landscape.py and flow.py with sigma = 1. A model m is {pi, theta, beta, gamma}.

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

  // ---------------------------------------------------------------------------------------------------------------
  // Words and numbers

  const minus = (text) => text.replace("-", "−");
  const fixed = (digits) => (v) => minus(Number(v.toFixed(digits)) === 0 ? (0).toFixed(digits) : v.toFixed(digits));
  const significant = (v) => {
    if (v === 0) return "0";
    if (v >= 1e-4 && v < 1e5) return Number(v.toPrecision(2)).toLocaleString("en-US", { maximumFractionDigits: 6 });
    const power = Math.floor(Math.log10(v) + 1e-9);
    return `${(v / 10 ** power).toFixed(1)} × 10${superscript(power)}`;
  };
  const superscript = (n) => String(n).replace(/./g, (c) => "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"["0123456789-".indexOf(c)]);
  const two = fixed(2);
  const it = (text) => `<tspan class="x-math">${text}</tspan>`;
  const narrow = () => window.matchMedia("(max-width: 600px)").matches;
  const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

  function element(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  }

  const range = (low, high, n) => Array.from({ length: n + 1 }, (_, i) => low + (high - low) * i / n);
  const decades = (low, high, step = 1) => {
    const found = [];
    for (let e = low; e <= high; e += step) found.push(10 ** e);
    return found;
  };
  const powerOfTen = (v) => (v === 1 ? "1" : v === 10 ? "10" : v === 0.1 ? "0.1" : `10${superscript(Math.round(Math.log10(v)))}`);

  function nice(low, high, count) {
    const raw = (high - low) / count, size = 10 ** Math.floor(Math.log10(raw));
    const step = size * [1, 2, 5, 10].find((f) => f * size >= raw);
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const ticks = [];
    for (let v = Math.ceil(low / step) * step; v <= high + 1e-9 * step; v += step) ticks.push(v);
    return { ticks, format: step >= 1e4 ? significant : fixed(digits) };
  }

  // ---------------------------------------------------------------------------------------------------------------
  // Drawing: a panel is an SVG that is redrawn whole, in pixels, so that its letters keep their size on a phone

  const WARP = { linear: (v) => v, log: Math.log10, asinh: (v) => Math.asinh(v / 0.05) };
  const UNWARP = { linear: (v) => v, log: (v) => 10 ** v, asinh: (v) => 0.05 * Math.sinh(v) };

  class Panel {
    constructor(height, describe) {
      this.svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      this.svg.setAttribute("role", "img");
      this.svg.setAttribute("aria-label", describe);
      this.box = element("div", { class: "explorer-panel" }, this.svg);
      this.full = height;
    }

    // Axes are {min, max, kind, ticks, format, label}.
    begin(x, y) {
      this.width = Math.max(200, this.box.clientWidth);
      this.height = narrow() ? Math.round(0.72 * this.full + 14) : this.full;
      this.left = 46, this.right = this.width - 20, this.top = 30, this.bottom = this.height - (x.label ? 42 : 24);
      const scale = (axis, from, to) => {
        const warp = WARP[axis.kind || "linear"], unwarp = UNWARP[axis.kind || "linear"];
        const low = warp(axis.min), high = warp(axis.max);
        return [
          (v) => from + (to - from) * (warp(v) - low) / (high - low),
          (at) => unwarp(low + (high - low) * (at - from) / (to - from)),
        ];
      };
      [this.x, this.fromX] = scale(x, this.left, this.right);
      [this.y, this.fromY] = scale(y, this.bottom, this.top);
      this.parts = [];
      this.over = [];
      let last = Infinity;
      for (const v of y.ticks) {
        const at = this.y(v);
        if (Math.abs(at - last) < 18 && v !== 0) continue;
        last = at;
        this.parts.push(`<path class="x-grid" d="M${this.left} ${at.toFixed(1)}H${this.right}"/>`);
        this.text(this.left - 7, at + 4, y.format(v), "x-tick x-end");
      }
      for (const v of x.ticks) {
        const at = this.x(v);
        this.parts.push(`<path class="x-grid" d="M${at.toFixed(1)} ${this.bottom}V${this.top}"/>`);
        this.text(at, this.bottom + 16, x.format(v), "x-tick x-middle");
      }
      this.text(this.left - 38, 15, y.label, "x-label");
      this.text((this.left + this.right) / 2, this.height - 6, x.label, "x-label x-middle");
    }

    text(x, y, words, classes) {
      this.over.push(`<text class="${classes}" x="${x.toFixed(1)}" y="${y.toFixed(1)}">${words}</text>`);
    }

    // Where points are on the screen: moved to the border if above (1) or below (-1) it.
    put(points) {
      return points.map(([x, y]) => {
        const at = this.y(y), out = at < this.top - 1 ? 1 : at > this.bottom + 1 ? -1 : 0;
        return [this.x(x).toFixed(1), Math.min(this.bottom + 1, Math.max(this.top - 1, at)).toFixed(1), out];
      });
    }

    // A line that leaves the panel is not drawn along its border.
    line(points, classes) {
      const at = this.put(points);
      const steps = at.map(([x, y, out], i) => `${i === 0 || (out && out === at[i - 1][2]) ? "M" : "L"}${x} ${y}`);
      if (points.length > 1) this.parts.push(`<path class="x-line ${classes}" d="${steps.join("")}"/>`);
    }

    area(points, classes) {
      const at = this.put(points).map(([x, y]) => `${x} ${y}`);
      this.parts.push(`<path class="${classes}" d="M${at.join("L")}Z"/>`);
    }

    band(x0, x1, classes) {
      const a = this.x(x0), b = this.x(x1);
      this.parts.push(`<path class="${classes}" d="M${a.toFixed(1)} ${this.top}H${b.toFixed(1)}V${this.bottom}H${a.toFixed(1)}Z"/>`);
    }

    dot(x, y, classes) {
      this.parts.push(`<circle class="x-dot ${classes}" cx="${this.x(x).toFixed(1)}" cy="${this.y(y).toFixed(1)}" r="5"/>`);
    }

    arrow(x, y, direction, classes) {
      const a = this.x(x), b = this.y(y), tip = 7 * direction;
      this.parts.push(`<path class="x-arrow ${classes}" d="M${a - tip} ${b - 5}L${a + tip} ${b}L${a - tip} ${b + 5}Z"/>`);
    }

    // A text where `inside(x, y)` holds, as far as it can be from where it does not and from the point `avoid`.
    place(inside, words, width, avoid) {
      const columns = 20, rows = 18, cells = [];
      for (let i = 0; i <= columns; i += 1) {
        for (let j = 0; j <= rows; j += 1) {
          const x = this.left + (this.right - this.left) * i / columns, y = this.top + (this.bottom - this.top) * j / rows;
          cells.push([x, y, inside(this.fromX(x), this.fromY(y))]);
        }
      }
      const outside = cells.filter((c) => !c[2]);
      const gap = ([x, y], u, v) => Math.max(Math.abs(x - u) / (width / 2 + 6), Math.abs(y - v) / 16);
      let best = [0];
      for (const cell of cells.filter((c) => c[2])) {
        const edges = [[this.left, cell[1]], [this.right, cell[1]], [cell[0], this.top], [cell[0], this.bottom]];
        const near = [...outside, ...edges].reduce((least, [u, v]) => Math.min(least, gap(cell, u, v)), 3);
        const clear = Math.min(near, avoid ? gap(cell, this.x(avoid[0]), this.y(avoid[1])) / 1.4 : 3);
        if (clear > best[0]) best = [clear, cell[0], cell[1]];
      }
      if (best[0] >= 1) this.text(best[1], best[2] + 5, words, "x-region x-middle");
    }

    end() {
      this.svg.setAttribute("width", this.width);
      this.svg.setAttribute("height", this.height);
      this.svg.innerHTML = this.parts.join("") + this.over.join("");
    }
  }

  // A point that the reader drags; also a button that arrow keys move. `move(x, y)` gets what the axes say there.
  class Handle {
    constructor(panel, move, nudge) {
      this.panel = panel;
      this.button = element("button", { type: "button", class: "explorer-handle" });
      panel.box.append(this.button);
      const go = (event) => {
        const frame = panel.svg.getBoundingClientRect();
        const px = Math.min(panel.right, Math.max(panel.left, event.clientX - frame.left - this.grip[0]));
        const py = Math.min(panel.bottom, Math.max(panel.top, event.clientY - frame.top - this.grip[1]));
        move(panel.fromX(px), panel.fromY(py));
      };
      this.grip = [0, 0];
      this.button.addEventListener("pointerdown", (event) => {
        const frame = panel.svg.getBoundingClientRect();
        this.grip = [event.clientX - frame.left - this.at[0], event.clientY - frame.top - this.at[1]];
        this.button.setPointerCapture(event.pointerId);
      });
      this.button.addEventListener("pointermove", (event) => {
        if (this.button.hasPointerCapture(event.pointerId)) go(event);
      });
      panel.svg.addEventListener("click", (event) => {
        this.grip = [0, 0];
        go(event);
        this.button.focus({ preventScroll: true });
      });
      this.button.addEventListener("keydown", (event) => {
        const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] || [];
        if (x === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        const far = event.shiftKey ? 20 : 4;
        nudge(x * far, y * far);
      });
    }

    set(x, y, words) {
      this.at = [this.panel.x(x), this.panel.y(y)];
      [this.button.style.left, this.button.style.top] = this.at.map((v) => `${v.toFixed(1)}px`);
      this.button.setAttribute("aria-label", `${words}. Arrow keys move it.`);
    }
  }

  // ---------------------------------------------------------------------------------------------------------------
  // Controls

  let count = 0;

  // A slider runs over positions; `value` and `position` translate. kind: linear, log (base ten), log0 (0 at the left
  // end), list (of `values`).
  class Slider {
    constructor(spec, input) {
      const kind = spec.kind || "linear";
      const log = kind === "log" || kind === "log0";
      this.key = spec.key;
      this.format = spec.format || two;
      this.min = kind === "list" ? 0 : log ? Math.log10(spec.min) : spec.min;
      this.max = kind === "list" ? spec.values.length - 1 : log ? Math.log10(spec.max) : spec.max;
      this.step = kind === "list" ? 1 : spec.step;
      this.value = (at) => {
        if (kind === "list") return spec.values[Math.round(at)];
        if (kind === "log0" && at <= this.min + 1e-9) return 0;
        return log ? 10 ** at : at;
      };
      this.position = (v) => {
        if (kind === "list") return spec.values.indexOf(v);
        return Math.min(this.max, Math.max(this.min, log ? (v > 0 ? Math.log10(v) : this.min) : v));
      };
      const id = `explorer-${++count}`;
      this.output = element("output", { class: "explorer-value", for: id });
      this.input = element("input", { type: "range", id, min: this.min, max: this.max, step: this.step, class: "explorer-range" });
      const label = element("label", { for: id }, `${spec.name} `, element("i", {}, spec.symbol));
      this.box = element("div", { class: "explorer-control" }, element("div", { class: "explorer-name" }, label, this.output), this.input);
      this.input.addEventListener("input", () => input(this.key, this.value(Number(this.input.value))));
    }

    // The nearest value that the slider has.
    snap(v) {
      const at = this.position(v);
      return this.value(this.min + Math.round((at - this.min) / this.step) * this.step);
    }

    nudge(v, steps) {
      return this.snap(this.value(Math.min(this.max, Math.max(this.min, this.position(v) + steps * this.step))));
    }

    show(v) {
      const text = this.format(v);
      this.input.value = this.position(v);
      this.input.setAttribute("aria-valuetext", text);
      this.output.textContent = text;
    }
  }

  const THETA = { key: "theta", name: "signal strength", symbol: "θ", min: 0.05, max: 6, step: 0.05 };
  const PI = { key: "pi", name: "share of informative tokens", symbol: "π", min: 0.01, max: 0.99, step: 0.01 };
  const BETA = { key: "beta", name: "inverse temperature", symbol: "β", min: 0.2, max: 2.5, step: 0.05 };
  const GAMMA = { key: "gamma", name: "dimension per token", symbol: "γ", kind: "log", min: 0.001, max: 30, step: 0.01, format: significant };

  // The frame of an explorer: controls, panels, words. `build(frame)` returns draw(state), which returns the words.
  class Frame {
    constructor(figure, name, defaults, specs) {
      this.figure = figure;
      this.defaults = defaults;
      this.state = { ...defaults };
      this.sliders = Object.fromEntries(specs.map((spec) => [spec.key, new Slider(spec, (k, v) => this.change({ [k]: v }))]));
      this.stage = element("div", { class: "explorer-stage" });
      this.controls = element("div", { class: "explorer-controls", role: "group", "aria-label": `Controls: ${name}` });
      this.controls.append(...Object.values(this.sliders).map((slider) => slider.box));
      this.buttons = element("div", { class: "explorer-buttons" });
      this.button("Reset", () => this.change(this.defaults));
      this.words = element("p", { class: "explorer-words", role: "status" });
      this.body = element("div", { class: "explorer-body" }, this.stage, this.words, this.controls, this.buttons);
      this.watchers = [];
    }

    button(text, act) {
      const node = element("button", { type: "button", class: "explorer-button" }, text);
      node.addEventListener("click", act);
      this.buttons.prepend(node);
      return node;
    }

    column(...panels) {
      this.stage.append(element("div", { class: "explorer-column" }, ...panels.map((panel) => panel.box)));
    }

    change(patch) {
      this.state = { ...this.state, ...patch };
      this.draw();
    }

    // Changes to the nearest values that the sliders have.
    move(patch) {
      this.change(Object.fromEntries(Object.entries(patch).map(([key, v]) => [key, this.sliders[key].snap(v)])));
    }

    nudge(key, steps) {
      if (steps) this.change({ [key]: this.sliders[key].nudge(this.state[key], steps) });
    }

    draw() {
      for (const [key, slider] of Object.entries(this.sliders)) slider.show(this.state[key]);
      const words = this.picture(this.state);
      if (this.words.textContent !== words) this.words.textContent = words;
    }

    // Puts the frame in the place of the still picture.
    start(picture) {
      this.picture = picture;
      const image = this.figure.querySelector("img");
      const old = image.closest("a, p") || image;
      old.replaceWith(this.body);
      this.draw();
      let width = this.stage.clientWidth;
      new ResizeObserver(() => {
        if (this.stage.clientWidth === width) return;
        width = this.stage.clientWidth;
        this.draw();
      }).observe(this.stage);
    }
  }

  // ---------------------------------------------------------------------------------------------------------------
  // Pieces that two explorers share

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

  // ---------------------------------------------------------------------------------------------------------------
  // The four explorers

  const DEFAULTS = {
    landscape: { theta: 4, pi: 0.3, beta: 1, gamma: 0, rho: -0.6 },
    ode: { scale: 0.3, power: 0.5 },
    mass: { theta: 2.5, ratio: 21, beta: 1, rho: 0.5 },
    sign: { theta: 1, pi: 0.2, gamma: 0.3, beta: 1 },
  };

  function landscapeExplorer(figure) {
    const start = { key: "rho", name: "start", symbol: "ρ₀", min: -0.99, max: 0.99, step: 0.01 };
    const frame = new Frame(figure, "landscape", DEFAULTS.landscape, [THETA, PI, BETA, { ...GAMMA, kind: "log0", max: 10 }, start]);
    const hill = new Panel(210, "The objective against the alignment, with a ball at the start");
    const line = new Panel(210, "The drift against the alignment, with arrows where the flow goes and dots where it rests");
    const map = new Panel(420, "Shares and signal strengths for which minus xi attracts, with the present point");
    frame.column(hill, line);
    frame.column(map);
    let timer = 0;
    let rolling = null;
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
        rolling = path[150];
        frame.draw();
        return;
      }
      let began = null;
      const step = (now) => {
        began = began === null ? now : began;
        const i = Math.min(150, Math.floor((now - began) / 20));
        rolling = path[i];
        frame.draw();
        timer = i < 150 ? requestAnimationFrame(step) : 0;
      };
      timer = requestAnimationFrame(step);
    });
    frame.start(({ rho, ...m }) => {
      const edge = trap(m), at = rolling === null ? rho : rolling;
      drawObjective(hill, m, edge, m.gamma ? OBJECTIVE : `objective ${it("J")}`);
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

  function odeExplorer(figure) {
    const data = window.sgaRuns;
    if (!data) return null;
    const { bag, records, unit } = data;
    const m = { theta: bag.theta, beta: bag.beta, pi: bag.informative / bag.tokens, gamma: (bag.dim - 1) / bag.tokens };
    const last = records[records.length - 1];
    const frame = new Frame(figure, "step sizes", DEFAULTS.ode, [
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

  function massExplorer(figure) {
    const ratio = { key: "ratio", name: "tokens per informative token", symbol: "L/R", kind: "log", min: 1.1, max: 1000, step: 0.005, format: (v) => (v < 10 ? v.toFixed(1) : String(Math.round(v))) };
    const rho = { key: "rho", name: "alignment", symbol: "ρ", min: -1, max: 1, step: 0.01 };
    const frame = new Frame(figure, "attention mass", DEFAULTS.mass, [rho, ratio, THETA, BETA]);
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

  const percent = (v) => `${v >= 0.0995 ? (100 * v).toFixed(0) : significant(100 * v)}%`;

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

  function signExplorer(figure) {
    const frame = new Frame(figure, "sign", { ...DEFAULTS.sign, against: "pi" }, [{ ...THETA, max: 4 }, PI, GAMMA, BETA]);
    const map = new Panel(420, "Phase diagram: where minus xi attracts, with a movable point");
    const hill = new Panel(210, "The objective against the alignment");
    const line = new Panel(210, "The slope of the objective against the alignment, with arrows where the flow goes and dots where it rests");
    frame.column(map);
    frame.column(hill, line);
    const choice = element("div", { class: "explorer-choice", role: "radiogroup", "aria-label": "Phase diagram" });
    choice.append(element("span", { "aria-hidden": "true" }, "Phase diagram"));
    const radios = [["pi", "strength and share"], ["gamma", "strength and dimension"]].map(([value, words]) => {
      const input = element("input", { type: "radio", name: `${figure.id || "sign"}-against`, value });
      input.addEventListener("change", () => frame.change({ against: value }));
      choice.append(element("label", {}, input, element("span", {}, words)));
      return input;
    });
    frame.controls.prepend(choice);
    const point = new Handle(map, (x, y) => frame.move({ theta: x, [frame.state.against]: y }), (x, y) => {
      frame.nudge("theta", x);
      frame.nudge(frame.state.against, frame.state.against === "gamma" ? 2 * y : y);
    });
    frame.start(({ against, ...m }) => {
      for (const radio of radios) radio.checked = radio.value === against;
      const strength = { min: 0, max: 4, ticks: [0, 1, 2, 3, 4], format: String, label: `strength ${it("θ")}` };
      let bad;
      if (against === "pi") {
        map.begin(strength, { min: 0, max: 1, ...UNIT_TICKS, label: `share ${it("π")}` });
        drawShares(map, m.gamma, m.beta, true, 4);
        bad = (x, y) => y < criticalShare(m.gamma, Math.max(x, 1e-6), m.beta);
      } else {
        map.begin(strength, { min: 0.001, max: 30, kind: "log", ticks: decades(-3, 1), format: powerOfTen, label: `dimension per token ${it("γ")}` });
        const bounds = range(0.01, 4, 300).map((theta) => [theta, Math.max(1e-5, criticalGamma(m.pi, theta, m.beta))]);
        map.area([[0, 1e3], ...bounds, [4, 1e3]], "x-wash");
        map.line(bounds, "x-bad");
        bad = (x, y) => y > criticalGamma(m.pi, Math.max(x, 1e-6), m.beta);
      }
      map.place(bad, BAD, 86, [m.theta, m[against]]);
      map.place((x, y) => !bad(x, y), GOOD, 76, [m.theta, m[against]]);
      map.end();
      const other = against === "pi" ? `share ${two(m.pi)}` : `dimension per token ${significant(m.gamma)}`;
      point.set(m.theta, m[against], `Point at signal strength ${two(m.theta)} and ${other}`);
      const edge = trap(m);
      drawObjective(hill, m, edge, OBJECTIVE);
      hill.end();
      drawForce(line, m, edge, slope, `slope ${J_GAMMA}′`);
      line.end();
      return `${verdict(edge)} ${criticalDimension(m)}`;
    });
    return frame;
  }

  // ---------------------------------------------------------------------------------------------------------------

  window.sga = {
    mass, objective, slope, drift, trap, criticalTheta, criticalGamma, criticalShare, flow, timeTo, defaults: DEFAULTS,
  };

  const MAKERS = { landscape: landscapeExplorer, ode: odeExplorer, mass: massExplorer, sign: signExplorer };
  const begin = () => {
    for (const figure of document.querySelectorAll("figure.explorer")) {
      const kind = Object.keys(MAKERS).find((name) => figure.classList.contains(`explorer-${name}`));
      if (kind) MAKERS[kind](figure);
    }
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
