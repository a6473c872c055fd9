// The explorer of the sign: where minus xi attracts, in any dimension per token.
(() => {
  "use strict";
  const {
    slope, trap, criticalGamma, criticalShare, significant, two, it, element, range, decades, powerOfTen, Panel,
    Handle, THETA, PI, BETA, GAMMA, Frame, UNIT_TICKS, J_GAMMA, OBJECTIVE, drawObjective, drawForce, drawShares,
    BAD, GOOD, verdict, criticalDimension, explorer,
  } = window.sga;

  const DEFAULTS = { theta: 1, pi: 0.2, gamma: 0.3, beta: 1 };

  function make(figure) {
    const frame = new Frame(figure, "sign", { ...DEFAULTS, against: "pi" }, [{ ...THETA, max: 4 }, PI, GAMMA, BETA]);
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

  explorer("sign", DEFAULTS, make);
})();
