/*
 * [data-pad]: a number typed with big keys under it, so that no keyboard covers half of the page. With a keyboard of its own a
 * device types as ever.
 */
const KEYS = ["1", "2", "3", "4", "5", "back", "6", "7", "8", "9", "0", "sign"];
const LONGEST = 4;

export function start(form, texts) {
  for (const input of form.querySelectorAll("input[data-pad]")) {
    if (matchMedia("(pointer: coarse)").matches) input.inputMode = "none";
    const pad = document.createElement("div");
    pad.className = "pad";
    pad.append(...KEYS.filter((key) => key !== "sign" || input.min === "").map((key) => button(key, texts)));
    pad.addEventListener("click", (event) => {
      const { key } = event.target.closest("button")?.dataset ?? {};
      if (!key) return;
      input.value = pressed(input.value, key);
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });
    input.closest("fieldset").append(pad);
  }
}

/* "8" and "5" make "85"; a leading 0 goes. */
export function pressed(value, key) {
  if (key === "back") return value.slice(0, -1).replace(/^-$/, "");
  if (key === "sign") return value.startsWith("-") ? value.slice(1) : value && `-${value}`;
  const typed = `${value}${key}`.replace(/^(-?)0+(?=\d)/, "$1");
  return typed.replace("-", "").length > LONGEST ? value : typed;
}

function button(key, texts) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "pad__key";
  made.dataset.key = key;
  made.textContent = { back: "⌫", sign: "±" }[key] ?? key;
  if (texts[key]) made.setAttribute("aria-label", texts[key]);
  return made;
}
