/* Errors draw the eye: the summary of a refused form is scrolled to and focused. */
export function start() {
  const summary = document.querySelector("[data-focus]");
  if (summary) {
    summary.focus({ preventScroll: true });
    summary.scrollIntoView({ block: "start" });
  }
}
