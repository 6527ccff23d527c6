/*
 * Errors draw the eye: the summary of a refused form is scrolled to and focused. A part of a page that htmx could
 * not fetch stays as it was, with a word about why, at most once a minute (live parts ask again by themselves).
 */
import { toast } from "./toast.js";

const QUIET = 60000;
let told = -QUIET;

export function start() {
  const summary = document.querySelector("[data-focus]");
  if (summary) {
    summary.focus({ preventScroll: true });
    summary.scrollIntoView({ block: "start" });
  }
  document.addEventListener("htmx:error", () => tell(document.body.dataset.textOffline));
  document.addEventListener("htmx:response:error", (event) => {
    const page = new DOMParser().parseFromString(event.detail.ctx?.text ?? "", "text/html");
    tell(page.querySelector("[data-problem]")?.textContent.trim() || document.body.dataset.textOffline);
  });
}

function tell(text) {
  if (performance.now() - told < QUIET) return;
  told = performance.now();
  toast(text, 5);
}
