/* Single keys of the desk; none of them works while something is typed, chosen or asked. */
const WRITES = "input, select, textarea, [contenteditable]";

export function start(viewer) {
  const actions = {
    a: () => press("accepted"),
    n: () => reasons("needs_changes"),
    r: () => reasons("rejected"),
    j: () => viewer?.step(1),
    ArrowRight: () => viewer?.step(1),
    k: () => viewer?.step(-1),
    ArrowLeft: () => viewer?.step(-1),
    "+": () => viewer?.zoom(true),
    "=": () => viewer?.zoom(true),
    "-": () => viewer?.zoom(false),
    0: () => viewer?.reset(),
    t: () => viewer?.turn(),
    g: () => document.querySelector("[data-key=g] [type=submit]")?.click(),
    "?": help,
  };
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && event.target.closest?.(WRITES)) {
      event.target.blur();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.closest?.(WRITES) || document.querySelector("dialog[open]")) return;
    const act = actions[event.key] ?? actions[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  });
  document.querySelector("[data-help]")?.addEventListener("click", help);
  // A page that came back with something to correct has its own focus; else the picture has it, for the keys.
  const keyboard = matchMedia("(pointer: fine)").matches && !document.querySelector("[data-focus]");
  if (keyboard) document.querySelector("[data-stage]")?.focus({ preventScroll: true });
}

function button(decision) {
  return document.querySelector(`#decision [name=decision][value=${decision}]`);
}

function press(decision) {
  const found = button(decision) ?? document.querySelector("[data-claim]");
  found?.click();
}

/* To the first reason that is written, else to the first place; with a reason written, to the button that sends it. */
function reasons(decision) {
  const places = [...document.querySelectorAll("#decision .reason")];
  const written = places.some((place) => [...place.querySelectorAll("select, input")].some((field) => field.value));
  if (written) {
    button(decision)?.focus();
    return;
  }
  const first = places[0];
  if (!first) return;
  first.open = true;
  const field = first.querySelector("select");
  field.focus({ preventScroll: true });
  first.closest(".place").scrollIntoView({ block: "nearest" });
}

function help() {
  const dialog = document.getElementById("keys");
  if (dialog?.showModal && !dialog.open) dialog.showModal();
}
