// A number field at each self-check: what is said to which number stands in the page (press.pages.answers).
document.querySelectorAll(".sga-answer").forEach((place, count) => {
  const {replies, unknown} = JSON.parse(place.dataset.said);
  const form = document.createElement("form"), label = document.createElement("label");
  const field = document.createElement("input"), button = document.createElement("button");
  const said = document.createElement("p");
  field.id = `answer-${count}`;
  Object.assign(field, {type: "text", inputMode: "decimal", autocomplete: "off", size: 12});
  Object.assign(label, {htmlFor: field.id, textContent: place.dataset.asked});
  Object.assign(button, {type: "submit", textContent: "Check"});
  said.setAttribute("role", "status");
  // "1.5e-3", "1,5" and "−2" are numbers, too, as people type them.
  const number = () => {
    const text = field.value.trim().replace("−", "-").replace(/^([^,.]*),([^,.]*)$/, "$1.$2");
    return text && Number.isFinite(Number(text)) ? Number(text) : null;
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const answer = number();
    const reply = replies.find(({value, within}) => Math.abs(answer - value) <= within);
    const {verdict, hint} = reply ?? {verdict: "Not yet", hint: unknown};
    said.dataset.verdict = answer === null ? "" : verdict;
    said.textContent = answer === null ? "Enter a number, such as 0.25." : `${verdict}: ${+answer.toPrecision(4)}.${hint}`;
  });
  form.append(label, field, button, said);
  place.append(form);
});
