// Repairs of the theme's accessibility: labels that contradict the visible text, roles that are not allowed, and parts
// that scroll inside themselves without a way to do so by keyboard.
document.addEventListener("DOMContentLoaded", () => {
  const each = (selector, repair) => document.querySelectorAll(selector).forEach(repair);
  each("summary[aria-label]", (element) => element.removeAttribute("aria-label"));
  each(".citation-list", (element) => element.setAttribute("role", "none"));
  each(".citation[role]", (element) => element.removeAttribute("role"));
  each("th", (element) => element.textContent.trim() || element.setAttribute("role", "cell"));
  each(".search-button-field", (element) => element.setAttribute("aria-label", "Search Ctrl+K"));
  each("#pst-primary-sidebar", (element) => {
    element.setAttribute("role", "complementary");
    element.setAttribute("aria-label", "Book contents");
  });

  const ending = ", scrolls sideways";
  const kind = (element) => {
    if (element.matches(".math, mjx-container")) return "Equation";
    return element.matches("pre") ? "Code or output" : "Table or output";
  };
  // The text for screen readers in an equation is wider than what is seen: there the glyphs are measured.
  const overflows = (element) => {
    const glyphs = element.matches(".math, mjx-container") && element.querySelector("mjx-math");
    return glyphs ? glyphs.getBoundingClientRect().width > element.clientWidth + 1 : element.scrollWidth > element.clientWidth + 1;
  };
  const reach = (element) => {
    const cut = element.matches("span.math") || getComputedStyle(element).overflowX !== "visible";
    const wide = cut && element.clientWidth > 0 && overflows(element);
    if (wide) {
      element.tabIndex = 0;
      element.setAttribute("role", "group");
      element.setAttribute("aria-label", kind(element) + ending);
    } else if (element.ariaLabel?.endsWith(ending) || element.matches(".math")) {
      ["tabindex", "role", "aria-label"].forEach((attribute) => element.removeAttribute(attribute));
    }
  };
  const watch = new ResizeObserver((entries) => entries.forEach((entry) => reach(entry.target)));
  const scrolling = "main :is(pre, .math, mjx-container, .pst-scrollable-table-container, .cell_output .output, .cell_output figure)";
  const observe = () => each(scrolling, (element) => {
    reach(element);
    watch.observe(element);
  });
  observe();
  window.addEventListener("load", () => window.MathJax?.startup?.promise?.then(observe));
});
