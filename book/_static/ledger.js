// The filter of the ledger: by verdict, kind of evidence, chapter and text. Without this script all claims stand there.
(() => {
  "use strict";
  const lines = [...document.querySelectorAll("details.sga-fold-ledger")];
  if (!lines.length) return;
  const form = document.createElement("form"), count = document.createElement("output");
  form.className = "sga-filter";
  form.addEventListener("submit", (event) => event.preventDefault());
  const field = (name, node) => {
    const label = document.createElement("label");
    label.append(name, node);
    form.append(label);
    return node;
  };
  const choice = (name, options) => {
    const select = field(name, document.createElement("select"));
    for (const [value, text] of [["", "all"], ...options]) select.add(new Option(text, value));
    return select;
  };
  const having = (names) => names.filter((name) => lines.some((line) => line.classList.contains(`sga-is-${name}`)))
    .map((name) => [name, name.replace("-", " ")]);
  const verdict = choice("Verdict", having(["passed", "not-passed", "illustrated", "not-checked"]));
  const kind = choice("Evidence", having(["symbolic", "exact", "Monte-Carlo", "illustrated"]));
  const sections = [...new Set(lines.map((line) => line.closest("section")))];
  const heading = (section) => section.querySelector("h2, h3").textContent.replace("#", "").trim();
  const chapter = choice("Chapter", sections.map((section) => [section.id, heading(section)]));
  const text = field("Text", Object.assign(document.createElement("input"), { type: "search", size: 16 }));
  form.append(count);
  const show = () => {
    let left = 0;
    for (const line of lines) {
      const wanted = [verdict.value, kind.value].every((name) => !name || line.classList.contains(`sga-is-${name}`))
        && (!chapter.value || line.closest("section").id === chapter.value)
        && line.textContent.toLowerCase().includes(text.value.toLowerCase());
      line.hidden = !wanted;
      left += wanted;
    }
    const asked = [verdict, kind, chapter, text].some((node) => node.value);
    for (const group of document.querySelectorAll("details.sga-fold-group")) group.open = asked;
    for (const section of sections) section.hidden = [...section.querySelectorAll("details.sga-fold-ledger")].every((line) => line.hidden);
    count.textContent = `${left} of ${lines.length} claims`;
  };
  form.addEventListener("input", show);
  sections[0].before(form);
  show();
})();
