// Controls of explorers, and the frame that holds them with the panels and the words.
(() => {
  "use strict";
  const { significant, two, still, element } = window.sga;

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
      // A finger that scrolls the page takes its touch back: so does the slider.
      let before = null;
      this.input.addEventListener("pointerdown", () => (before = this.value(this.position(this.last))));
      this.input.addEventListener("pointercancel", () => input(this.key, before));
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
      this.last = v;
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
      this.state = { ...defaults, ...this.addressed() };
      this.sliders = Object.fromEntries(specs.map((spec) => [spec.key, new Slider(spec, (k, v) => this.change({ [k]: v }))]));
      this.stage = element("div", { class: "explorer-stage" });
      this.controls = element("div", { class: "explorer-controls", role: "group", "aria-label": `Controls: ${name}` });
      this.controls.append(...Object.values(this.sliders).map((slider) => slider.box));
      this.buttons = element("div", { class: "explorer-buttons" });
      this.button("Reset", () => this.change(this.defaults));
      this.words = element("p", { class: "explorer-words", role: "status" });
      this.body = element("div", { class: "explorer-body" }, this.stage, this.buttons, this.words, this.controls);
    }

    // The state that the address of the page gives, as far as it has the keys and the kinds of value of the defaults.
    addressed() {
      const text = new URLSearchParams(location.search).get(this.figure.id) || "";
      const pairs = text.split(",").map((pair) => pair.split(":")).filter(([key]) => key in this.defaults);
      const values = pairs.map(([key, v]) => [key, typeof this.defaults[key] === "number" ? Number(v) : v]);
      return Object.fromEntries(values.filter(([, v]) => v === v));
    }

    // Puts the state into the address, so that a link to the page shows the figure as it is.
    address() {
      const query = new URLSearchParams(location.search);
      const changed = Object.entries(this.state).filter(([key, v]) => v !== this.defaults[key]);
      if (changed.length) query.set(this.figure.id, changed.map(([key, v]) => `${key}:${Number.isFinite(v) ? +v.toPrecision(6) : v}`).join(","));
      else query.delete(this.figure.id);
      const text = query.toString().replaceAll("%3A", ":").replaceAll("%2C", ",");
      history.replaceState(history.state, "", `${location.pathname}${text && "?"}${text}${location.hash}`);
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
      clearTimeout(this.writing);
      if (this.figure.id) this.writing = setTimeout(() => this.address(), 300);
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
      let width = this.body.clientWidth;
      new ResizeObserver(() => {
        if (this.body.clientWidth === width) return;
        width = this.body.clientWidth;
        this.draw();
      }).observe(this.body);
    }
  }

  // Makes the figures of a kind: `make(figure)` returns their frame, or null if something is missing.
  function explorer(kind, defaults, make) {
    window.sga.defaults = { ...window.sga.defaults, [kind]: defaults };
    document.querySelectorAll(`figure.explorer-${kind}`).forEach((figure) => make(figure));
  }

  window.sga = { ...window.sga, explorer, Slider, THETA, PI, BETA, GAMMA, Frame };
})();
