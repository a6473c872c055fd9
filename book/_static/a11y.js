// Repairs of the theme's accessibility: labels that contradict the visible text, roles that are not allowed, and parts
// that scroll inside themselves without a way to do so by keyboard.
document.addEventListener("DOMContentLoaded", () => {
  const each = (selector, repair) => document.querySelectorAll(selector).forEach(repair);
  each("summary[aria-label]", (element) => element.removeAttribute("aria-label"));
  each(".citation-list", (element) => element.setAttribute("role", "none"));
  each(".citation[role]", (element) => element.removeAttribute("role"));
  each(".search-button-field", (element) => element.setAttribute("aria-label", "Search Ctrl+K"));
  each("#pst-primary-sidebar", (element) => {
    element.setAttribute("role", "complementary");
    element.setAttribute("aria-label", "Book contents");
  });

  const name = (element) => (element.matches(".math, mjx-container") ? "Equation" : element.matches("pre") ? "Code or output" : "Output");
  const reach = (element) => {
    const wide = element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== "visible";
    if (!wide) return ["tabindex", "role", "aria-label"].forEach((attribute) => element.removeAttribute(attribute));
    element.tabIndex = 0;
    element.setAttribute("role", "group");
    element.setAttribute("aria-label", `${name(element)}, scrolls sideways`);
  };
  const watch = new ResizeObserver((entries) => entries.forEach((entry) => reach(entry.target)));
  const observe = () => each("main :is(pre, .math, mjx-container, .cell_output .output, .cell_output figure)", (element) => {
    reach(element);
    watch.observe(element);
  });
  observe();
  window.addEventListener("load", () => window.MathJax?.startup?.promise?.then(observe));
});
