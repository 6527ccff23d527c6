/* The draw ceremony: a presenter's keys, and a tap on the right or left half of the screen, follow the links of the page. */
const ON = new Set(["ArrowRight", "ArrowDown", "PageDown", " ", "Enter"]);
const BACK = new Set(["ArrowLeft", "ArrowUp", "PageUp"]);

export function start() {
  const ceremony = document.querySelector("[data-ceremony]");
  if (!ceremony) return;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, textarea, button, a")) return;
    const link = ON.has(event.key)
      ? ceremony.querySelector("[data-next]")
      : BACK.has(event.key)
        ? ceremony.querySelector("[data-previous]")
        : null;
    if (!link) return;
    event.preventDefault();
    link.click();
  });
  ceremony.querySelector("main").addEventListener("click", (event) => {
    // words typed into a form are not lost to a tap beside it, and a hash can be marked and copied
    if (ceremony.querySelector("form") || event.target.closest("a") || String(getSelection())) return;
    const right = event.clientX > window.innerWidth / 2;
    ceremony.querySelector(right ? "[data-next]" : "[data-previous]")?.click();
  });
}
