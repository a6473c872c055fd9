// The depths of the book: Read, Prove (proofs open) and Check (proofs and checks open). The folds open without this script.
(() => {
  "use strict";
  const DEPTHS = { read: [], prove: ["proof"], check: ["proof", "check", "code"] };
  const KEY = "sga-depth";
  const kept = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null; // no storage for pages from a folder in some browsers
    }
  };
  const keep = (depth) => {
    try {
      localStorage.setItem(KEY, depth);
    } catch {}
  };
  const folds = document.querySelectorAll("details.sga-fold");
  const kind = (fold) => [...fold.classList].find((name) => name.startsWith("sga-fold-"))?.slice(9);

  // Opens and closes the folds that the depth decides; what the reader looks at stays where it is on the screen.
  function apply(depth) {
    const inSight = [...document.querySelectorAll("main :is(h1, h2, h3, p, figure)")].find((node) => node.getBoundingClientRect().top > 60);
    const before = inSight?.getBoundingClientRect().top;
    for (const fold of folds) {
      if (["proof", "check", "code"].includes(kind(fold))) fold.open = DEPTHS[depth].includes(kind(fold));
    }
    document.documentElement.dataset.depth = depth;
    for (const radio of document.querySelectorAll(".sga-depth input")) radio.checked = radio.value === depth;
    if (inSight) window.scrollBy({ top: inSight.getBoundingClientRect().top - before, behavior: "instant" });
  }

  // Opens the folds around the place that the address names, and goes there.
  function arrive() {
    const name = decodeURIComponent(location.hash.slice(1));
    if (Object.hasOwn(DEPTHS, name)) return apply(name);
    const place = name ? document.getElementById(name) : null;
    let closed = false;
    for (let fold = place?.closest("details:not([open])"); fold; fold = fold.parentElement.closest("details:not([open])")) {
      fold.open = true;
      closed = true;
    }
    if (closed) place.scrollIntoView();
    return undefined;
  }

  function control() {
    const group = document.createElement("div");
    group.className = "sga-depth";
    group.setAttribute("role", "radiogroup");
    group.setAttribute("aria-label", "Depth: what stands open on every page");
    const titles = { read: "Proofs and checks folded", prove: "Proofs open", check: "Proofs, checks and code open" };
    for (const depth of Object.keys(DEPTHS)) {
      const label = document.createElement("label"), radio = document.createElement("input"), word = document.createElement("span");
      Object.assign(radio, { type: "radio", name: "sga-depth", value: depth });
      radio.addEventListener("change", () => {
        keep(depth);
        apply(depth);
      });
      word.textContent = depth[0].toUpperCase() + depth.slice(1);
      label.title = titles[depth];
      label.append(radio, word);
      group.append(label);
    }
    return group;
  }

  if (document.querySelector(".sga-fold-proof, .sga-fold-check, .sga-fold-code")) {
    document.querySelector(".article-header-buttons")?.prepend(control());
    apply(Object.hasOwn(DEPTHS, kept() ?? "") ? kept() : "read");
  }
  arrive();
  window.addEventListener("hashchange", arrive);
  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details.sga-fold:is(.sga-fold-proof, .sga-fold-start):not([open])")];
    for (const fold of closed) fold.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const fold of closed) fold.open = false;
  });
})();
