// Repairs of the theme's accessibility: labels that contradict the visible text, roles that are not allowed.
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
});
