// Drawing of explorers: words and numbers, panels, and points that a reader drags.
(() => {
  "use strict";

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

  window.sga = {
    ...window.sga,
    minus, fixed, significant, superscript, two, it, narrow, still, element, range, decades, powerOfTen, nice,
    WARP, UNWARP, Panel, Handle,
  };
})();
