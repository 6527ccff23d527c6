/* The draw ceremony: a presenter's keys follow the links of the page. */
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
}
